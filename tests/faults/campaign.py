"""One campaign from its seed to its report: a floor plays, everything beneath it breaks, and the clients' history is the judge."""

import random  # noqa: TID251  (who tries what when comes from the seed)
import shutil
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from casino.simulate.clients import Refused, Unreachable
from casino.simulate.options import Options
from casino.simulate.people import MANAGER, NoEntry, Person
from tests.faults import breaker as breaking
from tests.faults import counting, oracle, placing
from tests.faults import floor as playing
from tests.faults import network as wire
from tests.faults import poker as raking
from tests.faults.attack import Attack
from tests.faults.attackers import Insiders
from tests.faults.breaker import Breaker
from tests.faults.coordinators import STEP
from tests.faults.croupier import CROUPIER, Script
from tests.faults.floor import LOCKS_FROZEN, WITHDRAWS_LATE, ScriptedEvening
from tests.faults.house import House
from tests.faults.journal import stored_answers
from tests.faults.network import Network
from tests.faults.placed import placed_amiss
from tests.faults.raked import raked_amiss
from tests.faults.script import APART_S, Turned, wait_for
from tests.faults.strangers import STRANGER, Stranger
from tests.faults.without import SERVED_BY, take_away

TABLES = 24  # of the jackpot
BESIDE = ("blackjack=2",)  # of another game, in whose rounds more is staked after the lock
LAST_S = 60.0  # of the minutes: the last fault, and the floor until it plays again
SCENES = 2  # that are played however long they take: the last hit is the double royal of a short campaign
STILL_S = 240.0  # nothing of a hit moves: it hangs; how long one takes that moves is a figure of the report
QUIET_S = 75.0  # that no hit comes; a croupier's withdrawal comes too late after a half minute
MORE_S = 300.0  # beyond the minutes, until what attackers try has had its occasion
SETTLED_S = 20.0
REOPENS_S = (
    120.0  # for each of two steps after the last fault, without a hand; how soon it was is a figure of the report
)
FOUND_S = 15.0  # for the hit at hand, once something is wrong: it may be the very thing that hangs
DISPLAYS = "prompt,late,wrong"
SELDOM_S = (15.0, 25.0)  # between faults of one kind, where nothing else breaks
CROOKED = 2  # tables whose croupiers have a script


@dataclass
class Campaign:
    """Everything of one run. `say` is given what happens."""

    seed: int
    minutes: float
    tables: int = TABLES
    say: Callable[[str], None] = print
    without: str = ""  # a guard that is taken away: then something must be wrong in the end
    attackers: bool = True
    only: tuple[
        str, ...
    ] = ()  # faults that happen, on a wire on which nothing goes wrong; all kinds where none is named
    attack: Attack = field(default_factory=Attack)
    wrong: list[str] = field(default_factory=list)  # what must not be
    sometimes: Counter[str] = field(default_factory=Counter)  # what must have happened at least once
    broken: bool = False  # by hand
    cut_short: bool = False  # by a finding, or by hand
    ended: float = field(default_factory=time.monotonic)  # the play, by its time, by what was found, or by hand
    reopened_s: float = -1.0
    hit_s: float = 0.0  # of the hit that took longest
    report: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)  # of each part, as it ends
    _since: float = field(default_factory=time.monotonic)

    def _part_over(self, name: str) -> None:
        now = time.monotonic()
        self.seconds[name], self._since = round(now - self._since, 1), now

    def run(self) -> dict[str, Any]:
        """Play, break, compare; gives the report. `wrong` in it is empty where all holds."""
        folder = Path(tempfile.mkdtemp(prefix="saalchef-faults-"))
        self.house = House(folder, served_by=SERVED_BY.get(self.without, ""))
        network = None
        try:
            self.house.start()
            self._part_over("house")
            self.say("--- the house answers")
            if self.without:
                with self.house.link() as link:
                    take_away(self.without, link)
            options = Options(
                seed=self.seed,
                tables=self.tables,
                beside=BESIDE,
                minutes=24 * 60,
                displays=DISPLAYS,
                offline=True,
                lossy=2.0,
            )
            self.evening = ScriptedEvening(options, self.say)
            journal = self.evening.journal
            network = self.network = Network(
                self.house.web_socket, self.house.ws_socket, self.seed, journal.note
            ).start()
            options.poker = raking.TABLES
            options.url = network.address
            options.check()
            self.before = {key for (key,) in self.house.sql("SELECT key FROM payouts_commandkey")}
            self._open()
            for part in (self._play, self._close, self._compare):
                self._through(part)
            self._tell()
        finally:
            with suppress(AttributeError):
                self.evening.end()
            if network is not None:
                network.stop()
            self.said = self.house.said(50_000_000)  # all of it: what was wrong may lie minutes back
            self.house.stop()
            shutil.rmtree(folder, ignore_errors=True)
        return self.report

    def _through(self, part: Callable[[], None]) -> None:
        """Whatever ends a part, the next one follows, and the report tells of it."""
        try:
            part()
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  (a second Ctrl-C ends the part at hand)
            trace = "".join(traceback.format_exception(error, limit=-4))
            self.evening.differs(f"the campaign broke off ({part.__name__.strip('_')}): {trace}")
        self._part_over(part.__name__.strip("_"))

    def break_off(self, *_signal: object) -> None:
        """Ctrl-C: what is at hand is ended as after a finding, and told. Sets a mark alone, as a signal's handler may."""
        if self.broken:
            raise KeyboardInterrupt
        self.broken = True

    # Playing
    def _open(self) -> None:
        evening = self.evening
        self.house.module("tests.faults.fill")  # before the first hand, as a house opens
        evening.open()
        self._part_over("floor")
        self._let_in()
        self.say(f"--- {len(evening.tables)} tables play")
        self.breaker = Breaker(self.house, self.network, self.seed, lambda: evening.pit.now["phase"], self.say)
        self.breaker.kinds = {kind: act for kind, act in self.breaker.kinds.items() if kind in (self.only or (kind,))}
        if self.only:
            self.breaker.apart_s = SELDOM_S
        else:
            evening.pit.breaker = evening.poker.breaker = evening.counting.breaker = self.breaker
        for person in evening.people.values():
            person.clock_right = self.house.clock.right.wait
        self.network.rough = not self.only

    def _play(self) -> None:
        director = threading.Thread(target=self._direct, daemon=True, name="director")
        self.begun = time.monotonic()
        self.breaker.start()
        director.start()
        try:
            self.evening.play(lambda: None)
        finally:
            self.attack.end()
            self.evening.halt()
            director.join(STILL_S)

    def _close(self) -> None:
        self.cut_short = self._found()
        self._calm()
        if self.broken:
            self.evening.differs("broken off by hand")
        if self.cut_short:
            self.evening.finish_s = FOUND_S
        self.evening.close()

    def _let_in(self) -> None:
        """Those who have turned against the house, and strangers, begin while nothing breaks yet."""
        if not self.attackers:
            return
        evening, url = self.evening, self.network.address
        chance = [random.Random(f"attack {self.seed} {number}") for number in range(5)]
        insiders = Insiders(url, evening.jackpot["id"], evening.tally, chance[0], self.house.clock.right.wait)
        insiders.prepare()
        crooked = chance[1].sample([table.number for table in evening.tables if table.game.LINKED], CROOKED)
        evening.script.turned = Turned(
            enters=insiders.boss.client.beside(),
            crooked=crooked,
            attack=self.attack,
            clock=self.house.clock,
            signed=insiders.signed,
            cosigns=insiders.asks.post,
        )
        evening.let_cheat(self.attack)
        insiders.begin(self.attack)
        for number, one in zip(crooked, chance[2:], strict=False):
            others = [table for table in evening.tables if table.number not in crooked]
            table = next(table for table in evening.tables if table.number == number)
            tries = Script(table, others, lambda: insiders.hit("draining"), evening.tally, one).tries()
            self.attack.begin(CROUPIER, tries, one)
        self.attack.begin(STRANGER, Stranger(url, evening.tally, chance[4]).tries(), chance[4])
        self.attack.refused.update({f"{CROUPIER} {LOCKS_FROZEN}": 0, f"{CROUPIER} {WITHDRAWS_LATE}": 0})

    def _direct(self) -> None:
        """Scene after scene as long as there is time for another like the longest, and longer until each attacker was refused all
        that he tries; at the end all dies at once, and the floor must open again by itself. What is found ends all of it.
        """
        evening, longest = self.evening, 0.0
        end = self.begun + 60 * self.minutes - (0.0 if self.only else min(LAST_S, 20 * self.minutes))
        try:
            while not evening.stop.is_set():
                begun = time.monotonic()
                last = end + MORE_S if self.attack.missing or self._unplaced() else end
                if self._found() or (len(evening.script.played) >= SCENES and begun + longest > last):
                    break
                self._quiet()
                self._scene()
                evening.stop.wait(APART_S)
                longest = max(longest, time.monotonic() - begun)
            # the floor plays on, and things break
            self._until(lambda: time.monotonic() > end, max(0.0, end - time.monotonic()))
            self.breaker.end()
            if not (self.evening.stop.is_set() or self.only or self._found()):
                self._last_fault()
        except Exception as error:  # noqa: BLE001  (whatever it is, the campaign must hear of it)
            self.evening.differs(f"the campaign cannot go on: {type(error).__name__}: {error}")
        finally:
            self.ended = time.monotonic()
            self.evening.halt()

    def _until(self, cue: Callable[[], bool], seconds: float) -> bool:
        """Wait for a cue, or for something wrong; whether either came."""
        return wait_for(lambda: cue() or self._found(), self.evening.stop, seconds)

    def _follow(self, cue: Callable[[], bool]) -> bool:
        """Wait for a cue, or for something wrong, while the hit moves on, however slowly; whether either came."""
        while not (cue() or self._found()):
            before = self._where()
            if not self._until(lambda before=before: cue() or self._where() != before, STILL_S):
                return False
        return True

    def _found(self) -> bool:
        """Whether something is wrong already: then nothing more is looked for."""
        return bool(self.broken or self.attack.wrong or self.evening.differences)

    def _unplaced(self) -> bool:
        """Whether a way to stake after a lock, something of poker or a count has had no occasion yet, where it must have."""
        counts, faults = self.evening.tally.counts, self.breaker.counts
        seen = all(counts[what] for what in (*placing.SEEN, *raking.SEEN, *counting.SEEN))
        died = all(faults[kind] for kind in (*raking.FAULTS, *counting.FAULTS))
        return not self.only and not (seen and died)

    def _quiet(self) -> None:
        """No hit while a croupier waits until it is too late to withdraw (`ScriptedTable._withdraw_late`)."""
        if self.attackers:
            what = f"{CROUPIER} {WITHDRAWS_LATE}"
            self._until(lambda: bool(self.attack.refused[what]), QUIET_S)

    def _scene(self, name: str = "") -> None:
        evening, hits = self.evening, len(self.evening.pit.hits)
        scene = evening.script.announce(name)
        self.say(f"--- {scene.name}: {scene.parts}")
        begun = time.monotonic()
        ended = self._follow(lambda: self._ended(hits))
        self.hit_s = max(self.hit_s, time.monotonic() - begun)
        if not ended and not evening.stop.is_set():
            evening.differs(f"a hit ({scene.name}) has not moved for {STILL_S:.0f} s: {self._where()}")
        evening.script.over()

    def _ended(self, hits: int) -> bool:
        pit = self.evening.pit
        return len(pit.hits) > hits and pit.now["phase"] == "open" and not pit.unpaid()

    def _where(self) -> str:
        scene, now = self.evening.script.now, self.evening.pit.now
        missing = set(range(1, self.tables + 1)) - scene.joined - scene.bystanders if scene else set()
        hit = now["hit"] or {}
        return (
            f"hit {hit.get('number')} {hit.get('state')}, phase {now['phase']}, tables that have not joined:"
            f" {sorted(missing)}, unpaid: {len(self.evening.pit.unpaid())}"
        )

    def _last_fault(self) -> None:
        """While a new value is on its way to the displays all is killed; then nothing breaks any more."""
        evening = self.evening
        hits = len(evening.pit.hits)
        evening.script.announce("double royal")
        shown = self._follow(lambda: len(evening.pit.hits) > hits and evening.pit.now["phase"] == "showing")
        if not shown:
            evening.differs(f"the last hit did not come to its displays: {self._where()}")
            return
        self.network.rough = False
        self.breaker.everything()
        killed = time.monotonic()
        opened = self._until(lambda: evening.pit.look()["phase"] == "open", REOPENS_S)
        before = evening.rounds_begun()
        if opened and self._until(lambda: all(evening.rounds_begun()[one] > before[one] for one in before), REOPENS_S):
            self.reopened_s = time.monotonic() - killed
            self.say(f"--- the floor plays again {self.reopened_s:.1f} s after the last fault")
        self._follow(lambda: self._ended(hits))
        evening.script.over()

    def _calm(self) -> None:
        self.breaker.end()
        if not self.network.calm(SETTLED_S):
            self.evening.differs("requests that were held back did not arrive")

    # Comparing
    def _compare(self) -> None:
        evening, journal = self.evening, self.evening.journal
        self.wrong += journal.resolve()
        self._through(self._compare_books)
        if evening.books:
            self.wrong += oracle.paid_amiss(evening.service.slips, evening.all_played())
        if self.attackers:
            self.wrong += [*self.attack.wrong, *self._locked_out()]
        rows = oracle.recorded_since(self.before, self.house.sql)
        self.wrong += journal.compare(stored_answers(rows), self.network.delivered)
        self.wrong += oracle.rows_amiss(self.house.sql)
        books = [table.book for table in evening.poker.tables]
        placed = placed_amiss(self.evening.placed(), self.house.sql)
        trays = () if self.cut_short else self.evening.counting.trays.values()
        self.wrong += [*placed, *raked_amiss(books, self.house.sql), *counting.counted_amiss(trays, self.house.sql)]
        with ThreadPoolExecutor(2) as both:  # each is a process, of seconds
            for amiss in both.map(lambda ask: ask(self.house), (oracle.audits_amiss, oracle.seals_amiss)):
                self.wrong += amiss
        self.wrong += oracle.deadlocks(self.house.log("postgres").read_text(errors="replace"))
        self._count()
        if self.cut_short:
            return  # what has not come yet might have
        if not self.only:
            self.wrong += oracle.not_opened(self.reopened_s)
        self.wrong += oracle.never(self.sometimes)

    def _compare_books(self) -> None:
        self.evening.compare()

    def _locked_out(self) -> list[str]:
        """Whoever was guessed at all evening comes in: strangers lock a name for themselves alone."""
        manager = Person(self.network.address, MANAGER, self.evening.tally, random.Random(0))
        manager.client.timeout_s = (
            manager.client.patience_s
        )  # asked again it would be his second try with the same code
        try:
            manager.sign_in().client.close()
        except (NoEntry, Refused, Unreachable) as error:
            return [f"strangers have locked the manager out: {error}"]
        return []

    def _count(self) -> None:
        """What a campaign must have seen, or it proves nothing."""
        self.sometimes.update(
            {**self.attack.refused, **{what: self.breaker.counts[what] for what in self.breaker.kinds}}
        )
        if not self.only:
            self._count_all()

    def _count_all(self) -> None:
        counts, hits = self.evening.tally.counts, self._hits()
        faults, phases = self.breaker.counts, {one.phase for one in self.breaker.faults if one.hit}
        winners = [len(hit["awards"]) for hit in hits]
        self.sometimes.update(
            {
                "double royal": winners.count(2),
                "three winners": winners.count(3),
                "rejection": sum(hit["state"] == "rejected" for hit in hits),
                "claim while draining": oracle.claimed_while_draining(self.house.sql),
                "void of a listed round": sum(one["ended_as"] == "voided" for hit in hits for one in hit["rounds"]),
                "late confirmation": sum(one.late_taken for one in self.evening.displays.all),
                "wrong confirmation refused": sum(one.wrong_refused for one in self.evening.displays.all),
                "hit that a fault fell into": len(phases - {"open"}),
                **{what: counts[what] for what in (playing.CORRECTED, playing.UNSURE_WITHDRAWN, playing.UNSURE_VOIDED)},
                **{
                    what: counts[what]
                    for what in ("answers lost", "answered a second time", "rounds without the server")
                },
                **{what: counts[what] for what in (*placing.SEEN, *raking.SEEN, *counting.SEEN)},
                **{what: self.network.counts[what] for what in (*wire.ROUGH,)},
                **{
                    what: faults[what]
                    for what in (breaking.BETWEEN, breaking.EVERYTHING, *raking.FAULTS, *counting.FAULTS)
                },
                "pit's socket opened again": max(counts["sockets of the pit"] - 1, 0),
                "step by another coordinator": self.house.log("coordinators").read_text().count(STEP),
            }
        )

    def _hits(self) -> Sequence[Mapping[str, Any]]:
        """All hits as the service told of them; none where the books could not be read."""
        return self.evening.service.hits if self.evening.books else ()

    def _tell(self) -> None:
        self.wrong[:0] = self.evening.differences
        evening, played = self.evening, Counter(one.state for one in self.evening.all_played())
        self.report.update(
            seed=self.seed,
            minutes=self.minutes,
            seconds=self.seconds,
            tables=self.tables,
            wrong=self.wrong,
            rounds=dict(played),
            rounds_in_all=sum(played.values()),
            poker=evening.poker.totals(),
            games=dict(Counter(table.game.TITLE for table in evening.tables for _one in table.played)),
            hits=[{"state": hit["state"], "winners": len(hit["awards"])} for hit in self._hits()],
            commands=dict(evening.journal.states()),
            compared=evening.books.compared if evening.books else 0,
            sometimes=dict(self.sometimes),
            faults=self.breaker.told(),
            fault_counts=dict(self.breaker.counts),
            faults_missed=dict(self.breaker.missed),
            restarts=dict(self.house.restarts),
            network=dict(self.network.counts),
            attacks=dict(self.attack.refused),
            clients=dict(evening.tally.counts),
            refusals=dict(evening.tally.refusals),
            answered_ms={"median": evening.tally.quantile(0.5), "99 %": evening.tally.quantile(0.99)},
            reopened_s=round(self.reopened_s, 1),
            hit_s=round(self.hit_s, 1),
            told_s=round(time.monotonic() - self.ended, 1),
        )
