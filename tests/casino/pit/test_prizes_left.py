"""The control room names the prizes that nobody is asked about, and asks for each of them again."""

from jackpot.models import WaitingPrize
from payouts.models import Approval
from tests.casino.pit.room import Careful, Room
from tests.jackpot.lived import four_of_a_kind
from tests.worlds import world


@world(Careful)
def test_pit_asks_again_for_a_prize_that_was_turned_down(floor: Careful, own_database: str) -> None:
    room = Room(floor)
    room.linked.end(0, room.linked.start(0), four_of_a_kind())
    assert "Prizes that nobody is asked about" not in room.said()
    room.turn_down(room.linked.asked("jackpot.prize"), "a misread card")
    said = room.said()
    assert "Prizes that nobody is asked about" in said
    assert "turned down" in said
    prize = WaitingPrize.objects.get()
    assert room.step("ask-prize", prize=str(prize.pk), reason="").status_code == 400
    assert room.step("ask-prize", prize=str(prize.pk), reason="seen on camera").status_code == 302
    asked = room.linked.asked("jackpot.prize")
    assert (asked.requester_id, asked.payload["reason"]) == (room.boss.pk, "seen on camera")
    said = room.said()
    assert "Prizes that nobody is asked about" not in said
    assert "seen on camera" in said
    assert room.step("ask-prize", prize=str(prize.pk), reason="seen on camera").status_code == 409
    assert room.step("ask-prize", prize=str(room.boss.pk), reason="seen on camera").status_code == 404
    assert Approval.objects.filter(action="jackpot.prize").count() == 2
