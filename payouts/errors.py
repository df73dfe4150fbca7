"""Refusals: what a caller may have done wrong, said in a way that helps them to put it right. Pure
Python.
"""

from enum import StrEnum


class Kind(StrEnum):
    """What sort of refusal it is: whether the caller mends what they sent, signs in, looks again,
    or comes back later.
    """

    MALFORMED = "malformed"  # cannot be read
    SIGN_IN = "sign in"  # nobody knows who asks
    FORBIDDEN = "forbidden"
    UNKNOWN = "unknown"
    METHOD = "method"  # the address takes other methods
    NOT_ACCEPTABLE = "not acceptable"
    CONFLICT = "conflict"  # understood, and not as things stand now
    TOO_LARGE = "too large"
    MEDIA_TYPE = "media type"
    INVALID = "invalid"  # understood, and refused for what was given
    TOO_OFTEN = "too often"
    LATER = "later"  # nothing was written; the same again may succeed


def mark(sentence: str) -> str:
    """Mark a sentence for the catalogues; it is translated where it is shown
    (`casino/text/problems.py`).
    """
    return sentence


class Refused(Exception):
    """A command was refused and nothing of it was written.

    `code` is stable and names the noun first (`round.not_open`), `kind` says what its caller does
    about it, `rule` is the id in `docs/rules.md` if a rule refuses, `sentence` and `remedy` are
    English templates over `data` (they are also the message ids of the catalogues), `data` is
    JSON-ready.
    """

    code = "command.refused"
    kind = Kind.INVALID
    rule: str | None = None
    sentence = mark("This was refused.")
    remedy = mark("Check what you entered and try again.")

    def __init__(self, **data: object) -> None:
        self.data = data
        super().__init__(self.text())

    def text(self) -> str:
        """The English sentence with its data filled in."""
        return self.sentence % self.data
