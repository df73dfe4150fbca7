"""The simulator's evening with a script: tables that do on purpose what the campaign must have seen, people who look twice."""

import time
import uuid
from collections.abc import Callable
from typing import Any

from casino.simulate.books.compare import Books
from casino.simulate.books.lines import Outcome
from casino.simulate.clients import Refused, Tally
from casino.simulate.floor import FINISH_S, Evening
from casino.simulate.games import Game
from casino.simulate.options import Options
from casino.simulate.pit import Pit
from casino.simulate.plan import JACKPOT_ONLY, RoundPlan, TablePlan
from casino.simulate.tablet import FROZEN, SETTLED, VOIDED, WITHDRAWN, Played, Stopped, Table
from tests.faults.attack import Attack, Try
from tests.faults.attackers import BOSS, ON_A_HIT, ON_A_SLIP, PAYS_SIGNED, requests_of
from tests.faults.cheats import BOOKS_ALONE, Cheating, enter_in_the_office
from tests.faults.counting import KilledCounts
from tests.faults.croupier import CROUPIER, WITHDRAWS_LISTED
from tests.faults.journal import Journal
from tests.faults.placed import History
from tests.faults.poker import KilledRoom
from tests.faults.script import CLAIMS, CLAIMS_LATE, CORRECTS, HELD_S, VOIDS, ScenePlan, Script, Turned, wait_for

CORRECTED = "corrected while verifying"
STANDS = ("round.stands", "round.withdraw_late")  # a hit lists it, or the answer took too long: the pit voids it
UNSURE_WITHDRAWN, UNSURE_VOIDED = "unknown lock withdrawn: it never came", "unknown lock withdrawn: it had come"
LOOKED_AGAIN = "people looked again"
PUT_RIGHT = "a claim that somebody refused was put right"
BOXES = 7  # of each table of the demo house, and of those that are made like them
DARK_S = 60.0  # a process that hangs for 10 s makes no display dark
# Somebody has clarified it, or is about to; or the tray is counted just now.
LATER_ON = ("clarify.closed", "round.correction_waits", "table.being_counted")
AS_IT_CAME = "the round is in the books as it came"
READS_S = 2.5  # people read what they sign
LATE_S = 31.0  # after a lock nobody withdraws it (BOX-5)
AGAIN_S, DALLIES_S = 0.3, 5.0
LOCKS_FROZEN, WITHDRAWS_LATE = "locks while betting is closed", "withdraws a round long after its lock"


class ScriptedTable(Table):
    """A table that plays its part."""

    script: Script
    clock_was = (0, 0)  # how often it had jumped, and how far it was ahead, before the round was locked

    def _settle(self, one: Played, plan: RoundPlan, outcome: Outcome) -> None:
        part = self.script.part(self.number) if plan.together else ""
        turned = self.script.turned
        if turned and self.number in turned.crooked:
            self._dally(turned, plan)
            self._withdraw_late(one, turned, plan)
        if turned and part == CLAIMS and self.level != JACKPOT_ONLY:  # which knows of no win but the claim
            enter_in_the_office(turned, one.id, self.game.result(self.level, self.rules, plan, outcome))
            one.state, one.revision = SETTLED, 1
            return
        if part == VOIDS and wait_for(lambda: self._phase("draining"), self.stop):
            self.boss.post(f"rounds/{one.id}/void/", {"reason": "misdeal, seen while the tables drain"})
            one.state = VOIDED
        elif part == CORRECTS:
            try:
                self._settle_and_correct(one, plan, outcome)
            finally:
                self.script.corrected(self.number)
        else:
            if part == CLAIMS_LATE:
                wait_for(lambda: self._phase("draining"), self.stop)
            super()._settle(one, plan, outcome)

    def _settle_and_correct(self, one: Played, plan: RoundPlan, outcome: Outcome) -> None:
        """A listed round is settled wrong, and put right while people look at the claims."""
        right = self.game.result(self.level, self.rules, plan, outcome)
        mistyped = self.game.mistyped(self.level, self.rules, plan, outcome)
        self.client.post(f"rounds/{one.id}/settle/", {"result": mistyped or right})
        one.state, one.revision = SETTLED, 1
        if mistyped is None:
            return
        came = wait_for(lambda: self._phase("verifying"), self.stop)
        self._correct(one, right)
        self.client.tally.count(CORRECTED, came)

    def _lock_with_mishaps(self, plan: RoundPlan) -> str:
        if self.script.turned:
            self.clock_was = self.script.turned.clock.jumps, self.script.turned.clock.ahead
        return super()._lock_with_mishaps(plan)

    def _dally(self, turned: Turned, plan: RoundPlan) -> None:
        """Until it was refused once, a croupier keeps a round that a hit may list, for his script to withdraw it."""
        count, what = turned.attack.refused, f"{CROUPIER} {WITHDRAWS_LISTED}"
        if plan.together and not count[what] and wait_for(lambda: self._phase("draining"), self.stop, DALLIES_S):
            wait_for(lambda: bool(count[what]), self.stop, DALLIES_S)

    def _withdraw_late(self, one: Played, turned: Turned, plan: RoundPlan) -> None:
        """Until it was refused once, a croupier leaves a round as it is, and withdraws it when nobody can any more.

        By the house's clock he is late; so it must have been right when he locked, and be right now.
        """
        done = turned.attack.refused[f"{CROUPIER} {WITHDRAWS_LATE}"]
        if done or plan.together or self.number != turned.crooked[0] or self.clock_was != (turned.clock.jumps, 0):
            return
        if wait_for(lambda: not self._phase("open"), self.stop, LATE_S) or self.stop.is_set():
            return
        where = f"tables/{self.row['id']}/rounds/{one.id}/withdraw/"
        with turned.clock.stands() as right:
            if right:
                turned.attack.attempt(
                    CROUPIER, Try(WITHDRAWS_LATE, lambda: self.client.post(where), "round.withdraw_late")
                )

    def _wait_open(self) -> None:
        """A croupier with a script does not wait until betting is open: he locks again and again."""
        turned = self.script.turned
        if turned is None or self.number not in turned.crooked:
            super()._wait_open()
        elif self.stop.wait(AGAIN_S):
            raise Stopped
        else:
            turned.attack.refused[f"{CROUPIER} {LOCKS_FROZEN}"] += (
                1  # just now; if the house takes it, the rows tell whether it might
            )

    def _phase(self, wanted: str) -> bool:
        return self.socket is not None and self.socket.now() == wanted

    def _withdraw(self, plan: RoundPlan, laid: list[dict[str, Any]]) -> None:
        """A lock is sent and nobody hears an answer: it is withdrawn, whether it came or not; then the unknown one is told."""
        round_id, key = str(uuid.uuid4()), str(uuid.uuid4())
        where, body = f"tables/{self.row['id']}/rounds/{round_id}", {"stakes": laid}
        self.client.unheard(f"{where}/lock/", body, key)
        try:
            state = self.client.post(f"{where}/withdraw/")["state"]
        except Refused as refused:
            if refused.code not in STANDS:
                raise
            state = self.boss.post(f"rounds/{round_id}/void/", {"reason": "no answer came, and no card lies"})["state"]
        self.client.tally.count(UNSURE_WITHDRAWN if state == WITHDRAWN else UNSURE_VOIDED)
        self.played.append(Played(round_id, self.number, plan, state))
        try:
            self.client.post(f"{where}/lock/", body, key)
        except Refused as refused:
            if refused.code not in ("round.withdrawn", *FROZEN):
                self.differs(f"{self.name}: a lock after its withdrawal is refused as {refused.code}")
            if "to_clarify" in refused.problem:
                self._went_back(refused.problem["to_clarify"]["id"])
        else:
            if state == WITHDRAWN:
                self.differs(f"{self.name}: a lock was taken after its withdrawal")

    def _went_back(self, entry: str) -> None:
        """Nothing of it was played; the pit, while it verifies, may have said so before."""
        try:
            self.boss.post(f"to-clarify/{entry}/dismiss/", {"reason": "the chips went back", "never_played": True})
        except Refused as refused:
            if refused.code != "clarify.closed":
                raise


class PlacingTable(Cheating, ScriptedTable):
    """A table of another game, in whose rounds more is staked after the lock."""


class ScriptedPit(Pit):
    """People who decide when the script lets them, and look again where somebody was quicker."""

    script: Script
    breaker: Any = None
    dark_s = DARK_S  # displays that a killed process cut off come back by themselves

    def _step(self) -> None:
        try:
            super()._step()
        except Refused as refused:
            if refused.status >= 500:
                raise
            self.tally.count(LOOKED_AGAIN)
            self.tell(f"The pit looks again: {refused}")
        if self.now["phase"] == "verifying":  # what waits to be clarified keeps a payment back, signed or not
            self._clarify()

    def _clarify(self) -> None:
        """What the wire brought once more, after its round had been withdrawn, is waiting: nothing of it was played."""
        for kept in self.boss.client.every("to-clarify/", state="open"):
            if kept["code"] == "round.withdrawn" or (self.script.turned and kept["kind"] in ("withdraw", "settle")):
                self._dismiss(f"to-clarify/{kept['id']}/")

    def _dismiss(self, entry: str) -> None:
        """What pays as the books do, or was voided besides, is taken instead: nothing is booked twice. What somebody has asked a
        signature for at this moment waits until the next look.
        """
        ways = {"dismiss": "the chips went back, or the round stands", "take": AS_IT_CAME}
        for how, reason in ways.items():
            try:
                self.boss.post(f"{entry}{how}/", {"reason": reason})
            except Refused as refused:
                if refused.code in LATER_ON:
                    return
                if (how, refused.code) != ("dismiss", "clarify.booked"):
                    raise
            else:
                if how == "take":
                    self._want_no_other()
                return

    def _want_no_other(self) -> None:
        """A round that was corrected between the two looks is not in the books as it came: to take the entry has then asked for a
        correction back, which is taken back itself; the next look dismisses the entry.
        """
        for asked in self.boss.client.every("approvals/"):
            if asked["payload"].get("reason") == AS_IT_CAME:
                self.boss.post(f"approvals/{asked['id']}/reject/", {"reason": "the round was corrected since"})

    def _decide(self, hit_id: str) -> None:
        if not self.script.corrections_wait and not self._put_right(self.boss.client.get(f"hits/{hit_id}/")):
            super()._decide(hit_id)

    def _put_right(self, hit: dict[str, Any]) -> bool:
        """Whether somebody has refused a claim that is true: then it is looked at again before anything is signed."""
        for claim in hit["claims"]:
            if claim["state"] == "refused" and self.is_true(claim["round"], claim["box"]):
                self.tally.count(PUT_RIGHT)
                self._judge(hit, claim)
                return True
        return False

    def _award(self, hit: dict[str, Any], asked: list[dict[str, Any]]) -> None:
        """As the pit does; what was corrected between two looks is asked for anew, and signed anew."""
        if self._put_right(hit):
            return
        if asked and (turned := self.script.turned):
            self._read(turned, [one["id"] for one in asked])
        try:
            super()._award(hit, asked)
        except Refused:
            self._asked.difference_update(one["id"] for one in asked)
            raise

    def _read(self, turned: Turned, asked: list[str]) -> None:
        """What is signed, until everything was tried on it, and was signed by whoever tries to pay it afterwards; what somebody
        leaves to be clarified meanwhile keeps it back.
        """
        attack, end = turned.attack, time.monotonic() + HELD_S
        while not self._done.wait(READS_S) and time.monotonic() < end:
            if attack.had(*ON_A_HIT) and (attack.had(PAYS_SIGNED) or turned.signed(asked)):
                return
            self._clarify()

    def _pay_one(self, award: dict[str, Any], slip: dict[str, Any]) -> None:
        if turned := self.script.turned:
            his = turned.signed(requests_of(self.boss.client, award))
            wanted = (*ON_A_SLIP, PAYS_SIGNED) if his else ON_A_SLIP
            wait_for(lambda: turned.attack.had(*wanted), self._done)
        super()._pay_one(award, slip)

    def last_signature(self, asked: dict[str, Any]) -> None:
        """The breaker may kill whoever would pay the meter now."""
        if self.breaker is None:
            super().last_signature(asked)
        else:
            self.manager.wait_for_code()
            with self.breaker.between_approval_and_reset():
                super().last_signature(asked)


class ScriptedBooks(Books):
    """Books of a house whose clock jumps."""

    def _frozen(self, service: Any, hit: Any, what: str) -> None:
        """By the house's moments nothing can be told; the rows are asked by their turns (`oracle.STAKED_WHILE_FROZEN`)."""


class ScriptedEvening(Evening):
    """An evening with a script. It ends when it is halted."""

    pit: ScriptedPit
    poker: KilledRoom
    counting: KilledCounts
    books_class, room_class, counting_class = ScriptedBooks, KilledRoom, KilledCounts

    def __init__(self, options: Options, say: Callable[[str], None]) -> None:
        self.journal = Journal()
        super().__init__(options, say)
        self.script = Script(options.seed, [BOXES] * (options.tables or 0))

    def tally_class(self) -> Tally:
        """The history of all clients."""
        return self.journal

    def pit_class(self, *given: Any, **named: Any) -> Pit:
        """People who follow the script."""
        return self._scripted(ScriptedPit(*given, **named))

    def table_class(self, number: int, row: Any, level: str, game: Game, *given: Any, **named: Any) -> Table:
        """Tables that follow the script, and those of a game with stakes after the lock."""
        kind = ScriptedTable if game.LINKED else PlacingTable
        return self._scripted(kind(number, row, level, game, *given, **named))

    def plan_of(self, game: Game, *given: Any, **named: Any) -> TablePlan:
        """Rounds that follow the script; elsewhere those of the seed."""
        if not game.LINKED:
            return super().plan_of(game, *given, **named)
        return self._scripted(ScenePlan(*given, **named))

    def _scripted(self, one: Any) -> Any:
        one.script = self.script
        return one

    def shut(self) -> None:
        """A hit that is left early may be what hangs, or just be slow: nothing is wrong with that alone."""
        if self.finish_s >= FINISH_S:
            super().shut()
        else:
            self.say(f"--- the hit at hand is left after {self.finish_s:.0f} s")

    def halt(self) -> None:
        """Nobody waits for others any more."""
        super().halt()
        if scene := self.script.now:
            scene.meeting.abort()

    def _met(self, plan: RoundPlan, stage: str) -> None:
        """Wait for the other tables of the scene. Raises Stopped."""
        if (scene := self.script.now) and plan.together:
            self._barrier = scene.meeting
            super()._met(plan, stage)

    def let_cheat(self, attack: Attack) -> None:
        """Croupiers of Black Jack, and who enters results in the office, have turned against the house."""
        for table in self.tables:
            if isinstance(table, PlacingTable):
                table.turn(attack, self.people["technician"].client)
        attack.refused[f"{BOSS} {BOOKS_ALONE}"] = 0

    def placed(self) -> dict[str, History]:
        """By round, what was staked after its lock."""
        placing = [table for table in self.tables if isinstance(table, PlacingTable)]
        return {round_id: one for table in placing for round_id, one in table.histories.items()}

    def rounds_begun(self) -> dict[int, int]:
        """By table, how many locks were acknowledged so far."""
        return {table.number: len(table.played) for table in self.tables}
