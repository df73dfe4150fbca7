"""What the edge of the API refuses before any command is asked."""

from payouts.errors import Kind, Refused, mark

# bytes; what one command may store is less still (`payouts.rules.plain.DATA_MAX_BYTES`)
BODY_MOST = 131_072


class KeptForReview(Exception):
    """What was refused came too late from a tablet and was kept: `kept` is told beside the
    refusal."""

    def __init__(self, refused: Refused, kept: dict[str, str]) -> None:
        self.refused, self.kept = refused, kept
        super().__init__(str(refused))


class RequestRefused(Refused):
    """A request that cannot be taken as it came."""

    code = "request.refused"
    kind = Kind.MALFORMED


class Unreadable(RequestRefused):
    """The body is not JSON as everybody reads it: cut off, not UTF-8, a name twice, NaN, nested
    without end.
    """

    code = "request.parse_error"
    sentence = mark("The request cannot be read.")
    remedy = mark("Send JSON in UTF-8: each name once, no NaN, at most 20 levels deep.")


class TooLarge(RequestRefused):
    """More bytes than any command needs."""

    code = "request.too_large"
    kind = Kind.TOO_LARGE
    sentence = mark("The request is too large.")
    remedy = mark("Send at most %(most)s bytes.")


class NotAnObject(RequestRefused):
    """The body is JSON, but not an object."""

    code = "request.not_an_object"
    sentence = mark("The request is not an object with fields.")
    remedy = mark("Send an object, as the description of the API shows it.")


class FieldUnknown(RequestRefused):
    """A field, or a parameter of the address, that this request does not have."""

    code = "request.field_unknown"
    sentence = mark("There is no field “%(name)s” in this request.")
    remedy = mark("Leave it out, or check how it is spelt.")


class FieldMissing(RequestRefused):
    """A field that this request needs."""

    code = "request.field_missing"
    sentence = mark("The field “%(name)s” is missing.")
    remedy = mark("Send it, as the description of the API shows it.")


class FieldWrong(RequestRefused):
    """A field that holds something else than it should."""

    code = "request.field_wrong"
    sentence = mark("The field “%(name)s” is not right: %(expected)s is expected, not %(value)s.")
    remedy = mark("Correct it and send the request again.")


class KeyRefused(RequestRefused):
    """A command without a key, or with one that is none: it could not be repeated safely."""

    code = "request.key_refused"
    sentence = mark("The request has no usable Idempotency-Key.")
    remedy = mark(
        "Send the header with 8 to 200 letters, digits and signs without spaces; a new one for each"
        " new request."
    )


class CursorRefused(RequestRefused):
    """A place in a list that was not given by this list."""

    code = "request.cursor_refused"
    sentence = mark("This is no place in this list.")
    remedy = mark("Begin the list again, without a cursor.")


class FilterMissing(RequestRefused):
    """A list that is too long to be asked for whole."""

    code = "request.filter_missing"
    sentence = mark("This list needs a filter.")
    remedy = mark("Give at least one of: %(filters)s.")


class MediaTypeRefused(RequestRefused):
    """The body says that it is not JSON."""

    code = "request.unsupported_media_type"
    kind = Kind.MEDIA_TYPE
    sentence = mark("The request is not sent as JSON.")
    remedy = mark("Send it with Content-Type: application/json.")


class MethodRefused(RequestRefused):
    """An address asked by a method that it does not have."""

    code = "request.method_not_allowed"
    kind = Kind.METHOD
    sentence = mark("This address does not take this method.")
    remedy = mark("Read by GET, command by POST.")


class NotAcceptable(RequestRefused):
    """An answer in another form was asked for."""

    code = "request.not_acceptable"
    kind = Kind.NOT_ACCEPTABLE
    sentence = mark("There is no answer in the form that was asked for.")
    remedy = mark("Ask for application/json.")


class AddressUnknown(RequestRefused):
    """No such address."""

    code = "request.not_found"
    kind = Kind.UNKNOWN
    sentence = mark("There is nothing at this address.")
    remedy = mark(
        "Check the address against the description of the API, /api/docs/; each ends with a slash."
    )


class ForeignPage(RequestRefused):
    """A command on a person's session without the token that only our own pages know."""

    code = "request.csrf_refused"
    kind = Kind.FORBIDDEN
    sentence = mark("This request does not come from a page of this house.")
    remedy = mark(
        "Load the page again; a program sends the token of its CSRF cookie in the header"
        " X-CSRFToken."
    )


class HouseNeeded(RequestRefused):
    """A command by a person who belongs to no house: they read all of them, and act in none."""

    code = "person.house_needed"
    kind = Kind.FORBIDDEN
    sentence = mark("You belong to no house, so you cannot act in one.")
    remedy = mark("Have a person of the house do it.")
