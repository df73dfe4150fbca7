"""What waits for signatures about a jackpot, as its signer sees it: what it changes, and the evidence that it rests on."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino import floor_words
from casino.formats import format_money
from casino.games import screens_of
from casino.models import Person
from casino.refusal_words import ACTIONS
from casino.wording import guest_name
from jackpot.models import Jackpot, Slip, WaitingPrize
from payouts.models import Approval, House, PostedTable
from payouts.rules.approval import role_fits
from tables.models import Round, RoundLine, RoundResult

AWARD = "jackpot.award"
REST = ("remainder", "carried", "overflow", "shortfall")


class Names(NamedTuple):
    """What ids of this page are called."""

    tables: Mapping[UUID, str]
    rounds: Mapping[UUID, int | None]
    guests: Mapping[UUID, str]
    displays: Mapping[UUID, str]
    results: Mapping[UUID, Mapping[str, Any]]  # of rounds that claim, the newest


class _About(NamedTuple):
    """Which round a request is about, its box, and whose royal flush pays it, if it is another round's."""

    round_id: UUID
    box: int
    source_id: UUID | None
    slip: Slip | None


# --- a request ----------------------------------------------------------------------------------------------------------------
def asked(
    row: Approval, names: Names, jackpot: Jackpot, person: Person, evidence: Mapping[UUID, Any]
) -> dict[str, Any]:
    """What is to be signed, as it will be signed, on what it rests, and whether the person may."""
    signatures = list(row.signatures.all())
    own = person.pk == row.requester_id or person.pk in row.excluded
    fits = role_fits(person.roles, row.roles)
    signed = any(one.signer_id == person.pk for one in signatures)
    return {
        "row": row,
        "title": capfirst(floor_words.say(ACTIONS, row.action)),
        "split": _signed_split(row.payload, names) if row.action == AWARD else None,
        "facts": _facts(row, names, jackpot.house),
        "evidence": evidence.get(row.pk),
        "signatures": signatures,
        "seen": bytes(row.payload_hash).hex(),
        "may_sign": fits and not own and not signed,
        "own": own,
        "signed": signed,
        "may_turn_down": fits or person.pk == row.requester_id,
        "sign": f"sign:{row.pk}",
        "turn_down": f"turn-down:{row.pk}",
    }


def rest(amounts: Mapping[str, int]) -> list[tuple[str, int]]:
    """What a split leaves over, by where it goes (minor units); without what is nothing."""
    words = {
        "remainder": _("What does not divide stays in the meter"),
        "carried": _("What came after stays in the meter"),
        "overflow": _("Above the cap, into the reserve"),
        "shortfall": _("The house adds"),
    }
    return [(words[name], amounts[name]) for name in REST if amounts[name]]


def _signed_split(payload: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """What is paid, and the meter before and after it: that is what two people sign."""
    shares = [
        (one["claim"], names.tables.get(UUID(one["table"]), ""), one["box"], one["share_minor"])
        for one in payload["shares"]
    ]
    prizes = [
        (
            floor_words.say(floor_words.LINE_KINDS, one["kind"]),
            names.tables.get(UUID(one["table"]), ""),
            one["box"],
            one["amount_minor"],
        )
        for one in payload["prizes"]
    ]
    amounts = {name: payload[f"{name}_minor"] for name in REST}
    funding = PostedTable.objects.defer("data").filter(pk=payload["next_funding"]).first()
    return {
        "revision": None,
        "before_minor": payload["won_minor"] + amounts["carried"] + amounts["overflow"] - amounts["shortfall"],
        "won_minor": payload["won_minor"],
        "shares": shares,
        "rest": rest(amounts),
        "prizes": prizes,
        "seed_minor": payload["seed_minor"],
        "funding": funding,
        "after_minor": payload["seed_minor"] + amounts["remainder"] + amounts["carried"],
    }


def _facts(row: Approval, names: Names, house: House) -> list[tuple[str, object]]:
    """What the payload of a request says, in words; that of a payment is shown as a split."""
    payload: Mapping[str, Any] = row.payload
    found: list[tuple[str, object]] = []
    if row.subject_kind == "display":
        found.append((_("Display"), names.displays.get(UUID(payload["display"]), payload["text"])))
        if row.action == "jackpot.display_out":
            found.append((_("Reason"), payload["text"]))
    if "table" in payload:
        found.append((_("Table"), names.tables.get(UUID(payload["table"]), "")))
    if "round" in payload:
        found.append((_("Round"), names.rounds.get(UUID(payload["round"])) or "–"))
    if "box" in payload:
        found.append((_("Box"), payload["box"]))
    if "amount_minor" in payload:
        found.append((_("Amount"), format_money(payload["amount_minor"], house.currency, house.locale)))
    if "how" in payload:
        found.append((_("What becomes of it"), floor_words.say(floor_words.CANCELS, payload["how"])))
    if "to" in payload:
        found.append((_("To jackpot"), Jackpot.objects.values_list("name", flat=True).get(pk=payload["to"])))
    if "reason" in payload:
        found.append((_("Reason"), payload["reason"]))
    return found


# --- evidence -----------------------------------------------------------------------------------------------------------------
def evidence_of(requests: Sequence[Approval], house: House) -> dict[UUID, dict[str, Any]]:
    """By request about a round (a prize, a late award, a slip to be cancelled): its box with cards, stakes and what each paid.

    A fixed number of statements however many requests there are.
    """
    about = _about(requests)
    ids = {one.round_id for one in about.values()} | {one.source_id for one in about.values() if one.source_id}
    rounds = Round.objects.select_related("table").in_bulk(list(ids))
    newest = RoundResult.objects.filter(round__in=ids).order_by("round", "-revision").distinct("round")
    results = dict(newest.values_list("round_id", "result"))
    lines: dict[tuple[UUID, int], list[RoundLine]] = {}
    for line in RoundLine.objects.filter(round__in=ids).select_related("guest").order_by("place"):
        if line.revision == rounds[line.round_id].revision:
            lines.setdefault((line.round_id, line.box), []).append(line)
    return {
        pk: _evidence(one, rounds, results, lines.get((one.round_id, one.box), []), house) for pk, one in about.items()
    }


def _about(requests: Sequence[Approval]) -> dict[UUID, _About]:
    prizes = WaitingPrize.objects.in_bulk([UUID(one.subject_id) for one in requests if one.subject_kind == "prize"])
    wanted = [UUID(one.payload["slip"]) for one in requests if "slip" in one.payload]
    slips = Slip.objects.select_related("award").in_bulk(wanted)
    found: dict[UUID, _About] = {}
    for one in requests:
        if "slip" in one.payload:
            slip = slips[UUID(one.payload["slip"])]
            found[one.pk] = _About(slip.award.round_id, slip.award.box, None, slip)
        elif "round" in one.payload:
            round_id, prize = UUID(one.payload["round"]), prizes.get(floor_words.uuid_or_none(one.subject_id))
            source = prize.source_id if prize and prize.source_id != round_id else None
            found[one.pk] = _About(round_id, one.payload["box"], source, None)
    return found


def _evidence(
    about: _About,
    rounds: Mapping[UUID, Round],
    results: Mapping[UUID, Mapping[str, Any]],
    lines: Sequence[RoundLine],
    house: House,
) -> dict[str, Any]:
    """What a box held and was paid; of Envy for another table's royal flush also that round."""
    round_, result = rounds[about.round_id], dict(results.get(about.round_id, {}))
    if isinstance(result.get("boxes"), dict):
        result["boxes"] = {box: told for box, told in result["boxes"].items() if box == str(about.box)}
    screens = screens_of(round_.table.game)
    return {
        "round": round_,
        "box": about.box,
        "source": rounds.get(about.source_id) if about.source_id else None,
        "slip": about.slip,
        "slip_words": floor_words.say(floor_words.SLIP_STATES, about.slip.state) if about.slip else "",
        "award": floor_words.say(floor_words.AWARD_KINDS, about.slip.award.kind) if about.slip else "",
        "told": screens.told(result) if result else None,
        "told_template": screens.TOLD,
        "lines": [
            {
                "row": one,
                "guest": guest_name(one.guest.number),
                "kind": floor_words.say(floor_words.LINE_KINDS, one.kind),
                "paid_minor": one.returned_minor + one.won_minor + one.prize_minor,
                "why": floor_words.line_words(one, house),
            }
            for one in lines
        ],
    }
