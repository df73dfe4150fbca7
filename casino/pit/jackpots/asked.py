"""What waits for signatures about a jackpot, as its signer sees it: what it changes, and the evidence that it rests on."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.games import screens_of
from casino.people.models import Person
from casino.text import floor as floor_words
from casino.text.formats import format_money
from casino.text.refusal_words import ACTIONS, CHECKLIST
from casino.text.wording import guest_name
from jackpot.models import Jackpot, Phase, Slip, WaitingPrize
from payouts.models import Approval, House, PostedTable
from payouts.rules.approval import role_fits
from payouts.services import whole_payload
from tables.models import Round, RoundLine, RoundResult

AWARD = "jackpot.award"
NOTHING = "–"
REST = ("remainder", "carried", "overflow", "shortfall")


class Names(NamedTuple):
    """What ids of this page are called."""

    tables: Mapping[UUID, str]
    rounds: Mapping[UUID, int | None]
    guests: Mapping[UUID, str]
    displays: Mapping[UUID, str]
    results: Mapping[UUID, Mapping[str, Any]]  # of rounds that claim, the newest
    people: Mapping[UUID, str]
    hits: Mapping[UUID, int]  # of late awards


class _About(NamedTuple):
    """Which round a request is about, its box, and whose royal flush pays it, if it is another round's."""

    round_id: UUID
    box: int
    source_id: UUID | None
    slip: Slip | None


# --- a request ----------------------------------------------------------------------------------------------------------------
def asked(
    row: Approval, names: Names, jackpot: Jackpot, person: Person, evidence: Mapping[UUID, Any], own: list[str]
) -> dict[str, Any]:
    """What is to be signed, as it will be signed, on what it rests, and whether the person may; `own`: which part bars him."""
    signatures = list(row.signatures.all())
    fits = role_fits(person.roles, row.roles)
    signed = any(one.signer_id == person.pk for one in signatures)
    return {
        "row": row,
        "title": capfirst(floor_words.say(ACTIONS, row.action)),
        "split": _signed_split(whole_payload(row), names) if row.action == AWARD else None,
        "refused": [] if row.action == AWARD else _refused(row.payload, names),
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
        _of_box(one, names) | {"share_minor": one["share_minor"], "noted": _noted(one["checklist"])}
        for one in payload["shares"]
    ]
    prizes = [
        _of_box(one, names)
        | {"kind": floor_words.say(floor_words.LINE_KINDS, one["kind"]), "amount_minor": one["amount_minor"]}
        for one in payload["prizes"]
    ]
    amounts = {name: payload[f"{name}_minor"] for name in REST}
    funding = PostedTable.objects.defer("data").filter(pk=payload["next_funding"]).first()
    return {
        "revision": None,
        "before_minor": payload["won_minor"] + amounts["carried"] + amounts["overflow"] - amounts["shortfall"],
        "won_minor": payload["won_minor"],
        "shares": shares,
        "refused": _refused(payload, names),
        "rest": rest(amounts),
        "prizes": prizes,
        "seed_minor": payload["seed_minor"],
        "funding": funding,
        "after_minor": payload["seed_minor"] + amounts["remainder"] + amounts["carried"],
    }


def _refused(payload: Mapping[str, Any], names: Names) -> list[dict[str, Any]]:
    """Claims that one person refused."""
    return [
        _of_box(one, names) | {"by": names.people.get(_id(one["by"]), ""), "reason": one["reason"]}
        for one in payload.get("refused", ())
    ]


def parts_of(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A payload, and the lines of it: each may name a round and a guest."""
    return [payload, *(line for name in ("shares", "refused", "prizes") for line in payload.get(name, ()))]


def ids_in(parts: Sequence[Mapping[str, Any]], name: str) -> set[UUID]:
    """What the parts of payloads call so."""
    return {pk for part in parts if (pk := floor_words.uuid_or_none(part.get(name)))}


def _of_box(one: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Where a line of what is signed lies, and whose it is; older requests name no guest."""
    return {
        "claim": one.get("claim"),
        "table": names.tables.get(_id(one["table"]), ""),
        "round": names.rounds.get(_id(one["round"])) or NOTHING,
        "box": one["box"],
        "guest": names.guests.get(_id(one.get("guest")), ""),
    }


def _noted(checklist: Mapping[str, str] | None) -> list[tuple[str, str]]:
    return [(floor_words.say(CHECKLIST, item), noted) for item, noted in (checklist or {}).items()]


def _id(text: object) -> UUID:
    return floor_words.uuid_or_none(text) or UUID(int=0)


def _facts(row: Approval, names: Names, house: House) -> list[tuple[str, object]]:
    """What the payload of a request says, in words and in this order; that of a payment is shown as a split."""
    payload: Mapping[str, Any] = row.payload

    def money(name: str) -> str:
        return format_money(payload[name], house.currency, house.locale)

    display = row.subject_kind == "display"
    told: list[tuple[bool, str, Callable[[], object]]] = [
        (display, _("Display"), lambda: names.displays.get(_id(payload["display"]), payload["text"])),
        (row.action == "jackpot.display_out", _("Reason"), lambda: payload["text"]),
        ("number" in payload, _("Slip"), lambda: payload["number"]),
        ("kind" in payload, _("Kind"), lambda: floor_words.say(floor_words.PAID_KINDS, payload["kind"])),
        (
            "hit" in payload and row.action != AWARD,
            _("Hit"),
            lambda: names.hits.get(_id(payload["hit"]), payload["hit"] or NOTHING),
        ),
        ("table" in payload, _("Table"), lambda: names.tables.get(_id(payload["table"]), "")),
        ("round" in payload, _("Round"), lambda: names.rounds.get(_id(payload["round"])) or NOTHING),
        ("revision" in payload, _("Revision"), lambda: payload["revision"]),
        ("box" in payload, _("Box"), lambda: payload["box"]),
        ("guest" in payload, _("Guest"), lambda: names.guests.get(_id(payload["guest"]), NOTHING)),
        ("epoch" in payload, _("Epoch"), lambda: payload["epoch"]),
        ("phase" in payload, _("State"), lambda: _stood(payload)),
        ("version" in payload, _("Version"), lambda: payload["version"]),
        ("amount_minor" in payload, _("Amount"), lambda: money("amount_minor")),
        (payload.get("paid_minor") is not None, _("Paid out"), lambda: money("paid_minor")),
        ("how" in payload, _("What becomes of it"), lambda: floor_words.say(floor_words.CANCELS, payload["how"])),
        (
            "to" in payload,
            _("To jackpot"),
            lambda: Jackpot.objects.values_list("name", flat=True).get(pk=payload["to"]),
        ),
        ("reason" in payload, _("Reason"), lambda: payload["reason"]),
    ]
    return [] if row.action == AWARD else [(what, say()) for is_there, what, say in told if is_there]


def _stood(payload: Mapping[str, Any]) -> str:
    """The phase that was looked at, the one kept inside it, and since when it holds."""
    phases = [payload["phase"], *filter(None, [payload["kept_phase"]])]
    words = " · ".join(floor_words.say(Phase, phase) for phase in phases)
    since = timezone.localtime(datetime.fromisoformat(payload["since"])).strftime("%d.%m. %H:%M:%S")
    return _("%(state)s since %(time)s") % {"state": words, "time": since}


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
        "slip_words": floor_words.say(Slip.State, about.slip.state) if about.slip else "",
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
