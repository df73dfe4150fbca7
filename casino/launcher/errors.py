"""What stops a start, said in one sentence with the way out."""


class StartError(Exception):
    """Something on this machine prevents the start; `sentence` says what, `remedy` what to do."""

    def __init__(self, sentence: str, remedy: str) -> None:
        self.sentence = sentence
        self.remedy = remedy
        super().__init__(f"{sentence} {remedy}")
