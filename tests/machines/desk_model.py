"""People and what they ask of one another in plain Python: who rests, who may sign, and the requests that are open (issue 19).

`now` is the clock of the house in seconds: it jumps when the machine has it jump, and stands still otherwise.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

HOUR, DAY = 3_600, 86_400
PIT = frozenset({"pit_boss", "manager"})
# How many sign, and in which roles; where nothing is said it is one of the pit.
NEEDS = {
    "jackpot.award": (2, PIT),
    "jackpot.suspend": (1, PIT | {"technician"}),
    "jackpot.display_add": (1, PIT | {"technician"}),
    "person.sign_role": (1, frozenset({"manager"})),
}
# every role that the matrix names, and who pays
SIGNING = frozenset({"pit_boss", "manager", "technician", "auditor", "cage"})


@dataclass(eq=False)
class Person:
    """Somebody of the house; `anew`: when another made him or set his sign-in or roles, and who.

    `barred`: when he was; `had`: until when he had which roles.
    """

    roles: frozenset[str]
    active: bool = True
    anew: list[tuple[int, str]] = field(default_factory=list)
    barred: list[int] = field(default_factory=list)
    had: list[tuple[int, frozenset[str]]] = field(default_factory=list)
    sign_in: list[tuple[int, str]] = field(default_factory=list)  # when another set it, and who, that nobody has seen
    turned: int = 0  # so many of these lie a night of the log back


@dataclass(eq=False)
class Request:
    """Something that was asked for. `about`: what kind of thing, and which one; `seen`: what was looked at, signed with it."""

    action: str
    about: tuple[str, object]
    requester: str | None
    excluded: frozenset[str]
    seen: object
    detail: object
    until: int
    state: str = "open"
    signed: list[str] = field(default_factory=list)
    looked: bool = False  # a claim was decided since it was turned down
    key: object = None  # its id in the database, once that is known

    @property
    def needs(self) -> tuple[int, frozenset[str]]:
        return NEEDS.get(self.action, (1, PIT))


class Desk:
    """People and requests of one house."""

    def __init__(self, people: dict[str, str]) -> None:
        self.people = {name: Person(frozenset({role})) for name, role in people.items()}
        self.asked: list[Request] = []
        self.now = 0

    def has_locked(self) -> bool:
        """Whether the house has ever locked a round: until then nobody rests."""
        raise NotImplementedError

    # People
    def made_anew(self, name: str, by: str | None = None) -> bool:
        """Whether somebody else, or this one, has made the person anew within a day."""
        acts = self.people[name].anew if name in self.people else []
        return any(at > self.now - DAY and by in (None, maker) for at, maker in acts)

    def unseen(self, name: str) -> list[tuple[int, str]]:
        """Who set his sign-in, and nobody has seen it since."""
        return self.people[name].sign_in if name in self.people and self.has_locked() else []

    def seers(self, name: str) -> list[str]:
        """Who could see it: a manager who has not set it, and whose own was seen."""
        barred = {name, *(maker for _at, maker in self.unseen(name))}
        return [seer for seer in self.people if seer not in barred and self.manages(seer) and not self.unseen(seer)]

    def sign_in_rests(self, name: str) -> bool:
        """A signer rests until a second manager has seen it; where nobody could, a day and a night of the log."""
        unseen = self.unseen(name)
        if not unseen or not self.people[name].roles & SIGNING:
            return False
        turned = self.people[name].turned == len(unseen) and unseen[-1][0] <= self.now - DAY
        return bool(self.seers(name)) or not turned

    def seen(self, name: str) -> None:
        self.people[name].sign_in.clear()
        self.people[name].turned = 0

    def night(self) -> None:
        """The log goes on for hours."""
        for person in self.people.values():
            person.turned = len(person.sign_in)

    def rests(self, name: str, action: str = "") -> bool:
        """Whether he rests from this action; before the first lock nobody does from giving a role that signs."""
        waived = action == "person.sign_role" and not self.has_locked()
        return (self.made_anew(name) and not waived) or self.sign_in_rests(name)

    def resting(self, name: str, action: str = "") -> str:
        """By what who rests is refused."""
        return "approval.person_resting" if self.rests(name, action) else ""

    def holds(self, name: str, roles: Iterable[str]) -> bool:
        """Whether he is active and has one of the roles."""
        person = self.people.get(name)
        return person is not None and person.active and bool(person.roles & set(roles))

    def manages(self, name: str) -> bool:
        """Whether he is a manager, or was until he was barred or lost that role within a day."""
        person, since = self.people[name], self.now - DAY
        barred = "manager" in person.roles and any(at > since for at in person.barred)
        return self.holds(name, {"manager"}) or barred or any(at > since and "manager" in had for at, had in person.had)

    def must_ask(self, name: str, roles: frozenset[str], had: frozenset[str]) -> bool:
        """A role that signs is given by two, as soon as two managers are there besides him; nobody bars himself free of them."""
        managers = [one for one in self.people if one != name and self.manages(one)]
        return bool(roles & SIGNING - had) and len(managers) > 1

    def _is_anew(self, name: str, by: str) -> None:
        self.people[name].anew.append((self.now, by))

    def _may_manage(self, name: str, by: str) -> str:
        if not self.holds(by, {"manager"}):
            return "person.not_allowed"
        return "person.not_yourself" if name == by else ""

    def create(self, name: str, roles: frozenset[str], by: str) -> str:
        """A new person, who signs only once another manager has signed for him."""
        code, asks = self._may_manage(name, by), self.must_ask(name, roles, frozenset())
        code = code or (self.resting(by, "person.sign_role") if asks else "")
        if not code:
            self.people[name] = Person(roles, active=not asks, sign_in=[(self.now, by)])
            self._is_anew(name, by)
            if asks:
                self._ask_role(name, roles, by)
        return code

    def change_roles(self, name: str, roles: frozenset[str], by: str) -> str:
        person, code = self.people[name], self._may_manage(name, by)
        if code == "person.not_yourself" and roles == person.roles:
            return ""
        if code:
            return code
        if person.active and self.must_ask(name, roles, person.roles):
            return self.resting(by, "person.sign_role") or self._ask_role(name, roles, by)
        if roles != person.roles:
            self._stand(name, roles, by)
        return ""

    def let_in(self, name: str, by: str, *, active: bool = True) -> str:
        """Let a person in, or no more."""
        person, code = self.people[name], self._may_manage(name, by)
        if code or person.active == active:
            return code
        if not active:
            person.active = False
            person.barred.append(self.now)
            self.kill_of(name, frozenset())
        elif self.must_ask(name, person.roles, frozenset()):
            return self.resting(by, "person.sign_role") or self._ask_role(name, person.roles, by)
        else:
            person.active = True
            self._is_anew(name, by)
        return ""

    def give_password(self, name: str, by: str) -> str:
        code = self._may_manage(name, by)
        if not code:
            self._is_anew(name, by)
            self.people[name].sign_in.append((self.now, by))
        return code

    def _ask_role(self, name: str, roles: frozenset[str], by: str) -> str:
        person = self.people[name]
        seen = (person.roles, person.active)
        self.ask("person.sign_role", ("person", name), by, excluded={name}, seen=seen, detail=roles, lasts=DAY)
        return ""

    def _stand(self, name: str, roles: frozenset[str], by: str) -> None:
        person = self.people[name]
        lost = person.roles - roles
        if roles != person.roles:
            person.had.append((self.now, person.roles))
        person.roles = roles
        self._is_anew(name, by)
        if lost:
            self.kill_of(name, roles)

    def give_role(self, request: Request, signer: str) -> str:
        """What the second manager has signed, if the person stands as the first one saw him."""
        name, roles = str(request.about[1]), request.detail
        person = self.people[name]
        if request.seen != (person.roles, person.active) or not isinstance(roles, frozenset):
            return "approval.changed"
        request.state = "used"
        if not person.active or roles != person.roles:
            person.active = True
            self._stand(name, roles, signer)
        return ""

    # Requests
    def ask(
        self,
        action: str,
        about: tuple[str, object],
        requester: str | None = None,
        *,
        excluded: Iterable[str] = (),
        seen: object = None,
        detail: object = None,
        lasts: int = HOUR,
    ) -> Request:
        """A request; it ends the one for the same that was open."""
        for one in self.open(about, action):
            one.state = "killed"
        request = Request(action, about, requester, frozenset(excluded), seen, detail, self.now + lasts)
        self.asked.append(request)
        return request

    def open(self, about: tuple[str, object] | None = None, action: str = "") -> list[Request]:
        """Requests that are open: about a thing, for an action, or all."""
        fits = [one for one in self.asked if one.state == "open" and action in ("", one.action)]
        return [one for one in fits if about in (None, one.about)]

    def newest(self, action: str, about: tuple[str, object]) -> Request | None:
        return next((one for one in reversed(self.asked) if (one.action, one.about) == (action, about)), None)

    def kill(self, about: tuple[str, object]) -> None:
        """What a thing was asked about is not so any more."""
        for one in self.open(about):
            one.state = "killed"

    def kill_of(self, name: str, left: frozenset[str]) -> None:
        """What a person asked for who lost a role, and what he signed in a role that he has not any more."""
        for one in self.open():
            if one.requester == name or (name in one.signed and not left & one.needs[1]):
                one.state = "killed"

    def over(self, request: Request) -> bool:
        return self.now >= request.until

    def counted(self, request: Request) -> int:
        """Signatures of people who may sign still."""
        return sum(self.holds(name, request.needs[1]) for name in request.signed)

    def may_sign(self, request: Request, name: str) -> str:
        """By what his signature is refused, in the order of the questions."""
        person = self.people[name]
        if name == request.requester or name in request.excluded or not person.roles & request.needs[1]:
            return "approval.signer_refused"
        if self.rests(name, request.action):
            return "approval.person_resting"
        waived = request.action == "person.sign_role" and not self.has_locked()
        if request.requester and self.made_anew(request.requester, name) and not waived:
            return "approval.signer_refused"
        return "approval.signed_twice" if name in request.signed else ""

    def shut(self, request: Request) -> str:
        """Whether it takes no signature and no refusal any more."""
        if request.state != "open":
            return "approval.closed"
        return "approval.expired" if self.over(request) else ""

    def sign(self, request: Request, name: str, *, other: bool = False) -> str:
        """A signature; `other`: for another payload than this one. The last one has done what was asked, or is no signature."""
        code = self.shut(request) or ("approval.changed" if other else "") or self.may_sign(request, name)
        if code:
            return code
        request.signed.append(name)
        if self.counted(request) >= request.needs[0]:
            code = self.carry_out(request, name)
        if code:
            request.signed.remove(name)
        return code

    def carry_out(self, request: Request, name: str) -> str:
        """What is done with the last signature."""
        return self.give_role(request, name) if request.action == "person.sign_role" else ""

    def turn_down(self, request: Request, name: str) -> str:
        code = self.shut(request)
        if not code and name != request.requester and not self.people[name].roles & request.needs[1]:
            code = "approval.signer_refused"
        if not code and name != request.requester:
            code = self.resting(name, request.action)
        request.state = request.state if code else "rejected"
        return code
