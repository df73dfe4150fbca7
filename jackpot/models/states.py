"""Phases of a jackpot and states of what belongs to it, with the words that a person reads, and the
sets that steps ask about.
"""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Phase(TextChoices):
    """Of a jackpot."""

    # "open" alone is an approval, which is feminine in French and Italian
    OPEN = "open", _("open for stakes")
    DRAINING = "draining", _("ending its rounds")
    VERIFYING = "verifying", _("win being verified")
    SHOWING = "showing", _("new value to be shown")
    SUSPENDED = "suspended", _("suspended")
    CLOSED = "closed", _("closed for stakes")
    RETIRED = "retired", _("retired")


FROZEN = (Phase.DRAINING, Phase.VERIFYING, Phase.SHOWING)  # between a hit and the reopening
QUIET = (Phase.OPEN, Phase.CLOSED, Phase.RETIRED)  # nothing is waited for
IN_PLAY = (Phase.OPEN, Phase.SHOWING)  # betting or about to: no hit at hand, not closed


class HitState(TextChoices):
    """Of a hit."""

    DRAINING = "draining", _("ending its rounds")
    VERIFYING = "verifying", _("win being verified")
    PAID = "paid", _("paid")
    REJECTED = "rejected", _("was none")


RUNNING = (HitState.DRAINING, HitState.VERIFYING)


class ClaimState(TextChoices):
    """Of a claim."""

    CALLED = "called", _("called, its round still running")
    OPEN = "open", _("to be looked at")
    VERIFIED = "verified", _("verified")
    REFUSED = "refused", _("looked at and rejected")
    DROPPED = "dropped", _("dropped by the result of its round")


UNDECIDED = (ClaimState.CALLED, ClaimState.OPEN)
LIVE = (*UNDECIDED, ClaimState.VERIFIED)


class SlipState(TextChoices):
    """Of a slip."""

    OPEN = "open", _("to be paid")
    PAID = "paid", _("slip paid")
    CANCELLED = "cancelled", _("slip cancelled")


class PrizeState(TextChoices):
    """Of a prize that waits."""

    WAITING = "waiting", pgettext_lazy("prize", "waits for an approval")
    AWARDED = "awarded", pgettext_lazy("prize", "awarded")
    DROPPED = "dropped", pgettext_lazy("prize", "dropped by its round's result")


class GateState(TextChoices):
    """Of a gate."""

    OPEN = "open", pgettext_lazy("gate", "waits for displays")
    PASSED = "passed", pgettext_lazy("gate", "all displays showed it")
    LAPSED = "lapsed", pgettext_lazy("gate", "replaced by another one")


class GateDisplayState(TextChoices):
    """Of a display on a gate's list."""

    WAITING = "waiting", _("does not show it yet")
    CONFIRMED = "confirmed", _("shows it")
    OUT = "out", _("taken out")
