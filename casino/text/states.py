"""States in words: the labels of the models are what a person reads; where it is other words, they
stand here.

A label translates itself; a message id (`mark`) has to be looked up: `translated` takes either.
"""

from collections.abc import Mapping
from typing import TypeAlias

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy

from jackpot.models import Claim, Hit, Phase, Slip
from payouts.errors import mark
from payouts.models import Approval, CountState, PostedState
from tables.models import Round

Words: TypeAlias = Mapping[str, str | Promise]


def labels(*states: type[TextChoices]) -> dict[str, str | Promise]:
    """The labels by code; of a code that several have, the label of the last one."""
    return {code: label for one in states for code, label in one.choices}


def translated(word: str | Promise) -> str:
    """A word in the language of the page."""
    return gettext(word) if isinstance(word, str) else str(word)


# In the sentence of a refusal, which names a state and not of what.
REFUSED = labels(
    CountState,
    Phase,
    Slip.State,
    Hit.State,
    Claim.State,
    PostedState,
    Approval.State,
    Round.State,
) | {
    Hit.State.DRAINING: mark("waiting for rounds that still run"),
    Hit.State.VERIFYING: mark("being verified"),
    Phase.SHOWING: mark("waiting for its displays"),
    Phase.CLOSED: mark("closed by the house"),
    Slip.State.CANCELLED: mark("cancelled"),
}
# Of a request: in the admin, and at the life of what was asked for, where it is over.
REQUESTS: Words = {
    Approval.State.OPEN: pgettext_lazy("request", "open"),
    Approval.State.USED: pgettext_lazy("request", "carried out"),
    Approval.State.KILLED: pgettext_lazy("request", "replaced"),
    Approval.State.REJECTED: pgettext_lazy("request", "rejected"),
}
ENDED_REQUESTS: Words = {**REQUESTS, Approval.State.OPEN: mark("expired")}
# Of a hit in the admin: its slips say whether it was paid.
HITS = labels(Hit.State) | {Hit.State.PAID: mark("awarded")}
