"""What may be refused to a person who signs in, sets a PIN, or manages people."""

from payouts.errors import Kind, Refused, mark


class SignInRequired(Refused):
    """Nobody is signed in, or not with both factors yet."""

    code = "sign_in.required"
    kind = Kind.SIGN_IN
    sentence = mark("You are not signed in.")
    remedy = mark("Sign in and send the request again.")


class SignInRefused(Refused):
    """Name, password or code is wrong, or the sign-in is locked. One sentence for all, so that
    nobody learns which names exist.
    """

    code = "sign_in.refused"
    sentence = mark("Name, password and code do not match, or this sign-in is locked.")
    remedy = mark(
        "Check all three and wait for a new code. After %(tries)s wrong tries a sign-in is locked"
        " for %(minutes)s minutes; a manager can open it at once."
    )


class SignInBusy(Refused):
    """More people sign in at this moment than can be checked; nothing was counted."""

    code = "sign_in.busy"
    kind = Kind.TOO_OFTEN
    sentence = mark("Too many sign in at this moment: yours was not looked at.")
    remedy = mark("Try again in %(retry_after_s)s s.")


class CodeRefused(Refused):
    """The code that should confirm a new authenticator is not its code."""

    code = "sign_in.code_refused"
    sentence = mark("This is not the code that your app shows for this account.")
    remedy = mark(
        "Wait for the next code and enter it. If it fails again, check that your device's clock is"
        " set automatically."
    )


class EnrolmentOver(Refused):
    """An authenticator was confirmed in the meantime, or this enrolment was begun again
    elsewhere."""

    code = "sign_in.enrolment_over"
    kind = Kind.CONFLICT
    sentence = mark("This set-up is no longer open.")
    remedy = mark("Sign in again.")


class PasswordRefused(Refused):
    """A new password is too weak."""

    code = "password.refused"
    sentence = mark("The password was not changed: %(why)s")
    remedy = mark(
        "Take at least 12 characters that nobody guesses; several words are easy to remember."
    )


class PresentPasswordRefused(Refused):
    """Who wants a new password did not know the present one. It counts like a wrong sign-in."""

    code = "password.present_wrong"
    sentence = mark("The current password is not right, or the sign-in is locked.")
    remedy = mark("Enter the password that you signed in with.")


class PinWeak(Refused):
    """Not six digits, or six that everybody tries first."""

    code = "pin.weak"
    sentence = mark("This is not a safe PIN.")
    remedy = mark("Take six digits that are not all the same and not a row such as 123456.")


class PinRefused(Refused):
    """Wrong PIN, or none was set."""

    code = "pin.refused"
    sentence = mark("The PIN is not right.")
    remedy = mark(
        "Try again. After %(tries)s wrong tries the PIN is locked until somebody on the floor"
        " opens it, or each further one has to wait."
    )


class PinLocked(Refused):
    """Too many wrong tries; only a person opens it again."""

    code = "pin.locked"
    sentence = mark("This PIN is locked.")
    remedy = mark("A pit boss or a manager opens it.")


class PinSlowed(Refused):
    """Too many wrong PINs for a name at a tablet that its croupier attends: the next one is looked
    at later. Also for names that nobody has, so that no name is given away.
    """

    code = "pin.slowed"
    kind = Kind.TOO_OFTEN
    sentence = mark("Too many wrong PINs for this name on this tablet: none is checked now.")
    remedy = mark(
        "Try again in %(retry_after_s)s s; the pit has been alerted. Elsewhere your PIN is good in"
        " the meantime."
    )


class ProofRefused(Refused):
    """A signer's code is wrong or was used before, or their sign-in is locked after too many wrong
    ones.
    """

    code = "proof.refused"
    sentence = mark("This code is wrong or was used already, or your sign-in is locked.")
    remedy = mark("Wait for the next code of your authenticator and sign with it.")


class CredentialsChanged(Refused):
    """Who signs has a password, PIN or authenticator that was set beside the program."""

    code = "proof.credentials_changed"
    sentence = mark(
        "Your password, PIN or authenticator was changed in the database, past the program."
    )
    remedy = mark("Have a manager set your password and authenticator anew; an audit names you.")


class NotAllowed(Refused):
    """The acting person's roles do not hold the permission, or the other person is out of their
    reach.
    """

    code = "person.not_allowed"
    kind = Kind.FORBIDDEN
    sentence = mark("You may not do this.")
    remedy = mark("Ask a manager.")


class NotYourself(Refused):
    """Somebody else has to do it: roles, locks and second factors are never changed by their
    owner."""

    code = "person.not_yourself"
    kind = Kind.FORBIDDEN
    sentence = mark("You cannot do this to yourself.")
    remedy = mark("Ask another manager.")


class PersonRefused(Refused):
    """Particulars of a person make no sense."""

    code = "person.refused"
    sentence = mark("%(field)s: %(why)s.")
    remedy = mark("Correct it and try again.")


class DemoRefused(Refused):
    """Demo people exist in demo mode only."""

    code = "person.demo"
    kind = Kind.FORBIDDEN
    sentence = mark("Demo people exist only in demo mode.")
    remedy = mark("Set SAALCHEF_DEMO=1 on a machine that holds no real data.")


class BootstrapDone(Refused):
    """There is a manager already: people are made by managers from then on."""

    code = "bootstrap.done"
    kind = Kind.CONFLICT
    sentence = mark("This installation has a manager already: %(username)s.")
    remedy = mark("A manager adds people in the administration.")


class DropCounterPit(Refused):
    """Somebody of the pit counts a drop box."""

    code = "count.drop_pit"
    kind = Kind.FORBIDDEN
    rule = "DRP-4"
    sentence = mark("Who works in the pit does not count a drop box.")
    remedy = mark("Have two people of cage or management count it who do not.")
