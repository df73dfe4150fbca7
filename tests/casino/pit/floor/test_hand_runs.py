"""What the pit sees of a hand that runs at *pots*, and of one that all passed in (POK-2, POK-4)."""
# ruff: noqa: N802 - tests are named after the rules

from uuid import uuid4

from tables import services
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.floor import done
from tests.tables.test_passed import Drawn
from tests.worlds import world


class DrawDesk(Drawn):
    """A table of five card draw whose pots are entered, and who comes to its pages."""

    def __init__(self) -> None:
        super().__init__()
        person = people.make(self.house, "boss.draw", "pit_boss", language="en")
        self.boss = people.signed_in(person)

    def page(self, path: str) -> str:
        return words(self.boss.get(path, headers={"accept-language": "en"}).content.decode())

    def give_up(self) -> int:
        fields = {"key": str(uuid4()), "revision": "1", "reason": "the tablet is dead"}
        return self.boss.post(f"/floor/tables/{self.raked.pk}/abandon/", fields).status_code


@world(DrawDesk)
def test_POK_2_the_pit_sees_the_hand_that_runs_and_gives_it_up(desk: DrawDesk) -> None:
    path = f"/floor/tables/{desk.raked.pk}/"
    where = {"house_id": desk.house.pk, "table_id": desk.raked.pk, "hand_id": uuid4(), "person_id": desk.martina.pk}
    dealt = [stay.pk for stay in desk.stays]
    assert "Hand runs" not in desk.page("/pit/")
    done(services.hand_begin, **where, number=1, button=1, dealt=dealt)
    assert ("Hand runs" in desk.page("/pit/"), "Hand 1 runs" in desk.page(path)) == (True, True)
    assert desk.give_up() == 302
    assert ("Hand runs" in desk.page("/pit/"), "Hand 1 runs" in desk.page(path)) == (False, False)
    assert desk.give_up() == 409


@world(DrawDesk)
def test_POK_4_the_page_of_a_hand_says_what_is_carried(desk: DrawDesk) -> None:
    passed = desk.end(desk.entry(passed=True))
    won = desk.end(desk.won(3, carried_minor=6_00))
    page = desk.page(f"/floor/hands/{passed.pk}/").replace("\N{NO-BREAK SPACE}", " ")
    assert "none: all passed" in page
    assert "All passed: antes of CHF 6.00 go into the next pot." in page
    page = desk.page(f"/floor/hands/{won.pk}/").replace("\N{NO-BREAK SPACE}", " ")
    assert "Antes of hands before lay in the pot: CHF 6.00." in page
