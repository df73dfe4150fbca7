"""The words for codes in the admin: by model and field, or by the field alone. A code without a
word stands for itself.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.apps import apps
from django.conf import settings
from django.utils.text import capfirst
from django.utils.translation import pgettext_lazy

from casino.devices.models import Device
from casino.people.roles import ROLES
from casino.records import labels as record_labels
from casino.text import floor
from casino.text.alerts import ALERTS
from casino.text.states import HITS, REQUESTS, labels, translated
from casino.text.vocabulary import (
    ACTIONS,
    DECISIONS,
    IRREGULARITIES,
    LEVELS,
    METHODS,
    OF_GAMES,
    PAYERS,
    TABLES,
    TITLES,
)
from jackpot.models import Phase
from payouts.errors import mark
from payouts.models import ChipMove, Count
from payouts.rules.rulesets.paytable import BY_NAME, WORDS
from tables.games import GAMES
from tables.models import Round
from tables.rules.pairs import CLASSES

_ENDS = {
    "used": pgettext_lazy("device", "used"),
    "expired": pgettext_lazy("device", "run out"),
    "spent": pgettext_lazy("device", "too many wrong tries"),
    "replaced": pgettext_lazy("device", "replaced by another one"),
    "signed_out": pgettext_lazy("device", "signed out"),
    "revoked": pgettext_lazy("device", "device revoked"),
    "freed": pgettext_lazy("device", "freed by the floor"),
    "barred": pgettext_lazy("device", "person may no longer sign in"),
}
_CHIP_PLACES = {
    ChipMove.Place.STOCK.value: pgettext_lazy("chips", "not in service"),
    ChipMove.Place.VAULT.value: pgettext_lazy("chips", "cage"),
}
_CODES: dict[str, Mapping[str, Any]] = {
    "action": ACTIONS,
    "entry_level": LEVELS,
    "method": METHODS,
    "subject_kind": (
        record_labels.NOUNS
        | {
            "award": mark("award"),
            "device_code": mark("enrolment code"),
            "epoch": mark("epoch"),
            "override": record_labels.NOUNS["round"],
            "search": mark("Search of records"),
            "to_clarify": mark("To be clarified"),
            "verify_run": mark("Verification"),
        }
    ),
    "language": dict(settings.LANGUAGES),
    "roles": {code: role.label for code, role in ROLES.items()},
    "account.kind": record_labels.ACCOUNTS,
    "account.side": {
        "debit": pgettext_lazy("account", "debit"),
        "credit": pgettext_lazy("account", "credit"),
        "any": pgettext_lazy("account", "either side"),
    },
    "alert.kind": {code: one.title for code, one in ALERTS.items()},
    "approval.state": REQUESTS,
    "approvallist.name": {
        "refused": mark("rejected claims"),
        "shares": mark("shares"),
        "prizes": mark("prizes"),
        "rounds": mark("Rounds"),
    },
    "award.kind": floor.AWARD_KINDS,
    "claim.origin": floor.CLAIM_ORIGINS,
    "device.kind": Device.KINDS,
    "devicecode.ended_as": _ENDS,
    "devicesession.ended_as": _ENDS,
    "epochend.ended_as": {
        "won": pgettext_lazy("epoch", "the meter was won"),
        "retired": pgettext_lazy("epoch", "the jackpot was retired"),
    },
    "explanation.code": CLASSES,
    "hit.state": HITS,
    "irregularity.decision": DECISIONS,
    "irregularity.kind": IRREGULARITIES,
    "handirregularity.decision": DECISIONS,
    "handirregularity.kind": IRREGULARITIES,
    "incarnation.how": {
        "begun": pgettext_lazy("books", "begun"),
        "restored": pgettext_lazy("books", "restored from a backup"),
        "promoted": pgettext_lazy("books", "gone on at a standby"),
    },
    "chipmove.kind": labels(ChipMove.Kind),
    "chipmove.from_place": _CHIP_PLACES,
    "chipmove.to_place": _CHIP_PLACES,
    "count.place_kind": {
        Count.Place.TRAY.value: pgettext_lazy("count", "tray"),
        Count.Place.DROP.value: pgettext_lazy("count", "drop box"),
    },
    "count.purpose": labels(Count.Purpose),
    "jackpot.kept_phase": labels(Phase),
    "jackpot.offline_linked": floor.OFFLINE,
    "jackpot.phase": labels(Phase),
    "postedtable.kind": TITLES | TABLES,
    "postedtable.starts": {
        "day": pgettext_lazy("posted table", "a gaming day"),
        "next_epoch": pgettext_lazy("posted table", "the next epoch"),
    },
    "roundline.hand": {name: WORDS[hand] for name, hand in BY_NAME.items()},
    "roundline.kind": floor.LINE_KINDS,
    "roundline.paid_by": PAYERS,
    "roundresult.source": floor.SOURCES,
    "roundstake.kind": floor.LINE_KINDS,
    "runninground.ended_as": labels(Round.State),
    "signoflife.kind": {
        "sweep": pgettext_lazy("jackpot", "look for what is due"),
        "alerts": pgettext_lazy("pit", "look for what the pit is alerted to"),
    },
    "slip.cancelled_as": floor.CANCELS,
    "hand.variant": OF_GAMES["variant"],
    "handshare.half": floor.HALVES,
    "handresult.correction": floor.HAND_CORRECTIONS,
    "staychips.kind": OF_GAMES["chips"]
    | {
        "moved_in": mark("brought from another table or day"),
        "moved_out": mark("taken to another table or day"),
        "counted": mark("counted"),
        "out": mark("taken away"),
    },
    "staychips.means": OF_GAMES["means"],
    "table.game": {code: game.title for code, game in GAMES.items()},
    "reviewitem.kind": floor.CAME,
    "reviewitem.play": {
        "round": record_labels.NOUNS["round"],
        "hand": record_labels.NOUNS["hand"],
    },
    "transfer.kind": record_labels.TRANSFERS,
    "waitingprize.kind": floor.PAID_KINDS,
}


def codes(model: Any, field: str) -> Mapping[str, Any] | None:
    """The words for the codes of a field, by code; None for a field that holds no codes."""
    name = model._meta.model_name
    if (name, field) == ("sealedrows", "table"):
        return _tables()
    found = _CODES.get(f"{name}.{field}") or _CODES.get(field)
    return (
        labels(model.State)
        if found is None and field == "state" and hasattr(model, "State")
        else found
    )


def word(model: Any, field: str, code: str) -> str:
    """The word for a code in the language of the page."""
    if (model._meta.model_name, field) == ("event", "name"):
        return record_labels.event(code)
    said = (codes(model, field) or {}).get(code)
    return str(capfirst(translated(said))) if said else code


def coded(model: Any, field: str) -> bool:
    """Whether a field holds codes."""
    return codes(model, field) is not None or (model._meta.model_name, field) == ("event", "name")


@cache
def _tables() -> Mapping[str, Any]:
    return {model._meta.db_table: model._meta.verbose_name_plural for model in apps.get_models()}
