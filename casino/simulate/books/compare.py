"""Our own books at the end of an evening, and every figure of the service beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from casino.simulate.books import results
from casino.simulate.books.lines import Line, Lines, add
from casino.simulate.books.meter import Meter, Split, cash
from casino.simulate.books.results import Place, Results
from casino.simulate.books.rules import JackpotRules
from casino.simulate.tablet import REOPENED, SETTLED, VOIDED, WITHDRAWN, Played

# a transaction's clock is read when it begins, a moment before others see what it did
ENDED_S = timedelta(seconds=1)
Row = Mapping[str, Any]


@dataclass
class Service:
    """What the service says at the end: all that is compared, as the API gave it."""

    jackpot: Row  # as it stands
    jackpot_before: Row
    meters: Row
    meters_before: Row
    rounds: Mapping[str, Row]  # ours, whole, by id
    known: Mapping[int, Sequence[Row]]  # by table, all rounds of its session
    hits: Sequence[Row]  # since the beginning, whole, in their order
    # by hit, a moment of our own clock at which it was on, betting closed
    frozen: Mapping[str, float]
    slips: Sequence[Row]  # all of the house
    currency: str
    places: Mapping[int, Place]  # by number of a table, what it is called and its gaming day
    games: Mapping[int, str]  # and the title of its game
    results: Results  # of all tables on these days, as the house has recorded them
    results_before: Results
    cash: Mapping[Place, Mapping[str, int]] = field(default_factory=dict)  # drop and tips by ours


@dataclass
class Books:
    """What was played, and what differs."""

    played: Sequence[Played]
    rules: JackpotRules
    differences: list[str] = field(default_factory=list)
    compared: int = 0
    splits: list[Split | None] = field(default_factory=list)  # of each hit; None for a rejected one
    tables: dict[str, dict[str, int | None]] = field(
        default_factory=dict
    )  # what each took on its gaming day, by our rounds
    games: dict[str, dict[str, int | None]] = field(default_factory=dict)  # and each game's tables
    counted: dict[str, dict[str, int]] = field(default_factory=dict)  # by chips and cash

    def same(self, what: str, found: object, expected: object) -> None:
        """Compare one figure."""
        self.compared += 1
        if found != expected:
            self.differences.append(f"{what}: the service says {found!r}, our books {expected!r}")

    def compare(self, service: Service) -> list[str]:
        """Everything; gives what differs."""
        for one in self.played:
            self._round(one, service.rounds.get(one.id))
        for table, rows in service.known.items():
            mine = {one.id for one in self.played if one.table == table}
            self.same(
                f"the rounds of table {table}", sorted({row["id"] for row in rows} - mine), []
            )
        self._results(service)
        self._jackpot(service)
        return self.differences

    def _round(self, one: Played, there: Row | None) -> None:
        what = f"table {one.table}, round {one.plan.number}"
        if there is None:
            self.same(what, None, one.state)
            return
        self.same(f"{what}: state", there["state"], one.state)
        if one.state != SETTLED:
            self.same(f"{what}: lines", len(there["lines"]), 0)
            return
        self.same(f"{what}: revision", there["revision"], one.revision)
        found: Lines = {}
        paid: dict[tuple[int, str], int] = {}
        for line in there["lines"]:
            add(found, one.place_of(line), _line(line))
            paid[next(reversed(found))] = line["paid_minor"]
        self.same(f"{what}: how many lines", len(there["lines"]), len(one.lines))
        for place in sorted(one.lines.keys() | found.keys()):
            self.same(f"{what}, box {place[0]}, {place[1]}", found.get(place), one.lines.get(place))
        for place, line in one.lines.items():
            self.same(f"{what}, box {place[0]}, {place[1]}: paid", paid.get(place), line.paid)
        laid = sum(stake["accepted_minor"] for stake in there["stakes"])
        self.same(f"{what}: stakes", laid, sum(line.stake for line in one.lines.values()))

    def _results(self, service: Service) -> None:
        """What each table took on its gaming day, figure by figure: sums that agree over all tables
        may hide two that do not.
        """
        mine = results.ours(self.played, service.places.__getitem__, self.rules.to_house)
        for place in service.places.values():
            there = results.since(service.results_before, service.results, place)
            mine.setdefault(place, dict.fromkeys(results.FIGURES, 0))
            mine[place] |= service.cash.get(place, {})
            for figure, amount in mine[place].items():
                self.same(f"{place[0]} on {place[1]}: {figure} recorded", there[figure], amount)
        self.tables = {
            f"{name}, {day}": results.with_hold(sums) for (name, day), sums in sorted(mine.items())
        }
        game_of = {place: service.games[number] for number, place in service.places.items()}
        self.games = {
            game: results.with_hold(sums) for game, sums in results.by(game_of, mine).items()
        }

    def _jackpot(self, service: Service) -> None:
        before, now = service.meters_before, service.meters
        meter = Meter(self.rules, service.jackpot_before["shown_minor"], before["reserve_minor"])
        waiting = [one for one in self.played if one.state == SETTLED and one.id in service.rounds]
        for hit in service.hits:
            # A lock that was acknowledged before we saw the hit was taken before it; so was one
            # whose answer was still on its way: then its round ran, and the hit lists it. The
            # house's own times tell nothing: its clock may be set back.
            listed, seen = {one["round"] for one in hit["rounds"]}, service.frozen[hit["id"]]
            mine = [one for one in waiting if one.known_at < seen or one.id in listed]
            waiting = [one for one in waiting if one not in mine]
            self._hit(service, hit, mine, meter)
        meter.feed(sum(_coins(one) for one in waiting))
        self.same("the meter at the end", service.jackpot["shown_minor"], meter.displayed)
        self.same("the jackpot's phase at the end", service.jackpot["phase"], "open")
        self.same("coins", now["coins"] - before["coins"], meter.coins)
        self.same(
            "coins in",
            now["coins_in_minor"] - before["coins_in_minor"],
            meter.coins * self.rules.coin,
        )
        self.same("hits", now["hits"] - before["hits"], len(service.hits))
        self.same("hits paid", now["hits_paid"] - before["hits_paid"], meter.hits)
        self.same("won", now["won_minor"] - before["won_minor"], meter.won)
        self.same("the reserve", now["reserve_minor"], meter.reserve)
        numbers = sorted(slip["number"] for slip in service.slips)
        self.same("the numbers of slips", numbers, list(range(1, len(numbers) + 1)))

    def _hit(self, service: Service, hit: Row, mine: Sequence[Played], meter: Meter) -> None:
        """One hit: who wins, how much, and that nothing was staked before the reopening (PRG-7 to
        PRG-12).
        """
        what = f"hit {hit['number']}"
        meter.feed(sum(_coins(one) for one in mine))
        winners = {(one.id, box) for one in mine if one.outcome for box in one.outcome.winners}
        went_back = self._went_back(hit) * self.rules.to_meter
        at_claim = meter.total + went_back
        shown = at_claim if self.rules.cap is None else min(at_claim, self.rules.cap)
        self.same(f"{what}: shown when it began", hit["shown_minor"], shown)
        self.same(f"{what}: state", hit["state"], "paid" if winners else "rejected")
        true = {
            (claim["round"], claim["box"])
            for claim in hit["claims"]
            if claim["state"] == "verified"
        }
        self.same(f"{what}: winners", sorted(true), sorted(winners))
        self._frozen(service, hit, what)
        if not winners:
            self.splits.append(None)
            self.same(f"{what}: awards", len(hit["awards"]), 0)
            return
        total = meter.total
        split = meter.win(len(winners), shown_at_claim=shown)
        self.splits.append(split)
        self._split(service, hit, split, total, winners)

    def _split(
        self, service: Service, hit: Row, split: Split, total: int, winners: set[tuple[str, int]]
    ) -> None:
        what, newest = f"hit {hit['number']}", hit["splits"][-1]
        names = ("sum", "won", "remainder", "overflow")
        found = {name: newest[f"{name}_minor"] for name in names}
        mine = (total, split.won, split.remainder, split.overflow)
        self.same(f"{what}: the split", found, dict(zip(names, mine, strict=True)))
        self.same(
            f"{what}: the shares",
            [one["share_minor"] for one in newest["shares"]],
            [split.share] * len(winners),
        )
        awards = {(one["round"], one["box"]): one for one in hit["awards"]}
        self.same(f"{what}: who is awarded", sorted(awards), sorted(winners))
        for place, award in sorted(awards.items()):
            slip, coins = award["slip"], cash(split.share, service.currency)
            self.same(f"{what}, box {place[1]}: award", award["amount_minor"], split.share)
            self.same(f"{what}, box {place[1]}: slip", slip["to_pay_minor"], coins)
            self.same(
                f"{what}, box {place[1]}: paid",
                (slip["state"], slip["cash_minor"]),
                ("paid", coins),
            )
        signed = [len(one["signed_by"]) for one in hit["approvals"] if one["state"] == "used"]
        self.same(
            f"{what}: fewer signatures than two",
            [count for count in signed or [0] if count < 2],
            [],
        )
        if hit["gate"]:
            gate = (hit["gate"]["state"], hit["gate"]["amount_minor"])
            self.same(f"{what}: the gate", gate, ("passed", split.new_meter))

    def _went_back(self, hit: Row) -> int:
        """Coins that lay there when the hit began and went back before it was paid."""
        ended = {one["round"]: one["ended_as"] for one in hit["rounds"]}
        back = [one for one in self.played if ended.get(one.id) in (VOIDED, REOPENED, WITHDRAWN)]
        return sum(one.plan.coins for one in back)

    def _frozen(self, service: Service, hit: Row, what: str) -> None:
        """Between the hit and the reopening no stake was taken (PRG-9)."""
        listed = {one["round"] for one in hit["rounds"]}
        elsewhere = {one.id for one in self.played if not one.plan.linked}
        gate = hit["gate"] or {}
        reopened = _time(gate.get("ended_at") or hit["ended_at"]) - ENDED_S
        begun = _time(hit["begun_at"])
        between = [
            round_id
            for round_id, row in service.rounds.items()
            if row["state"] != WITHDRAWN and not row["queued"]
            if round_id not in listed | elsewhere
            if begun < _time(row["locked_at"]) < reopened
        ]
        self.same(f"{what}: rounds locked while betting was closed", between, [])


def _coins(one: Played) -> int:
    return sum(kind == "coin" for _box, kind in one.lines)


def _line(line: Row) -> Line:
    return Line(line["stake_minor"], line["returned_minor"], line["won_minor"], line["prize_minor"])


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
