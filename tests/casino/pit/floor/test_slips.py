"""The cage: a slip is found by its number, paid by PIN, taken back within a minute; the list stays as it is under the finger."""

import re
from typing import Any

import pytest

from jackpot.models import Slip, TakenBack
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import REFUSED, words
from tests.casino.pit.floor.test_jackpot import HitDesk, sound
from tests.clock import clock_jumps
from tests.jackpot.linked import dull, royal
from tests.jackpot.test_prizes import approved_correction
from tests.worlds import world

WRONG = "111222"


def two_slips() -> HitDesk:
    desk = HitDesk()
    desk.hit(winners=2)
    desk.verify_all()
    desk.approve()
    return desk


pytestmark = [world(two_slips), pytest.mark.usefixtures("own_database")]


def slip(number: int = 1) -> Slip:
    return Slip.objects.get(number=number)


def pay(desk: HitDesk, status: Any = 302, **fields: Any) -> str:
    fields = {"cash_minor": slip().award.amount_minor, "secret": desk.pin("cage")} | fields
    return desk.post("cage", f"slips/{slip().pk}/pay/", status, **fields)


def listed(desk: HitDesk) -> list[str]:
    """Each slip of the list and what it says of it, in the order in which they stand."""
    said = words(desk.get("cage", "slips/"))
    return re.findall(r"Slip (\d) .*?(to be paid|slip paid)", said)


def test_a_slip_is_found_by_what_is_typed_or_scanned(desk: HitDesk) -> None:
    made = slip()
    for text in ("1", " 1 ", "#1"):
        answer = desk.clients["cage"].get("/floor/slips/", {"number": text})
        assert (answer.status_code, answer["Location"]) == (302, f"/floor/slips/{made.pk}/"), text
    for text in ("7", "1-6B02EB8D", "one"):
        answer = desk.clients["cage"].get("/floor/slips/", {"number": text}, headers={"accept-language": "en"})
        assert answer.status_code == 404
        assert "There is no such slip." in words(answer.content.decode()), text
    desk.pin("cage")
    page = desk.get("cage", f"slips/{made.pk}/")
    said = words(page)
    for text in ("Slip 1", "CHF 5’001.00", "UTH 1, Box 1", "share of the meter · Hit 1", "Pay CHF 5’001.00"):
        assert text in said, text
    assert 'class="qr"' in page
    assert 'name="number"' in desk.clients["cage"].get("/home/cage/").content.decode()


def test_without_the_right_pin_nothing_is_paid(desk: HitDesk, settings: Any) -> None:
    assert "Set PIN" in words(desk.get("cage", f"slips/{slip().pk}/"))
    desk.pin("cage")
    for left in reversed(range(settings.SIGN_IN_TRIES)):
        said = words(pay_as(desk, WRONG))
        assert ("Your PIN" in said, slip().state) == (True, "open"), left
    assert "locked" in words(pay_as(desk, "271828"))
    assert slip().state == "open"


def pay_as(desk: HitDesk, pin: str) -> str:
    values = {"cash_minor": slip().award.amount_minor, "secret": pin}
    return desk.post("cage", f"slips/{slip().pk}/pay/", REFUSED, **values)


def test_a_payment_is_taken_back_with_a_reason_and_the_slip_paid_again(desk: HitDesk) -> None:
    path = pay(desk)
    page = words(desk.get("cage", path.removeprefix("/floor/")))
    assert "Slip 1 is paid." in page
    assert "you do it alone, once" in page
    back = {"reason": "the other guest's slip", "secret": "271828"}
    desk.post("cage", f"slips/{slip().pk}/take-back/", REFUSED, **back | {"secret": WRONG})
    desk.post("cage", f"slips/{slip().pk}/take-back/", REFUSED, **back | {"reason": "x"})
    assert slip().state == "paid"
    desk.post("cage", f"slips/{slip().pk}/take-back/", **back)
    assert (slip().state, TakenBack.objects.get().reason) == ("open", back["reason"])
    said = words(desk.get("cage", f"slips/{slip().pk}/"))
    assert "Payment taken back: the other guest" in said
    pay(desk)
    assert "Take the payment back" not in words(desk.get("cage", f"slips/{slip().pk}/"))
    assert "taken back once, within a minute" in words(
        desk.post("cage", f"slips/{slip().pk}/take-back/", REFUSED, **back)
    )
    sound()


def test_after_a_minute_and_for_others_there_is_no_such_form(desk: HitDesk) -> None:
    pay(desk)
    other = people.signed_in(people.make(desk.house, "second.cage", "cage", language="en"))
    assert "Take the payment back" not in words(other.get(f"/floor/slips/{slip().pk}/").content.decode())
    clock_jumps(61)
    assert "Take the payment back" not in words(desk.get("cage", f"slips/{slip().pk}/"))


def test_the_list_keeps_its_order_when_one_is_paid(desk: HitDesk) -> None:
    assert listed(desk) == [("1", "to be paid"), ("2", "to be paid")]
    pay(desk)
    assert listed(desk) == [("1", "slip paid"), ("2", "to be paid")]


def test_slip_of_a_round_that_was_corrected_since_says_before_the_pin_that_it_cannot_be_paid(desk: HitDesk) -> None:
    """By the same check as the payment itself; corrected back it is paid as ever."""
    why = "The round was corrected since: its result no longer says that this box won."
    what = "Have the award cancelled, or the round corrected back."
    round_id = slip().award.round_id
    desk.pin("cage")

    def shown() -> tuple[bool, bool, bool]:
        said = words(desk.get("cage", f"slips/{slip().pk}/"))
        listed = words(desk.get("cage", "slips/"))
        return f"{why} {what}" in said, "Your PIN" in said, "not to be paid now: the round was corrected" in listed

    assert shown() == (False, True, False)
    approved_correction(desk, round_id, dull())
    assert shown() == (True, False, True)
    refused = words(pay(desk, REFUSED))
    assert (refused.count(why), slip().state) == (1, "open")
    approved_correction(desk, round_id, royal())
    assert shown() == (False, True, False)
    pay(desk)
    assert slip().state == "paid"
