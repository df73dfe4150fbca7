"""Hands at *pots* that come late, after the table went to another level or into another gaming day: the pit takes each as it was
entered, and no chip is lost (POK-2).
"""
# ruff: noqa: N802 - tests are named after the rules

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from payouts.errors import Refused
from tables import services
from tables.audit.replay_hands import replay_hands
from tables.games.poker.entered import entry_data
from tables.games.poker.raking import Pot
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Street
from tables.models import Hand, PokerStay, TableSession
from tables.services.hands.entry import PlayedHand
from tests.floor import done
from tests.poker import of_hand, pots_of
from tests.tables.audits import breached, breached_here
from tests.tables.test_pots import BETS, Potted, refused
from tests.worlds import world

pytestmark = world(Potted)


def pit_takes(floor: Potted, hand_id: UUID, entry: PlayedHand, refusal: tuple[str, object], **values: Any) -> Hand:
    """A hand that was played without the server is refused so, waits, and is taken by the pit."""
    with pytest.raises(Refused) as refusing, transaction.atomic():
        floor.end(entry, hand_id=hand_id, queued=True, **values)
    assert (refusing.value.code, refusing.value.data) == refusal
    where = {"house_id": floor.house.pk, "table_id": floor.raked.pk, "round_id": hand_id, "kind": "hand_end"}
    payload: dict[str, Any] = {"dealt": [str(stay) for stay in entry.dealt], "rake_minor": entry.pot.rake_minor}
    payload |= {"pots": entry_data(entry.pots)} if entry.pots else {}
    payload |= {name: value.isoformat() for name, value in values.items()}
    keep = {"payload": payload, "refused": refusing.value, "person_id": floor.martina.pk}
    waits = done(services.review_item_record, **where, **keep)
    pit = {"house_id": floor.house.pk, "clarify_id": waits.pk, "actor_id": floor.reto.pk, "reason": "seen on camera"}
    done(services.review_item_take, **pit)
    return Hand.objects.get(pk=hand_id)


def test_POK_2_a_late_hand_is_of_the_level_at_which_it_was_entered(own_database: object, floor: Potted) -> None:
    """Of one at which its table stood in that session, by itself where the stacks stand, else when the pit takes it."""
    entry, later = (floor.entry(*BETS, winners=[[seat], [7]]) for seat in (3, 7))
    floor.at_table("table_entry_level_set", entry_level="rake_only")
    other = ("poker.level_other", {"level": "rake_only"})
    assert refused(floor.end, entry) == other
    first = floor.end(entry, queued=True)
    assert floor.stacks() == {3: 245_00, 5: 70_00, 7: 90_00}
    differ = ("poker.stacks_differ", {"seat": 3, "booked_minor": 245_00, "entered_minor": 85_00})
    second = pit_takes(floor, uuid4(), later, differ)
    assert floor.stacks() == {3: 160_00, 5: 0, 7: 295_00}
    raked = floor.end(PlayedHand(entry.dealt, Pot(rake_minor=5_00)))
    assert [hand.entry_level for hand in (first, second, raked)] == ["pots", "pots", "rake_only"]
    assert entry.pots is not None
    right = entry._replace(pots=entry.pots._replace(winners=(PotWinners((7,)), PotWinners((7,)))))
    signed = floor.ask(first, "hand_correction_request", entry=right)
    of_hand(floor, first, "hand_correct", entry=right, approval_id=signed.pk)
    replayed = replay_hands(everything=True, opinion_of=1)
    assert (breached(), replayed.breaches, replayed.looked_at) == ({}, [], 4)


def test_POK_2_a_late_hand_of_a_rake_alone_is_taken_at_pots(floor: Potted) -> None:
    """The table was opened at that level; one that never was at *pots* takes none that is entered so."""
    hand = floor.end(PlayedHand([stay.pk for stay in floor.stays], Pot(rake_minor=5_00)), queued=True)
    assert (hand.entry_level, hand.results.get().rake_minor, floor.balances()["in_play"]) == ("rake_only", 5_00, 5_00)
    others = [floor.sit(seat, table=floor.timed) for seat in (1, 2)]
    never = pots_of(others, Street(2_00), winners=[[1]])
    for values in ({"queued": True}, {"clarified": True, "supervisor": True}):
        other = refused(floor.end, never, table_id=floor.timed.pk, **values)
        assert other == ("poker.level_other", {"level": "rake_only"})
    assert breached_here() == {}


def test_HSE_1_a_late_hand_of_a_rolled_session_lies_in_play_until_the_stacks_are_counted(floor: Potted) -> None:
    """Its stacks went on as they were booked: the pit takes it, its fee is booked, and a count puts the stacks right."""
    entry = floor.entry(*BETS, winners=[[3], [7]])
    rolled = TableSession.objects.get(pk=floor.session_of(floor.raked))
    floor.at_table("session_roll")
    rolled.refresh_from_db()
    assert rolled.closed_at is not None
    before = floor.balances()
    differ = ("poker.stacks_differ", {"seat": 3, "booked_minor": 0, "entered_minor": 85_00})
    hand = pit_takes(floor, uuid4(), entry, differ, began_at=rolled.closed_at - timedelta(seconds=1))
    assert (hand.session_id, hand.number, hand.seats.get(seat=3).booked_minor) == (rolled.pk, 1, 0)
    after = before | {"in_play": 10_00, "rake": -10_00, "tray": before["tray"] + 10_00}
    assert floor.balances() == after | {"chips_outside": before["chips_outside"] - 10_00}
    sitting = {stay.guest.box: stay for stay in PokerStay.objects.filter(left_at=None)}
    felt = {3: 245_00, 5: 70_00, 7: 90_00}
    floor.at_table("stacks_count", counted={str(sitting[seat].pk): minor for seat, minor in felt.items()})
    floor.stays = [*sitting.values()]
    assert (floor.stacks(), "in_play" in floor.balances(), breached_here()) == (felt, False, {})
