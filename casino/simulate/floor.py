"""An evening: the floor is set up, tables play side by side, hits are brought to their end, and the
books are compared.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from casino.simulate import set_up
from casino.simulate.board import Board, tiles_of
from casino.simulate.books import results
from casino.simulate.books.compare import Books, Service
from casino.simulate.books.rules import NotPlayable, Posted, jackpot_rules
from casino.simulate.clear import revoke, take_down
from casino.simulate.clients import Refused, Tally, Unreachable
from casino.simulate.counting.room import Counting
from casino.simulate.games import GAMES, Game
from casino.simulate.left import Left
from casino.simulate.options import Options
from casino.simulate.people import CROUPIERS, NoEntry, Person
from casino.simulate.phase import PhaseSocket
from casino.simulate.pit import Pit
from casino.simulate.plan import RoundPlan, Royal, TablePlan
from casino.simulate.poker.room import PokerRoom
from casino.simulate.readers import rounds_of
from casino.simulate.tablet import VOIDED, Differs, Played, Stopped, Table
from casino.simulate.texts import BROKEN_OFF, money

UNIT_S = 8.0  # a step of a round in life: betting, cards, decisions, paying
FINISH_S = 240.0  # within which a hit at hand must have come to its end
GONE_S = 5.0  # in the end a house that does not answer is not waited for
PLAY_FLAGGED = "play_flagged"


class Evening:
    """The whole of it. `say` is given what happens, in words; `differences` is what must not be."""

    # Others play on purpose what here comes by chance.
    pit_class, table_class, tally_class, books_class = Pit, Table, Tally, Books
    room_class, counting_class = PokerRoom, Counting
    finish_s = FINISH_S

    def __init__(self, options: Options, say: Callable[[str], None]) -> None:
        self.options, self.say, self.tally = options, say, self.tally_class()
        self.stop = threading.Event()
        self.differences: list[str] = []
        self.people: dict[str, Person] = {}
        self.tables: list[Table] = []
        self.sessions: dict[int, str] = {}
        self.places: dict[int, results.Place] = {}
        self.plans: list[TablePlan] = []
        self.royals: tuple[Royal, ...] = ()
        self.rounds_each = 0
        self.begun = time.monotonic()
        self.pit: Pit | None = None
        self.board: Board | None = None
        self.displays: set_up.Displays | None = None
        self.poker = self.room_class(self)
        self.counting = self.counting_class(self)
        self.left = Left(options.keep)
        self.books: Books | None = None
        self.offline_before = ""
        self.history: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._barrier: threading.Barrier | None = None

    def open(self) -> None:
        """Set the floor up. Raises Wrong, NoEntry, NotPlayable, Unreachable, Refused."""
        options = self.options
        self.people = people = set_up.people_in(options, self.tally, self.left)
        boss = people["boss"]
        self.jackpot = set_up.jackpot_of(options, boss)
        self.left.of(self.jackpot["id"])
        self.pit = self.pit_class(
            people,
            self.jackpot,
            self.tally,
            tell=self.say,
            differs=self.differs,
            is_true=self._is_true,
        )
        self.displays = set_up.Displays(options, people, self.jackpot, self.tally, self.left)
        self.pit.start()
        if self.jackpot["phase"] == "showing":
            self.say("A new value waits for its displays: it is shown first.")
            self.displays.rescue(self.pit)
            self.jackpot = self.pit.look()
        posted = Posted(people["manager"].client.every("posted-tables/"))
        self.rules = jackpot_rules(posted, self.jackpot)
        set_up.coins_known(self.rules, self.jackpot)
        rows = set_up.tables_of(options, people, self.jackpot)
        self.levels = set_up.levels_of(rows)
        layouts = [row["boxes"] for row in rows if GAMES[row["game"]].LINKED]
        self.rounds_each = -(-options.rounds // len(rows))
        self.royals = options.planned(layouts, self.rounds_each)
        self._offline()
        self._barrier = threading.Barrier(len(layouts))
        croupiers = set_up.croupiers_of(boss)
        self.counting.deal(rows, self.levels, posted)
        for number, row in enumerate(rows, 1):
            self._open_table(number, row, posted, croupiers)
        self.pit.names = {table.row["id"]: table.name for table in self.tables}
        self.board = Board(boss).start()
        self.say(f"{len(rows)} tables are open: {', '.join(table.name for table in self.tables)}.")
        self.poker.open(posted, croupiers)
        self.displays.enrol(self.pit, self.say)
        self.say(
            f"{len(self.displays.all)} displays hang over them; betting opens only when each shows"
            " the right value."
        )
        self.before = self.pit.look(), boss.client.get(f"jackpots/{self.jackpot['id']}/meters/")
        self.results_before = self._results()
        self.hits_before = {one["id"] for one in boss.client.every("hits/")}

    def _results(self) -> results.Results:
        """What all tables took on the gaming days of the evening, as the house says now."""
        return results.read(
            self.people["manager"].client, {day for _name, day in self.places.values()}
        )

    def _offline(self) -> None:
        """What the house lets tables do without the server; changed only if it was asked for."""
        setting = self.jackpot["offline_linked"]
        if self.options.offline and setting != PLAY_FLAGGED:
            set_up.let_play_offline(self.people["technician"], self.jackpot, PLAY_FLAGGED)
            self.offline_before, setting = setting, PLAY_FLAGGED
        self.plays_offline = setting == PLAY_FLAGGED

    def _open_table(
        self, number: int, row: dict[str, Any], posted: Posted, croupiers: dict[str, str]
    ) -> None:
        game = GAMES[row["game"]]
        level = self.levels[number - 1]
        croupier = list(CROUPIERS)[(number - 1) % len(CROUPIERS)]
        boss = self.people["boss"]
        amiss = self.counting.kinds(number)
        opening = set_up.Opening(row, level, croupier, croupiers[croupier], amiss)
        opened = set_up.open_table(self.options, boss, opening, posted, self.left)
        session, client, device = opened.session, opened.client, opened.device
        rules = game.rules_of(posted, row["posted"], session["gaming_day"])
        jackpot = self.rules if game.LINKED else None
        table = self.table_class(
            number, row, level, game, rules, jackpot, client, device, croupier, croupiers, boss,
            self.stop, tell=self.say, pause=self.pause, met=self._met, differs=self.differs,
        )  # fmt: skip
        if game.LINKED:
            table.socket = PhaseSocket(client, device, self.stop)
        self.counting.join(table, opened.tray)
        self.tables.append(table)
        self.sessions[number] = session["id"]
        self.places[number] = row["name"], session["gaming_day"]
        plan = self.plan_of(
            game, self.options.seed, number, row["boxes"], level, rules, jackpot,
            self.royals if game.LINKED else (), offline=self.plays_offline,
            mistakes=self.options.mistakes,
        )  # fmt: skip
        self.plans.append(plan)

    def plan_of(self, game: Game, *given: Any, **named: Any) -> TablePlan:
        """The evening of a table of a game."""
        return game.plan(*given, **named)

    def play(self, watch: Callable[[], None]) -> None:
        """All tables play; `watch` is called every now and then. A KeyboardInterrupt ends the
        evening in order.
        """
        self.played_since = time.monotonic()
        with ThreadPoolExecutor(len(self.tables), thread_name_prefix="table") as threads:
            running = [
                threads.submit(self._play_table, table, plan)
                for table, plan in zip(self.tables, self.plans, strict=True)
            ]
            try:
                while not all(one.done() for one in running):
                    watch()
                    if self.pit is not None and self.pit.error is not None:
                        # nobody brings a hit to its end any more; what happened is told as a
                        # difference
                        self.halt()
                    time.sleep(0.2)
            except KeyboardInterrupt:
                self.say("Stopping: rounds at hand are played to their end.")
                self.halt()
            except BaseException:
                # else who waits for betting to open would wait for ever, and we for them
                self.halt()
                raise
        for one in running:
            one.result()

    def _play_table(self, table: Table, plan: TablePlan) -> None:
        try:
            for round_plan in plan.rounds():
                if self.stop.is_set() or self._over(round_plan.number):
                    break
                with self._lock:
                    self.history.append(round_plan.to_data())
                table.play(round_plan)
            table.send_waiting()
        except Stopped:
            return
        except (Refused, Unreachable, NoEntry, Differs) as error:
            self.differs(f"{table.name} cannot go on: {error}")
            self.halt()

    def _over(self, number: int) -> bool:
        if self.options.minutes is None:
            return number > self.rounds_each
        last = max((royal.round for royal in self.royals), default=0)
        return number > last and time.monotonic() - self.played_since > 60 * self.options.minutes

    def halt(self) -> None:
        """Let each table end the round at hand, and begin no other."""
        self.stop.set()
        if self._barrier:
            self._barrier.abort()

    def _met(self, plan: RoundPlan, stage: str) -> None:
        """In a round that all tables play together, wait for the others. Raises Stopped."""
        if not plan.together or self._barrier is None:
            return
        try:
            first = self._barrier.wait() == 0
        except threading.BrokenBarrierError as error:
            if stage == "lock":
                raise Stopped from error
            return  # locked: it is played to its end
        if first and stage == "locked":
            self.say(
                f"All {self._barrier.parties} tables of the jackpot have called “no more bets” for"
                f" round {plan.number}."
            )
        if stage == "locked" and not plan.royal:
            self.pause(3)

    def pause(self, units: float) -> None:
        """Wait as long as so many steps of a round take."""
        if self.options.speed:
            self.stop.wait(units * UNIT_S / self.options.speed)

    def differs(self, what: str) -> None:
        """Note what must not be."""
        with self._lock:
            self.differences.append(what)
        self.say(f"DIFFERS: {what}")

    def _is_true(self, round_id: str, box: int | None) -> bool:
        """Whether our own cards say that this box holds the royal flush."""
        return any(
            one.id == round_id and one.outcome is not None and box in one.outcome.winners
            for one in self.all_played()
        )

    def all_played(self) -> list[Played]:
        """Every round so far."""
        return [one for table in self.tables for one in list(table.played)]

    def close(self) -> None:
        """Leave the floor in order, whatever happened: no hit waits, no round runs, tables are
        closed, settings as before.
        """
        self.halt()
        if self.pit and self.tables:
            for table in self.tables:
                self._void_rest(table)
            if not self.pit.wait_open(self.finish_s):
                self.shut()
            self.pit.end()
            self.say(
                f"The jackpot stands at {money(self.pit.look()['shown_minor'])}; tables close."
            )
        self._quietly("poker", self.poker.close)
        self._quietly("a tray", self.counting.close)
        for opened in self.left.rows("tables"):
            where = f"tables/{opened['table']}/close/"
            ending = {"cards_complete": True, "reason": "simulated"}
            self._quietly("a table", self.people["boss"].post, where, ending)
            self.left.cleared("tables", opened)
        for tray in self.left.rows("trays"):
            self.left.cleared("trays", tray)
        self._quietly("what comes late", self.counting.after_closing)
        if self.offline_before:
            technician = self.people["technician"]
            self._quietly(
                "setting", set_up.let_play_offline, technician, self.jackpot, self.offline_before
            )

    def shut(self) -> None:
        """The hit at hand has not come to its end."""
        self.differs(f"the jackpot did not open again within {self.finish_s:.0f} s")

    def _void_rest(self, table: Table) -> None:
        """A round that an interruption has left locked."""
        for one in table.played:
            if one.state == "locked":
                why = {"reason": BROKEN_OFF}
                self._quietly(table.name, self.people["boss"].post, f"rounds/{one.id}/void/", why)
                one.state = VOIDED

    def _quietly(self, what: str, act: Callable[..., object], *given: object) -> None:
        try:
            act(*given)
        except (Refused, NotPlayable) as refused:
            self.differs(f"{what} could not be left in order: {refused}")

    def compare(self) -> Books:
        """Read everything back and compare it. Raises Refused, Unreachable."""
        client = self.people["manager"].client
        played = self.all_played()
        path = f"jackpots/{self.jackpot['id']}/"
        hits = [one for one in client.every("hits/") if one["id"] not in self.hits_before]
        mine = [
            client.get(f"hits/{one['id']}/") for one in hits if one["jackpot"] == self.jackpot["id"]
        ]
        service = Service(
            jackpot=client.get(path),
            jackpot_before=self.before[0],
            meters=client.get(f"{path}meters/"),
            meters_before=self.before[1],
            rounds=rounds_of(client, [one.id for one in played]),
            known={
                number: client.every("rounds/", session=session)
                for number, session in self.sessions.items()
            },
            hits=sorted(mine, key=lambda one: int(one["number"])),
            frozen=self.pit.frozen if self.pit else {},
            slips=self.people["cage"].client.every("slips/"),
            currency=next((table.socket.currency for table in self.tables if table.socket), ""),
            places=self.places,
            games={table.number: table.game.TITLE for table in self.tables},
            results=self._results(),
            results_before=self.results_before,
            cash=self.counting.cash_of(),
        )
        self.service = service
        self.books = self.books_class(played, self.rules, self.differences)
        self.books.compare(service)
        self.poker.compare(self.books)
        self.counting.compare(self.books, service)
        for display in self.displays.all if self.displays else ():
            self.books.same(
                f"{display.name}: wrong confirmations that were taken", display.wrong_taken, 0
            )
        self._compare_board()
        return self.books

    def _compare_board(self) -> None:
        """The pit's screen has seen it all through its own socket; in the end it shows what is
        so."""
        if self.board is None or self.books is None:
            return
        mine = {table.row["id"] for table in self.tables}
        rows = [one for one in self.people["boss"].client.every("tables/") if one["id"] in mine]
        truth = tiles_of(rows, *results.read_today(self.people["manager"].client))
        self.books.same("the pit's board", self.board.amiss(self.service.jackpot, truth), [])

    def end(self) -> None:
        """Take down what was set up, sign everybody out, and hang up."""
        self.stop.set()
        if self.pit:
            self.pit.end()
        if self.board:
            self.board.stop()
        if self.displays:
            self.displays.stop()
        for table in self.tables:
            if table.socket:
                table.socket.join()
            table.client.close()
        self.poker.hang_up()
        for person in self.people.values():
            person.client.patience_s = GONE_S
        self._take_down()
        for person in self.people.values():
            with suppress(Refused, Unreachable):
                cookies = person.client.cookies
                person.sign_out()
                self.left.cleared("sessions", cookies)
            person.client.close()

    def _take_down(self) -> None:
        """Tablets and displays go out of service; tables wait for the displays of before again.
        What cannot be done stays noted.
        """
        tablets, hung = self.left.rows("tablets"), self.left.rows("displays")
        if not tablets and not hung:
            return
        self.say("Displays and tablets are taken down; two people sign for each display.")
        try:
            for device in tablets:
                revoke(self.people["boss"], device)
                self.left.cleared("tablets", device)
            take_down(self.people, self.jackpot["id"], hung, self.left)
        except (Refused, Unreachable) as error:
            self.say(f"They stay until the next evening: {error}")
