"""What is asked about a jackpot as a whole, and about a slip that was wrong, from its pages: by whom, when, what a signer sees."""

import re
from typing import Any, ClassVar
from uuid import uuid4

import pytest

from casino.people.models import Person
from casino.pit.jackpots import change as floor_jackpot_change
from jackpot import services as jackpots
from jackpot.models import Jackpot, Slip
from jackpot.selectors.jackpots import meter_read
from payouts.models import Approval, Event
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.schema import Posted
from tables import services
from tests.casino.people import people
from tests.casino.pit.differences import signed_lines
from tests.casino.pit.floor.floor_desk import words
from tests.casino.pit.room import Careful, Room, at_hand
from tests.floor import done, second_jackpot
from tests.jackpot.linked import Linked, royal
from tests.jackpot.lived import four_of_a_kind
from tests.jackpot.test_late import Late, paid_late
from tests.jackpot.test_prizes import approved_correction
from tests.tables.audits import breached_here
from tests.worlds import world

STEPS = ("suspend", "resume", "adjust", "close", "reopen", "retire")
WHO = {
    "pit_boss": {"suspend", "adjust", "close"},
    "manager": {"suspend", "adjust", "close"},
    "technician": {"suspend"},
    "auditor": set(),
    "surveillance": set(),
    "cage": set(),
    "croupier": set(),
}


def offered(page: str) -> set[str]:
    """The forms about the jackpot as a whole on a page."""
    return {step for step in STEPS if f'/{step}/"' in page}


def boxed(page: str) -> list[list[str]]:
    """The rows of what a request changes: what, now, once signed; without the sum."""
    lines = [re.fullmatch(r"(.*?): (.*) → (.*?)(?:, [+−][0-9’.]+)?", line) for line in signed_lines(page)]
    return [[*line.groups()] for line in lines if line]


def second(room: Room, **fields: str) -> Jackpot:
    """Another jackpot of the house, open."""
    return second_jackpot(room.linked.house, **fields)


def closed(room: Room) -> Jackpot:
    """The jackpot closed, its tables linked to another one, which is given."""
    heir = second(room)
    ids = {"house_id": room.linked.house.pk, "actor_id": room.linked.tim.pk}
    done(jackpots.jackpot_close, **ids, jackpot_id=room.linked.jackpot.pk, reason="the end")
    for table in room.linked.tables:
        done(services.table_link, **ids, table_id=table.pk, jackpot_id=heir.pk)
    return heir


def as_manager(room: Room) -> Room:
    """The same room, read by a manager."""
    room.boss = people.make(room.linked.house, f"chief.{uuid4().hex[:6]}", "manager")
    room.client = people.signed_in(room.boss)
    return room


# Who, when
@world(Linked)
def test_each_role_is_offered_what_it_may_ask_for_and_refused_the_rest(floor: Linked) -> None:
    room = Room(floor)
    jackpot = room.linked.jackpot.pk
    for role, may in WHO.items():
        client = people.signed_in(people.make(room.linked.house, f"{role}.asks", role))
        for page in (f"/pit/jackpots/{jackpot}/", f"/floor/jackpots/{jackpot}/"):
            answer = client.get(page, headers={"accept-language": "en"})
            assert offered(answer.content.decode()) == may, (role, page)
        wider = may | {"pit_boss": {"resume", "reopen"}, "manager": {"resume", "reopen", "retire"}}.get(role, set())
        for step in STEPS:
            answer = client.post(f"/floor/jackpots/{jackpot}/{step}/", {"key": str(uuid4())})
            assert (answer.status_code == 403) == (step not in wider), (role, step, answer.status_code)
    assert not Approval.objects.filter(action__startswith="jackpot.").exists()
    assert room.linked.now().phase == "open"


@world(Linked)
def test_what_is_offered_follows_the_phase(floor: Linked) -> None:
    room = as_manager(Room(floor))
    linked = room.linked
    running = linked.start(0)
    assert offered(room.html()) == {"suspend", "adjust", "close"}
    assert "Only a closed jackpot can be retired." in room.said()
    linked.end(0, running, royal("h"))
    assert linked.advance() == "verifying"
    assert offered(room.html()) == {"suspend", "adjust"}


@world(Linked)
def test_draining_meter_is_not_adjusted(floor: Linked) -> None:
    room = Room(floor)
    first, _second = room.linked.start(0), room.linked.start(1)
    room.linked.end(0, first, royal("h"))
    assert room.linked.now().phase == "draining"
    assert offered(room.html()) == {"suspend"}


# Suspend, resume, close, reopen
@world(Linked)
def test_suspended_by_two_and_brought_on_by_two(floor: Linked) -> None:
    """PRG-9: nobody stops a jackpot alone; what runs goes on to its end."""
    room = Room(floor)
    room.linked.start(0)
    refused = room.step("suspend", reason="no")
    assert refused.status_code == 400
    form = refused.content.decode().partition('/suspend/"')[2].partition("</form>")[0]
    assert ('role="alert"' in form, 'value="no"' in form) == (True, True)
    assert room.step("suspend", reason="the shuffler of UTH 2 is examined").status_code == 302
    page = room.html()
    assert boxed(page) == [
        ["State", "open for stakes", "suspended"],
        ["Rounds that run", "UTH 1", "go on to their end"],
    ]
    assert "the shuffler of UTH 2 is examined" in words(page)
    assert offered(page) == {"adjust", "close"}  # not asked for twice
    room.linked.sign(room.linked.asked("jackpot.suspend"), room.linked.bea)
    assert (room.linked.now().phase, room.linked.now().kept_phase) == ("suspended", "open")
    assert offered(room.html()) == {"resume", "adjust"}
    assert room.step("resume", reason="the shuffler is in order").status_code == 302
    assert boxed(room.html()) == [["State", "suspended", "new value to be shown"]]
    room.linked.sign(room.linked.asked("jackpot.resume"), room.linked.bea)
    assert room.linked.confirm_all() == "open"
    asked = Event.objects.filter(name="approval.requested", house=room.linked.house).order_by("id")
    assert [(one.after["action"], one.actor_id) for one in asked if one.after["action"].startswith("jackpot.")] == [
        ("jackpot.suspend", room.boss.pk),
        ("jackpot.resume", room.boss.pk),
    ]
    assert breached_here() == {}


@world(Linked)
def test_closed_and_reopened_by_one(floor: Linked) -> None:
    room = Room(floor)
    running = room.linked.start(0)
    assert "A round" in words(room.step("close", reason="end of the tournament").content.decode())
    room.linked.void(running)
    assert room.step("close", reason="end of the tournament").status_code == 302
    assert room.linked.now().phase == "closed"
    assert offered(room.html()) == {"suspend", "adjust", "reopen"}
    event = Event.objects.get(name="jackpot.closed", house=room.linked.house)
    assert (event.actor_id, event.after["reason"]) == (room.boss.pk, "end of the tournament")
    assert room.step("reopen").status_code == 302
    assert room.linked.now().phase == "showing"
    assert room.linked.confirm_all() == "open"


@world(Linked)
def test_a_double_click_closes_and_asks_once(floor: Linked) -> None:
    room = Room(floor)
    for step, fields in (
        ("adjust", {"by": "raise", "amount": "1", "reason": "a coin"}),
        ("close", {"reason": "the end"}),
    ):
        key = str(uuid4())
        assert [room.step(step, key=key, **fields).status_code for _ in range(2)] == [302, 302]
    assert Approval.objects.filter(action="jackpot.adjust").count() == 1


# The meter
@world(Linked)
@pytest.mark.parametrize(
    ("by", "amount", "minor", "rows"),
    [
        ("raise", " 15.5 ", 1_550, [["CHF 10’000.00", "CHF 10’015.50"], ["–", "CHF 15.50"]]),
        ("lower", "1’000", -100_000, [["CHF 10’000.00", "CHF 9’000.00"], ["–", "CHF 1’000.00"]]),
    ],
)
def test_meter_is_put_right_by_two_who_see_it_before_and_after(
    floor: Linked, by: str, amount: str, minor: int, rows: list[list[str]]
) -> None:
    room = Room(floor)
    said = {"by": by, "amount": amount, "reason": "three coins of round 12 were not entered"}
    assert room.step("adjust", **said).status_code == 302
    asked = room.linked.asked("jackpot.adjust")
    assert (asked.payload["amount_minor"], asked.payload["reason"]) == (minor, said["reason"])
    shown = boxed(room.html())
    whose = "The house adds" if minor > 0 else "The house gets back"
    assert shown == [["In the meter", *rows[0]], ["Shown and winnable", *rows[0]], [whose, *rows[1]]]
    room.linked.sign(asked, room.linked.bea)
    assert meter_read(jackpot_id=room.linked.jackpot.pk).sum_minor == 1_000_000 + minor
    assert breached_here() == {}


class Capped(Linked):
    posted: ClassVar[dict[str, Posted]] = {"funding": FundingSchedule(seed_minor=10_000, cap_minor=10_500)}


@world(Capped)
def test_signer_sees_what_the_cap_leaves_of_an_adjustment(floor: Capped) -> None:
    room = Room(floor)
    room.step("adjust", by="raise", amount="10", reason="a fault")
    assert signed_lines(room.html()) == [
        "In the meter: CHF 100.00 → CHF 110.00, +10.00",
        "Shown and winnable: CHF 100.00 → CHF 105.00, +5.00",
        "The house adds: – → CHF 10.00, +10.00",
    ]


@world(Linked)
@pytest.mark.parametrize("amount", ["", "0", "-5", "12.345", "zwölf", "1e3", "9" * 15])
def test_what_is_no_amount_is_refused_where_it_was_typed(floor: Linked, amount: str) -> None:
    room = Room(floor)
    answer = room.step("adjust", by="lower", amount=amount, reason="a fault of the meter")
    form = answer.content.decode().partition('/adjust/"')[2].partition("</form>")[0]
    assert answer.status_code == 422
    assert 'role="alert"' in form
    assert "is no amount" in words(form) or "too large" in words(form)
    assert ('value="lower" selected' in form, 'value="a fault of the meter"' in form) == (True, True)
    assert not Approval.objects.filter(action="jackpot.adjust").exists()


@world(Linked)
def test_which_way_an_adjustment_goes_is_not_guessed(floor: Linked) -> None:
    room = Room(floor)
    assert room.step("adjust", by="", amount="5", reason="a fault").status_code == 422
    assert not Approval.objects.filter(action="jackpot.adjust").exists()


# Retired
@world(Linked)
def test_retired_into_another_one_by_two_who_see_what_goes_where(floor: Linked) -> None:
    """PRG-11: what players have put into a meter stays theirs."""
    room = as_manager(Room(floor))
    room.linked.win(0)
    heir = closed(room)
    assert f'<option value="{heir.pk}">Second</option>' in room.html()
    for wrong in ("", str(uuid4()), str(room.linked.jackpot.pk)):
        assert "There is no such jackpot." in words(room.step("retire", to=wrong, reason="replaced").content.decode())
    assert room.step("retire", to=heir.pk, reason="replaced by the new progressive").status_code == 302
    own = meter_read(jackpot_id=room.linked.jackpot.pk).sum_minor
    before = meter_read(jackpot_id=heir.pk).sum_minor
    page = room.html()
    names = [row[0] for row in boxed(page)]
    assert names == ["State", "In the meter", "Meter of Second"]
    assert "What stays as it is (2) Reserve CHF 0.00 Reserve of Second CHF 0.00" in words(page).replace("\xa0", " ")
    assert boxed(page)[0][1:] == ["closed for stakes", "retired"]
    assert "To jackpot Second" in words(page)
    told = boxed(page)
    room.linked.sign(room.linked.asked("jackpot.retire"), room.linked.bea)
    assert room.linked.now().phase == "retired"
    assert meter_read(jackpot_id=heir.pk).sum_minor == before + own
    assert told[2][1:] == [money(before), money(before + own)]
    page = room.html()
    assert (offered(page), "Retired" in words(page)) == (set(), True)
    assert breached_here() == {}


@world(Linked)
def test_reserve_goes_to_the_other_ones_reserve(floor: Linked, monkeypatch: pytest.MonkeyPatch) -> None:
    room = as_manager(Room(floor))
    heir = closed(room)
    monkeypatch.setattr(floor_jackpot_change, "_reserve", lambda jackpot: 700 if jackpot.pk == heir.pk else 4_500)
    assert room.step("retire", to=heir.pk, reason="replaced by the new progressive").status_code == 302
    rows = {row[0]: row[1:] for row in boxed(room.html())}
    assert rows["Reserve"] == [money(4_500), money(0)]
    assert rows["Reserve of Second"] == [money(700), money(5_200)]


@world(Linked)
def test_nothing_to_retire_into_says_so(floor: Linked) -> None:
    room = as_manager(Room(floor))
    assert room.step("close", reason="the end").status_code == 302
    assert "none is open" in room.said()
    assert "retire" not in offered(room.html())


# Slips
def paid_out(room: Room) -> Slip:
    """A slip of a hit that is over, to be paid."""
    at_hand(room.linked)
    room.linked.verify_all()
    room.linked.approve()
    room.linked.confirm_all()
    return Slip.objects.get(award__kind="share")


def cancels(page: str) -> list[str]:
    """What can become of the slips on a page, by their forms."""
    forms = [part.partition("</form>")[0] for part in page.split('/cancel/"')[1:]]
    return [" ".join(re.findall(r'<option value="(\w+)"', form)) for form in forms]


@world(Linked)
def test_slip_is_cancelled_by_two_from_the_hit_that_made_it(floor: Linked) -> None:
    room = Room(floor)
    slip = paid_out(room)
    assert cancels(room.html()) == ["unpaid"]
    refused = room.step("cancel", slip=slip.pk, how="unpaid", reason="no")
    assert 'role="alert"' in refused.content.decode().partition('/cancel/"')[2].partition("</form>")[0]
    assert room.step("cancel", slip=slip.pk, how="loss", reason="the wrong box").status_code == 409
    assert room.step("cancel", slip=slip.pk, how="given away", reason="the wrong box").status_code == 409
    assert room.step("cancel", slip=uuid4(), how="unpaid", reason="the wrong box").status_code == 404
    assert room.step("cancel", slip=slip.pk, how="unpaid", reason="the wrong box").status_code == 302
    page = room.html()
    assert cancels(page) == []
    now = meter_read(jackpot_id=room.linked.jackpot.pk).sum_minor
    after = now + slip.award.amount_minor
    assert boxed(page) == [
        ["Slip", "to be paid", "slip cancelled"],
        ["Meter of Progressive", money(now), money(after)],
    ]
    room.linked.sign(room.linked.asked("jackpot.award_cancel"), room.linked.bea)
    slip.refresh_from_db()
    assert (slip.state, slip.cancelled_as) == ("cancelled", "unpaid")
    assert meter_read(jackpot_id=room.linked.jackpot.pk).sum_minor == after
    assert breached_here() == {}


@world(Linked)
@pytest.mark.parametrize(("how", "said"), [("receivable", "To be asked back"), ("loss", "The house loses")])
def test_paid_slip_says_who_bears_it(floor: Linked, how: str, said: str) -> None:
    room = Room(floor)
    slip = paid_out(room)
    ids = {"house_id": room.linked.house.pk, "actor_id": room.linked.cage.pk, "slip_id": slip.pk}
    done(jackpots.slip_pay, **ids, cash_minor=slip.award.amount_minor)
    at_hand(room.linked)
    for query, shown in (("?hit=1", ["receivable loss"]), ("", ["receivable loss"])):
        assert cancels(room.html(query)) == shown  # where its hit is, and beside another one
    assert "Other slips" in room.said()
    assert "Other slips" not in room.said("?hit=1")
    assert room.step("cancel", slip=slip.pk, how=how, reason="the wrong box").status_code == 302
    rows = boxed(room.html())
    assert [row[0] for row in rows] == ["Slip", "Meter of Progressive", said]
    assert rows[2][1:] == ["–", money(slip.award.amount_minor)]


@world(Linked)
def test_only_who_looks_at_claims_is_offered_to_cancel(floor: Linked) -> None:
    room = Room(floor)
    paid_out(room)
    path = f"jackpots/{room.linked.jackpot.pk}/"
    for role in ("cage", "auditor", "technician", "surveillance"):
        client = people.signed_in(people.make(room.linked.house, f"{role}.slips", role))
        for place in ("pit/", "floor/"):
            assert cancels(client.get(f"/{place}{path}").content.decode()) == [], (role, place)
        assert client.post(f"/floor/{path}cancel/", {"key": str(uuid4())}).status_code == 403


@world(Careful)
def test_cancelled_prize_says_where_the_money_goes(floor: Careful) -> None:
    room = Room(floor)
    room.linked.end(0, room.linked.start(0), four_of_a_kind())
    room.linked.sign(room.linked.asked("jackpot.prize"), room.linked.bea)
    slip = Slip.objects.get(award__kind="prize")
    assert room.step("cancel", slip=slip.pk, how="unpaid", reason="the wrong box").status_code == 302
    assert boxed(room.html())[1] == ["Prize", "–", "waits at its table until its round is corrected"]


LATE = {  # what the house had to pay for what it had overlooked (PRG-8)
    "unpaid": [["The house gets back", "–", "CHF 3’334.33"]],
    "receivable": [["The house gets back", "–", "CHF 3’334.33"], ["To be asked back", "–", "CHF 3’334.33"]],
    "loss": [],  # the cost of the house stays
}


@world(paid_late)
@pytest.mark.parametrize("how", LATE)
def test_cancelled_late_award_says_what_the_house_has_back(floor: Late, how: str) -> None:
    approved_correction(floor, floor.rounds[2], royal("c"))
    floor.late(floor.rounds[2], 1, 333_433)
    slip, room = Slip.objects.get(award__kind="late"), Room(floor)
    if how != "unpaid":
        floor.pay(slip)
    assert room.step("cancel", slip=slip.pk, how=how, reason="the wrong box").status_code == 302
    page = room.html()
    assert boxed(page)[1:] == LATE[how]
    stays = "What stays as it is (1) Cost of the house CHF 3’334.33"
    assert (stays in words(page).replace("\xa0", " ")) == (how == "loss")


@world(Careful, count=4)
def test_more_requests_to_cancel_take_no_more_statements(floor: Careful) -> None:
    room = Room(floor)
    counted = []
    for tables in ((0,), (1, 2, 3)):
        for table in tables:
            room.linked.end(table, room.linked.start(table), four_of_a_kind())
            room.linked.sign(room.linked.asked("jackpot.prize"), room.linked.bea)
            slip = Slip.objects.order_by("-number").first()
            assert room.step("cancel", slip=slip.pk, how="unpaid", reason="the wrong box").status_code == 302
        counted.append(room.shows('class="differences"'))
    assert [shown for shown, _ in counted] == [1, 4]
    assert counted[0][1] == counted[1][1]


def money(minor: int) -> str:
    """As the house writes it."""
    whole, part = divmod(minor, 100)
    return f"CHF {whole:,}.{part:02d}".replace(",", "’")


@world(Linked)
def test_who_asked_is_told_that_another_one_signs(floor: Linked) -> None:
    room = Room(floor)
    Person.objects.filter(pk=room.boss.pk).update(full_name="Laura Bernasconi")
    answer: Any = room.step("suspend", reason="the shuffler is examined")
    page = words(room.client.get(answer["Location"], headers={"accept-language": "en"}).content.decode())
    assert "Asked for: another person looks at it and signs." in page
    assert "You asked for it" in page
    board = words(room.client.get("/pit/", headers={"accept-language": "en"}).content.decode())
    assert "Progressive · Suspension of a jackpot" in board
