"""Five weeks by COPY: sessions and rounds of all tables in the order of the clock, with running balances, sealed as they come.

Triggers and foreign keys are off while it writes (only a superuser can do that), and nothing else is: keys, checks and indexes are
those of a house. Seals are taken by the product's own code, at the moment to which the rows have come instead of now.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from unittest import mock
from uuid import UUID

import numpy as np
import psycopg

from jackpot.services.award import WORKING_DAYS, working_days_after
from payouts import decided
from payouts.attest import SignatureContent, attestation
from payouts.rules.lines import Stake
from payouts.seal_keys import Signer
from payouts.services import approval as approvals
from payouts.services import seal as sealing
from payouts.unattested import TABLE as SIGNATURES
from tables.services.rounds.lock import lock_print
from tests.scale.everyday import Everyday
from tests.scale.house import HIT, ORDER, PRIZE, PRIZES_OF, SPECIAL, Weeks
from tests.scale.patterns import Leg, Link, Pattern, Reader, payload_of

SECOND = 1_000_000
METER = ("meter_base", "sub_meter", "meter_prizes")
HIT_S = 400  # from the first table's opening to the hit of the day: all are open, and no round runs yet
BEGINS_H, SPAN_S, SETTLES_S = 9, 12 * 3600, 25  # hours after the day's change; of a session; from lock to settlement
SMALL = 20_000  # stakes below which a house is small
RARE = 0.02  # of rounds that take another course
PRIZES_A_ROUND, PRIZES_LEAST = 0.003, 2  # prizes that are paid by a slip; each day

# The day from which a version counts stands in the log too.
_STARTS = """UPDATE payouts_event SET after = jsonb_set(after, '{in_force_from}',
        to_jsonb(((after ->> 'in_force_from')::date - %s::int)::text))
    WHERE subject_kind = 'posted_table' AND after ->> 'in_force_from' ~ '^[0-9]{4}-'"""


@dataclass(frozen=True)
class Plan:
    """How much is made."""

    stakes: int
    tables: int = 40
    days: int = 35
    patterns: int = 60
    seed: int = 9

    @classmethod
    def of(cls, stakes: int) -> "Plan":
        """So many stakes; a few thousand are those of a small house, for who only tries whether something runs."""
        return cls(stakes) if stakes >= SMALL else cls(stakes, tables=10, patterns=10)

    @property
    def seals_a_day(self) -> int:
        """More rows are sealed more often, up to a seal in five minutes of play; one holds at most 20 000 rows of a table."""
        return max(2, min(144, self.stakes // self.days // 2_000))


@dataclass
class Done:
    """One round that was written: what adds up."""

    table: int
    day: date
    at: datetime
    pattern: Pattern


@dataclass
class Filled:
    """What was written, for those who add up: each session and round, in the order in which they came."""

    plan: Plan
    house: Weeks
    rounds: list[Done] = field(default_factory=list)
    sessions: list[Done] = field(default_factory=list)
    acts: list[tuple[date, str]] = field(default_factory=list)  # sign-ins, permissions, looks: the day, and what it was
    stakes: int = 0


class Act(NamedTuple):
    """One thing that happens on a day: a round of a table's session, or beside all tables an event."""

    at: datetime
    place: int
    turn: int
    values: dict[str, Any]
    event: Pattern | None = None


class Filler:
    """Writes a plan into the database in which the house was played."""

    def __init__(self, link: Link, house: Weeks, plan: Plan, signer: Signer, told: Callable[[str], None]) -> None:
        self.link, self.house, self.plan, self.signer, self.told = link, house, plan, signer, told
        self.filled = Filled(plan, house)
        self.chance = np.random.default_rng(plan.seed)
        self.day, self.change = self._to_the_past()
        now = house.now()
        self.reader = Reader(link, house.house.pk, now.epoch_id)
        self.rounds: dict[str, list[Pattern]] = {}
        self.rare: dict[str, list[Pattern]] = {}
        self.own: dict[str, list[Pattern]] = {}  # of rounds that pay a prize, or make a hit
        self.sessions: dict[str, Pattern] = {}
        for played in house.sessions_played:
            played.session.refresh_from_db()
            found = self.reader.rounds(played)
            self.rounds[played.pool] = [one for one in found if one.what not in (*SPECIAL, PRIZE, HIT)]
            self.own[played.pool] = [one for one in found if one.what in (PRIZE, HIT)]
            self.rare[played.pool] = [one for one in found if one.what in SPECIAL]
            self.sessions[played.pool] = self.reader.session(played)
        self.accounts: dict[Any, list[int]] = {}  # account: id, version, balance
        self.meter: set[Any] = set()  # those of them that the jackpot shows
        self._read_accounts(now.epoch_id)
        assert now.epoch
        self.cap: int | None = now.epoch.funding.data["cap_minor"]
        self.everyday = Everyday(self.reader, house)
        self.next = {name: 1 + self._one(f"SELECT max(id) FROM {table}") for table, name in
                     (("payouts_transfer", "x"), ("jackpot_contribution", "k"))}  # fmt: skip
        for name in ("hit", "gate"):
            self.next[name] = 1 + self._one(f"SELECT max(number) FROM jackpot_{name}")
        self.next["slip"] = 1 + self._one("SELECT max(number) FROM jackpot_slip")
        self.out: dict[str, list[str]] = defaultdict(list)

    # The whole
    def fill(self) -> Filled:
        """Write all of it, bring accounts and counters up to it, and seal it."""
        with unguarded(self.link):
            self._fill()
        self.link.execute("VACUUM (ANALYZE)")
        return self.filled

    def _fill(self) -> None:
        self._seal(self.change + timedelta(hours=23))
        mean = self._mean_stakes()
        for number in range(1, self.plan.days + 1):
            self._fill_day(number, self.plan.stakes / mean / self.plan.tables / self.plan.days)
            self.told(f"day {number} of {self.plan.days}: {self.filled.stakes} stakes")
        with self.link.cursor() as cursor, self.link.transaction():
            cursor.executemany(
                "UPDATE payouts_account SET version = %s, balance_minor = %s WHERE id = %s",
                [(version, balance, pk) for pk, version, balance in self.accounts.values()],
            )
            cursor.execute(
                "UPDATE jackpot_jackpot j SET gate_id = (SELECT id FROM jackpot_gate g WHERE g.jackpot_id = j.id"
                " ORDER BY number DESC LIMIT 1) WHERE gate_id IS NOT NULL"
            )
            for table, name in (("payouts_transfer", "x"), ("jackpot_contribution", "k")):
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, self.next[name]])

    def _mean_stakes(self) -> float:
        shares = [ORDER[number % len(ORDER)] for number in range(self.plan.tables)]
        return float(np.mean([np.mean([one.stakes for one in self.rounds[pool]]) for pool in shares]))

    def _to_the_past(self) -> tuple[date, datetime]:
        """Put all there is back, so that yesterday is the last day to be filled; the evening's day, and when it began."""
        sql = """SELECT c.table_name, string_agg(format('%1$I = %1$I - make_interval(days => {0})', column_name), ', ')
            FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
            WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name NOT LIKE 'django%'
                AND data_type IN ('timestamp with time zone', 'date') GROUP BY 1"""
        with unguarded(self.link), self.link.transaction():
            for table, sets in self.link.execute(sql.format(self.plan.days + 1)).fetchall():
                self.link.execute(f"UPDATE {table} SET {sets}")
            self.link.execute(_STARTS, [self.plan.days + 1])
            self.link.execute("UPDATE payouts_entry SET note = note")  # an entry is written together with its transfer
        self.link.execute("SELECT pg_stat_force_next_flush()")
        self.link.execute("SELECT pg_stat_reset()")  # these updates are not somebody's: an audit counts them
        day: date = self._one("SELECT max(gaming_day) FROM tables_tablesession")
        change = datetime.combine(day, self.house.house.gaming_day_change).isoformat()
        begins = self._one(f"SELECT '{change}'::timestamp AT TIME ZONE '{self.house.house.time_zone}'")
        return day, begins

    def _read_accounts(self, epoch: UUID) -> None:
        halls = {table.pk: place for place, table in enumerate(self.house.halls)}
        sql = "SELECT id, kind, owner_id, detail_id, version, balance_minor FROM payouts_account"
        sql += " WHERE detail_id IS NULL OR detail_id = %s"
        for pk, kind, owner, detail, version, balance in self.link.execute(sql, [epoch]).fetchall():
            at = (halls[owner], kind, detail is not None) if owner in halls else pk
            self.accounts[at] = [pk, version, balance]
            if kind in METER and detail is not None:
                self.meter.add(at)

    # A day
    def _fill_day(self, number: int, rounds: float) -> None:
        day, begins = self.day + timedelta(days=number), self.change + timedelta(days=number)
        opens = begins + timedelta(hours=BEGINS_H)
        acts: list[Act] = []
        for place in range(self.plan.tables):
            values = self._open(place, number, day, opens + timedelta(seconds=7 * place))
            count = max(1, int(rounds * self.chance.uniform(0.8, 1.2) + self.chance.random()))
            step = SPAN_S / (count + 1)
            if place == 0:  # of the first kind of table, whose patterns have one
                acts.append(Act(opens + timedelta(seconds=HIT_S), 0, 0, values | {"n": 1}))
            acts += [
                Act(
                    opens + timedelta(seconds=600 + 7 * place + step * one),
                    place,
                    one + 1,
                    values | {"n": one + 1 + (place == 0)},
                )
                for one in range(count)
            ]
        paid = self._with_prizes(acts)
        everyday = list(self.everyday.of_a_day(self.chance, self.plan.tables))
        moments = sorted(SPAN_S * self.chance.random(len(everyday)))  # in their order: what is changed is changed back
        acts += [
            Act(opens + timedelta(seconds=float(at)), self.plan.tables, turn, values, event)
            for turn, (at, (event, values)) in enumerate(zip(moments, everyday, strict=True))
        ]
        acts.sort(key=lambda act: act[:3])
        span = timedelta(seconds=(SPAN_S + 3600) / self.plan.seals_a_day)
        until = opens + span
        for act in acts:
            while act.at > until:
                self._write(until)
                until += span
            if act.event:
                self._rows(act.event, act.place, act.at, act.values, 0)
                self.filled.acts.append((day, act.event.what))
            else:
                what = HIT if act.turn == 0 else PRIZE if (act.place, act.turn) in paid else ""
                self._round(act.place, day, act.at, act.values, what)
        self._write(opens + timedelta(seconds=SPAN_S + 3600))

    def _with_prizes(self, acts: list["Act"]) -> set[tuple[int, int]]:
        """The rounds of a day whose prize is paid by a slip."""
        may = [(act.place, act.turn) for act in acts if act.turn and ORDER[act.place % len(ORDER)] == PRIZES_OF]
        count = min(len(may), max(PRIZES_LEAST, round(len(acts) * PRIZES_A_ROUND)))
        return {may[int(one)] for one in self.chance.choice(len(may), size=count, replace=False)}

    def _open(self, place: int, number: int, day: date, at: datetime) -> dict[str, Any]:
        """Write a session with its guests; give the ids of its rounds."""
        pattern = self.sessions[ORDER[place % len(ORDER)]]
        dealers = self.house.dealers
        first = dealers[(2 * place + number) % len(dealers)].pk
        values = {"t": self.house.halls[place].pk, "s": self._id(), "c": first, "day": day}
        values |= {"d": dealers[(2 * place + number + 1) % len(dealers)].pk}
        values |= {f"g{box}": self._id() for box in range(1, 8)}
        self._rows(pattern, place, at, values | {"r": ""}, SPAN_S + 1800)
        self.filled.sessions.append(Done(place, day, at, pattern))
        return values

    def _round(self, place: int, day: date, at: datetime, values: dict[str, Any], what: str) -> None:
        pool = ORDER[place % len(ORDER)]
        among = self.rare[pool] if self.rare[pool] and self.chance.random() < RARE else self.rounds[pool]
        if what:
            among = [one for one in self.own[pool] if one.what == what]
        pattern = among[int(self.chance.integers(len(among)))]
        values["r"] = self._id()
        values |= {name: self._id() for name in pattern.ids}
        if what:
            values |= self._numbers(what, pattern, day)
        for number, action, kind, subject, revision, payload in pattern.approvals:
            values[f"a{number}"] = self._id()
            said = payload_of(payload, values)
            digest = approvals._hash(self.house.house.pk, action, kind, values[subject], revision, said)
            values[f"h{number}"] = f"\\\\x{digest.hex()}"
        stakes = [Stake(box, str(values[guest]), kind, amount) for box, guest, kind, amount in pattern.laid]
        stakes.sort(key=lambda stake: (stake.box, stake.kind, stake.guest))
        values["lock"] = f"\\\\x{lock_print(values['t'], stakes, queued=pattern.queued).hex()}"
        self._rows(pattern, place, at, values, SETTLES_S)
        self.filled.rounds.append(Done(place, day, at, pattern))
        self.filled.stakes += pattern.stakes

    def _numbers(self, what: str, pattern: Pattern, day: date) -> dict[str, Any]:
        """What counts on with a slip or a hit, and what the meter shows after the round's coins (a hit is at the first table)."""
        found: dict[str, Any] = {name: self.next[name] for name in (("slip",) if what == PRIZE else ("hit", "gate"))}
        self.next.update({name: number + 1 for name, number in found.items()})
        coins = [
            amount for _, at, amount, _ in pattern.legs if ((0, *at) if isinstance(at, tuple) else at) in self.meter
        ]
        shown = max(0, -sum(self.accounts[at][2] for at in self.meter) - sum(coins))
        shown = shown if self.cap is None else min(shown, self.cap)
        told = f"CHF {shown // 100:,}.{shown % 100:02}".replace(",", "’")
        return found | {"due": working_days_after(day, WORKING_DAYS), "shown": shown, "told": told}

    def _rows(self, pattern: Pattern, place: int, at: datetime, values: dict[str, Any], later_s: int) -> None:
        """Write a pattern's rows under these ids at this moment, and its entries with what they make of the balances."""
        for name, offset in pattern.moments.items():
            late = later_s * SECOND if name in pattern.later else 0
            values[name] = at + timedelta(microseconds=offset + late)
        for key, names in pattern.keys.items():
            first = self.next[key]
            values.update(zip(names, range(first, first + len(names)), strict=True))
            self.next[key] = first + len(names)
        for table, text in pattern.texts.items():
            self.out[table].append(self._attested(text % values) if table == SIGNATURES else text % values)
        if pattern.legs:
            self.out["payouts_entry"].append("".join(self._entries(pattern.legs, place, values)))

    def _attested(self, text: str) -> str:
        """Signatures under their new ids, each with its own HMAC."""
        columns = [name for name, _ in self.reader._kept(SIGNATURES)]
        lines = []
        for line in text.splitlines():
            cells = dict(zip(columns, line.split("\t"), strict=True))
            content = SignatureContent(
                UUID(cells["approval_id"]),
                UUID(cells["signer_id"]),
                bytes.fromhex(cells["payload_hash"].removeprefix("\\\\x")),
                cells["method"],
                step=None,  # patterns are signed without a code
                ordinal=None,
            )
            lines.append("\t".join((cells | {"mac": f"\\\\x{attestation(content).hex()}"}).values()) + "\n")
        return "".join(lines)

    def _entries(self, legs: list[Leg], place: int, values: dict[str, Any]) -> Iterator[str]:
        house = self.house.house.pk
        for transfer, at, amount, note in legs:
            account = self.accounts[(place, *at) if isinstance(at, tuple) else at]
            account[1] += 1
            account[2] += amount
            yield f"{house}\t{values[transfer]}\t{account[0]}\t{amount}\t{account[1]}\t{account[2]}\t{note}\n"

    def _id(self) -> UUID:
        return UUID(bytes=self.chance.bytes(16), version=4)

    # Out
    def _write(self, at: datetime) -> None:
        """Commit what was gathered, and seal it as at that moment."""
        entries = "house_id, transfer_id, account_id, amount_minor, account_version, balance_after_minor, note"
        with self.link.transaction(), self.link.cursor() as cursor:
            for table, texts in self.out.items():
                columns = entries if table == "payouts_entry" else self.reader.written(table)
                with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                    copy.write("".join(texts))
        self.out.clear()
        self._seal(at)

    def _seal(self, at: datetime) -> None:
        """Take seals until nothing is left, as somebody would who looked at this moment."""
        look = decided.look

        def then(keys: Mapping[str, str]) -> Any:
            return look(keys)._replace(taken_at=at.isoformat())

        with mock.patch.object(sealing, "look", then):
            while sealing.seal_take(signer=self.signer).full:
                pass

    def _one(self, sql: str) -> Any:
        row = self.link.execute(sql).fetchone()
        assert row
        return row[0]


@contextmanager
def unguarded(link: Link) -> Iterator[None]:
    """All triggers off for the block, those too that fire always; afterwards each as it was."""
    states = {"O": "ENABLE", "A": "ENABLE ALWAYS", "R": "ENABLE REPLICA"}
    found = link.execute(
        "SELECT tgrelid::regclass::text, tgname, tgenabled::text FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"
    ).fetchall()
    for table, trigger, _ in found:
        link.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
    link.execute("SET session_replication_role = replica")  # for foreign keys
    try:
        yield
    finally:
        link.execute("SET session_replication_role = origin")
        for table, trigger, state in found:
            link.execute(f"ALTER TABLE {table} {states[state]} TRIGGER {trigger}")


@contextmanager
def as_superuser(url: str, database: str = "") -> Iterator[Link]:
    """A connection on which triggers can be off."""
    more = {"dbname": database} if database else {}
    with psycopg.connect(url, autocommit=True, **more) as link:
        link.execute("SET timezone = 'UTC'; SET synchronous_commit = off")
        yield link
