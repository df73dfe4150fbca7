"""What a manager and a pit boss try, each thing with the code by which the house must refuse it."""

import random  # noqa: TID251  (who tries what when comes from the seed)
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from casino.simulate.clients import Client, Refused, Tally
from tests.faults.attack import OWN_PASSWORD, SECRET, Attack, Browser, Insider, NotNow, Second, Try, let_in
from tests.faults.prepare import PIN

MANAGER, BOSS = "manager", "pit boss"
VERIFIES_AS, VERIFIES_OWN = "decides about a claim as that colleague", "looks at a claim of his own result"
SIGNS_AS, SIGNS_OWN = "signs a payment as that colleague", "signs the payment of his own result"
OLD_HASH, TWICE, REJECTS = (
    "signs a payment with the hash of something else", "signs a payment twice", "asks for a rejection while a claim is true"
)  # fmt: skip
PAYS_SIGNED, PAYS_WRONG = "pays the slip that he has signed for", "pays a slip with a wrong amount"
# What needs a hit whose payment waits, and a slip that is not paid yet: until each was refused once, people take their time.
ON_A_HIT = (VERIFIES_AS, VERIFIES_OWN, SIGNS_AS, SIGNS_OWN, OLD_HASH, TWICE, REJECTS)
ON_A_SLIP = (PAYS_WRONG,)
ASKS, SIGNS, BLIND, CHIEF, COLLEAGUE = "h.falk", "e.steiner", "f.amsler", "d.wirth", "c.opitz"
SIGNED_LATE = (
    "approval.closed",
    "approval.expired",
    "approval.unknown",
    "approval.changed",
    "proof.refused",
    "jackpot.to_clarify_open",
)
WHY = {"reason": "the shuffler is in order"}
CLAIM_LATE = ("jackpot.claim_state", "jackpot.hit_state")
Asked = dict[str, Any]


class Insiders:
    """The managers and pit bosses who have turned, and what they know together."""

    def __init__(
        self, address: str, jackpot: str, tally: Tally, chance: random.Random, clock_right: Callable[[], object]
    ) -> None:
        self.address, self.tally, self.chance, self.clock_right = address, tally, chance, clock_right
        self.jackpot = f"jackpots/{jackpot}/"
        self.asks, self.signs, self.blind, self.boss = (self._in(name) for name in (ASKS, SIGNS, BLIND, CHIEF))
        self.colleague: Second | None = None  # whose sign-in a manager has set anew
        self.waiting = ("", "")  # name and password of whom he asked to be let in
        self.cashier = ("", "")  # and of a cashier
        self.kept_hash = ""  # of what was signed or asked for before
        self._done: set[tuple[str, str]] = set()
        self.attack = Attack()

    def _in(self, username: str) -> Insider:
        person = Insider(self.address, username, self.tally)
        person.clock_right = self.clock_right
        return person.sign_in()

    def begin(self, attack: Attack) -> None:
        """Both kinds try from now on."""
        self.attack = attack
        attack.begin(MANAGER, self.of_managers(), self.chance)
        attack.begin(BOSS, self.of_bosses(), self.chance)

    # What they look at
    def hit(self, *states: str) -> Asked:
        """The newest hit, if it is in one of these states."""
        for row in self.boss.client.get("hits/", limit=1)["results"]:
            if row["state"] in states:
                return dict(self.boss.client.get(f"hits/{row['id']}/"))
        raise NotNow

    def _award(self, hit: Asked) -> Asked:
        """The request for its payment."""
        return first(one for one in hit["approvals"] if (one["action"], one["state"]) == ("jackpot.award", "open"))

    def _slip(self, state: str) -> Asked:
        return first(self.boss.client.get("slips/", state=state, limit=1)["results"])

    def _once(self, what: str, about: str) -> None:
        """Raise NotNow where it was done about that, once it has been refused as it must."""
        if (what, about) in self._done and self.attack.had(what):
            raise NotNow
        self._done.add((what, about))

    # What they ask for
    def _adjustment(self, person: Insider) -> Asked:
        """Ask to take half of the meter away: anybody of the pit may ask."""
        half = self.boss.client.get(self.jackpot)["shown_minor"] // 2
        body = {"amount_minor": -half, "reason": "coins that were counted twice"}
        return _asked(person, f"{self.jackpot}adjust-request/", body, "jackpot.phase", "ledger.overdrawn")

    # A manager
    def of_managers(self) -> Sequence[Try]:
        """A manager, and another one who signs for money that he takes himself."""
        rests = "approval.person_resting"
        return (
            Try("signs what he asked for himself", self._signs_his_own, "approval.signer_refused", SIGNED_LATE),
            Try("signs with the colleague whose sign-in he has set", self._signs_as_colleague, rests, SIGNED_LATE),
            Try("asks as that colleague", self._adjust_as_colleague, rests, ("jackpot.phase", "ledger.overdrawn")),
            Try(VERIFIES_AS, self._verifies_as_colleague, rests,
                (*CLAIM_LATE, "jackpot.dealer_decides"), soon=True),
            Try(SIGNS_AS, lambda: self._signs_award(SIGNS_AS, self._taken_over()), rests, SIGNED_LATE, soon=True),
            Try("says no as that colleague", self._says_no_as_colleague, rests, SIGNED_LATE),
            Try("says that he has seen the sign-in that he has set", self._sees_what_he_set, "approval.signer_refused",
                SIGNED_LATE),
            Try("signs that his second person may sign", self._signs_his_second, "approval.signer_refused", SIGNED_LATE),
            Try("comes in as that second person", lambda: self._comes_in(self._second()), "sign_in.refused", ("429",)),
            Try("comes in as the cashier whom he has made", lambda: self._comes_in(self._made()), "sign_in.refused", ("429",)),
            Try(OLD_HASH, self._old_hash, "approval.changed", SIGNED_LATE, soon=True),
            Try(TWICE, self._twice, "approval.signed_twice", SIGNED_LATE, soon=True),
            Try(PAYS_SIGNED, self._pays_signed, "slip.signer_pays", ("slip.state",), soon=True),
            Try("signs a request that is out of date", self._stale, "approval.changed", (*SIGNED_LATE, "jackpot.phase")),
            Try("changes a line of the matrix", lambda: self._matrix("add/"), "403"),
            Try("takes a line of the matrix away", lambda: self._matrix("1/delete/"), "403", ("404",)),
        )  # fmt: skip

    def _signs_his_own(self) -> object:
        return self.asks.sign(self._adjustment(self.asks))

    def _admin(self, path: str, **fields: object) -> str:
        """Send a form of the administration; gives the page."""
        return self.asks.client.form(f"/admin/{path}", **fields)[1].decode()

    def _makes(self, role: str) -> tuple[str, str]:
        """Make a person with a role; gives sign-in name and one-time password."""
        name, house = f"x{uuid.uuid4().hex[:8]}", self.boss.client.get("tables/", limit=1)["results"][0]["house"]
        page = self._admin(
            "casino/person/add/", username=name, full_name="Kim Sommer", house=house, roles=role, language=""
        )
        return name, _secret(page)

    def _taken_over(self) -> Second:
        """The colleague whose password and authenticator he has set, with a telephone of his own."""
        if self.colleague is None:
            person = self._with_telephone(COLLEAGUE)
            page = self.asks.client.ask(f"/admin/casino/person/?q={COLLEAGUE}")[1].decode()
            ids = {"_selected_action": page.partition('name="_selected_action" value="')[2].partition('"')[0]}
            self._admin("casino/person/", action="reset_second_factor", **ids)
            password = _secret(self._admin("casino/person/", action="new_password", **ids))
            self.colleague = person.enrol(password)
        return self.colleague

    def _signs_as_colleague(self) -> object:
        """Where he keeps a code for what does not last."""
        if not self._taken_over().has_codes(2):
            raise NotNow
        return self._taken_over().sign(self._adjustment(self.asks))

    def _adjust_as_colleague(self) -> object:
        half = self.boss.client.get(self.jackpot)["shown_minor"] // 2
        return self._taken_over().post(f"{self.jackpot}adjust-request/", {"amount_minor": -half, "reason": "a fault"})

    def _verifies_as_colleague(self) -> object:
        hit = self.hit("verifying")
        self._once(VERIFIES_AS, hit["id"])
        claim = first(one for one in hit["claims"] if one["state"] in ("open", "verified"))
        seen = dict.fromkeys(hit["checklist"], "seen by nobody")
        return self._taken_over().post(f"claims/{claim['id']}/verify/", {"checklist": seen})

    def _signs_award(self, what: str, person: Insider, payload_hash: str = "") -> object:
        """Once each payment that is asked for, by somebody who has a code for it."""
        asked = self._award(self.hit("verifying"))
        if not person.has_codes():
            raise NotNow
        self._once(what, asked["id"])
        return person.sign(asked, payload_hash)

    def _says_no_as_colleague(self) -> object:
        """Who rests is refused before a code is looked at."""
        request = self._adjustment(self.asks)
        body = {"reason": "nobody has seen it", "secret": "000000"}
        return self._taken_over().post(f"approvals/{request['id']}/reject/", body)

    def _sees_what_he_set(self) -> object:
        """A sign-in that was set before the house had locked a round asks for it when its owner comes in again."""
        colleague = self._taken_over()
        if not self._requests("person.credential") and colleague.has_codes(2):
            colleague.client = Browser(self.address, self.tally, "127.0.0.2")  # without a session
            colleague.sign_in()
        return self.asks.sign(first(self._requests("person.credential")))

    def _requests(self, action: str) -> list[Asked]:
        return [row for row in self.asks.client.get("approvals/", limit=200)["results"] if row["action"] == action]

    def prepare(self) -> None:
        """Make a cashier; take a colleague over; ask for a second person.

        What else is needed while betting is open is asked for now, too.
        """
        self._made()
        self._taken_over()
        self._second()
        self.kept_hash, _me = self._adjustment(self.asks)["payload_hash"], self._id(self.boss)

    def _with_telephone(self, username: str) -> Second:
        person = Second(self.address, username, self.tally, password=OWN_PASSWORD)
        person.clock_right = self.clock_right
        return person

    def _second(self) -> tuple[str, str]:
        """A person who is to sign: he waits for another manager."""
        if not self.waiting[0]:
            self.waiting = self._makes("pit_boss")
        return self.waiting

    def _made(self) -> tuple[str, str]:
        """A cashier: a slip is money, so he waits for another manager too."""
        if not self.cashier[0]:
            self.cashier = self._makes("cage")
        return self.cashier

    def _signs_his_second(self) -> object:
        self._second()
        return self.asks.sign(first(self._requests("person.sign_role")))

    def _comes_in(self, made: tuple[str, str]) -> object:
        name, password = made
        client = Browser(self.address, self.tally, "127.0.0.3")
        client.ask("/sign-in/")
        return let_in(client.form("/sign-in/", username=name, password=password, code="")[0])

    def _old_hash(self) -> object:
        return self._signs_award(OLD_HASH, self.blind, self.kept_hash)

    def _twice(self) -> object:
        """Once he may, as one of the two who sign a payment; a second time is another's."""
        asked = self._award(self.hit("verifying"))
        if self.attack.had(TWICE, PAYS_SIGNED) or asked["signed_by"] or not self.signs.has_codes(2):
            raise NotNow
        try:
            self.signs.sign(asked)
        except Refused as late:
            raise NotNow from late
        self._done.add(("signed", asked["id"]))
        return self.signs.sign(asked)

    def signed(self, requests: Iterable[str]) -> bool:
        """Whether one of them has signed one of these requests."""
        return any(("signed", one) in self._done for one in requests)

    def _pays_signed(self) -> object:
        slip = self._slip("open")
        if not self.signed(requests_of(self.boss.client, slip["award"])):
            raise NotNow
        return self.signs.post(f"slips/{slip['id']}/pay/", {"cash_minor": slip["to_pay_minor"], "secret": PIN})

    def _stale(self) -> object:
        """The meter moves with each coin: what was looked at is not what would be done."""
        asked = self._adjustment(self.boss)
        for _ in range(20):
            if self.boss.client.get(self.jackpot)["version"] != asked["payload"]["version"]:
                return self.asks.sign(asked)
        raise NotNow

    def _matrix(self, path: str) -> object:
        house = self.boss.client.get("tables/", limit=1)["results"][0]["house"]
        line = {
            "house": house,
            "action": "jackpot.adjust",
            "version": 2,
            "signers": 1,
            "roles": "cage",
            "method": "pin",
        }
        return self._admin(f"payouts/approvalrule/{path}", **line, lifetime_s=86_400)

    # A pit boss
    def of_bosses(self) -> Sequence[Try]:
        """A pit boss, who has entered the result of a round that claims (`ScriptedTable`)."""
        own, boss = "jackpot.dealer_decides", self.boss
        return (
            Try(VERIFIES_OWN, self._verifies_own, own, CLAIM_LATE, soon=True),
            Try(SIGNS_OWN, self._signs_own_result, "approval.signer_refused", SIGNED_LATE, soon=True),
            Try(REJECTS, self._rejects_true, "jackpot.hit_state", soon=True),
            Try(PAYS_WRONG, self._pays_wrong, "slip.cash_wrong", ("slip.state",), soon=True),
            Try("pays a slip a second time", lambda: self._pay(self._slip("paid")), "slip.state"),
            Try("cancels a slip alone", self._cancels_alone, "approval.signer_refused", SIGNED_LATE),
            Try("has a winner paid once more, late", self._late, "award.there", ("award.not_late",)),
            Try("ends a suspension that is none", lambda: boss.post(f"{self.jackpot}resume-request/", WHY), "jackpot.phase"),
            Try("stops the jackpot alone", lambda: self._asks_and_signs(f"{self.jackpot}suspend-request/", WHY, "jackpot.phase"),
                "approval.signer_refused", SIGNED_LATE),
            Try("makes a person", lambda: boss.client.form("/admin/casino/person/add/", username="y1"), "403"),
        )  # fmt: skip

    def _verifies_own(self) -> object:
        hit = self.hit("verifying")
        me = self._id(self.boss)
        claim = first(one for one in hit["claims"] if me in one["dealers"])
        self._once(VERIFIES_OWN, claim["id"])
        seen = dict.fromkeys(hit["checklist"], "seen by himself")
        return self.boss.post(f"claims/{claim['id']}/verify/", {"checklist": seen})

    def _signs_own_result(self) -> object:
        hit = self.hit("verifying")
        me = self._id(self.boss)
        first(one for one in hit["claims"] if me in one["dealers"])
        return self._signs_award(SIGNS_OWN, self.boss)

    def _id(self, person: Insider) -> str:
        """As the requests of this person name him."""
        if not person.id:
            person.id = self._adjustment(person)["requester"]
        return person.id

    def _rejects_true(self) -> object:
        """Once an evening he refuses one of two claims that are true before, as he may; the pit sees it, and looks again."""
        hit = self.hit("verifying")
        true = [one["id"] for one in hit["claims"] if one["state"] == "verified"]
        if not true:
            raise NotNow
        self._once(REJECTS, f"{hit['id']} {len(true)}")
        others = [
            one["id"] for one in hit["claims"] if one["id"] in true[1:] and self._id(self.boss) not in one["dealers"]
        ]
        if others and ("refuses", "") not in self._done:
            self._done.add(("refuses", ""))
            _asked(self.boss, f"claims/{others[0]}/refuse/", {"reason": "the ten was of clubs"}, *CLAIM_LATE)
        return self.boss.post(f"hits/{hit['id']}/reject-request/", {"reason": "no royal flush"})

    def _pay(self, slip: Asked, more: int = 0) -> object:
        return self.boss.post(f"slips/{slip['id']}/pay/", {"cash_minor": slip["to_pay_minor"] + more, "secret": PIN})

    def _pays_wrong(self) -> object:
        slip = self._slip("open")
        self._once(PAYS_WRONG, slip["id"])
        return self._pay(slip, more=5)

    def _cancels_alone(self) -> object:
        slip = self._slip("paid")
        body = {"how": "receivable", "reason": "it was another guest"}
        return self._asks_and_signs(f"slips/{slip['id']}/cancel-request/", body, "slip.state")

    def _asks_and_signs(self, path: str, body: dict[str, Any], not_now: str) -> object:
        """Both alone, where he keeps a code for what does not last."""
        if not self.boss.has_codes(2):
            raise NotNow
        return self.boss.sign(_asked(self.boss, path, body, not_now))

    def _late(self) -> object:
        award = self._slip("paid")["award"]
        body = {"box": award["box"], "amount_minor": award["amount_minor"], "reason": "overlooked"}
        return self.boss.post(f"rounds/{award['round']}/late-award-request/", body)


def _asked(person: Insider, path: str, body: dict[str, Any], *not_now: str) -> Asked:
    """Ask for an approval, as he may; these refusals say that it is not the time for it."""
    try:
        asked: Asked = person.post(path, body)
    except Refused as refused:
        if refused.code in not_now:
            raise NotNow from refused
        raise
    return asked


def requests_of(client: Client, award: Asked) -> list[str]:
    """The requests by whose signatures an award was made; one that was taken back made none."""
    hit = client.get(f"hits/{award['hit']}/")
    return [one["id"] for one in hit["approvals"] if (one["action"], one["state"]) == ("jackpot.award", "used")]


def first(rows: Any) -> Any:
    """The first of them. Raises NotNow where there is none."""
    for one in rows:
        return one
    raise NotNow


def _secret(page: str) -> str:
    """The one-time password on a page."""
    found = SECRET.search(page)
    if found is None:
        raise NotNow
    return found[1]
