"""The buy-ins and tips of a session on its table's page; the pit takes one back with a reason (DRP-1, TRN-2)."""

import re
from uuid import uuid4

from tables import services
from tables.models import BuyIn, EntryReversal, Tip
from tests.cash import seated
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.floor import done
from tests.poker import of_stay
from tests.worlds import world

pytestmark = world(FloorDesk)


def entered(desk: FloorDesk, kind: str, amount_minor: int, **more: object) -> BuyIn | Tip:
    where = {"house_id": desk.house.pk, "table_id": desk.table.pk, "actor_id": desk.martina.pk}
    own = {f"{kind}_id": uuid4(), "amount_minor": amount_minor}
    row: BuyIn | Tip = done(getattr(services, f"{kind}_enter"), **where, **own, **more)
    return row


def test_drp1_the_page_lists_them_and_takes_one_back(desk: FloorDesk) -> None:
    desk.open()
    at = f"tables/{desk.table.pk}/"
    assert "Buy-ins and tips" not in words(desk.get("boss", at))
    mistake = entered(desk, "buyin", 500_00, box=3)
    tip = entered(desk, "tip", 5_00)
    entered(desk, "buyin", 200_00)
    page = words(desk.get("boss", at))
    assert ("Drop recorded CHF 700.00" in page, "Tips recorded CHF 5.00" in page) == (True, True)
    assert "Take back" not in words(desk.get("auditor", at))
    step = f"{at}buy-in-back/"
    assert "CHF 700.00" in words(desk.post("boss", step, REFUSED, entry=mistake.pk, reason=""))
    assert EntryReversal.objects.count() == 0
    desk.post("boss", step, entry=mistake.pk, reason="nobody bought")
    desk.post("boss", f"{at}tip-back/", entry=tip.pk, reason="it was a stake")
    back = EntryReversal.objects.get(buy_in=mistake)
    assert (back.reason, back.by) == ("nobody bought", desk.people["boss"])
    page = words(desk.get("boss", at))
    assert ("Drop recorded CHF 200.00" in page, "Tips recorded CHF 0.00" in page) == (True, True)
    assert re.search(rf"Taken back \d\d:\d\d:\d\d by {desk.people['boss']}: nobody bought", page)
    assert "There is no such buy-in or tip." in words(desk.post("boss", step, REFUSED, entry=uuid4(), reason="typed"))
    assert desk.post("croupier", step, 403, entry=mistake.pk, reason="mine") is not None


def test_drp1_those_of_a_poker_table_stand_there_with_their_seat(desk: FloorDesk) -> None:
    table, stay = seated(desk)
    of_stay(desk, stay, "stay_chips", kind="tip", means="chips", amount_minor=2_00)
    page = words(desk.get("boss", f"tables/{table.pk}/"))
    assert ("Drop recorded CHF 150.00" in page, "Tips recorded CHF 2.00" in page, "Seat 1" in page) == (
        True,
        True,
        True,
    )
    assert "Take back" not in page
