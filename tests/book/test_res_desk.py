"""RES and CNT-10 in the books: differences open, are set back by what comes late, and are explained."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from payouts.errors import Refused
from payouts.models import Approval, Count, CountBack, Entry, Event
from tables import services
from tables.models import Difference, Explanation, ExplanationWords, Guest
from tables.rules.pairs import Proposal
from tables.selectors.differences import difference_row, differences
from tables.services.counts.differences import left_minor, words_erase
from tables.services.counts.proposals import difference_proposals
from tests.cast import make_person
from tests.counts import OPENER, CountedFloor
from tests.floor import done, stakes_for, taps
from tests.tables.audits import breached_here
from tests.worlds import world

WON = taps(b1={"play": 1, "result": "win"})  # 30.00 of an ante of 15
LOST = taps(b1={"play": 1, "result": "lose"})  # 45.00 for the table


class Evening(CountedFloor):
    """UTH 3 has played and closes; a round of it may lie on its tablet."""

    seated: list[Guest]

    def __init__(self) -> None:
        super().__init__()
        self.bea = make_person("bea.e", "manager", house=self.house)

    def start(self) -> None:
        self.sign("opener", *OPENER)
        self.seated = self.open(self.counted)

    def shut(self, *pieces: int) -> Count:
        """Counted, and closed."""
        count = self.sign("closer", *pieces).count
        self.close(reason="the tablet is silent")
        return Count.objects.get(pk=count.pk)

    def late(self, result: object = WON) -> Any:
        values = {"house_id": self.house.pk, "table_id": self.counted.pk, "person_id": self.martina.pk}
        stakes = stakes_for(self.seated[:1])
        return done(services.round_take_queued, **values, round_id=uuid4(), stakes=stakes, result=result)

    def explain(self, difference: Difference, person: Any, code: str = "unknown", words: str = "nobody knows") -> Any:
        values = {"house_id": self.house.pk, "difference_id": difference.pk, "person_id": person.pk}
        return done(services.difference_explain, **values, code=code, words=words)

    def sign_explanation(self, approval: Approval, person: Any) -> Approval:
        by = {"signer_id": person.pk, "signer_roles": person.roles, "method": approval.method}
        ids = {"approval_id": approval.pk, "house_id": self.house.pk}
        signed: Approval = done(
            services.difference_explain_sign, **ids, **by, payload_hash=bytes(approval.payload_hash)
        )
        return signed


pytestmark = world(Evening)
LESS_30 = (40, 200, 147, *OPENER[3:])
LESS_250 = (40, 200, 150, 100, 55, *OPENER[5:])
LESS_150 = (40, 200, 150, 100, 57, *OPENER[5:])


def refusal(work: Any, *args: Any, **values: Any) -> str:
    with pytest.raises(Refused) as refused, transaction.atomic():
        work(*args, **values)
    return refused.value.code


def legs_of(key: str) -> list[tuple[str, int]]:
    rows = Entry.objects.filter(transfer__key=key).order_by("id")
    return list(rows.values_list("account__kind", "amount_minor"))


def test_CNT_10_a_round_that_comes_after_the_closer_sets_its_difference_back(floor: Evening) -> None:
    floor.start()
    count = floor.shut(*LESS_30)
    difference = Difference.objects.get(count=count)
    before = (difference.state, left_minor(count.pk), floor.balance("tray"))
    floor.late()
    difference.refresh_from_db()
    assert (before, (difference.state, left_minor(count.pk), floor.balance("tray"))) == (
        ("open", -30_00, 36_570_00),
        ("settled", 0, 36_570_00),
    )
    back = CountBack.objects.get(count=count)
    assert (back.subject_kind, back.amount_minor) == ("round", -30_00)
    assert legs_of(f"countback:{count.pk}:1") == [
        ("count_difference", -30_00),
        ("circulation", 30_00),
        ("tray", 30_00),
        ("chips_outside", -30_00),
    ]
    again = floor.sign("opener", *LESS_30)
    assert again.difference_minor == 0
    names = Event.objects.filter(subject_id=str(difference.pk)).order_by("id").values_list("name", flat=True)
    assert [*names] == ["difference.opened", "difference.settled"]
    assert breached_here() == {}


def test_CNT_10_a_late_round_opens_what_was_no_difference_in_the_next_session_too(floor: Evening) -> None:
    floor.start()
    count = floor.shut(*OPENER)
    floor.opened()
    floor.late()
    difference = Difference.objects.get(count=count)
    assert (difference.state, left_minor(count.pk), floor.balance("tray")) == ("open", 30_00, 36_600_00)
    floor.late(LOST)
    difference.refresh_from_db()
    assert (difference.state, left_minor(count.pk), floor.balance("tray")) == ("settled", -15_00, 36_600_00)
    assert breached_here() == {}


def test_CNT_10_a_buy_in_that_comes_after_the_closer_and_its_taking_back_set_it_back(floor: Evening) -> None:
    floor.start()
    session = floor.counted.sessions.get()
    count = floor.shut(40, 200, 148, *OPENER[3:])  # 20.00 of chips went out for cash that nobody entered yet
    ids = {"house_id": floor.house.pk, "buyin_id": uuid4(), "actor_id": floor.martina.pk}
    entered = {"session_id": session.pk, "queued_at": timezone.now(), "table_id": floor.counted.pk}
    done(services.buyin_enter, **ids, **entered, amount_minor=20_00)
    before = left_minor(count.pk)
    done(services.buyin_take_back, **ids | {"actor_id": floor.reto.pk}, supervisor=True, reason="entered twice")
    assert (before, left_minor(count.pk), floor.balance("tray")) == (0, -20_00, 36_580_00)
    backs = CountBack.objects.filter(count=count).order_by("id")
    assert [*backs.values_list("subject_kind", "amount_minor")] == [("buyin", -20_00), ("buyin", 20_00)]
    assert breached_here() == {}


def test_RES_4_a_small_difference_needs_no_reason_and_a_large_one_a_second_person(floor: Evening) -> None:
    floor.start()
    floor.shut(40, 200, 148, *OPENER[3:])
    assert not Difference.objects.exists()
    count = floor.sign("opener", *LESS_150).count  # against the closer 130.00 less: counted again
    floor.witness(count, floor.enter(count, *LESS_150))
    [row] = differences(house_id=floor.house.pk)
    assert (row.state, row.left_minor, row.purpose, row.place, row.table) == (
        "open",
        -130_00,
        "opener",
        "tray",
        "UTH 3",
    )
    difference = Difference.objects.get()
    explained = floor.explain(difference, floor.ines, "theft", "seen on camera 4")
    assert (explained.explanation, explained.approval.action) == (None, "difference.explain")
    assert floor.sign_explanation(explained.approval, floor.bea).state == "used"
    difference.refresh_from_db()
    written = Explanation.objects.get(difference=difference)
    assert (difference.state, written.code, written.amount_minor) == ("explained", "theft", -130_00)
    assert refusal(floor.explain, difference, floor.ines) == "difference.closed"
    words = ExplanationWords.objects.get(pk=written.pk)
    assert (words.words, (words.gone_from - difference.gaming_day).days) == ("seen on camera 4", 3_650)
    assert words_erase(house_id=floor.house.pk) == 0


def test_RES_4_a_hand_that_was_entered_as_another_class_is_proposed(floor: Evening) -> None:
    """The worked example of a prize, with the Blind: 50 at 3:1 were paid, and entered as 1:1."""
    floor.start()
    locked = floor.lock(stakes_for(floor.seated[:1], ante=50_00), table_id=floor.counted.pk)
    floor.settle(locked["id"], taps(b1={"play": 1, "result": "win", "hand": "straight"}))
    count = floor.begin("spot")
    for _turn in range(2):  # 150.00 by the books, 250.00 gone: counted again
        floor.witness(count, floor.enter(count, *LESS_250))
    row = difference_row(house_id=floor.house.pk, pk=Difference.objects.get(count=count).pk)
    assert row is not None
    [proposal] = difference_proposals(row)
    assert (row.left_minor, proposal) == (
        -100_00,
        Proposal(code="entry", round=UUID(locked["id"]), box=1, entered="straight", paid="full_house"),
    )


def test_RES_5_who_dealt_counted_or_witnessed_does_not_explain_alone(floor: Evening) -> None:
    floor.start()
    count = floor.shut(*LESS_30)
    difference = Difference.objects.get(count=count)
    second = floor.explain(difference, floor.reto, "payout")
    assert refusal(floor.sign_explanation, second.approval, floor.reto) == "approval.signer_refused"
    assert floor.sign_explanation(second.approval, floor.ines).state == "used"
    difference.refresh_from_db()
    assert difference.state == "explained"
    floor.late(LOST)  # what is left is another amount: open again
    difference.refresh_from_db()
    assert (difference.state, left_minor(count.pk)) == ("open", -75_00)
    alone = floor.explain(difference, floor.bea, "entry", "a round that lay on the tablet")
    assert (alone.explanation.amount_minor, alone.approval) == (-75_00, None)


def test_RES_4_bad_explanations_are_refused(floor: Evening) -> None:
    floor.start()
    difference = Difference.objects.get(count=floor.shut(*LESS_30))
    assert [
        refusal(floor.explain, difference, floor.ines, code="whim"),
        refusal(floor.explain, difference, floor.ines, words="x"),
        refusal(floor.explain, Difference(pk=uuid4()), floor.ines),
    ] == ["difference.class_unknown", "text.refused", "difference.unknown"]
    row = difference_row(house_id=floor.house.pk, pk=difference.pk)
    assert row is not None
    assert difference_proposals(row) == list[Proposal]()


def test_CNT_10_an_audit_names_the_session_whose_count_was_not_set_back(floor: Evening) -> None:
    floor.start()
    count = floor.shut(*OPENER)
    with patch("tables.services.rounds.queued.count_follow"):
        floor.late()
    [(name, [(session_id, *_)])] = breached_here().items()
    assert (name, session_id) == ("counted_result_is_the_books", str(count.session_id))
