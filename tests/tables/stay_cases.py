"""The refusals of seats at poker tables, each provoked through its command (`test_refusals.py`)."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest

from payouts.errors import Refused
from payouts.rules.rulesets.rake import TimeCharge
from payouts.services import approval_sign
from tables import errors, services
from tables.games.poker.raking import Pot
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.variants import HORSE
from tables.models import Hand, PokerStay, Table
from tables.services.hands.entry import PlayedHand
from tables.services.review import entries
from tables.services.seats import parts
from tests import floor
from tests.poker import at_table, deal, of_hand, of_stay, opened, poker_table, sit
from tests.tables.played import Played

Case = Callable[[Played, pytest.MonkeyPatch], Any]
CHARGED = parts.PokerPosted(PokerGame(), PokerRules(), TimeCharge())


def poker(f: Played, name: str = "Poker 1") -> Table:
    """A poker table, open."""
    return opened(f, poker_table(f, name))


def bought(f: Played, seat: int = 1, means: str = "cash") -> PokerStay:
    return sit(f, seat, poker(f), means=means)


def seat_twice(f: Played, _: pytest.MonkeyPatch) -> None:
    sit(f, 1, bought(f).guest.session.table)


def gone(f: Played, _: pytest.MonkeyPatch) -> None:
    stay = bought(f)
    for _turn in range(2):
        of_stay(f, stay, "stay_leave", counted_minor=100_00)


def dealt_gone(f: Played, _: pytest.MonkeyPatch) -> None:
    stay = bought(f)
    of_stay(f, stay, "stay_leave", counted_minor=100_00)
    deal(f, stay, sit(f, 2, stay.guest.session.table))


def nothing_due(f: Played, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(parts, "_posted_at", lambda _table, _session: CHARGED)
    table = bought(f).guest.session.table
    for _turn in range(2):
        at_table(f, "time_collect", table)


def time_owed(f: Played, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(parts, "_posted_at", lambda _table, _session: CHARGED)
    stay = bought(f)
    of_stay(f, stay, "stay_move", table_id=poker(f, "Poker 2").pk, seat=1, counted_minor=100_00)


def has_chips(f: Played, _: pytest.MonkeyPatch) -> None:
    guest = {"guest_id": bought(f).pk, "house_id": f.house.pk, "actor_id": f.reto.pk}
    floor.done(services.guest_leave, **guest)


def players(f: Played) -> list[PokerStay]:
    stay = bought(f)
    return [stay, sit(f, 2, stay.guest.session.table)]


def dealt(f: Played, **values: Any) -> Hand:
    return deal(f, *players(f), **values)


def again(f: Played, _: pytest.MonkeyPatch) -> None:
    hand = dealt(f)
    deal(f, *PokerStay.objects.all(), hand_id=hand.pk, pot={"rake_minor": 6_00})


def voided(f: Played, _: pytest.MonkeyPatch) -> None:
    hand = dealt(f)
    request = of_hand(f, hand, "hand_void_request")
    signer = {"signer_id": f.reto.pk, "signer_roles": f.reto.roles, "method": request.method}
    floor.done(approval_sign, house_id=f.house.pk, approval_id=request.pk, payload_hash=request.payload_hash, **signer)
    for _turn in range(2):
        of_hand(f, hand, "hand_void", approval_id=request.pk)


def not_there(f: Played, _: pytest.MonkeyPatch) -> None:
    hand = dealt(f)
    late = sit(f, 3, hand.table)
    of_hand(f, hand, "hand_correct", pot={"rake_minor": 5_00}, dealt=[*hand.results.get().dealt, late.pk])


def other_variant(f: Played, _: pytest.MonkeyPatch) -> None:
    hand = dealt(f)
    entry = PlayedHand(hand.results.get().dealt, Pot(rake_minor=5_00), "omaha")
    of_hand(f, hand, "hand_correct", entry=entry)


def variant_missing(f: Played, patch: pytest.MonkeyPatch) -> None:
    horse = PokerGame(
        variants=HORSE, limit="split", seats=8, bring_in_minor=1_00, small_bet_minor=2_00, big_bet_minor=4_00
    )
    patch.setattr(parts, "_posted_at", lambda _table, _session: CHARGED._replace(game=horse))
    dealt(f)


def to_clarify(f: Played, **payload: object) -> dict[str, Any]:
    """An entry of a hand that cannot be read, and what the pit says of it."""
    hand = {"house_id": f.house.pk, "table_id": poker(f).pk, "round_id": uuid4(), "kind": "hand_end"}
    item = {"payload": {"dealt": 5} | payload, "refused": Refused(), "person_id": f.martina.pk}
    with patch.object(entries, "check_form"):  # from before such were refused
        entry = floor.done(services.review_item_record, **hand, **item)
    return {"house_id": f.house.pk, "clarify_id": entry.pk, "actor_id": f.reto.pk, "reason": "never played"}


def unreadable(f: Played, _: pytest.MonkeyPatch) -> None:
    floor.done(services.review_item_take, **to_clarify(f))


def strangers(f: Played, _: pytest.MonkeyPatch) -> None:
    dealt = [str(uuid4()), str(uuid4())]
    floor.done(services.review_item_take, **to_clarify(f, dealt=dealt, rake_minor=5_00))


def dismissed(f: Played, _: pytest.MonkeyPatch) -> None:
    entry = floor.done(services.review_item_dismiss, **to_clarify(f))
    stays = [sit(f, seat, entry.table) for seat in (1, 2)]
    deal(f, *stays, hand_id=entry.round_id, queued=True)


def count(f: Played, level: str = "rake_only", **values: Any) -> None:
    table = poker(f)
    at_table(f, "table_entry_level_set", table, entry_level=level)
    stay = sit(f, 1, table)
    at_table(f, "stacks_count", table, **{"counted": {str(stay.pk): 99_00}} | values)


def irregular(f: Played, decision: str, **values: object) -> None:
    where = {"house_id": f.house.pk, "table_id": poker(f).pk, "person_id": f.martina.pk}
    what = {"kind": "conduct", "decision": decision, "reason": "spoke of a live hand"}
    floor.done(services.hand_irregular, **where | what | values)


CASES: dict[type[Refused], Case] = {
    errors.HandDecisionUnknown: lambda f, _: irregular(f, "redeal"),
    errors.HandOverrideByFloor: lambda f, _: irregular(f, "redeal", override=True),
    errors.StacksMissing: lambda f, _: count(f, counted={}),
    errors.CountDiffers: lambda f, _: count(f),
    errors.CountByFloor: lambda f, _: count(f, "pots", croupier_id=f.martina.pk),
    errors.NoStacks: lambda f, _: sit(f, 1, f.other),
    errors.SeatOutside: lambda f, _: bought(f, 10),
    errors.SeatOccupied: seat_twice,
    errors.BuyInNeeded: lambda f, _: f.seat(poker(f), 1),
    errors.StayGone: gone,
    errors.DealtGone: dealt_gone,
    errors.ChipsRefused: lambda f, _: bought(f, means="stack"),
    errors.NotCounted: lambda f, _: of_stay(f, bought(f), "stay_move", seat=2, counted_minor=100_00),
    errors.NoTimeCharge: lambda f, _: at_table(f, "time_collect", poker(f)),
    errors.NothingDue: nothing_due,
    errors.TimeOwed: time_owed,
    errors.StaysThere: lambda f, _: at_table(f, "table_close", bought(f).guest.session.table),
    errors.HasChips: has_chips,
    errors.TooFew: lambda f, _: deal(f, bought(f)),
    errors.VariantMissing: variant_missing,
    errors.VariantWrong: lambda f, _: dealt(f, variant="omaha"),
    errors.VariantStands: other_variant,
    errors.HandTaken: again,
    errors.HandMissing: lambda f, _: of_hand(f, dealt(f), "hand_void_request", hand_id=uuid4()),
    errors.HandChanged: lambda f, _: of_hand(f, dealt(f), "hand_void_request", revision=2),
    errors.HandNeedsApproval: lambda f, _: of_hand(
        f, dealt(f), "hand_correct", pot={"rake_minor": 6_00}, person_id=f.reto.pk
    ),
    errors.HandVoided: voided,
    errors.HandWrong: unreadable,
    errors.HandDismissed: dismissed,
    errors.NotThere: not_there,
    errors.ClarifyStaysUnknown: strangers,
}
