"""Slips after a restore of a backup: no number comes again that a house has on paper, and none is taken for another."""

import re

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from jackpot import services as jackpots
from jackpot.models import Incarnation, Slip
from jackpot.rules import slip_number
from payouts.models import Approval, Event
from tests.databases import superuser
from tests.floor import done
from tests.jackpot.linked import royal
from tests.jackpot.test_late import Late, paid_late
from tests.jackpot.test_prizes import approved_correction
from tests.restores import known_as
from tests.tables.audits import breached, disagreeing
from tests.turns import each
from tests.worlds import world


def one_more(floor: Late) -> Slip:
    """The slip of a third winner."""
    approved_correction(floor, floor.rounds[2], royal("c"))
    floor.late(floor.rounds[2], 1, 333_433)
    return Slip.objects.get(award__kind="late")


@world(paid_late)
def test_a_slip_says_after_which_restore_it_was_made(floor: Late, own_database: str) -> None:
    since = int(timezone.now().timestamp())
    done(jackpots.jackpots_restored)
    slip = one_more(floor)
    books = Incarnation.objects.get(how="restored").number
    assert since <= books <= int(timezone.now().timestamp())
    assert list(Slip.objects.order_by("number").values_list("number", "incarnation")) == [(1, 1), (2, 1), (3, books)]
    assert [one.written for one in Slip.objects.order_by("number")] == ["1", "2", f"3-{books:X}"]
    made = Event.objects.get(name="slip.made", subject_id=str(slip.pk))
    assert made.after == {"number": 3, "incarnation": books, "amount_minor": 333_433}
    ids = {"house_id": floor.house.pk, "slip_id": slip.pk, "person_id": floor.reto.pk}
    done(jackpots.award_cancel_request, **ids, how="unpaid", reason="the wrong box")
    assert Approval.objects.get(action="jackpot.award_cancel").payload["number"] == f"3-{books:X}"
    assert breached() == {}
    assert disagreeing() == []


@world(paid_late)
def test_what_was_sealed_before_slips_had_an_incarnation_is_held_by_their_event(floor: Late, own_database: str) -> None:
    with superuser() as link:
        link.execute("ALTER TABLE jackpot_slip DISABLE TRIGGER USER")
        link.execute("UPDATE jackpot_slip SET incarnation = 7 WHERE number = 2")
    [found] = disagreeing()
    assert (found["table"], found["columns"]) == ("jackpot_slip", "incarnation")


@world(paid_late)
def test_books_are_in_one_incarnation_whichever_jackpot_a_slip_is_of(floor: Late, own_database: str) -> None:
    """A jackpot that is made after the restore is in its first; the house's numbers go on."""
    done(jackpots.jackpots_restored)
    with superuser() as link:
        link.execute("ALTER TABLE jackpot_jackpot DISABLE TRIGGER USER; UPDATE jackpot_jackpot SET incarnation = 1")
    assert one_more(floor).incarnation == Incarnation.objects.get(how="restored").number


def test_each_restore_has_a_number_of_its_own(db: None) -> None:
    """Also a second one within the second, or where the clock was set back."""
    known_as("number = 9 * 10^9")
    for _ in range(2):
        done(jackpots.jackpots_restored)
    assert list(Incarnation.objects.order_by("pk").values_list("number", flat=True)) == [
        9 * 10**9 + n for n in range(3)
    ]


@each(
    ("text", "read"),
    [("7", (7, 1)), ("118-6b02EB8D", (118, 0x6B02EB8D)), ("118-", None), ("0", None), ("-6B02EB8D", None), ("1 2", None),
     ("118\n", None), ("1" * 10, None), ("٣", None)],
)  # fmt: skip
def test_a_number_is_read_as_it_is_written(text: str, read: tuple[int, int] | None) -> None:
    assert slip_number.read(text) == read
    if read:
        assert slip_number.written(*read) == text.upper()
        assert re.fullmatch(slip_number.PATTERN, text)


@each("numbers", [(118, 1), (118, 0x6B02EB8D), (2**31 - 1, 2**40 + 11), (1, 16)])
def test_database_and_code_write_it_alike(db: None, numbers: tuple[int, int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT slip_written_v1(%s, %s)", numbers)
        assert cursor.fetchone()[0] == slip_number.written(*numbers)


@world(Late)
def test_a_standby_goes_on_in_the_same_incarnation_and_no_jackpot_waits(floor: Late) -> None:
    known_as("timeline = timeline - 1")
    call_command("promoted")
    assert list(Incarnation.objects.order_by("pk").values_list("how", "number")) == [("begun", 1), ("promoted", 1)]
    assert (floor.now().phase, floor.now().incarnation) == ("verifying", 1)
    call_command("promoted")  # the script of a fail-over may run it again
    assert Incarnation.objects.count() == 2


@pytest.mark.parametrize("change", ["system_identifier = 7", "timeline = timeline + 1"])
def test_what_is_no_standby_is_not_gone_on_with(db: None, change: str) -> None:
    known_as(change)
    with pytest.raises(CommandError, match=r"no standby of the server that was known.*manage\.py restored"):
        call_command("promoted")
    assert Incarnation.objects.count() == 1
