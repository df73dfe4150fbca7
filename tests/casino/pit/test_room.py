"""The control room: what a hit waits for, what a signer sees, each step with its time and people, displays at any time."""

import re
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.utils import timezone

from casino.devices.services import device_code_make, device_enrol
from casino.pit.board import read
from jackpot import services as jackpots
from jackpot.models import Claim, Hit, RequiredDisplay, Slip, WaitingPrize
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from payouts.models import Approval
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.schema import Posted
from tables import services
from tests.casino.pit.clocks import later
from tests.casino.pit.floor.floor_desk import words
from tests.casino.pit.room import Careful, Poor, Room, at_hand
from tests.floor import done
from tests.jackpot.linked import CHECKLIST, Linked, royal
from tests.jackpot.lived import four_of_a_kind
from tests.jackpot.test_prizes import approved_correction
from tests.worlds import world


# What it waits for
@world(Linked)
def test_payment_that_was_turned_down_says_who_why_and_what_to_do_next(floor: Linked) -> None:
    room = Room(floor)
    at_hand(room.linked)
    room.linked.verify_all()
    room.turn_down(room.linked.asked(), "the camera shows a jack")
    assert room.linked.advance() == "verifying"
    said = room.said()
    assert "Beatrice Zumstein has rejected the payment: the camera shows a jack." in said
    assert "Look at a claim again, or have its round corrected" in said
    assert "Look again: it is true" in said
    assert room.now() == ["approved"]
    assert 'href="#step-approved"' in room.html()
    assert room.step("verify", claim=Claim.objects.get().pk, **CHECKLIST).status_code == 302
    room.linked.advance()
    said = room.said()
    assert "has rejected the payment" not in said
    assert "Payment of the jackpot: 0 of 2 signatures." in said


@world(Linked)
def test_hit_without_a_true_claim_is_at_hand_where_it_is_rejected(floor: Linked) -> None:
    room = Room(floor)
    at_hand(room.linked)
    ids = {"house_id": room.linked.house.pk, "person_id": room.linked.reto.pk}
    done(jackpots.claim_refuse, **ids, claim_id=Claim.objects.get().pk, reason="a misread card")
    assert room.now() == ["verified"]
    done(jackpots.hit_reject_request, **ids, hit_id=Hit.objects.get().pk, reason="a misread card")
    assert room.now() == ["approved"]


@world(Poor)
def test_meter_below_zero_says_that_it_cannot_be_split(floor: Poor) -> None:
    room = Room(floor)
    first, second = room.linked.start(0), room.linked.start(1)
    room.linked.end(0, first, royal("h"))
    room.linked.end(1, second, four_of_a_kind())
    room.linked.advance()
    assert room.linked.verify_all() == "verifying"
    said = room.said()
    assert "The meter is CHF 398.00 below zero: it paid more prizes than it held, and cannot be split." in said
    assert "Have a wrong prize corrected at its round, or the meter adjusted" in said
    assert room.now() == ["approved"]


def evidence_in(room: Room) -> str:
    """What the first request rests on, as its signer sees it."""
    return room.html().partition('class="evidence"')[2].partition("<form")[0]


# What a signer sees
def test_signer_sees_the_meter_before_and_after(db: None) -> None:
    class Coarse(Linked):
        posted: ClassVar[dict[str, Posted]] = {"progressive": ProgressiveRules(payout_unit=1_000)}

    room = Room(Coarse())
    at_hand(room.linked)
    room.linked.verify_all()
    said = room.station("approved")
    for text in (
        "In the meter now CHF 10’002.00",
        "Won CHF 10’002.00",
        "What does not divide stays in the meter CHF 2.00",
        "Seed of the next meter Bad Ragaz Progressive, version 1 CHF 10’000.00",
        "The meter then begins with CHF 10’002.00",
    ):
        assert text in said, text
    room.linked.approve()
    assert room.linked.now().epoch.seed_minor + room.linked.now().epoch.remainder_minor == 1_000_200


@world(Careful)
def test_prize_is_signed_with_its_cards_stakes_and_round(floor: Careful) -> None:
    room = Room(floor)
    round_id = room.linked.start(0)
    room.linked.end(0, round_id, four_of_a_kind())
    evidence = evidence_in(room)
    assert f'href="/floor/rounds/{round_id}/"' in evidence
    assert evidence.count('class="card ') == 5 + 2 + 2  # board, dealer, the box alone
    assert "Seven of spades" in evidence
    assert "Nine of clubs" not in evidence
    said = words(evidence)
    assert re.search(r"Coin Guest 1 CHF 5.00 CHF 500.00 The coin wins CHF 500.00 with a four of a kind. PRG-5", said), (
        said
    )


def test_envy_of_another_table_is_signed_with_the_round_that_pays_it(db: None) -> None:
    class Neighbours(Linked):
        posted: ClassVar[dict[str, Posted]] = {
            "progressive": ProgressiveRules(envy_scope="link"),
            "jackpot_rules": JackpotRules(prize_approval_from_minor=50_000),
        }

    room = Room(Neighbours())
    first, second = at_hand(room.linked)
    room.linked.reject()
    prize = WaitingPrize.objects.get(kind="envy", state="waiting", round_id=second)
    assert Approval.objects.filter(action="jackpot.prize", subject_id=str(prize.pk), state="open").exists()
    said = words(evidence_in(room))
    assert "UTH 2, round 1 because of the royal flush in UTH 1, round 1" in said
    assert first != second


@world(Linked)
def test_late_award_and_cancelled_slip_are_signed_with_their_round(floor: Linked) -> None:
    room = Room(floor)
    linked = room.linked
    at_hand(linked, winners=1)
    linked.verify_all()
    linked.approve()
    linked.confirm_all()
    slip = Slip.objects.get()
    ids = {"house_id": linked.house.pk, "person_id": linked.reto.pk}
    done(jackpots.award_cancel_request, **ids, slip_id=slip.pk, how="unpaid", reason="the wrong box")
    said = words(evidence_in(room))
    assert "UTH 1, round 1 Slip 1 · CHF 10’002.00 · share of the meter · to be paid" in said
    assert "Ten of hearts" in room.html().partition('class="evidence"')[2].partition("<form")[0]
    overlooked = Hit.objects.get().listed.exclude(round_id=slip.award.round_id).get().round_id
    approved_correction(linked, overlooked, royal("d"))
    done(services.late_award_request, **ids, round_id=overlooked, box=1, amount_minor=1_000, reason="overlooked")
    evidence = [words(part.partition("<form")[0]) for part in room.html().split('class="evidence"')[1:]]
    assert [text.split(" Slip")[0].split(" Board")[0].strip('"> ') for text in evidence] == [
        "What it rests on UTH 1, round 1",
        "What it rests on UTH 2, round 1",
    ]


@world(Careful, count=4)
def test_more_requests_take_no_more_statements(floor: Careful) -> None:
    room = Room(floor)
    counted = []
    for tables in ((0,), (1, 2, 3)):
        for table in tables:
            room.linked.end(table, room.linked.start(table), four_of_a_kind())
        counted.append(room.shows('class="evidence"'))
    assert [shown for shown, _ in counted] == [1, 4]
    assert counted[0][1] == counted[1][1]


# Displays
def panel(room: Room) -> str:
    return room.html().partition('id="room-displays"')[2].partition("</section>")[0]


@world(Linked, displays=2)
def test_dark_display_is_taken_out_while_bets_are_open(floor: Linked) -> None:
    room = Room(floor)
    linked = room.linked
    dead, alive = linked.displays
    assert "Display 1 not started yet" in words(panel(room))
    linked.heard(dead)
    with later(60):
        linked.heard(alive)
        shown = panel(room)
    assert "Display 1 is not heard of" in words(shown)
    assert "Display 2 is heard of" in words(shown)
    assert shown.count("/out/") == 2
    refused = room.step("out", display=dead, reason="no")
    assert refused.status_code == 400
    assert (
        'role="alert"'
        in refused.content.decode().partition(f'name="display" value="{dead}"')[2].partition("</form>")[0]
    )
    assert room.step("out", display=dead, reason="its screen is black").status_code == 302
    assert panel(room).count("/out/") == 1  # asked for once
    assert "Display Display 1 Reason its screen is black" in room.said()
    linked.sign(linked.asked("jackpot.display_out"), linked.bea)
    assert list(RequiredDisplay.objects.filter(ended_at=None).values_list("display_id", flat=True)) == [alive]
    assert linked.now().phase == "open"


@world(Linked, displays=1)
def test_last_display_is_replaced_while_bets_are_open(floor: Linked) -> None:
    room = Room(floor)
    linked = room.linked
    _, text = device_code_make(kind="display", place_id=linked.jackpot.pk, name="Eingang", by=linked.tim)
    spare, _token = device_enrol(kind="display", code=text)
    assert f'<option value="{spare.pk}">Eingang</option>' in panel(room)
    assert room.step("add", display=spare.pk).status_code == 302
    linked.sign(linked.asked("jackpot.display_add"), linked.bea)
    assert room.step("out", display=linked.displays[0], reason="its screen is black").status_code == 302
    linked.sign(linked.asked("jackpot.display_out"), linked.bea)
    assert list(RequiredDisplay.objects.filter(ended_at=None).values_list("name", flat=True)) == ["Eingang"]


@world(Linked, displays=2)
def test_display_at_an_open_gate_is_taken_out_there_alone(floor: Linked) -> None:
    room = Room(floor)
    at_hand(room.linked)
    room.linked.verify_all()
    room.linked.approve()
    assert panel(room).count("/out/") == 0
    room.linked.confirm(room.linked.displays[1])
    page = room.html()
    assert page.count(f'name="display" value="{room.linked.displays[0]}"') == 1
    assert panel(room).count(f'name="display" value="{room.linked.displays[1]}"') == 1


# Each step with its time and person
@world(Linked)
def test_earlier_hit_keeps_its_checklist_and_cards(floor: Linked) -> None:
    room = Room(floor)
    at_hand(room.linked)
    room.linked.verify_all()
    room.linked.approve()
    room.linked.confirm_all()
    at_hand(room.linked)
    page = room.html("?hit=1")
    assert "This is hit 1, which is over." in words(page)
    said = room.station("verified", "?hit=1")
    for text in ("Cards seen seen by R. Caduff", "Deck counted 52", "Reto Caduff", "Ten of hearts", "Ace of hearts"):
        assert text in said, text


@world(Linked)
def test_requests_that_were_turned_down_or_replaced_say_by_whom_when_and_why(floor: Linked) -> None:
    room = Room(floor)
    at_hand(room.linked)
    room.linked.verify_all()
    claim = Claim.objects.get()  # looked at again: what was asked for is replaced
    room.linked.verify(claim, CHECKLIST | {"deck_counted": "52, by N. Good"})
    room.linked.advance()
    room.turn_down(room.linked.asked(), "the camera shows a jack")
    killed, rejected = Approval.objects.filter(action="jackpot.award").order_by("requested_at")
    assert (killed.state, rejected.state) == ("killed", "rejected")
    said = room.station("approved")
    at = [
        timezone.localtime(one.closed_at, ZoneInfo(room.linked.house.time_zone)).strftime("%H:%M:%S")
        for one in (killed, rejected)
    ]
    assert f"{at[0]} replaced Reto Caduff a claim was looked at again" in said
    assert f"{at[1]} rejected Beatrice Zumstein the camera shows a jack" in said


@world(Linked, displays=2)
def test_void_for_an_absent_croupier_and_a_dead_display_bear_names(floor: Linked) -> None:
    room = Room(floor)
    linked = room.linked
    first, second = linked.start(0), linked.start(1)
    linked.end(0, first, royal("h"))
    linked.void(second, reason="croupier absent")
    assert "Reto Caduff croupier absent" in room.station("drained")
    linked.advance()
    linked.verify_all()
    linked.approve()
    linked.confirm(linked.displays[1])
    ids = {"house_id": linked.house.pk, "jackpot_id": linked.jackpot.pk, "person_id": linked.reto.pk}
    dead = linked.displays[0]
    done(jackpots.display_out_request, **ids, display_id=dead, reason="its screen is black")
    linked.sign(linked.asked("jackpot.display_out"), linked.bea)
    linked.advance()
    for query in ("", "?hit=1"):
        said = room.station("gated", query)
        assert re.search(
            r"Display 1 .*its screen is black asked for by Reto Caduff, \d\d:\d\d:\d\d · signed: Beatrice Zumstein, \d\d",
            said,
        ), said


class Capped(Linked):
    posted: ClassVar[dict[str, Posted]] = {"funding": FundingSchedule(cap_minor=1_000_050)}


@world(Capped)
def test_split_says_where_everything_goes(floor: Capped) -> None:
    room = Room(floor)
    at_hand(room.linked)
    room.linked.verify_all()
    said = room.station("split")
    assert "In the meter CHF 10’002.00 Won CHF 10’000.50" in said
    assert "Above the cap, into the reserve CHF 1.50" in said


@world(Linked)
def test_course_is_told_in_words_and_marks_what_moved_it(floor: Linked) -> None:
    room = Room(floor)
    room.step("adjust", by="raise", amount="5", reason="five coins of round 12 were not entered")
    room.linked.sign(room.linked.asked("jackpot.adjust"), room.linked.bea)
    at_hand(room.linked)
    told = room.client.get(f"/pit/jackpots/{room.linked.jackpot.pk}/meter/", headers={"accept-language": "en"}).json()
    assert [one["text"] for one in told["marks"]] == ["Epoch 1", "Adjusted", "Hit 1"]
    assert told["marks"][0]["at"] == int(room.linked.now().epoch.opened_at.timestamp())
    said = told["words"].replace("\xa0", " ")
    assert re.fullmatch(
        r"CHF 10’00\d\.00 at the opening, [\d:. ]+\. Adjusted by CHF 5\.00, [\d:. ]+\. Hit 1: CHF 10’00\d\.00, [\d:. ]+\. "
        r"CHF 10’007\.00 at last, [\d:. ]+\.",
        said,
    ), said


# A table's page
@world(Linked)
def test_page_of_an_open_table_says_its_rounds_an_hour(floor: Linked, monkeypatch: Any) -> None:
    """What a small tile leaves out is there; a table that is closed plays none."""
    room = Room(floor)
    table = room.linked.tables[0]
    live = read.live_tables(house_id=room.linked.house.pk)
    for an_hour, said in ((None, "Rounds an hour –"), (27, "Rounds an hour 27")):
        row = live[table.pk]._replace(an_hour=an_hour)
        monkeypatch.setattr("casino.pit.floor.table.live_tables", lambda house_id, row=row: {table.pk: row})
        page = room.client.get(f"/floor/tables/{table.pk}/", headers={"accept-language": "en"}).content.decode()
        assert said in words(page)
    monkeypatch.undo()
    done(services.table_close, house_id=room.linked.house.pk, table_id=table.pk, actor_id=room.linked.reto.pk)
    page = room.client.get(f"/floor/tables/{table.pk}/", headers={"accept-language": "en"}).content.decode()
    assert "Rounds an hour" not in words(page)
