"""A feed is a witness: stakes after the lock and results at a table of Black Jack beside the cards that its shoe read (BOX-5,
HAND-6). What the cards say, `tests/tables/games/blackjack/test_fed.py` proves.
"""

import json
from typing import Any, ClassVar
from uuid import UUID

import pytest
from django.db import connection, transaction

from casino.pit.alert_rules import CONDITIONS
from payouts.commands import run_once
from payouts.errors import Refused
from payouts.models import Approval, Event
from payouts.rules.rulesets.schema import Posted
from tables import services
from tables.audit import replay
from tables.errors import ApprovalNeeded
from tables.models import CardFeed, Guest, Round, RoundResult, RoundStake
from tables.rules.floor import FloorRules
from tables.services.later import place
from tables.services.rounds import correct, evaluate
from tests.blackjack import Blackjack, hands
from tests.floor import done
from tests.tables.test_correct import sign
from tests.worlds import world

TWO = "5h 9h As 6d 9d"  # boxes 1 and 2, the bank has an ace
DRAWN = TWO + " Kd"
ENDS = DRAWN + " 8s"  # box 1 has 21, box 2 18, the bank 19
WON = {"bank": "19", "boxes": hands(b1=["win"], b2=["lose"])}
FALSE = {"bank": "bust", "boxes": hands(b1=["win"], b2=["win"])}
WHY = "the shoe read a card twice"


class Fed(Blackjack):
    """Guests on boxes 1 and 2; the house's threshold is 250 francs."""

    posted: ClassVar[dict[str, Posted]] = Blackjack.posted | {
        "floor_rules": FloorRules(approval_from_minor=25_000, undo_s=300)
    }

    def __init__(self) -> None:
        super().__init__()
        self.owner = self.guest(1)
        self.other = self.guest(2)

    def begun(self, cards: str = TWO, francs: int = 100) -> UUID:
        round_id = self.lay((self.owner, 1, francs), (self.other, 2, 40))
        self.feed(round_id, cards)
        return round_id

    def feed(self, round_id: UUID, cards: str) -> None:
        done(services.card_feed_record, house_id=self.house.pk, round_id=round_id, cards={"cards": cards})

    def doubling(self, round_id: UUID, guest: Guest | None = None, box: int = 1, **who: Any) -> dict[str, Any]:
        return self.placing(round_id, guest or self.owner, "double", box) | who

    def back(self, round_id: UUID, placed: int = 1, **who: Any) -> dict[str, Any]:
        by = {"house_id": self.house.pk, "person_id": self.martina.pk}
        return by | {"round_id": round_id, "placed": placed} | who

    @property
    def boss(self) -> dict[str, Any]:
        return {"person_id": self.reto.pk, "supervisor": True}


pytestmark = world(Fed)


def code_of(work: Any, **values: Any) -> str:
    """The code by which a command is refused; nothing is written."""
    before = (RoundStake.objects.count(), RoundResult.objects.count(), Event.objects.count())
    with pytest.raises(Refused) as refusal, transaction.atomic():
        work(**values)
    assert (RoundStake.objects.count(), RoundResult.objects.count(), Event.objects.count()) == before
    return refusal.value.code


def overruled(round_id: UUID) -> list[tuple[Any, ...]]:
    """What is on record of the feed being overruled."""
    events = Event.objects.filter(name="round.against_feed", subject_id=str(round_id)).order_by("pk")
    return [(event.actor_id, event.reason, event.after) for event in events]


def replayed(round_id: UUID) -> dict[str, list[Any]]:
    """What the replay finds of one round."""
    with connection.cursor() as cursor:
        cursor.execute(replay._ROUNDS.format(window=f"AND r.id = '{round_id}'"))
        [record] = replay._put_together(cursor, cursor.fetchall())
    return {name: rows for name, check in replay.CHECKS.items() if (rows := list(check(record)))}


def test_a_double_comes_before_its_card_was_read(floor):
    round_id = floor.begun(DRAWN)
    assert code_of(services.round_place, **floor.doubling(round_id)) == "round.feed_read_on"
    assert code_of(services.round_place, **floor.doubling(round_id, reason=WHY)) == "round.feed_read_on"
    insured = floor.placing(round_id, floor.owner, "insurance", bank="Ah", amount_minor=5000)
    assert code_of(services.round_place, **insured) == "round.feed_read_on"
    floor.settle(round_id, {"feed": True, "boxes": {"1": {"hands": [{}]}, "2": {"hands": [{}]}}})
    round_id = floor.begun("5h 9h Ks 6d 9d")
    insured = floor.placing(round_id, floor.owner, "insurance", bank="Ah", amount_minor=5000)
    assert code_of(services.round_place, **insured) == "round.feed_bars_stake"


def test_the_pit_takes_a_stake_against_the_feed_with_a_reason_which_is_on_record(floor):
    round_id = floor.begun(DRAWN)
    assert code_of(services.round_place, **floor.doubling(round_id, **floor.boss)) == "round.feed_read_on"
    done(services.round_place, **floor.doubling(round_id, **floor.boss, reason=WHY))
    [(who, why, after)] = overruled(round_id)
    newest = CardFeed.objects.latest("pk").pk
    assert (who, why) == (floor.reto.pk, WHY)
    what = {"placed": 1, "amount_minor": 10_000, "feed": newest}
    assert after == what | {"code": "round.feed_read_on", "data": {"box": 1}}
    assert floor.later(round_id) == [(1, 1, floor.owner.pk, floor.owner.pk, "double_1", 100)]


def test_what_the_pit_takes_against_the_feed_counts_together_in_a_round(floor):
    round_id = floor.begun(DRAWN, francs=200)
    done(services.round_place, **floor.doubling(round_id, **floor.boss, reason=WHY))
    back = floor.back(round_id, **floor.boss, reason=WHY)
    floor.feed(round_id, ENDS)
    assert code_of(services.round_take_back, **back) == "round.feed_needs_second"


def test_a_result_against_the_feed_counts_by_guest_too(floor):
    round_id = floor.lay((floor.owner, 1, 130), (floor.owner, 2, 130))
    floor.feed(round_id, ENDS)
    lost = {"bank": "20", "boxes": hands(b1=["lose"], b2=["lose"])}
    request = {"prepared": evaluated(floor, round_id, lost), "person_id": floor.reto.pk, "reason": WHY}
    assert code_of(services.round_settle, **request, supervisor=True) == "round.feed_needs_second"


def test_who_dealt_a_round_takes_nothing_of_it_against_the_feed(floor):
    round_id = floor.begun(DRAWN)
    table = {"house_id": floor.house.pk, "table_id": floor.bj.pk}
    done(services.table_hand_over, **table, croupier_id=floor.reto.pk, actor_id=floor.reto.pk)
    assert code_of(services.round_place, **floor.doubling(round_id, **floor.boss, reason=WHY)) == "round.feed_read_on"


def test_a_void_beside_a_feed_is_the_pits_and_from_the_threshold_on_two_peoples(floor):
    """BOX-5: it takes back all that lies there, on record; who dealt asks another pit boss."""
    void = {"house_id": floor.house.pk, "reason": "a card was exposed"}
    boss = void | {"person_id": floor.reto.pk}
    round_id = floor.begun(francs=60)
    done(services.round_place, **floor.doubling(round_id))
    dealt = void | {"round_id": round_id, "person_id": floor.martina.pk}
    assert code_of(services.round_void, **dealt) == "round.feed_bars_void"
    done(services.round_void, **boss, round_id=round_id)
    read = {"feed": CardFeed.objects.get(round_id=round_id).pk, "code": "round.feed_bars_void", "data": {}}
    assert overruled(round_id) == [(floor.reto.pk, void["reason"], read | {"amount_minor": 16_000})]
    much = boss | {"round_id": floor.begun(francs=210)}
    assert code_of(services.round_void, **much) == "round.void_needs_second"
    approval: Approval = done(services.round_void_request, **much)
    assert floor.martina.pk in approval.excluded
    sign(floor, approval, floor.ines)
    assert done(services.round_void, **much, approval_id=approval.pk)["state"] == "voided"
    assert [after["amount_minor"] for _, _, after in overruled(much["round_id"])] == [25_000]
    unread = floor.lay((floor.owner, 1, 500))
    assert done(services.round_void, **boss | {"round_id": unread})["state"] == "voided"
    assert overruled(unread) == []


def test_who_dealt_a_round_voids_it_no_more_than_with_a_feed_where_no_card_was_read(floor):
    """A pit boss who deals asks for it, and another one signs; a hand-over does not help."""
    about = {"house_id": floor.house.pk, "reason": "misdeal", "round_id": floor.lay((floor.owner, 1, 500))}
    at = {"house_id": floor.house.pk, "table_id": floor.bj.pk, "actor_id": floor.reto.pk}
    done(services.table_hand_over, **at, croupier_id=floor.reto.pk)
    for person in (floor.martina, floor.reto):
        assert code_of(services.round_void, **about, person_id=person.pk) == "round.void_by_dealer"
    approval: Approval = done(services.round_void_request, **about, person_id=floor.reto.pk)
    assert {floor.martina.pk, floor.reto.pk} <= {*approval.excluded}
    sign(floor, approval, floor.ines)
    void = about | {"person_id": floor.reto.pk, "approval_id": approval.pk}
    assert done(services.round_void, **void)["state"] == "voided"


def test_a_void_is_signed_for_the_cards_and_stakes_that_lay_there(floor):
    """BOX-5: a signature from before is no licence to wait how the round ends."""
    void = {"house_id": floor.house.pk, "person_id": floor.reto.pk, "reason": "a card was exposed"}
    about = void | {"round_id": floor.lay((floor.owner, 1, 210), (floor.other, 2, 40))}
    for come in (
        lambda: floor.feed(about["round_id"], TWO),
        lambda: done(services.round_place, **floor.doubling(about["round_id"])),
    ):
        early: Approval = done(services.round_void_request, **about)
        sign(floor, early, floor.ines)
        come()
        assert code_of(services.round_void, **about, approval_id=early.pk) == "approval.changed"
    approval: Approval = done(services.round_void_request, **about)
    sign(floor, approval, floor.ines)
    assert done(services.round_void, **about, approval_id=approval.pk)["state"] == "voided"


def test_a_stake_goes_back_by_the_croupier_before_a_card_was_read_since(floor):
    round_id = floor.begun()
    done(services.round_place, **floor.doubling(round_id))
    done(services.round_take_back, **floor.back(round_id))
    done(services.round_place, **floor.doubling(round_id))
    floor.feed(round_id, DRAWN)
    for who in ({}, {"reason": WHY}, floor.boss):
        assert code_of(services.round_take_back, **floor.back(round_id, 3, **who)) == "round.feed_read_on"
    done(services.round_take_back, **floor.back(round_id, 3, **floor.boss, reason=WHY))
    assert [after["placed"] for _, _, after in overruled(round_id)] == [4]
    assert floor.later(round_id)[-1][0] == 4


def test_what_the_pit_placed_against_the_feed_the_pit_takes_back(floor):
    """BOX-5: no card was read since, and the croupier does not undo it."""
    round_id = floor.begun(DRAWN)
    done(services.round_place, **floor.doubling(round_id, **floor.boss, reason=WHY))
    for who in ({}, {"reason": WHY}, floor.boss):
        assert code_of(services.round_take_back, **floor.back(round_id, **who)) == "round.feed_read_on"
    done(services.round_take_back, **floor.back(round_id, **floor.boss, reason=WHY))
    assert [after["placed"] for _, _, after in overruled(round_id)] == [1, 2]


def test_a_result_is_what_the_cards_of_the_feed_say(floor):
    round_id = floor.begun(ENDS)
    by_cards = {"bank_cards": "As 8s", "boxes": {}}
    by_cards["boxes"] = {"1": {"hands": [{"cards": "5h 6d Qd"}]}, "2": {"hands": [{"cards": "9h 9d"}]}}
    for result, code in ((FALSE, "round.feed_ends_otherwise"), (by_cards, "round.feed_contradicts")):
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.settle(round_id, result)
        assert (refused.value.code, refused.value.rule) == (code, "HAND-6")
    floor.settle(round_id, WON)
    assert replayed(round_id) == {}


def test_a_result_against_the_feed_is_the_pits_with_a_reason_and_from_the_threshold_on_two_peoples(floor):
    round_id = floor.begun(ENDS)
    floor.settle(round_id, FALSE, **floor.boss, reason=WHY)
    assert [(who, why, after["revision"]) for who, why, after in overruled(round_id)] == [(floor.reto.pk, WHY, 1)]
    assert replayed(round_id) == {}
    round_id = floor.begun(ENDS, francs=200)
    request = {"prepared": evaluated(floor, round_id, FALSE), "person_id": floor.reto.pk, "reason": WHY}
    assert code_of(services.round_settle, **request, supervisor=True) == "round.feed_needs_second"
    approval: Approval = done(services.round_correction_request, **request)
    sign(floor, approval, floor.ines)
    done(services.round_settle, **request, supervisor=True, approval_id=approval.pk)
    result = RoundResult.objects.get(round_id=round_id)
    assert (result.reason, result.approval_id, len(overruled(round_id))) == (WHY, approval.pk, 1)
    fits = {"prepared": evaluated(floor, floor.begun(ENDS), WON), "person_id": floor.reto.pk, "reason": WHY}
    assert code_of(services.round_correction_request, **fits) == "round.state_refused"


def test_a_correction_against_the_feed_or_of_stakes_beside_it_needs_a_second_person(floor):
    round_id = floor.begun(ENDS)
    floor.settle(round_id, WON)
    doubled = floor.placing(round_id, floor.owner, "double")["placement"]
    for result, placed in ((FALSE, None), (WON, [doubled])):
        with pytest.raises(ApprovalNeeded) as refused, transaction.atomic():
            floor.correct(round_id, result, placed)
        assert refused.value.data["why"] in (correct.AGAINST_FEED, correct.CARDS_READ)
    request = {"prepared": evaluated(floor, round_id, FALSE, "settled"), "person_id": floor.reto.pk, "reason": WHY}
    approval: Approval = done(services.round_correction_request, **request)
    sign(floor, approval, floor.ines)
    done(services.round_correct, **request, approval_id=approval.pk)
    assert [after["revision"] for _, _, after in overruled(round_id)] == [2]
    assert replayed(round_id) == {}


def test_a_feed_that_comes_while_a_result_is_worked_out_is_looked_at(floor):
    """The command starts again with it."""
    round_id = floor.begun(TWO)
    prepared = evaluated(floor, round_id, FALSE)
    floor.feed(round_id, ENDS)
    values = {"prepared": prepared, "person_id": floor.martina.pk}
    with pytest.raises(Refused) as refused:
        run_once(f"settle-{round_id}", b"x" * 32, lambda: services.round_settle(**values))
    assert refused.value.code == "round.feed_ends_otherwise"
    assert not RoundResult.objects.exists()


def test_the_audits_find_what_was_placed_after_its_card_and_settled_otherwise(floor):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place, "_contradiction", lambda _record, _placement: None)
        patch.setattr(evaluate, "feed_against", lambda _record, _result: None)
        round_id = floor.begun(DRAWN)
        done(services.round_place, **floor.doubling(round_id))
        floor.feed(round_id, ENDS)
        floor.settle(round_id, FALSE)
    assert replayed(round_id) == {
        "rounds_settle_as_the_shoe_read": ["result 1 is refused: round.feed_ends_otherwise"],
        "stakes_come_before_their_card": ["stake 1 is refused: round.feed_read_on"],
    }
    round_id = floor.begun(TWO)
    done(services.round_place, **floor.doubling(round_id))
    floor.feed(round_id, ENDS)
    floor.settle(round_id, WON)
    assert replayed(round_id) == {}


def test_an_insurance_without_an_ace_is_told_to_the_pit(floor):
    """BJ-8: no feed speaks; the refused result stays on record, once."""
    round_id = floor.lay((floor.owner, 1, 100))
    floor.place(round_id, floor.owner, "insurance", bank="Ah", amount_minor=5000)
    typed = {"bank_cards": "Kh Ad", "boxes": {"1": {"hands": [{"cards": "Th 9d"}]}}}
    about = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.martina.pk}
    for _ in range(2):
        with pytest.raises(Refused) as refused, services.refused_result(**about):
            evaluated(floor, round_id, typed)
        assert refused.value.code == "blackjack.no_ace"
    doubts = Event.objects.filter(name="round.doubted")
    assert [(event.actor_id, event.after) for event in doubts] == [(floor.martina.pk, {"why": "blackjack.no_ace"})]
    [(subject, data)] = alerts()
    number = Round.objects.get(pk=round_id).number
    expected = {"why": "blackjack.no_ace", "table": str(floor.bj.pk), "round": str(round_id), "number": number}
    assert (subject, data) == (str(doubts.get().pk), expected)


def test_a_double_for_an_owner_who_sits_there_is_told_to_the_pit(floor):
    """PRM-2: who is away is entered by the croupier; where the owner sits at the box, somebody asks."""
    other = floor.guest(distance=1)
    round_id = floor.lay((floor.owner, 1, 100), (other, 1, 50))
    floor.place(round_id, other, "double", away=[str(floor.owner.pk)])
    me = str(floor.owner.pk)
    assert Event.objects.get(name="round.doubted").after == {"why": "owner_away", "box": 1, "guest": me, "placed": 1}
    [(_, data)] = alerts()
    assert (data["why"], data["box"], data["guest"]) == ("owner_away", 1, floor.owner.number)


def test_a_decision_for_an_owner_who_left_while_the_round_ran_is_told_to_the_pit(floor):
    """PRM-2: also who gives the box up; who follows what the owner began decides nothing."""
    left = {"house_id": floor.house.pk, "actor_id": floor.martina.pk}
    for begun, ends in ((False, "leave"), (False, "move"), (True, "leave")):
        owner = floor.guest(3)
        other = floor.guest(distance=1)
        round_id = floor.lay((owner, 3, 100), (other, 3, 150))
        if begun:
            floor.place(round_id, owner, "double", 3)
        place = {"box": None, "seated": False, "distance": 5} if ends == "move" else {}
        done(getattr(services, f"guest_{ends}"), **left, **place, guest_id=owner.pk)
        floor.place(round_id, other, "double", 3)
        doubts = Event.objects.filter(name="round.doubted", subject_id=str(round_id))
        doubt = {"why": "owner_left", "box": 3, "guest": str(owner.pk), "placed": 1}
        assert [event.after for event in doubts] == ([] if begun else [doubt]), (begun, ends)
        done(services.guest_leave, **left, guest_id=other.pk)
        done(services.round_void, house_id=floor.house.pk, round_id=round_id, person_id=floor.reto.pk, reason=WHY)
    assert {data["why"] for _, data in alerts()} == {"owner_left"}


def alerts() -> list[tuple[str, dict[str, Any]]]:
    with connection.cursor() as cursor:
        cursor.execute(CONDITIONS["stake_doubted"])
        return [(subject, json.loads(data)) for _house, subject, data in cursor.fetchall()]


def evaluated(floor: Fed, round_id: UUID, result: object, state: str = "locked") -> services.Prepared:
    where = {"house_id": floor.house.pk, "round_id": round_id}
    return services.round_evaluate(**where, result=result, state=state)
