"""From `bootstrap` to the first round: a page says what is done, what is not, by whom, and why some of it takes two people."""

import re
from typing import Any
from uuid import uuid4

from casino.demo.rulesets import DEMO_TABLES
from casino.people.models import Person
from casino.people.pins import pin_set
from casino.rulesets.starter import starter_kinds
from jackpot.services import display_heard
from payouts.models import Account, ApprovalSignature, House, PostedTable
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.calendar import ROUND_THE_CLOCK
from payouts.rules.rulesets.paytable import UTH_TRIPS
from payouts.services import posted_table_edit, posted_tables_seed
from tables.games.poker.game import POKER
from tables.kinds import KINDS
from tables.services import pit_create
from tests import poker
from tests.casino.devices.devices import enrol
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.casino.pit.floor.floor_desk import words
from tests.cast import make_house, post
from tests.counts import CountedFloor
from tests.floor import Floor, done, stakes_for, taps
from tests.watched import watched
from tests.worlds import world

STEPS = ["house", "people", "rules", "hours", "tables", "displays", "tablets", "cash", "round"]
ENGLISH = {"accept-language": "en"}
COUNTED_FIRST = "A table that is counted opens on its opener alone"


class Desk:
    """People of a house, each at a browser: a technician, two who sign, and those who have no part in the first steps."""

    def __init__(self, house: House) -> None:
        self.house = house
        roles = {"tech": ["technician"], "first": ["manager"], "second": ["manager", "pit_boss"]}
        roles |= {name: [name] for name in ("pit_boss", "croupier", "cage", "auditor", "surveillance")}
        self.people: dict[str, Person] = {
            who: people.make(house, f"{who.replace('_', '')}.first", *held, language="en")
            for who, held in roles.items()
        }
        self.clients = {who: people.signed_in(person) for who, person in self.people.items()}

    def get(self, who: str, status: int = 200) -> str:
        response = self.clients[who].get("/first-steps/", headers=ENGLISH)
        assert response.status_code == status
        return response.content.decode()

    def post(self, who: str, step: str, status: int = 302, **fields: str) -> str:
        data = {"key": str(uuid4())} | fields
        response = self.clients[who].post(f"/first-steps/{step}/", data, headers=ENGLISH)
        assert response.status_code == status, words(response.content.decode())
        return words(response.content.decode())

    def done(self, who: str = "first") -> list[str]:
        return re.findall(r'class="panel done" id="step-(\w+)"', self.get(who))

    def forms(self, who: str) -> list[str]:
        return re.findall(r'action="/first-steps/(\w+)/"', self.get(who))

    def seen(self, who: str) -> dict[str, str]:
        """What the signing form holds: by version the hash of what it says."""
        return dict(re.findall(r'name="(seen\.[0-9a-f-]+)" value="([0-9a-f]+)"', self.get(who)))

    def sign(self, who: str, status: int = 302, **seen: str) -> str:
        code = people.next_code(self.people[who])
        return self.post(who, "sign", status, secret=code, **(seen or self.seen(who)))


def empty() -> Desk:
    watched()
    return Desk(make_house())


pytestmark = world(empty)


def states(house: House) -> set[str]:
    return set(PostedTable.objects.filter(house=house).values_list("state", flat=True))


def test_page_says_of_each_step_whether_it_is_done_who_does_it_and_where(desk: Desk) -> None:
    page = desk.get("first")
    assert re.findall(r'id="step-(\w+)"', page) == STEPS
    assert desk.done() == ["house"]
    said = words(page)
    for text in (
        "From nothing to the first round of Casino Bad Ragaz: 1 of 9 are done.",
        f"Casino Bad Ragaz · CHF · CHF 1’284.50 · {desk.house.time_zone}",
        "The gaming day changes at 06:00. All this stays as it was given.",
        "Have no PIN for the tablet yet: Name croupier.first",
        "2 others look at what guests are paid by: who drafted or changed it does not sign.",
        "May sign: Technician, Manager, Auditor.",
        "0 of 8 count",
        "who was made or changed by another signs and pays nothing for 24 hours",
        "Cash in the cage: CHF 0.00",
    ):
        assert text in said, text
    for who, addresses in {"first": ["/admin/casino/person/add/", "/devices/"], "tech": ["/floor/set-up/"]}.items():
        for address in addresses:
            assert f'href="{address}"' in desk.get(who), (who, address)
    assert 'href="/floor/set-up/"' not in desk.get("first")  # nothing is offered that is refused then


@world(Floor)
def test_start_pages_of_manager_and_technician_lead_there_until_a_round_is_settled(floor: Floor, settings: Any) -> None:
    plain_settings(settings)
    watched()
    desk = Desk(floor.house)

    def leads(who: str, role: str) -> bool:
        page = desk.clients[who].get(f"/home/{role}/", headers=ENGLISH).content.decode()
        return 'href="/first-steps/"' in page

    starts = {"first": "manager", "tech": "technician", "pit_boss": "pit_boss", "cage": "cage", "croupier": "croupier"}
    assert [who for who, role in starts.items() if leads(who, role)] == ["first", "tech"]
    assert desk.clients["second"].get("/", follow=True).redirect_chain == [("/home/manager/", 302)]  # a pit boss, too
    locked = floor.lock(stakes_for(floor.open()[:1], coins=1))
    assert leads("first", "manager")
    floor.settle(locked["id"], taps(b1={"result": "fold"}))
    assert [who for who, role in starts.items() if leads(who, role)] == []
    assert desk.clients["second"].get("/", follow=True).redirect_chain == [("/pit/", 302)]
    assert {"rules", "hours", "tables", "cash", "round"} <= set(desk.done("pit_boss"))


class PokerHouse(Desk):
    """A house whose only table deals poker; nothing is posted for other games."""

    def __init__(self) -> None:
        super().__init__(make_house())
        self.martina, self.reto = self.people["croupier"], self.people["pit_boss"]
        pin_set(person=self.martina, pin="270415")
        kinds = (*POKER.posted, "rake", "floor_rules", "calendar")
        rows = [(kind, name, data) for kind, name, data in DEMO_TABLES if kind.code in kinds]
        done(posted_tables_seed, house_id=self.house.pk, tables=rows)
        post(self.house, "capital_in", recipes.capital_in(50_000_000))
        post(self.house, "chips_in_service", recipes.chips_in_service(50_000_000))
        self.pit = done(pit_create, house_id=self.house.pk, name="Pit 1")
        self.table = poker.poker_table(self)
        enrol(self.table, self.people["first"])


@world(PokerHouse)
def test_a_house_of_poker_alone_has_gone_through_with_its_first_hand(floor: PokerHouse, settings: Any) -> None:
    plain_settings(settings)
    assert (floor.done(), floor.forms("tech"), floor.forms("first")) == (STEPS[:-1], [], ["cash"])
    text = words(floor.get("first"))
    assert ("5 of 5 count" in text, COUNTED_FIRST in text) == (True, False)
    poker.opened(floor, floor.table)
    stays = [poker.sit(floor, seat, floor.table) for seat in (1, 2)]
    assert floor.done() == STEPS[:-1]
    poker.deal(floor, *stays)
    assert (floor.done(), floor.forms("first")) == (STEPS, [])
    assert "This house has played or was counted" in floor.post("first", "cash", 409, cash="1000")
    assert floor.clients["second"].get("/", follow=True).redirect_chain == [("/pit/", 302)]


@world(CountedFloor)
def test_CNT_3_where_a_table_is_counted_the_last_step_says_that_this_comes_first(  # noqa: N802
    floor: CountedFloor, settings: Any
) -> None:
    plain_settings(settings)
    assert COUNTED_FIRST in words(Desk(floor.house).get("first"))


@world(Floor, displays=2)
def test_displays_are_done_once_each_has_been_started(floor: Floor, settings: Any) -> None:
    plain_settings(settings)
    desk = Desk(floor.house)
    for started, never in enumerate(("Display 1, Display 2", "Display 2")):
        assert ("displays" in desk.done(), f"Required, and never started: {never}" in words(desk.get("first"))) == (
            False,
            True,
        )
        heard = {"display_id": floor.displays[started], "session_id": uuid4()}
        done(display_heard, house_id=floor.house.pk, jackpot_id=floor.jackpot.pk, **heard, shown="", version=0)
    assert "displays" in desk.done()


def test_technician_drafts_changes_and_asks_and_two_others_sign_all_with_one_code_each(desk: Desk) -> None:
    assert (desk.forms("tech"), desk.forms("first")) == (["draft"], ["cash"])
    desk.post("tech", "draft")
    assert sorted(PostedTable.objects.values_list("kind", flat=True)) == sorted(starter_kinds(desk.house))
    assert desk.forms("tech") == ["ask"]
    hours = PostedTable.objects.get(kind="calendar")
    assert f'href="/posted-tables/{hours.pk}/edit/"' in desk.get("tech")
    edited = {"kind": KINDS["calendar"], "data": ROUND_THE_CLOCK.to_data(), "actor_id": desk.people["tech"].pk}
    done(posted_table_edit, table_id=hours.pk, **edited)
    desk.post("tech", "ask")
    assert states(desk.house) == {"requested"}
    assert "sign" not in desk.forms("tech")
    page = words(desk.get("first"))
    assert "8 versions wait for your signature" in page
    assert "0 of 2 signatures." in page
    assert "Royal flush" in page.replace("Royal Flush", "Royal flush")  # what is signed stands above the code, whole
    desk.sign("first")
    assert states(desk.house) == {"requested"}
    assert "sign" not in desk.forms("first")  # once each
    desk.sign("second")
    assert states(desk.house) == {"approved"}
    assert sorted(ApprovalSignature.objects.values_list("ordinal", flat=True)) == sorted([*range(8)] * 2)
    assert {"rules", "hours"} <= set(desk.done())


def test_signatures_are_for_what_was_seen_and_for_all_or_none(desk: Desk) -> None:
    desk.post("tech", "draft")
    desk.post("tech", "ask")
    seen = desk.seen("first")
    forged = dict.fromkeys(list(seen)[:1], "0" * 64)
    said = desk.sign("first", 409, **(seen | forged))
    assert "has changed" in said
    assert not ApprovalSignature.objects.exists()
    desk.sign("first", 404, **(seen | {f"seen.{uuid4()}": "0" * 64}))
    assert not ApprovalSignature.objects.exists()
    assert "code" in desk.post("first", "sign", 422, secret="000000", **seen)
    desk.sign("tech", 403, **seen)  # who asked
    assert not ApprovalSignature.objects.exists()


def test_what_the_house_changed_into_a_likely_mistake_stays_a_draft(desk: Desk) -> None:
    """Somebody has to say why it is meant so, and says it on its own page."""
    desk.post("tech", "draft")
    trips, data = PostedTable.objects.get(kind="trips"), UTH_TRIPS.to_data()
    data["lines"][0]["odds"] = "30:1"  # three of a kind pays more than a straight
    edited = {"kind": KINDS["trips"], "data": data, "actor_id": desk.people["tech"].pk}
    done(posted_table_edit, table_id=trips.pk, **edited)
    desk.post("tech", "ask")
    waiting = dict(PostedTable.objects.values_list("kind", "state"))
    assert waiting.pop("trips") == "draft"
    assert set(waiting.values()) == {"requested"}
    assert desk.forms("tech") == ["ask"]


def test_each_form_is_for_its_role_and_the_page_for_who_prepares_the_evening(desk: Desk) -> None:
    for who in ("croupier", "cage", "auditor", "surveillance"):
        desk.get(who, 403)
        desk.post(who, "draft", 403)
    for who, steps in {"first": ("draft", "ask"), "tech": ("cash",), "pit_boss": ("draft", "ask", "cash")}.items():
        for step in steps:
            desk.post(who, step, 403)
    desk.post("tech", "nothing", 404)
    assert desk.forms("pit_boss") == []


# Cash and chips
def held(house: House) -> dict[str, int]:
    sums: dict[str, int] = {}
    for kind, balance in Account.objects.filter(house=house).values_list("kind", "balance_minor"):
        sums[kind] = sums.get(kind, 0) + balance
    return {kind: balance for kind, balance in sums.items() if balance and kind in ("cage_cash", "cage_chips", "tray")}


@world(Floor, stocked=False)
def test_manager_enters_cash_and_chips_once_what_was_typed_makes_sense(floor: Floor, settings: Any) -> None:
    plain_settings(settings)
    desk = Desk(floor.house)
    for wrong in ("", "-5", "five", "1.005", "9" * 20):
        assert "is no amount" in desk.post("first", "cash", 422, cash=wrong)
    assert "would be overdrawn" in desk.post("first", "cash", 409, cash="1000", chips="100", fill="60")  # two trays
    assert held(floor.house) == {}
    key = str(uuid4())
    for _ in range(2):  # a double click
        desk.post("first", "cash", key=key, cash="200’000", chips="1000", fill="250.50")
    assert held(floor.house) == {"cage_cash": 20_000_000, "cage_chips": 49_900, "tray": 50_100}
    assert "cash" in desk.done()


@world(Floor)
def test_opening_cash_is_closed_with_the_first_lock(floor: Floor, settings: Any) -> None:
    plain_settings(settings)
    desk = Desk(floor.house)
    before = held(floor.house)
    assert desk.forms("first") == ["cash"]
    floor.lock(stakes_for(floor.open()[:1]))
    assert desk.forms("first") == []
    assert "This house has played or was counted" in desk.post("first", "cash", 409, cash="1000")
    assert held(floor.house) == before
