"""What goes wrong at a poker table is recorded with what the rule, or the floor, decided (POK-9)."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Event
from tables import services
from tables.games.poker.irregular import HAND_CASES, HAND_DECISIONS
from tables.models import HandIrregularity
from tests.floor import done
from tests.poker import PokerRoom, deal
from tests.tables.audits import breached_here
from tests.worlds import world


class WrongRoom(PokerRoom):
    """Two guests have played a hand."""

    def __init__(self) -> None:
        super().__init__()
        self.stays = [self.sit(seat) for seat in (3, 5)]
        self.hand = deal(self, *self.stays)

    def record(self, kind: str = "out_of_turn", decision: str = "binds", **values: Any) -> HandIrregularity:
        usual = {"table_id": self.raked.pk, "person_id": self.martina.pk, "reason": "seen by the croupier"}
        where = {"house_id": self.house.pk, "kind": kind, "decision": decision}
        recorded: HandIrregularity = done(services.hand_irregular, **where | usual | values)
        return recorded


pytestmark = world(WrongRoom)


def refused(work: Any, *args: Any, **values: Any) -> tuple[str, object]:
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(*args, **values)
    return refusal.value.code, refusal.value.data


def test_POK_9_every_case_takes_the_decisions_that_its_rule_allows_and_no_other(floor: WrongRoom) -> None:
    assert {way for case in HAND_CASES.values() for way in case.decisions} == {*HAND_DECISIONS}
    for kind, case in HAND_CASES.items():
        for decision in HAND_DECISIONS:
            if decision in case.decisions:
                floor.record(kind, decision)
            else:
                unknown = {"irregularity": kind, "decision": decision}
                assert refused(floor.record, kind, decision) == ("poker.decision_unknown", unknown)
    rows = HandIrregularity.objects.order_by("pk").values_list("kind", "decision")
    assert sorted(rows) == sorted((kind, way) for kind, case in HAND_CASES.items() for way in case.decisions)


def test_POK_9_a_record_names_hand_seat_card_and_who(floor: WrongRoom) -> None:
    row = floor.record("card_exposed", "shown", hand_id=floor.hand.pk, seat=5, card="Ah")
    assert (row.session_id, row.hand_id, row.seat, row.card, row.override, row.recorded_by_id) == (
        floor.hand.session_id, floor.hand.pk, 5, "Ah", False, floor.martina.pk,
    )  # fmt: skip
    floor.record("conduct", "warned")
    events = Event.objects.filter(name="hand.irregular").order_by("pk")
    assert [(event.subject_kind, event.subject_id) for event in events] == [
        ("hand", str(floor.hand.pk)),
        ("table", str(floor.raked.pk)),
    ]
    assert refused(floor.record, seat=10)[0] == "poker.seat_outside"
    assert refused(floor.record, card="Zz")[0] == "cards.unknown"
    assert refused(floor.record, table_id=floor.timed.pk, hand_id=floor.hand.pk)[0] == "poker.hand_unknown"
    assert refused(floor.record, person_id=floor.nora.pk)[0] == "round.croupier_wrong"
    assert HandIrregularity.objects.count() == 2
    assert breached_here() == {}


def test_POK_9_only_the_floor_decides_otherwise_than_the_rule(floor: WrongRoom) -> None:
    otherwise = {"kind": "open_fold", "decision": "hand_dead", "override": True}
    assert refused(floor.record, **otherwise) == ("poker.override_needs_floor", {})
    row = floor.record(**otherwise, person_id=floor.reto.pk, supervisor=True)
    assert (row.override, row.decision) == (True, "hand_dead")
    assert refused(floor.record, **otherwise | {"decision": "later"}, supervisor=True)[0] == "poker.decision_unknown"


def test_POK_9_the_pit_records_what_went_wrong_in_a_hand_once_its_table_has_closed(floor: WrongRoom) -> None:
    for stay, counted_minor in zip(floor.stays, (95_00, 100_00), strict=True):
        floor.of(stay, "stay_leave", counted_minor=counted_minor)
    floor.at_table("table_close")
    about = {"hand_id": floor.hand.pk}
    assert refused(floor.record, **about)[0] == "table.closed"
    assert floor.record(**about, person_id=floor.reto.pk, supervisor=True).session_id == floor.hand.session_id
