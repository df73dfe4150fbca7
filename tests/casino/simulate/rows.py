"""What the API would answer about an evening that went as our own books say: to be spoiled in one place at a time."""

from copy import deepcopy
from datetime import datetime, timedelta

from casino.simulate.books.blackjack import Act, Coup, Laid
from casino.simulate.books.blackjack import settle as settled
from casino.simulate.books.compare import Service
from casino.simulate.books.meter import Meter, cash
from casino.simulate.books.results import FIGURES
from casino.simulate.books.uth import settle
from casino.simulate.games.blackjack.plan import BlackjackRound
from casino.simulate.games.uth.plan import UthRound
from casino.simulate.tablet import SETTLED, VOIDED, Played
from tests.casino.simulate.test_blackjack import TEN
from tests.casino.simulate.test_sums import GAME, JACKPOT, ROYAL, box, dealt

BEGUN = datetime.fromisoformat("2026-11-21T20:00:00+00:00")
PLACES = {1: ("UTH 1", "2026-11-21"), 2: ("UTH 2", "2026-11-21"), 3: ("Black Jack 1", "2026-11-21")}
YESTERDAY = {PLACES[1]: dict.fromkeys(FIGURES, 70_000)}  # of an evening before this one, on the same gaming day
LOSES = dealt("2c 7d 9h Jc 4s", "Kd 3h", b1="Qs 8c", b2="5s 6c")


def at(minutes):
    return (BEGUN + timedelta(minutes=minutes)).isoformat()


def played(table, number, boxes, cards, state=SETTLED):
    plan = UthRound(table, number, (), (), tuple(boxes), cards)
    revision = 1 if state == SETTLED else 0
    return Played(f"round-{table}-{number}", table, plan, state, settle(GAME, JACKPOT, boxes, cards), revision=revision)


def blackjack():
    """A box that two stake on: its owner splits eights, wins one hand, and is insured in vain against an ace."""
    acts = [
        Act(1, "A", "insurance", "A", amount=5_000),
        Act(1, "A", "split", "A"),
        Act(1, "A", "insurance", "A", amount=2_000),
    ]
    coup = Coup({1: [["8h", "Ts"], ["8d", "Td"]]}, ["As", "6d"], acts)
    laid = (
        Laid(1, "A", 10_000, owner=True, seated=True, distance=1),
        Laid(1, "B", 3_000, owner=False, seated=False, distance=9),
    )
    plan = BlackjackRound(3, 1, (), (), laid, coup)
    return Played("round-3-1", 3, plan, SETTLED, settled(TEN, laid, coup), {"A": "id of A", "B": "id of B"}, revision=1)


def evening():
    """Two tables: each loses a round with coins, then both have a royal flush; a third round is voided, a last one lost. Beside
    them a table that feeds no jackpot plays a round while betting is closed.
    """
    royal = [box(1, coin=True), box(2), box(3, coin=True), box(5)]
    return [
        played(1, 1, [box(1, coin=True), box(2, trips=500)], LOSES),
        played(2, 1, [box(1), box(2, coin=True, play=0)], LOSES),
        played(1, 2, royal, ROYAL),
        played(2, 2, royal, ROYAL),
        played(1, 3, [box(1, coin=True), box(2)], LOSES, VOIDED),
        played(1, 4, [box(1, coin=True), box(2, coin=True)], LOSES),
        blackjack(),
    ]


def results_of(rounds):
    """What the house's report says of each table, round by round: the money of a line is what came less what went."""
    found = {place: dict.fromkeys(FIGURES, 0) for place in PLACES.values()}
    for one in rounds:
        row = found[PLACES[one.table]]
        row["rounds"] += one.state == SETTLED
        row["coin_income"] += JACKPOT.to_house * sum(kind == "coin" for _box, kind in one.lines)
        row["prizes"] -= sum(line.prize for line in one.lines.values())
        main = [line for (_box, kind), line in one.lines.items() if kind not in ("coin", "envy")]
        row["stakes"] += sum(line.stake for line in main)
        row["result"] += sum(line.stake - line.paid for line in main)
    return found


def added(one, other):
    """Two such reports, figure by figure; a table that is in one alone as it stands there."""
    return {
        place: {figure: one.get(place, {}).get(figure, 0) + other[place][figure] for figure in FIGURES}
        for place in other
    }


def line_row(box, what, line):
    """A line of the service; `what` names its guest where several stake on a box."""
    kind, *guest = what.removesuffix(" again").split()
    return {
        "box": box, "kind": kind, "guest": f"id of {guest[0]}" if guest else None, "stake_minor": line.stake,
        "returned_minor": line.returned, "won_minor": line.won, "prize_minor": line.prize, "paid_minor": line.paid,
    }  # fmt: skip


def round_row(one, minutes):
    lines = [line_row(box, what, line) for (box, what), line in one.lines.items()]
    return {
        "id": one.id, "state": one.state, "revision": one.revision, "queued": False, "locked_at": at(minutes),
        "lines": lines, "stakes": [{"accepted_minor": line["stake_minor"]} for line in lines],
    }  # fmt: skip


def service(rounds):
    """The answers. Coins: one and one before the hit, two with each royal flush, two after it."""
    meter = Meter(JACKPOT, 1_000_001, 7)
    meter.feed(6)
    shown = meter.displayed
    split = meter.win(2, shown_at_claim=shown)
    meter.feed(2)
    winners = [one for one in rounds if one.lines and one.outcome.winners]
    places = [(one.id, box) for one in winners for box in one.outcome.winners]
    awards = [
        {
            "round": round_id, "box": number, "amount_minor": split.share,
            "slip": {"state": "paid", "to_pay_minor": cash(split.share, "CHF"), "cash_minor": cash(split.share, "CHF")},
        }
        for round_id, number in places
    ]  # fmt: skip
    hit = {
        "id": "hit", "number": 1, "state": "paid", "shown_minor": shown, "begun_at": at(3), "ended_at": at(5),
        "rounds": [{"round": one.id, "ended_as": "settled"} for one in winners],
        "claims": [{"round": round_id, "box": number, "state": "verified"} for round_id, number in places],
        "splits": [{
            "sum_minor": shown, "won_minor": split.won, "remainder_minor": split.remainder, "overflow_minor": 0,
            "shares": [{"share_minor": split.share}] * 2,
        }],
        "approvals": [{"state": "used", "signed_by": ["a", "b"]}],
        "awards": awards,
        "gate": {"state": "passed", "amount_minor": split.new_meter, "ended_at": at(6)},
    }  # fmt: skip
    before = {"coins": 0, "coins_in_minor": 0, "hits": 0, "hits_paid": 0, "won_minor": 0, "reserve_minor": 7}
    now = {
        "coins": 8, "coins_in_minor": 4000, "hits": 1, "hits_paid": 1, "won_minor": 2 * split.share,
        "reserve_minor": meter.reserve,
    }  # fmt: skip
    rows = {}
    for one, minutes in zip(rounds, (0, 1, 2, 2, 7, 8, 4), strict=True):
        rows[one.id], one.known_at = round_row(one, minutes), minutes
    return Service(
        jackpot={"shown_minor": meter.displayed, "phase": "open"}, jackpot_before={"shown_minor": 1_000_001},
        meters=now, meters_before=before, rounds=rows, hits=[hit], frozen={"hit": 4.0}, slips=[{"number": 1}, {"number": 2}],
        currency="CHF",
        places=PLACES, games={1: "UTH", 2: "UTH", 3: "Black Jack"},
        results=added(YESTERDAY, results_of(rounds)), results_before=deepcopy(YESTERDAY),
        known={table: [row for one, row in zip(rounds, rows.values(), strict=True) if one.table == table] for table in PLACES},
    )  # fmt: skip
