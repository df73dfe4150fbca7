"""The book's section DRP, and what is entered of TRN: cash for chips, and tips, at a table."""
# ruff: noqa: N802 - tests are named after the rules

import re
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from payouts.errors import Refused
from payouts.models import Event, Transfer
from payouts.rules.rulesets.chips import ChipSet
from payouts.selectors import transfer_is_free
from tables import services
from tables.errors import TableBeingCounted
from tables.models import BuyIn, EntryReversal, StayChips, Tip
from tables.selectors.cash import session_entries
from tables.services.cash import enter, kinds, take_back
from tests.cash import CashFloor, later
from tests.floor import done
from tests.poker import of_stay
from tests.tables.audits import breached_here
from tests.worlds import world

pytestmark = world(CashFloor)
BUY_IN = {"drop": 200_00, "circulation": -200_00, "chips_outside": 200_00, "tray": -200_00}
TIP = {"circulation": 20_00, "tronc": -20_00}
MOMENT = datetime(2026, 11, 28, 23, 10, tzinfo=UTC)


def refused(work: Any, *values: Any, **more: Any) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as caught:
        work(*values, **more)
    return caught.value.code, caught.value.data


def counted() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (BuyIn, Tip, EntryReversal, Transfer, Event))


def test_DRP_1_a_buy_in_puts_cash_into_the_drop_box_and_chips_out_of_the_tray(floor: CashFloor) -> None:
    before = floor.balances()
    row = floor.enter("buyin", 200_00, box=3)
    assert floor.moved(before) == BUY_IN
    assert (row.amount_minor, row.box, row.croupier_id) == (200_00, 3, floor.martina.pk)  # type: ignore[union-attr]
    assert (row.session, row.queued_at, row.stay_chips) == (floor.session(), None, None)
    transfer = row.transfer
    assert (transfer.key, transfer.kind, transfer.gaming_day) == (f"buyin:{row.pk}", "buy_in", row.session.gaming_day)
    assert (transfer.actor_id, transfer_is_free(transfer)) == (floor.martina.pk, False)
    event = Event.objects.latest("pk")
    assert (event.name, event.subject_kind, event.subject_id) == ("buyin.entered", "buyin", str(row.pk))
    assert event.after == {
        "table": str(floor.table.pk),
        "session": str(row.session_id),
        "amount_minor": 200_00,
        "box": 3,
    }
    assert not breached_here()


def test_TRN_2_a_tip_is_the_staffs_from_the_moment_it_is_entered(floor: CashFloor) -> None:
    before = floor.balances()
    row = floor.enter("tip", 20_00)
    assert floor.moved(before) == TIP
    assert (row.transfer.kind, row.transfer.key) == ("tip", f"tip:{row.pk}")
    assert Event.objects.latest("pk").name == "tip.entered"
    assert not breached_here()


def test_DRP_1_the_same_again_gives_the_first_and_books_nothing(floor: CashFloor) -> None:
    for kind in ("buyin", "tip"):
        entry_id = uuid4()
        first = floor.enter(kind, 100_00, entry_id)
        books = counted()
        assert (floor.enter(kind, 100_00, entry_id).pk, counted()) == (first.pk, books)
        others: list[tuple[int, dict[str, Any]]] = [(50_00, {}), (100_00, {"table_id": floor.other.pk})]
        for amount_minor, values in others:
            assert refused(floor.enter, kind, amount_minor, entry_id, **values) == ("cash.id_used", {})
        assert counted() == books


def test_DRP_1_an_amount_comes_out_in_the_chips_of_the_table(floor: CashFloor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the house's smallest coin where its chips are not posted."""
    books = counted()
    for chips, amounts in ((None, (2_51, 7)), (ChipSet(), (2_51, 2_00, 5_01))):
        monkeypatch.setattr(kinds, "chips_of", lambda _posted, chips=chips: chips)
        least = chips.smallest_minor if chips else 5
        for kind, code in (("buyin", "buyin.amount_wrong"), ("tip", "tip.amount_wrong")):
            for amount in (0, -5_00, *amounts, 10**18, True, 20.0, "2000", None):
                got, data = refused(floor.enter, kind, amount)
                assert (got, data["least_minor"]) == (code, least)
    assert counted() == books
    floor.enter("tip", 7_50)
    assert refused(floor.enter, "buyin", 100_00, box=8) == ("guest.box_outside", {"layout": 7, "box": 8})


def test_DRP_1_only_who_has_the_table_enters_and_the_floor_for_them(floor: CashFloor) -> None:
    for kind in ("buyin", "tip"):
        assert refused(floor.enter, kind, 100_00, actor_id=floor.nora.pk) == ("round.croupier_wrong", {})
        row = floor.enter(kind, 100_00, actor_id=floor.reto.pk, supervisor=True)
        assert (row.croupier_id, row.transfer.actor_id) == (floor.martina.pk, floor.reto.pk)


def test_DRP_1_a_closed_table_takes_only_what_was_entered_before(floor: CashFloor) -> None:
    """What was queued is booked in the session in which it was entered, by who had the table in it."""
    session = floor.session()
    by = {"house_id": floor.house.pk, "table_id": floor.table.pk, "actor_id": floor.reto.pk}
    done(services.table_hand_over, **by, croupier_id=floor.nora.pk)
    done(services.table_close, **by)
    named = {"session_id": session.pk}
    for kind in ("buyin", "tip"):
        for values in ({}, named):
            assert refused(floor.enter, kind, 100_00, **values) == ("table.closed", {})
        assert refused(floor.enter, kind, 100_00, queued_at=MOMENT) == ("table.closed", {})
    floor.open()
    before = floor.balances()
    row = floor.enter("buyin", 200_00, **named, queued_at=MOMENT)
    assert (row.session, row.croupier, row.queued_at) == (session, floor.martina, MOMENT)
    assert (row.transfer.gaming_day, floor.moved(before)) == (session.gaming_day, BUY_IN)
    assert refused(floor.enter, "tip", 100_00, **named) == ("table.closed", {})  # it was not queued
    stranger = {"actor_id": floor.ines.pk, "queued_at": MOMENT}
    assert refused(floor.enter, "tip", 100_00, **named, **stranger) == ("round.croupier_wrong", {})
    elsewhere = {"session_id": floor.session(floor.other).pk, "queued_at": MOMENT}
    assert refused(floor.enter, "tip", 100_00, **elsewhere) == ("table.closed", {})
    assert not breached_here()


def test_DRP_1_its_croupier_takes_it_back_for_a_while_and_the_pit_later(
    floor: CashFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, name in (("buyin", "buyin.taken_back"), ("tip", "tip.taken_back")):
        before = floor.balances()
        row = floor.enter(kind, 100_00)
        back = floor.back(row)
        assert floor.moved(before) == {}
        assert (back.transfer.reverses_id, back.by_id, back.reason) == (row.transfer_id, floor.martina.pk, "")
        assert Event.objects.latest("pk").name == name
        assert refused(floor.back, row) == ("cash.taken_back", {})
    rows = [floor.enter(kind, 100_00) for kind in ("buyin", "tip")]
    codes = ("buyin.take_back_over", "tip.take_back_over")
    pit = {"actor_id": floor.reto.pk, "supervisor": True}
    for row, code in zip(rows, codes, strict=True):
        for values in ({"actor_id": floor.nora.pk}, {"reason": "mistyped", "actor_id": floor.nora.pk}, pit):
            assert refused(floor.back, row, **values) == (code, {"seconds": 20})
    later(monkeypatch, 21)
    for row, code in zip(rows, codes, strict=True):
        assert refused(floor.back, row) == (code, {"seconds": 20})
        assert refused(floor.back, row, **pit, reason="no")[0] == "text.refused"
        assert floor.back(row, **pit, reason="nobody bought").reason == "nobody bought"
    assert refused(done, services.buyin_take_back, house_id=floor.house.pk, buyin_id=uuid4(), actor_id=floor.reto.pk)[
        0
    ] == ("cash.unknown")
    assert not breached_here()


def test_DRP_1_the_drop_of_a_session_is_what_stands_of_its_buy_ins(floor: CashFloor) -> None:
    for amount_minor in (200_00, 500_00, 50_00):
        row = floor.enter("buyin", amount_minor)
    floor.back(row)
    floor.enter("tip", 5_00)
    floor.back(floor.enter("tip", 2_50))
    entries = session_entries(floor.session())
    assert [row.amount_minor for row in entries.buy_ins] == [50_00, 500_00, 200_00]
    assert (len(entries.tips), entries.drop_minor, entries.tips_minor) == (2, 700_00, 5_00)
    assert floor.balances()["drop"] == 700_00


def test_DRP_1_cash_at_a_poker_seat_is_a_buy_in_too_and_a_tip_there_a_tip(floor: CashFloor) -> None:
    """By the stay's own command, and without a second posting."""
    first = BuyIn.objects.get()
    chips = StayChips.objects.get()
    assert (first.stay_chips, first.transfer_id, first.amount_minor) == (chips, chips.transfer_id, 150_00)
    assert first.session == floor.session(floor.poker)
    transfers = Transfer.objects.count()
    for kind, means, amount_minor in (
        ("top_up", "cash", 50_00),
        ("top_up", "chips", 40_00),
        ("tip", "stack", 5_00),
        ("tip", "chips", 2_00),
    ):
        of_stay(floor, floor.stay, "stay_chips", kind=kind, means=means, amount_minor=amount_minor)
    assert Transfer.objects.count() == transfers + 4
    assert sorted(BuyIn.objects.values_list("amount_minor", flat=True)) == [50_00, 150_00]
    assert sorted(Tip.objects.values_list("amount_minor", flat=True)) == [2_00, 5_00]
    assert -floor.balances(floor.poker)["tronc"] == 7_00
    for row in (first, Tip.objects.latest("at")):
        assert refused(floor.back, row, actor_id=floor.reto.pk, supervisor=True, reason="mistyped") == (
            "cash.at_seat",
            {},
        )
    for kind in ("buyin", "tip"):
        assert refused(floor.enter, kind, 100_00, table_id=floor.poker.pk) == ("cash.at_seat", {})
    assert not breached_here()


def test_DRP_1_buy_ins_move_the_tray_and_tips_do_not(floor: CashFloor) -> None:
    """Examples 3, 6 and 12 of the cage as far as they are entered: 7 850.00 bought and 105.00 given, of which a buy-in of 200.00
    and a tip of 20.00 are forgotten.
    """
    before = floor.balances()
    for amount_minor in (1_000_00, 2_500_00, 4_150_00):
        floor.enter("buyin", amount_minor)
    for amount_minor in (50_00, 35_00):
        floor.enter("tip", amount_minor)
    moves = {"drop": 7_650_00, "tray": -7_650_00, "chips_outside": 7_650_00, "tronc": -85_00}
    assert floor.moved(before) == moves | {"circulation": -7_650_00 + 85_00}
    floor.enter("buyin", 200_00)
    floor.enter("tip", 20_00)
    assert (floor.balances()["drop"], floor.balances()["tronc"]) == (7_850_00, -105_00)


def test_DRP_1_nothing_is_bought_given_or_taken_back_while_the_tray_is_counted(
    floor: CashFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a closed session too, whose tray may be counted anew."""
    rows = [floor.enter(kind, 100_00) for kind in ("buyin", "tip")]
    sessions: list[object] = []

    def frozen(session: object) -> None:
        sessions.append(session)
        raise TableBeingCounted

    for module in (enter, take_back):
        monkeypatch.setattr(module, "check_uncounted", frozen)
    books = counted()
    for kind, row in zip(("buyin", "tip"), rows, strict=True):
        assert refused(floor.enter, kind, 100_00) == ("table.being_counted", {"retry_after_s": 5})
        assert refused(floor.back, row) == ("table.being_counted", {"retry_after_s": 5})
        assert floor.enter(kind, 100_00, row.pk) == row  # it is booked already
    assert (counted(), sessions) == (books, [floor.session()] * 4)


def test_DRP_1_an_entry_asks_no_more_of_the_database_than_a_fee_for_time(floor: CashFloor) -> None:
    floor.enter("buyin", 100_00)
    for kind in ("buyin", "tip"):
        with CaptureQueriesContext(connection) as captured:
            row = floor.enter(kind, 100_00)
        statements = [
            query["sql"] for query in captured if not query["sql"].startswith(("BEGIN", "SAVEPOINT", "RELEASE"))
        ]
        # table, the same id, session, smallest coin, two of the ledger, row, event
        assert len(statements) == 8, statements
        with CaptureQueriesContext(connection) as captured:
            floor.back(row)
        statements = [
            query["sql"] for query in captured if not query["sql"].startswith(("BEGIN", "SAVEPOINT", "RELEASE"))
        ]
        assert len(statements) <= 12, statements


GUESTS_SEE = ("casino/display", "casino/static/casino/display", "templates/display")
GIFT = re.compile(r"\b(tips?|tronc|gratuit\w*|trinkgeld\w*|pourboires?|mancia|mance)\b", re.IGNORECASE)


def test_TRN_1_no_screen_that_a_guest_sees_asks_for_a_tip() -> None:
    """What a display says, and with what it says it; the words of the croupier's tablet do name them."""
    root = settings.BASE_DIR
    screens = [path for place in GUESTS_SEE for path in sorted((root / place).rglob("*.*")) if path.suffix != ".pyc"]
    assert len(screens) > 8
    assert [str(path) for path in screens if GIFT.search(path.read_text(encoding="utf-8"))] == []
    assert GIFT.search((root / "casino/tablet/cash_texts.py").read_text(encoding="utf-8"))
