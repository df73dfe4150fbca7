"""A first result that wins the house's threshold or more is looked at by another person than who entered it or dealt."""

from types import SimpleNamespace
from typing import Any, ClassVar
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Approval, Entry, Event
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.errors import RoundState, WinNeedsSecond
from tables.models import ReviewItem, Round
from tables.rules.floor import FloorRules
from tables.selectors.rounds import round_record
from tables.services.parts import dealt_by
from tables.services.rounds.much_won import EVENT, OFFICE, much_record
from tests.blackjack import Blackjack, hands
from tests.floor import done
from tests.tables.audits import breached_here
from tests.tables.test_correct import sign
from tests.worlds import world

WON = {"bank": "bust", "boxes": hands(b1=["win"], b2=["win"])}
WHY = "seen on camera"


class Entered(Blackjack):
    """A guest on boxes 1 and 2; 500 francs are much."""

    posted: ClassVar[dict[str, Posted]] = Blackjack.posted | {"floor_rules": FloorRules(approval_from_minor=50_000)}

    def __init__(self) -> None:
        super().__init__()
        self.owner = self.guest(1)

    def begun(self, *francs: int) -> UUID:
        return self.lay(*((self.owner, box, amount) for box, amount in enumerate(francs, 1)))

    def prepared(self, round_id: UUID) -> services.Prepared:
        return services.round_evaluate(house_id=self.house.pk, round_id=round_id, result=WON)

    def in_the_office(self, round_id: UUID, **by: Any) -> dict[str, Any]:
        who = {"person_id": self.reto.pk, "supervisor": True, "entered": OFFICE}
        answer: dict[str, Any] = done(services.round_settle, prepared=self.prepared(round_id), **who, **by)
        return answer

    def sent_late(self, by: Any) -> ReviewItem:
        stakes = [{"box": box, "guest": str(self.owner.pk), "kind": "stake", "amount_minor": 30_000} for box in (1, 2)]
        about = {"house_id": self.house.pk, "table_id": self.bj.pk, "round_id": uuid4(), "kind": "queued"}
        payload = {"stakes": stakes, "result": WON}
        refused = RoundState(state="voided")
        came = {"payload": payload, "refused": refused, "person_id": by.pk}
        entry: ReviewItem = done(services.review_item_record, **about, **came)
        return entry

    def decided(self, entry: ReviewItem) -> str:
        about = {"house_id": self.house.pk, "clarify_id": entry.pk}
        state: str = done(services.review_item_take, **about, reason=WHY, actor_id=self.reto.pk)["state"]
        return state


pytestmark = world(Entered)


def much() -> list[tuple[Any, Any]]:
    """What the pit is alerted of: who entered it, and what was won by whose hands."""
    return list(Event.objects.filter(name=EVENT).order_by("pk").values_list("actor_id", "after"))


def test_at_the_tablet_it_is_booked_and_the_pit_is_alerted(floor: Entered) -> None:
    """By box or by guest; who dealt and who entered it are named."""
    floor.settle(floor.begun(240, 250), WON)
    assert much() == []
    for francs in ((490, 10), (250, 250)):
        floor.settle(floor.begun(*francs), WON)
    floor.settle(floor.begun(500, 500), WON, person_id=floor.reto.pk, supervisor=True)
    alone = [str(floor.martina.pk)]
    both = sorted(str(person.pk) for person in (floor.martina, floor.reto))
    expected = {"won_minor": 50_000, "people": alone}
    assert much() == [
        (floor.martina.pk, expected),
        (floor.martina.pk, expected),
        (floor.reto.pk, {"won_minor": 100_000, "people": both}),
    ]


def test_in_the_office_another_person_signs_it(floor: Entered) -> None:
    assert floor.in_the_office(floor.begun(240, 250))["state"] == "settled"
    round_id = floor.begun(250, 250)
    before = Entry.objects.count()
    with pytest.raises(Refused) as refusal, transaction.atomic():
        floor.in_the_office(round_id, reason=WHY)
    assert (refusal.value.code, refusal.value.data) == (
        "round.win_needs_second",
        {"amount_minor": 50_000, "most_minor": 50_000},
    )
    assert (Entry.objects.count(), Round.objects.get(pk=round_id).state) == (before, "locked")
    by = {"person_id": floor.reto.pk, "reason": WHY}
    request: Approval = done(services.round_correction_request, prepared=floor.prepared(round_id), **by)
    sign(floor, request, floor.ines)
    assert floor.in_the_office(round_id, reason=WHY, approval_id=request.pk)["state"] == "settled"
    assert (much(), breached_here()) == ([], {})


def test_in_the_office_all_guests_of_a_round_count_together(floor: Entered) -> None:
    """At the tablet a whole table may win: there a box or a guest counts."""
    stakes = [(floor.guest(box), box, 240) for box in (2, 3, 4)]
    result = {"bank": "bust", "boxes": hands(b2=["win"], b3=["win"], b4=["win"])}
    round_id = floor.lay(*stakes)
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=result)
    by = {"person_id": floor.reto.pk, "reason": WHY}
    with pytest.raises(WinNeedsSecond) as refusal, transaction.atomic():
        done(services.round_settle, prepared=prepared, supervisor=True, entered=OFFICE, **by)
    assert refusal.value.data == {"amount_minor": 72_000, "most_minor": 50_000}
    request: Approval = done(services.round_correction_request, prepared=prepared, **by)
    assert request.state == "open"
    floor.settle(round_id, result)
    assert much() == []


def test_a_claim_hides_no_win_of_another_box(floor: Entered) -> None:
    record = round_record(house_id=floor.house.pk, round_id=floor.begun(10))
    won = {1: 900_000, 2: 60_000}
    lines = [
        SimpleNamespace(box=box, guest=f"guest {box}", won_minor=minor, prize_minor=0) for box, minor in won.items()
    ]
    ended: Any = SimpleNamespace(lines=lines, claims=(1,))
    done(much_record, record=record, ended=ended, person_id=floor.martina.pk)
    assert [after["won_minor"] for _, after in much()] == [60_000]


def test_what_waited_is_taken_by_another_person_than_sent_it_or_signed(floor: Entered) -> None:
    assert floor.decided(floor.sent_late(floor.martina)) == "settled"
    entry = floor.sent_late(floor.reto)
    assert floor.decided(entry) == "locked"
    request = Approval.objects.get(action="round.correct", state="open")
    sign(floor, request, floor.ines)
    assert floor.in_the_office(entry.round_id, reason=WHY, approval_id=request.pk)["state"] == "settled"
    entry.refresh_from_db()
    assert (entry.state, much(), breached_here()) == ("taken", [], {})


def test_who_may_have_dealt_what_was_sent_later_takes_no_large_win_alone(floor: Entered) -> None:
    """Whoever had the table in that session; not whoever only takes such rounds."""
    table = {"house_id": floor.house.pk, "table_id": floor.bj.pk, "actor_id": floor.ines.pk}
    entry = floor.sent_late(floor.martina)
    assert floor.decided(entry) == "settled"
    record = round_record(house_id=floor.house.pk, round_id=entry.round_id)
    assert dealt_by(record) == {floor.martina.pk}
    for croupier in (floor.reto, floor.martina):
        done(services.table_hand_over, **table, croupier_id=croupier.pk)
    assert dealt_by(record) == {floor.martina.pk}
    entry = floor.sent_late(floor.martina)
    assert floor.decided(entry) == "locked"
    request = Approval.objects.get(action="round.correct", state="open")
    assert set(request.excluded) == {floor.martina.pk, floor.reto.pk}
    assert (Round.objects.get(pk=entry.round_id).state, much()) == ("locked", [])
