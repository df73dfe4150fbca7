"""What a jackpot waits for, in sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.pit.corrections import waits_told
from casino.pit.jackpots.asked import AWARD
from casino.pit.jackpots.displays import displays_wanted
from casino.text import floor as floor_words
from jackpot.models import Claim, Hit, Jackpot
from jackpot.models.states import UNDECIDED, Phase
from jackpot.selectors.jackpots import meter_read
from jackpot.services import UNCLARIFIED
from payouts.models import Approval, Event
from payouts.selectors import requests_in_order


def waits(jackpot: Jackpot, told: Mapping[str, Any]) -> list[str]:
    """Each thing that is missing, in a sentence; empty while nothing is."""
    phase = jackpot.kept_phase or jackpot.phase
    found: list[str] = []
    if phase == Phase.DRAINING:
        running = [one["table"] for one in told["rounds"] if one["running"]]
        text = _("Rounds that still run: %(tables)s. Where nobody deals, settle or void the round at its table's page.")
        found.append(text % {"tables": ", ".join(running)} if running else "")
    elif phase == Phase.VERIFYING:
        found += _waits_for_people(jackpot, told)
    return [one for one in (*found, *displays_wanted(jackpot, told)) if one]


def _waits_for_people(jackpot: Jackpot, told: Mapping[str, Any]) -> list[str]:
    found = []
    open_ = sum(1 for one in told["claims"] if one["row"].state in UNDECIDED)
    if open_:
        text = ngettext("%(count)s claim is to be looked at.", "%(count)s claims are to be looked at.", open_)
        found.append(text % {"count": open_})
    elif not any(one["row"].state == Claim.State.VERIFIED for one in told["claims"]):
        found += [] if told["corrections"] else [_(floor_words.UNTRUE)]
    elif not any(one["row"].subject_kind == "hit" for one in told["asked"]):
        found += _waits_for_a_change(jackpot)
    found += [told["unclear"]] if told["unclear"] else []
    found += [waits_told(one.pk, one.table.name, one.number, claims=claims) for one, claims in told["corrections"]]
    for one in told["asked"]:
        if one["row"].subject_kind == "hit":
            signed = floor_words.signatures(len(one["signatures"]), one["row"].signers)
            found.append(floor_words.colon(one["title"], signed))
    return found


def unclear(rounds: Sequence[Mapping[str, Any]]) -> str:
    """Of how many listed rounds it is open how they ended, which keeps the last signature back; empty where of none."""
    count = sum(counted([one["id"] for one in rounds]) for counted in UNCLARIFIED)
    text = ngettext(
        "Of %(count)s round it is not clear yet how it ended: an entry to be clarified, or a correction to be signed.",
        "Of %(count)s rounds it is not clear yet how they ended: entries to be clarified, or corrections to be signed.",
        count,
    )
    return text % {"count": count} if count else ""


def _waits_for_a_change(jackpot: Jackpot) -> list[str]:
    """Claims are decided and nothing is asked for: the meter cannot be split, or people said no. Then it is their move again."""
    below = meter_read(jackpot_id=jackpot.pk).sum_minor
    if below < 0:
        return [
            floor_words.below_zero(-below, jackpot.house),
            _(
                "Have a wrong prize corrected at its round, or the meter adjusted: then the payment is asked for by itself."
            ),
        ]
    turned = Event.objects.filter(name="approval.rejected", subject_kind="approval", subject_id=_rejected(jackpot.hit))
    found = turned.select_related("actor").order_by("-pk").first()
    if found is None:
        return []
    return [
        floor_words.turned_down(found.actor.full_name if found.actor else "", found.reason),
        _("Look at a claim again, or have its round corrected: then the payment is asked for by itself."),
    ]


def _rejected(hit: Hit | None) -> str:
    """The newest request for the payment of a hit, if people turned it down."""
    rows = Approval.objects.filter(action=AWARD, subject_kind="hit", subject_id=str(hit.pk if hit else ""))
    newest = requests_in_order(rows).last()
    return str(newest.pk) if newest is not None and newest.state == Approval.State.REJECTED else ""
