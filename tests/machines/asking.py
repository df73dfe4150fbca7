"""How the jackpot's machine asks: a house of its own for each run, commands under their keys, people, requests and signatures."""

import copy
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.db import connection
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from casino.people import signing_roles
from casino.people.models import Person
from jackpot import services as jackpots
from jackpot.models import Award, Hit, Slip, WaitingPrize
from jackpot.rules.jackpot_rules import JackpotRules
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.models import Approval
from payouts.services import approval_reject, approval_sign
from tables.rules.floor import FloorRules
from tests.databases import module_database
from tests.jackpot.linked import Linked
from tests.machines import things
from tests.machines.desk_model import Request
from tests.machines.hit_model import BACK_S
from tests.machines.prize_model import ENVY
from tests.machines.whole_model import Jackpot
from tests.tables.audits import breached, disagreeing

TABLES, DISPLAYS = 3, 3  # of the displays the last is a spare one
PEOPLE = {
    "reto": "pit_boss",
    "bea": "manager",
    "ines": "manager",
    "cage": "cage",
    "tim": "technician",
    "nora": "croupier",
}
DEALERS = {f"dealer{table}": "croupier" for table in range(TABLES)}
NAMES = {"bea": "bea.l", "ines": "ines.f", "cage": "cage.l", "tim": "tim.f", "nora": "nora.f"}
NAMES |= {name: f"{name}.l" for name in DEALERS}


class Patient(Linked):
    """Nothing in a run is late but by the clock's jumps; from 500 francs up prizes wait for people."""

    posted: ClassVar[dict[str, Any]] = {
        "floor_rules": FloorRules(reopen_s=BACK_S, withdraw_s=BACK_S, undo_s=300),
        "jackpot_rules": JackpotRules(prize_approval_from_minor=ENVY),
    }

    def __init__(self, database: str) -> None:
        super().__init__(count=TABLES, displays=2)
        self.database = database
        self.displays.append(uuid4())
        self.sessions[self.displays[-1]] = uuid4()


class Crash(Exception):
    """A process dies in the middle of its work."""


def dying(after: int) -> Callable[..., Any]:
    """A connection whose process dies instead of sending its next statement but so many."""
    left = iter(range(after))

    def wrapper(execute: Callable[..., Any], *args: Any) -> Any:
        if next(left, None) is None:
            raise Crash
        return execute(*args)

    return wrapper


class Asking(RuleBasedStateMachine):
    """One run on a database of its own."""

    world: Patient
    seen: ClassVar[Counter[str]]  # over all runs: what came to pass, and by which codes what was refused

    def __init__(self) -> None:
        super().__init__()
        self.databases = ExitStack()
        self.database = self.databases.enter_context(module_database("hits", self.world.database))
        self.floor = copy.deepcopy(self.world)
        self.house = {"house_id": self.floor.house.pk}
        self.model = Jackpot(PEOPLE | DEALERS, displays=2)

    def teardown(self) -> None:
        try:
            for found in (breached(), disagreeing()):
                assert not found, found
        finally:
            self.databases.close()

    def ask(self, code: str, work: Callable[[], Any], name: str, dies: int | None = None) -> Any:
        """Carry a command out under its key: refused with this code, or done, once.

        `dies`: its process dies after so many statements; what it asked is asked again under the same key, and again.
        """
        key, given = f"machine-{uuid4()}", []

        def keep() -> dict[str, object]:
            given.append(work())
            return {}

        def once() -> bool:
            return run_once(key, request_fingerprint(name, "machine", {}), keep).replayed

        if dies is not None:
            try:
                with connection.execute_wrapper(dying(dies)):
                    once()
            except Crash:
                self.seen["died"] += 1
            except Refused as refused:
                assert refused.code == code, f"{name}: {refused.code}: {refused}"
        try:
            once()
        except Refused as refused:
            self.seen[refused.code] += 1
            self.seen[f"{name}: {refused.code}"] += 1
            assert refused.code == code, f"{name}: {refused.code} instead of {code or 'done'}: {refused}"
            return None
        assert code == "", f"{name}: {code} was expected"
        self.seen[name] += 1
        assert once()  # the same key again is answered, and does nothing
        return given[-1] if given else None

    def noted(self, what: str, came: object) -> None:
        if came:
            self.seen[what] += 1

    def dies(self, data: st.DataObject) -> int | None:
        """Now and then a command's process dies, at a statement of its own."""
        return data.draw(st.integers(0, 25)) if data.draw(st.integers(0, 5)) == 0 else None

    # People
    def person(self, name: str) -> Person:
        """Somebody as he stands now."""
        return Person.objects.get(username=NAMES.get(name, name))

    def somebody(self, *roles: str, request: Request | None = None) -> str:
        """Who may ask, or sign this request; the first one of the pit where nobody may, and he is refused."""
        for name in self.model.people:
            fits = self.model.holds(name, roles or {"pit_boss", "manager"})
            if fits and not (self.model.may_sign(request, name) if request else self.model.rests(name)):
                return name
        return next((name for name in self.model.people if self.model.holds(name, {"pit_boss", "manager"})), "reto")

    # Requests
    def asked_for(self, code: str, work: Callable[[], Approval], name: str, dies: int | None = None) -> Request | None:
        """Something is asked for; the model has asked before."""
        approval = self.ask(code, work, name, dies)
        if approval is None:
            return None
        request = self.model.asked[-1]
        request.key = approval.pk
        return request

    def known(self) -> None:
        """What the system has asked for since has its id from now on, and nothing else is open."""
        there = {(one.action, one.subject_id): one for one in Approval.objects.filter(state="open")}
        wanted = {(one.action, self.subject(one)): one for one in self.model.open()}
        assert there.keys() == wanted.keys(), (there.keys(), wanted.keys())
        people = dict(Person.objects.values_list("username", "pk"))
        for what, request in wanted.items():
            request.key = there[what].pk
            excluded = {people[NAMES.get(name, name)] for name in request.excluded}
            assert set(there[what].excluded) == excluded, what

    def subject(self, request: Request) -> str:
        """What stands for it in the database."""
        kind, one = request.about
        if kind == "jackpot":
            return str(self.floor.jackpot.pk)
        if kind == "display":
            return str(self.floor.displays[int(str(one))])
        if kind == "person":
            return str(self.person(str(one)).pk)
        if isinstance(one, things.Award):
            return str(self.slip_of(one).pk)
        if isinstance(one, things.Prize):
            return str(self.prize_of(one).pk)
        if isinstance(one, things.Hit):
            return str(Hit.objects.get(number=self.model.hits.index(one) + 1).pk)
        return str(getattr(one, "key", one))

    def slip_of(self, award: things.Award) -> Slip:
        """A box may have several awards, one after the other."""
        same = [
            one for one in self.model.awards if (one.round, one.box, one.kind) == (award.round, award.box, award.kind)
        ]
        rows = Award.objects.filter(round_id=self.row(award.round), box=award.box, kind=award.kind)
        return rows.select_related("slip").order_by("slip__number")[same.index(award)].slip

    def prize_of(self, prize: things.Prize) -> WaitingPrize:
        return WaitingPrize.objects.get(round_id=self.row(prize.round), revision=prize.revision, box=prize.box)

    def sign(self, request: Request, name: str, dies: int | None = None, *, other: bytes = b"") -> bool:
        """Somebody signs; the last signature does what was asked. `other`: the hash of another payload. Whether it counts."""
        self.noted("signed twice over", other)
        code = self.model.sign(request, name, other=bool(other))
        self.ask(code, lambda: self._signing(request, name, other), f"{request.action} signed", dies)
        return not code

    def _signing(self, request: Request, name: str, other: bytes) -> Approval:
        there, who = Approval.objects.get(pk=request.key), self.person(name)
        signer = {"signer_id": who.pk, "signer_roles": who.roles, "method": there.method}
        values = {"approval_id": there.pk, "payload_hash": other or bytes(there.payload_hash), **signer}
        if request.action == signing_roles.ACTION:
            return signing_roles.sign_role_sign(**self.house, **values)
        if request.about[0] == "round":  # whoever asked carries it out afterwards
            return approval_sign(**self.house, **values)
        return jackpots.jackpot_sign(**self.house, **values)

    def turn_down(self, request: Request, name: str, dies: int | None = None) -> None:
        code, who = self.model.turn_down(request, name), self.person(name)
        by = {
            "approval_id": request.key,
            "person_id": who.pk,
            "person_roles": who.roles,
            "reason": "nobody has seen it",
        }
        self.ask(code, lambda: approval_reject(**self.house, **by), f"{request.action} turned down", dies)

    def row(self, one: things.Round) -> UUID:
        return UUID(str(one.key))

    def by(self, one: things.Round) -> dict[str, Any]:
        person = self.floor.croupiers[one.table].pk
        return {**self.house, "round_id": self.row(one), "person_id": person}
