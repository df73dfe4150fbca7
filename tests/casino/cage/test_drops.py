"""The pages of the drop boxes: taken, counted twice, together, signed."""

from collections.abc import Mapping
from uuid import uuid4

import pytest

from casino.people.pins import pin_set
from casino.people.refusals import DropCounterPit
from casino.people.roles import check_counter
from payouts.models import Count
from payouts.rules.cash import cash_values
from tests.casino.cage.desk import CageDesk
from tests.casino.pit.floor.floor_desk import words
from tests.drops import FULL
from tests.worlds import world

PIN = "270415"
LESS = FULL | {20_00: 79}


class DropDesk(CageDesk):
    """Carla and Max count."""

    def __init__(self) -> None:
        super().__init__()
        for name in ("carla", "max"):
            pin_set(person=self.people[name], pin=PIN)

    def step(self, who: str, step: str, status: int = 302, **fields: object) -> str:
        form = {"secret": PIN, "key": str(uuid4())} | fields
        return self.post(who, f"drops/{self.table.pk}/{step}/", status, **form)

    def enter(self, who: str, pieces: Mapping[int, int], status: int = 302) -> str:
        fields = {f"pieces-{value}": pieces.get(value, 0) for value in cash_values("CHF")}
        return self.step(who, "enter", status, **fields)

    def box(self, who: str) -> str:
        return words(self.get(who, f"drops/{self.table.pk}/")).replace("’", " ").replace("\xa0", " ")


pytestmark = world(DropDesk)


def test_DRP_4_a_box_is_counted_blind_and_together(desk: DropDesk) -> None:  # noqa: N802
    assert "UTH 1" in words(desk.get("carla", "drops/"))
    desk.step("carla", "take")
    assert "being counted" in words(desk.get("max", "drops/"))
    desk.enter("carla", FULL)
    page = desk.box("max")
    assert "Name carla.cage" in page
    assert "7 850.00" not in page
    assert "Who counted a drop box first" in desk.enter("carla", FULL, 403)
    desk.enter("max", LESS)
    page = desk.box("carla")
    assert "The two counts differ at: CHF 20.00. Count these together" in page
    assert "7 8" not in page
    desk.enter("max", FULL)
    assert "Name max.cage: CHF 7 850.00" in desk.box("carla")
    desk.step("carla", "agree", entry=3, ok="")
    desk.enter("max", FULL)
    desk.step("carla", "agree", entry=4, ok="1")
    assert Count.objects.get().state == "signed"
    page = desk.box("carla")
    assert "Counted CHF 7 850.00 Recorded CHF 0.00 Difference CHF 7 850.00" in page
    assert "Name max.cage, Name carla.cage" in page


def test_a_count_is_given_up_and_what_is_wrong_stands_beside_its_form(desk: DropDesk) -> None:
    assert "This count has ended" in desk.enter("carla", FULL, 409)
    desk.step("carla", "take")
    assert "is being counted already" in desk.step("max", "take", 409)
    assert "“x” pieces of" in desk.step("carla", "enter", 422, **{"pieces-10000": "x"})
    assert "No pieces are entered for 12" in desk.step("carla", "enter", 422, **{"pieces-10000": "1"})
    desk.step("max", "give-up")
    assert Count.objects.get().state == "given_up"
    for who in ("boss", "anna", "watch"):
        desk.get(who, "drops/", 403)


def test_DRP_4_the_pit_counts_no_box(desk: DropDesk) -> None:  # noqa: N802
    for roles in (["cage", "pit_boss"], ["croupier", "manager"]):
        with pytest.raises(DropCounterPit):
            check_counter(roles)
    check_counter(["cage", "manager"])
