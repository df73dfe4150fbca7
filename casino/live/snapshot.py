"""What screens are told of a jackpot: one object of JSON, whole and versioned, the same text for
everybody on a feed.

Of two snapshots the one with the greater (incarnation, version, phase_number) is the newer; with
equal ones the one with the greater `turn`, which grows with each transaction that ends. `at` tells
when, by the database's clock, which may be set back. No guest is ever named, and a gate's nonce
goes to displays alone: whoever sends it back has read a display's feed.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import (
    BigIntegerField,
    CharField,
    Count,
    Exists,
    F,
    Func,
    OuterRef,
    Subquery,
    Value,
)
from django.db.models.functions import MD5, Concat, Now

from casino.text.formats import NBSP, format_amount
from jackpot.models import (
    Award,
    Claim,
    Gate,
    GateDisplay,
    Hit,
    Jackpot,
    ListedRound,
    RequiredDisplay,
    RunningRound,
)
from jackpot.models.states import LIVE, RUNNING, UNDECIDED, Phase
from jackpot.rules.progressive import ProgressiveRules
from jackpot.selectors.jackpots import MeterReading, meters_read
from jackpot.services.state import rules_of
from payouts.models import Approval, House
from payouts.models.approval import WAITING
from payouts.rules.hands.cards import card_texts, parse_cards
from payouts.rules.hands.ranks import best_hand
from payouts.rules.plain import Json
from tables.models import Play, RoundResult, Table

DISPLAY, TABLET, PIT = "display", "tablet", "pit"
FEEDS = (DISPLAY, TABLET, PIT)
RELATED = ("house", "epoch__progressive", "epoch__funding", "epoch__rules", "gate")
_ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"

Row = Mapping[str, Any]
Rows = Mapping[UUID | None, Sequence[Row]]

# How many transactions have ended when the database is read: those below the next one's number, but
# for those at work.
_TURN = Func(
    template=(
        "(SELECT pg_snapshot_xmax(s)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(s)) FROM"
        " pg_current_snapshot() s)"
    ),
    output_field=BigIntegerField(),
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A jackpot at one moment. `bodies` are the texts by feed without the moment, by which two
    snapshots are compared.
    """

    jackpot_id: UUID
    house_id: UUID
    bodies: Mapping[str, str]
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Read:
    """All rows that the snapshots of one moment need, by the id of what they belong to."""

    now: datetime
    turn: int
    meters: Mapping[UUID, MeterReading]
    shown: Collection[UUID]  # the jackpots that have a display which their tables wait for
    tables: Mapping[UUID, str]  # the name of each table of these houses
    linked: Rows  # by jackpot
    hits: Mapping[UUID, Hit]  # by jackpot, the newest
    rounds: Rows  # by hit, listed and still running
    claims: Rows  # by hit
    shares: Rows  # by hit, what was awarded
    cards: Mapping[tuple[UUID, int], list[str]]  # by round and box
    signatures: Rows  # by hit, of the open request to pay it
    displays: Rows  # by gate


def snapshots_read(jackpot_ids: Collection[UUID] | None = None) -> dict[UUID, Snapshot]:
    """Snapshots of these jackpots, or of all, as they are in one moment; an unknown id is left out.

    Takes as many statements for a hundred jackpots as for one. Opens a transaction of its own: in
    one snapshot of the database, so that no screen is told the phase of one moment with the amount
    of another.
    """
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute(_ONE_MOMENT)
        return {snapshot.jackpot_id: snapshot for snapshot in _read(jackpot_ids)}


def _read(jackpot_ids: Collection[UUID] | None) -> list[Snapshot]:
    required = RequiredDisplay.objects.filter(jackpot=OuterRef("pk"), ended_at=None)
    wanted = Jackpot.objects.select_related(*RELATED)
    wanted = wanted.annotate(now=Now(), turn=_TURN, has_display=Exists(required)).exclude(
        epoch=None
    )
    jackpots = list(wanted if jackpot_ids is None else wanted.filter(pk__in=jackpot_ids))
    if not jackpots:
        return []
    ids = [jackpot.pk for jackpot in jackpots]
    newest = Hit.objects.filter(jackpot__in=ids).order_by("jackpot", "-number").distinct("jackpot")
    hits = {hit.jackpot_id: hit for hit in newest}
    hit_ids = [hit.pk for hit in hits.values()]
    tables = Table.objects.filter(house__in={jackpot.house_id for jackpot in jackpots}).order_by(
        "position", "name"
    )
    named = list(tables.values("id", "name", "jackpot_id", sign=_SIGN))
    shares = list(
        Award.objects.filter(hit__in=hit_ids, kind="share")
        .order_by("claim__number")
        .values("hit_id", "table_id", "round_id", "box", "amount_minor")
    )
    read = _Read(
        now=jackpots[0].now,
        turn=jackpots[0].turn,
        meters=meters_read(jackpots),
        shown={jackpot.pk for jackpot in jackpots if jackpot.has_display},
        tables={row["id"]: row["name"] for row in named},
        linked=_by("jackpot_id", named),
        hits=hits,
        rounds=_by("hit_id", _rounds_running(hit_ids)),
        claims=_by(
            "hit_id",
            Claim.objects.filter(hit__in=hit_ids)
            .order_by("number")
            .values("hit_id", "table_id", "state"),
        ),
        shares=_by("hit_id", shares),
        cards=_cards(shares),
        signatures=_by("subject_id", _signatures(hit_ids)),
        displays=_by("gate_id", _displays(jackpots)),
    )
    return [_snapshot(jackpot, read) for jackpot in jackpots]


# Another one whenever somebody has done something at the table that its tablets show: they ask
# then, instead of every second.
_newest = Play.objects.filter(session=OuterRef("session")).order_by("-number")
_SIGN = MD5(  # they are to compare it, not to read it
    Concat(
        F("session__croupier"),
        Value(" "),
        F("session__entry_level"),
        Value(" "),
        Subquery(
            _newest.values(
                sign=Concat(
                    "number", Value("."), "state", Value("."), "revision", output_field=CharField()
                )
            )[:1]
        ),
        output_field=CharField(),
    )
)


def _by(column: str, rows: Iterable[Row]) -> Rows:
    found: dict[UUID | None, list[Row]] = {}
    for row in rows:
        found.setdefault(row[column], []).append(row)
    return found


def _rounds_running(hit_ids: list[UUID]) -> Iterable[Row]:
    running = RunningRound.objects.filter(round_id=OuterRef("round_id"), ended_at=None)
    listed = ListedRound.objects.filter(
        Exists(running), hit__in=hit_ids, hit__state=Hit.State.DRAINING
    )
    return listed.order_by("id").values("hit_id", "round_id", "table_id")


def _signatures(hit_ids: list[UUID]) -> list[Row]:
    requests = Approval.objects.filter(
        action="jackpot.award", subject_id__in=[str(pk) for pk in hit_ids]
    )
    requests = requests.filter(WAITING).order_by("requested_at")
    rows = requests.values("subject_id", "signers").annotate(have=Count("signatures"))
    return [{**row, "subject_id": UUID(row["subject_id"])} for row in rows]


def _displays(jackpots: Sequence[Jackpot]) -> Iterable[Row]:
    gates = [gate for gate in map(_gate, jackpots) if gate]
    return (
        GateDisplay.objects.filter(gate__in=gates)
        .order_by("name")
        .values("gate_id", "display_id", "name", "state")
    )


def _cards(shares: Sequence[Row]) -> dict[tuple[UUID, int], list[str]]:
    """The five cards of each winner, where the cards of their round were entered."""
    newest = RoundResult.objects.filter(round__in={row["round_id"] for row in shares}).order_by(
        "round", "-revision"
    )
    results = dict(newest.distinct("round").values_list("round_id", "result"))
    return {
        (row["round_id"], row["box"]): _five(results.get(row["round_id"]), row["box"])
        for row in shares
    }


def _five(result: Any, box: int) -> list[str]:
    hole = (result or {}).get("boxes", {}).get(str(box), {}).get("cards")
    board = (result or {}).get("board")
    if not hole or not board or len(parse_cards(board)) != 5:
        return []
    return list(best_hand(hole, card_texts(parse_cards(board))).cards)


def _snapshot(jackpot: Jackpot, read: _Read) -> Snapshot:
    told = _for_all(jackpot, read)
    of_displays = told | _for_displays(jackpot, read)
    of_tablets = told | {
        "tables": {str(row["id"]): row["sign"] for row in read.linked.get(jackpot.pk, [])}
    }
    bodies = {DISPLAY: _json(of_displays), TABLET: _json(of_tablets), PIT: _json(told)}
    moment = f',"turn":{read.turn},"at":"{read.now.isoformat()}"}}'
    return Snapshot(
        jackpot.pk,
        jackpot.house_id,
        bodies,
        {feed: body[:-1] + moment for feed, body in bodies.items()},
    )


def _json(told: dict[str, Json]) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _for_all(jackpot: Jackpot, read: _Read) -> dict[str, Json]:
    """What every feed is told."""
    meter = read.meters[jackpot.pk]
    return {
        "type": "jackpot",
        "jackpot": str(jackpot.pk),
        "name": jackpot.name,
        "incarnation": jackpot.incarnation,
        "epoch": meter.epoch_number,
        "version": meter.version,
        "phase": jackpot.phase,
        "kept_phase": jackpot.kept_phase,
        "phase_at": jackpot.phase_at.isoformat(),
        "phase_number": jackpot.phase_number,
        "has_display": jackpot.pk in read.shown,  # without one no coin is taken (PRG-9)
        "amount_minor": meter.shown_minor,
        "text": _text(meter.shown_minor, jackpot.house),
        "currency": jackpot.house.currency,
        "waiting_for": _waiting_for(jackpot, read),
        "hit": _hit(jackpot, read),
        "gate": None,
    }


def _for_displays(jackpot: Jackpot, read: _Read) -> dict[str, Json]:
    """What displays are told besides: the gate to confirm, what a coin wins, where."""
    gate, house = _gate(jackpot), jackpot.house
    rules = (
        ProgressiveRules.from_data(jackpot.epoch.progressive.data)
        if jackpot.epoch
        else ProgressiveRules()
    )
    held = {prize.hand for prize in rules.prizes if prize.hole_card_required}
    ladder: list[Json] = [
        {
            "hand": prize.hand.name.lower(),
            "on_board": not prize.hole_card_required and prize.hand in held,
            "amount_minor": prize.amount_minor,
            "text": (
                f"100{NBSP}%" if prize.amount_minor is None else _text(prize.amount_minor, house)
            ),
        }
        for prize in rules.prizes
    ]
    return {
        "gate": (
            {"number": gate.number, "nonce": gate.nonce, "version": gate.version} if gate else None
        ),
        "ladder": ladder,
        "envy_text": _text(rules.envy_minor, house) if rules.envy_minor else "",
        "coin_text": _text(rules.coin_minor, house),
        "tables": [row["name"] for row in read.linked.get(jackpot.pk, [])],
    }


def _waiting_for(jackpot: Jackpot, read: _Read) -> dict[str, Json]:
    hit = read.hits.get(jackpot.pk)
    hit_id = hit.pk if hit and hit.state in RUNNING else None
    rounds: list[Json] = [
        {
            "round": str(row["round_id"]),
            "table": str(row["table_id"]),
            "name": read.tables.get(row["table_id"], ""),
        }
        for row in read.rounds.get(hit_id, ())
    ]
    requests = read.signatures.get(hit_id, ())
    displays: list[Json] = [
        {"display": str(row["display_id"]), "name": row["name"], "state": row["state"]}
        for row in read.displays.get(jackpot.gate_id, ())  # none of a gate that is over was read
    ]
    return {
        "rounds": rounds,
        "claims": sum(row["state"] in UNDECIDED for row in read.claims.get(hit_id, ())),
        "signatures": (
            {"have": requests[-1]["have"], "need": requests[-1]["signers"]} if requests else None
        ),
        "displays": displays,
    }


def _hit(jackpot: Jackpot, read: _Read) -> dict[str, Json] | None:
    """The running hit; else the last one if it was paid, while its gate is open and as long as the
    house posted.
    """
    hit = read.hits.get(jackpot.pk)
    if hit is None or not _is_announced(hit, jackpot, read.now):
        return None
    names = [
        read.tables.get(row["table_id"], "")
        for row in read.claims.get(hit.pk, ())
        if row["state"] in LIVE
    ]
    shares = read.shares.get(hit.pk, ()) if hit.state == Hit.State.PAID else ()
    won = sum(row["amount_minor"] for row in shares)
    return {
        "number": hit.number,
        "state": hit.state,
        "tables": list(dict.fromkeys(names)),
        "winners": [
            {
                "table": read.tables.get(row["table_id"], ""),
                "box": row["box"],
                "amount_minor": row["amount_minor"],
                "text": _text(row["amount_minor"], jackpot.house),
                "cards": [*read.cards[row["round_id"], row["box"]]],
            }
            for row in shares
        ],
        "won_minor": won,
        "won_text": _text(won, jackpot.house) if shares else "",
    }


def _is_announced(hit: Hit, jackpot: Jackpot, now: datetime) -> bool:
    if hit.state != Hit.State.PAID or hit.ended_at is None:
        return hit.state != Hit.State.REJECTED
    # Not any SHOWING: one after a suspension, weeks later, is not this hit's.
    shown_s, at_once_s = (
        rules_of(jackpot).hit_screen_s,
        (jackpot.phase_at - hit.ended_at).total_seconds(),
    )
    return (jackpot.phase == Phase.SHOWING and at_once_s < shown_s) or (
        now - hit.ended_at
    ).total_seconds() < shown_s


def _gate(jackpot: Jackpot) -> Gate | None:
    """The gate that displays may confirm: the jackpot still names the last one when it is over."""
    gate = jackpot.gate
    return gate if gate is not None and gate.state == Gate.State.OPEN else None


def _text(amount_minor: int, house: House) -> str:
    return format_amount(amount_minor, house.currency, house.locale)
