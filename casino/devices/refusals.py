"""What may be refused about devices: enrolling them, and signing in on them."""

from payouts.errors import Kind, Refused, mark


class DeviceUnknown(Refused):
    """There is no such device in the person's scope."""

    code = "device.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such device.")
    remedy = mark("Load the list of devices again.")


class DeviceTableUnknown(Refused):
    """There is no such table in the person's scope."""

    code = "device.table_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such table.")
    remedy = mark("Load the list of tables again.")


class DeviceJackpotUnknown(Refused):
    """There is no such jackpot in the person's scope."""

    code = "device.jackpot_unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such jackpot.")
    remedy = mark("Load the list of devices again.")


class DeviceRevoked(Refused):
    """The device was revoked before."""

    code = "device.revoked"
    kind = Kind.CONFLICT
    sentence = mark("This device was revoked already.")
    remedy = mark("To use it again, enrol it anew.")


class DeviceUnsent(Refused):
    """A tablet of an open table is to be revoked that has entries which it has not sent, or is
    silent.
    """

    code = "device.unsent"
    kind = Kind.CONFLICT
    sentence = mark(
        "Rounds may lie on the tablet of %(place)s that it has not sent. Once it is revoked it"
        " sends nothing more."
    )
    remedy = mark(
        "Bring it to where it has a network, until it has sent everything. If that cannot be done,"
        " say that what lies on it is lost."
    )


class EnrolmentCodeRefused(Refused):
    """Unknown, wrong, used, expired or replaced: one sentence for all, so that nobody learns which
    codes are open.
    """

    code = "device.code_refused"
    sentence = mark("This code is wrong, was used already, or is too old.")
    remedy = mark(
        "Check what you typed. A code is good for %(minutes)s minutes and one device; a pit boss"
        " makes a new one."
    )


class NotEnrolled(Refused):
    """The browser, or the shoe, has no token of a device in service."""

    code = "device.not_enrolled"
    kind = Kind.SIGN_IN
    sentence = mark("This device is not enrolled, or it was revoked.")
    remedy = mark("A pit boss, a technician or a manager makes a code for it.")


class DeviceIdle(Refused):
    """Nobody touched the tablet for long: it waits for the PIN of who is signed in."""

    code = "device.idle"
    kind = Kind.SIGN_IN
    sentence = mark("This tablet was not touched for a while and waits for the PIN.")
    remedy = mark("Type the PIN on the tablet, or sign in anew.")


class DeviceForeignPage(Refused):
    """A page of another origin tried to use the device's cookie."""

    code = "device.foreign_page"
    kind = Kind.FORBIDDEN
    sentence = mark("This request does not come from a page of this house.")
    remedy = mark("Open the device's own page.")


class DeviceSignInRequired(Refused):
    """The tablet is in service, but nobody is signed in on it."""

    code = "device.sign_in_required"
    kind = Kind.SIGN_IN
    sentence = mark("Nobody is signed in on this tablet.")
    remedy = mark("Sign in with your PIN.")


class DeviceSignInRefused(Refused):
    """Name or PIN is wrong, the PIN is locked, or the person may not work here: one sentence, so
    that no name is given away.
    """

    code = "device.sign_in_refused"
    sentence = mark("Name and PIN do not match, or this PIN is locked.")
    remedy = mark(
        "Check both. After %(tries)s wrong tries a PIN is locked until a pit boss opens it, or"
        " each further one has to wait. You set your PIN on your own start page."
    )
