"""What is refused to the page of a display, beside what the gate refuses."""

from payouts.errors import Kind, Refused, mark


class DisplayTooOften(Refused):
    """More posts in a moment than any display sends."""

    code = "display.too_often"
    kind = Kind.TOO_OFTEN
    sentence = mark("This display asks too often.")
    remedy = mark("Ask again in %(retry_after_s)s s.")
