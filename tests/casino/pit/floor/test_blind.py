"""While a tray is counted, nobody who may count or witness is shown what is recorded at that table (CNT-2)."""
# ruff: noqa: N802 - tests are named after the rules

from uuid import uuid4

from tables import services
from tables.models import TableSession
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.counts import OPENER, CountedFloor
from tests.drops import cash_lines
from tests.floor import done, stakes_for, taps
from tests.worlds import world


class BlindDesk(FloorDesk, CountedFloor):
    """A counted table that has played: 45.00 and 15.00 won, 800.00 and 900.00 sold, 5.00 given."""

    def play(self) -> None:
        self.opened()
        self.open(self.other, self.nora)
        session = TableSession.objects.get(table=self.counted)
        guests = list(session.guests.order_by("box"))
        for result in ({"play": 1, "result": "lose"}, {"result": "fold"}):
            locked = self.lock(stakes_for(guests[:1]), table_id=self.counted.pk)
            self.settle(locked["id"], taps(b1=result))
        for amount_minor in (800_00, 900_00):
            self.sell(amount_minor)
        tip = {"tip_id": uuid4(), "amount_minor": 5_00, "actor_id": self.martina.pk}
        done(services.tip_enter, house_id=self.house.pk, table_id=self.counted.pk, **tip)


pytestmark = world(BlindDesk)
READERS = ("boss", "manager")
# 1 700.00 out, 75.00 in: 34 975.00
PIECES = (OPENER[0], OPENER[1] + 5, *OPENER[2:4], OPENER[4] + 1, OPENER[5] + 3, OPENER[6] - 4, OPENER[7])
# the table's own result, drop and tips
FIGURES = ("CHF 75.00", "+75", "1’700.00", "Tips recorded CHF 5.00")


def pages(desk: BlindDesk, who: str) -> dict[str, str]:
    """What the pit's pages say of the table and of the day."""
    board = desk.clients[who].get("/pit/board/", headers={"accept-language": "en"})
    return {
        "table": words(desk.get(who, f"tables/{desk.counted.pk}/")),
        "floor": words(desk.get(who)),
        "board": words(board.content.decode()),
    }


def figures_on_pages(desk: BlindDesk) -> dict[str, set[str]]:
    """By page the figures that anybody is shown there."""
    figures: dict[str, set[str]] = {}
    for who in READERS:
        for name, text in pages(desk, who).items():
            figures.setdefault(name, set()).update(figure for figure in FIGURES if figure in text)
    return figures


def test_CNT_2_nobody_is_shown_what_is_recorded_while_the_tray_is_counted(desk: BlindDesk) -> None:
    desk.play()
    before = figures_on_pages(desk)
    assert before == {
        "table": {"CHF 75.00", "1’700.00", "Tips recorded CHF 5.00"},
        "floor": {"CHF 75.00"},
        "board": {"+75"},
    }
    count = desk.begin("spot")
    blind: dict[str, set[str]] = {"table": set(), "floor": set(), "board": set()}
    assert "34’975.00" not in "".join(pages(desk, "boss").values())  # what the tray should hold
    for step in ((lambda: None), (lambda: desk.enter(count, *PIECES))):
        step()
        assert figures_on_pages(desk) == blind
    for who in READERS:
        page = pages(desk, who)
        assert "Result today – while the tray is counted" in page["table"]
        assert "Not shown while the tray or the drop box is counted." in page["table"]
        assert "Result today – * while the tray is counted" in page["board"]
        assert "Result today – without 1 table whose tray is counted" in page["board"]
    desk.witness(count)
    assert figures_on_pages(desk) == before


def test_CNT_2_a_total_leaves_the_share_of_that_table_out(desk: BlindDesk) -> None:
    desk.play()
    session = TableSession.objects.get(table=desk.other)
    locked = desk.lock(stakes_for([session.guests.earliest("box")]), table_id=desk.other.pk, croupier_id=desk.nora.pk)
    desk.settle(locked["id"], taps(b1={"result": "fold"}), person_id=desk.nora.pk)
    assert "Result today CHF +105" in pages(desk, "boss")["board"]
    desk.begin("spot")
    assert "Result today CHF +30 without 1 table whose tray is counted" in pages(desk, "boss")["board"]


def test_DRP_4_nobody_is_shown_the_drop_while_its_box_is_counted(desk: BlindDesk) -> None:
    desk.play()
    box = {"house_id": desk.house.pk, "table_id": desk.counted.pk, "actor_id": desk.ines.pk}
    count = done(services.drop_count_begin, **box)
    assert figures_on_pages(desk)["table"] == {"CHF 75.00"}
    for person in (desk.ines, desk.tim):
        ids = {"house_id": desk.house.pk, "count_id": count.pk, "counter_id": person.pk}
        done(services.drop_count_enter, **ids, lines=cash_lines({100_00: 17}))
    assert "1’700.00" in figures_on_pages(desk)["table"]
