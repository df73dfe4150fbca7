"""The approval matrix: what needs how many others, of which roles, proving themselves how. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from payouts.errors import Kind, Refused, mark

METHODS = ("pin", "totp")
SIGNERS_MAX = 5
LIFETIME_S = (30, 86_400)
# long enough that its owner misses a sign-in that was taken from them, and that somebody reads the
# log
REST_HOURS = 24
_ROLE = re.compile(r"[a-z_]{1,20}")


class ApprovalRefused(Refused):
    """An approval cannot be asked for, signed, rejected or used."""

    code = "approval.refused"


class ApprovalUnknown(ApprovalRefused):
    """There is no such approval, or not for this house."""

    code = "approval.unknown"
    kind = Kind.UNKNOWN
    sentence = mark("There is no such approval.")
    remedy = mark("Open it again from the list.")


class ApprovalRuleMissing(ApprovalRefused):
    """The house has no rule for this action: what nobody allowed is not allowed."""

    code = "approval.rule_missing"
    sentence = mark("This house has no approval rule for “%(action)s”.")
    remedy = mark("A manager adds a rule for it.")


class ApprovalRuleRefused(ApprovalRefused):
    """A line of the matrix makes no sense."""

    code = "approval.rule_refused"
    sentence = mark("Approval rule: %(field)s is not allowed.")
    remedy = mark(
        "One to five signers, at least one role, PIN or code, and a life of 30 seconds to one day."
    )


class ApprovalRuleSame(ApprovalRefused):
    """The line that is asked for is the one in force."""

    code = "approval.rule_same"
    sentence = mark("The approval rule says this already.")
    remedy = mark("Change what it should say otherwise, then ask.")


class ApprovalClosed(ApprovalRefused):
    """It was used, killed or rejected before."""

    code = "approval.closed"
    kind = Kind.CONFLICT
    sentence = mark("This approval is closed: %(state)s.")
    remedy = mark("Ask for a new one.")


class ApprovalExpired(ApprovalRefused):
    """Its time is over by the database's clock."""

    code = "approval.expired"
    kind = Kind.CONFLICT
    sentence = mark("This approval has expired.")
    remedy = mark("Ask for a new one.")


class ApprovalChanged(ApprovalRefused):
    """What is to be done is not what was signed."""

    code = "approval.changed"
    kind = Kind.CONFLICT
    sentence = mark("What was to be approved has changed since.")
    remedy = mark("Look at it again and sign the new version.")


class ApprovalRaced(ApprovalRefused):
    """Somebody else asked for the same, or changed the matrix, at the same moment."""

    code = "approval.raced"
    kind = Kind.CONFLICT
    sentence = mark("Somebody else asked for this at the same moment.")
    remedy = mark("Look at it again, then decide whether to ask once more.")


class ApprovalUnsigned(ApprovalRefused):
    """Signatures are missing."""

    code = "approval.unsigned"
    kind = Kind.CONFLICT
    sentence = mark("%(signed)s of %(needed)s signatures are there.")
    remedy = mark("Ask another person to look and sign.")


class SignerRefused(ApprovalRefused):
    """This person may not sign: they asked for it, dealt the round, or do not have the role."""

    code = "approval.signer_refused"
    kind = Kind.FORBIDDEN
    sentence = mark("You may not sign this: %(why)s.")
    remedy = mark("Another person with the role must look and sign.")


class PersonResting(ApprovalRefused):
    """Somebody else made this sign-in, or its roles, a short while ago: they might be acting in
    this person's place.
    """

    code = "approval.person_resting"
    kind = Kind.FORBIDDEN
    sentence = mark(
        "Your sign-in, your roles or your house were set by somebody else less than %(hours)s hours"
        " ago, or no second manager has seen your sign-in since."
    )
    remedy = mark("Until then another person must do this.")

    def __init__(self) -> None:
        super().__init__(hours=REST_HOURS)


class SignedTwice(ApprovalRefused):
    """This person has signed before."""

    code = "approval.signed_twice"
    kind = Kind.CONFLICT
    sentence = mark("You have signed this already.")
    remedy = mark("A second signature comes from a second person.")


class CodeSpent(ApprovalRefused):
    """The code has signed before."""

    code = "approval.code_spent"
    kind = Kind.CONFLICT
    sentence = mark("This code has signed already.")
    remedy = mark("Wait for the next code of your authenticator.")


class ProofRefused(ApprovalRefused):
    """Signed or rejected with the wrong kind of proof, or with none."""

    code = "approval.proof_refused"
    sentence = mark("This needs the %(method)s of whoever signs or rejects it.")
    remedy = mark("Sign or reject it again with that.")


@dataclass(frozen=True, slots=True)
class ApprovalNeed:
    """One line of the matrix: number of signers besides the requester, their roles, PIN or TOTP,
    life in seconds.
    """

    signers: int
    roles: tuple[str, ...]
    method: str = "totp"
    lifetime_s: int = 3_600

    def check(self) -> None:
        """Raise ApprovalRuleRefused when the line makes no sense."""
        whole = [
            isinstance(n, int) and not isinstance(n, bool) for n in (self.signers, self.lifetime_s)
        ]
        if not whole[0] or not 1 <= self.signers <= SIGNERS_MAX:
            raise ApprovalRuleRefused(field="signers")
        if not whole[1] or not LIFETIME_S[0] <= self.lifetime_s <= LIFETIME_S[1]:
            raise ApprovalRuleRefused(field="lifetime_s")
        if self.method not in METHODS:
            raise ApprovalRuleRefused(field="method")
        roles = self.roles if isinstance(self.roles, tuple | list) else ()
        if not roles or not all(isinstance(role, str) and _ROLE.fullmatch(role) for role in roles):
            raise ApprovalRuleRefused(field="roles")


_PIT = ("pit_boss", "manager")
# What a new house starts from; afterwards each line changes by an approval of its own
# (`approval_rule.change`). Houses that run get the line of a new action by a migration that calls
# `matrix_line_add_v1` with the same values.
DEFAULT_MATRIX = {
    "transfer.reverse": ApprovalNeed(1, ("pit_boss", "manager"), "pin"),
    "round.correct": ApprovalNeed(1, ("pit_boss", "manager"), "pin"),
    "round.override": ApprovalNeed(1, _PIT),
    "approval_rule.change": ApprovalNeed(2, ("manager", "auditor"), "totp"),
    "posted_table.release": ApprovalNeed(2, ("technician", "manager", "auditor"), "totp", 86_400),
    "jackpot.create": ApprovalNeed(1, _PIT, "totp", 86_400),
    "jackpot.award": ApprovalNeed(2, _PIT),
    "jackpot.award_late": ApprovalNeed(1, _PIT),
    "jackpot.award_cancel": ApprovalNeed(1, _PIT),
    "jackpot.prize": ApprovalNeed(1, _PIT),
    "jackpot.reject": ApprovalNeed(1, _PIT),
    "jackpot.suspend": ApprovalNeed(1, (*_PIT, "technician")),
    "jackpot.resume": ApprovalNeed(1, _PIT),
    "jackpot.adjust": ApprovalNeed(1, _PIT),
    "jackpot.retire": ApprovalNeed(1, _PIT),
    "jackpot.display_out": ApprovalNeed(1, _PIT),
    "jackpot.display_add": ApprovalNeed(1, (*_PIT, "technician")),
    "round.void_claimed": ApprovalNeed(1, _PIT),
    "poker.correct": ApprovalNeed(1, _PIT, "pin"),
    "poker.void": ApprovalNeed(1, _PIT, "pin"),
    "poker.override": ApprovalNeed(1, _PIT, "pin"),
    "difference.explain": ApprovalNeed(1, _PIT, "pin"),
    "person.sign_role": ApprovalNeed(1, ("manager",), "totp", 86_400),
    "person.credential": ApprovalNeed(1, ("manager",), "totp", 86_400),
    "table.change": ApprovalNeed(2, ("technician", "manager", "auditor"), "totp", 86_400),
    "chips.issue": ApprovalNeed(1, ("cage", "manager"), "totp", 86_400),
    "inventory.first": ApprovalNeed(2, ("manager", "auditor"), "totp", 14_400),
    "seals.continue": ApprovalNeed(2, (*_PIT, "auditor"), "totp", 86_400),
}


def role_fits(held: Iterable[str], asked: Iterable[str]) -> bool:
    """Whether one of the roles that a person holds is asked for."""
    return not set(held).isdisjoint(asked)
