"""Cards by hand, from a feed, or both: what settles, what is refused, what is kept of it (HAND-6, UTH-8)."""

from uuid import UUID, uuid4

import pytest
from django.db import transaction

from payouts.errors import Refused
from payouts.models import Event
from tables import services
from tables.errors import ApprovalNeeded
from tables.games import bank_game
from tables.models import CardFeed, Guest, Round, RoundResult
from tables.selectors.rounds import round_record
from tables.services.rounds import correct
from tables.services.rounds.evaluate import end_again
from tests.floor import Floor, done, stakes_for, taps
from tests.turns import each
from tests.worlds import world

BOARD, DEALER = "Ah Ad Kh 7c 2d", "3c 4c"
HOLES = {"1": "Kd Ks", "2": "8s 9s"}  # a full house; two pairs with a nine, better than the dealer's with a seven
FED = {"board": BOARD, "dealer": DEALER, "boxes": HOLES}
PLAYS = taps(b1={"play": 4}, b2={"play": 1})


def opened() -> Floor:
    floor = Floor()
    floor.guests = floor.open()
    return floor


pytestmark = world(opened)


@pytest.fixture
def locked(floor) -> UUID:
    return UUID(floor.lock(stakes_for(floor.guests[:2], coins=1))["id"])


def feed(floor: Floor, round_id: UUID, cards: object):
    return done(services.card_feed_record, house_id=floor.house.pk, round_id=round_id, cards=cards)


def settled(floor: Floor, round_id: UUID, result: object) -> list[tuple[object, ...]]:
    lines = floor.settle(round_id, result)["lines"]
    return [(line["box"], line["kind"], line["paid_minor"], line["hand"]) for line in lines]


def by_hand(plays: dict) -> dict:
    boxes = {name: box | {"cards": HOLES[name]} for name, box in plays["boxes"].items()}
    return {"board": BOARD, "dealer": DEALER, "boxes": boxes}


def test_cards_from_a_feed_settle_as_cards_by_hand(floor):
    seen = []
    for fed in (True, False):
        round_id = UUID(floor.lock(stakes_for(floor.guests[:2], coins=1))["id"])
        if fed:
            feed(floor, round_id, FED)
        seen.append(settled(floor, round_id, PLAYS | {"feed": True} if fed else by_hand(PLAYS)))
        result = RoundResult.objects.get(round_id=round_id)
        assert (result.source, result.result["board"], "feed" in result.result) == ("cards", BOARD, False)
    assert seen[0] == seen[1]
    assert {
        (1, "blind", 1500 + 4500, "full_house"),
        (1, "coin", 5000, "full_house"),
        (2, "play", 3000, ""),
    } <= {*seen[0]}


def test_taps_say_what_the_cards_of_the_feed_do(floor, locked):
    """HAND-6: a class that is not tapped is that of the cards; what they pay otherwise is refused to the croupier."""
    feed(floor, locked, FED)
    lost = taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"})
    unnamed = taps(b1={"play": 4, "result": "win"}, b2={"play": 1, "result": "win"})
    for result in (lost, unnamed):
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.settle(locked, result)
        assert (refused.value.code, refused.value.rule) == ("round.feed_ends_otherwise", "HAND-6")
    assert not RoundResult.objects.exists()
    named = taps(b1={"play": 4, "result": "win", "hand": "full_house", "cards": "Kd Ks"}, b2=unnamed["boxes"]["2"])
    assert (1, "coin", 5000, "full_house") in settled(floor, locked, named | {"board": BOARD})


def test_records_of_a_feed_are_read_together(floor, locked):
    feed(floor, locked, {"boxes": HOLES})
    turned = {box: " ".join(reversed(cards.split())) for box, cards in HOLES.items()}  # a shuffler may sort them
    feed(floor, locked, {"board": BOARD, "dealer": DEALER, "boxes": turned})
    assert not Event.objects.filter(name="round.doubted").exists()
    assert (1, "coin", 5000, "full_house") in settled(floor, locked, PLAYS | {"feed": True})


def test_a_play_beside_a_feed_is_corrected_by_two(floor, locked):
    """BOX-5: it comes after the lock, and now the cards are read."""
    feed(floor, locked, FED)
    settled(floor, locked, PLAYS | {"feed": True})
    with pytest.raises(ApprovalNeeded) as refused, transaction.atomic():
        floor.correct(locked, taps(b1={"play": 3}, b2={"play": 1}) | {"feed": True})
    assert refused.value.data == {"why": correct.CARDS_READ}


def test_feed_and_hand_complete_each_other(floor, locked):
    """The feed lacks the dealer; the hand enters him and one box again, in another order."""
    feed(floor, locked, {"board": BOARD, "boxes": HOLES})
    hand = {"dealer": DEALER, "boxes": {"1": {"play": 4, "cards": "Ks Kd"}, "2": {"play": 1}}, "feed": True}
    assert (1, "coin", 5000, "full_house") in settled(floor, locked, hand)


@each(
    ("hand", "code"),
    [
        ({"board": "Ah Ad Kh 7c 3d"}, "round.feed_contradicts"),
        ({"dealer": "3c 5c"}, "round.feed_contradicts"),
        ({"boxes": {"1": {"play": 4, "cards": "Kd Kc"}, "2": {"play": 1}}}, "round.feed_contradicts"),
        ({"boxes": {"1": {"play": 4, "result": "lose"}, "2": {"play": 1, "result": "win"}}}, "uth.cards_contradict"),
        ({"boxes": {"1": {"play": 4}, "2": {"play": 1}, "3": {"play": 1}}}, "uth.box_unknown"),
        ({"boxes": 5}, "round.result_wrong"),
        ({"boxes": {"1": 5}}, "round.result_wrong"),
        ({"feed": "yes"}, "round.result_wrong"),
        ({"board": 5}, "round.result_wrong"),
    ],
)
def test_hand_against_feed_is_refused(floor, locked, hand, code):
    feed(floor, locked, FED)
    with pytest.raises(Refused) as refused:
        floor.settle(locked, PLAYS | {"feed": True} | hand)
    assert refused.value.code == code
    assert "%(" not in str(refused.value)
    assert not RoundResult.objects.exists()


def test_a_feed_that_is_wrong_is_overruled_by_the_pit_with_a_reason(floor, locked):
    feed(floor, locked, FED | {"board": "Ah Ad Qh 7c 2d"})
    pit = {"person_id": floor.reto.pk, "supervisor": True}
    for who in ({}, {"reason": "a queen was a king"}, pit):
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.settle(locked, by_hand(PLAYS), **who)
        assert refused.value.code == "round.feed_contradicts"
    floor.settle(locked, by_hand(PLAYS), **pit, reason="a queen was a king")
    event = Event.objects.get(name="round.against_feed")
    assert (event.subject_id, event.actor_id, event.reason) == (str(locked), floor.reto.pk, "a queen was a king")
    data = {"field": "board", "fed": "Ah Ad Qh 7c 2d", "entered": BOARD}
    newest = CardFeed.objects.latest("pk").pk
    assert event.after == {
        "revision": 1,
        "amount_minor": 26_000,
        "feed": newest,
        "code": "round.feed_contradicts",
        "data": data,
    }
    assert RoundResult.objects.get().reason == "a queen was a king"


@each(
    ("cards", "code"),
    [
        ({"board": BOARD, "dealer": "Ah 3c"}, "cards.twice"),
        ({"boxes": {"1": "Kd Ks", "2": "Ks 2c"}}, "cards.twice"),
        ({"board": "Ah Ad Kh 7c 1d"}, "cards.unknown"),
        ({"boxes": {"01": "Kd Ks"}}, "round.result_wrong"),
        ({"boxes": {"1": {"cards": "Kd Ks"}}}, "round.result_wrong"),
        ({"boxes": []}, "round.result_wrong"),
        ({"dispute": True}, "round.result_wrong"),
        ([], "round.result_wrong"),
    ],
)
def test_cards_that_a_feed_may_not_send(floor, locked, cards, code):
    with pytest.raises(Refused) as refused, transaction.atomic():
        feed(floor, locked, cards)
    assert refused.value.code == code


def test_feed_of_a_round_that_is_not_there_or_not_running(floor, locked):
    who = {"house_id": floor.house.pk, "person_id": floor.reto.pk}
    done(services.round_void, **who, round_id=locked, reason="misdeal")
    feed(floor, locked, FED)
    doubt = Event.objects.get(name="round.doubted", subject_id=str(locked))
    assert (doubt.after["why"], CardFeed.objects.count()) == ("feed_voided", 0)  # who voided it first silences nobody
    with pytest.raises(Refused) as refused, transaction.atomic():
        feed(floor, uuid4(), FED)
    assert refused.value.code == "round.unknown"


def test_feed_of_a_box_without_stakes_is_left_out(floor, locked):
    """A shuffler deals to a place that nobody plays; who enters that box is told."""
    feed(floor, locked, FED | {"boxes": HOLES | {"5": "5s 6s"}})
    with pytest.raises(Refused) as refused:
        floor.settle(locked, {"boxes": PLAYS["boxes"] | {"5": {"play": 1}}, "feed": True})
    assert refused.value.code == "uth.box_unknown"
    assert (1, "coin", 5000, "full_house") in settled(floor, locked, PLAYS | {"feed": True})
    assert [*RoundResult.objects.get().result["boxes"]] == ["1", "2"]


@world(Floor)
class TestCoinsAlone:
    """A table whose coins alone are entered: what lies on the board is every coin's (PRG-2, PRG-5)."""

    QUADS = "2c 2d 2h 2s 4s"

    @pytest.fixture
    def coins(self, floor: Floor) -> tuple[Floor, UUID]:
        guests = floor.open(entry_level="jackpot_only")[:2]
        coins = [{"box": one.box, "guest": str(one.pk), "kind": "coin", "amount_minor": 500} for one in guests]
        return floor, UUID(floor.lock(coins)["id"])

    @pytest.mark.parametrize(
        "boxes",
        [
            {"1": {"cards": "9s 8d"}},
            {"1": {"cards": "9s 8d"}, "2": {"hand": "flush"}},
            {},
        ],
    )
    def test_a_coin_that_is_not_named_is_not_lost_over_a_board_that_pays(self, coins, boxes):
        floor, round_id = coins
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.settle(round_id, {"board": self.QUADS, "boxes": boxes})
        assert refused.value.code == "uth.board_in_every_hand"
        assert not RoundResult.objects.exists()

    def test_every_coin_is_paid_for_the_board(self, coins):
        floor, round_id = coins
        boxes = {"1": {"cards": "9s 8d"}, "2": {"cards": "Kh Qd"}}
        lines = floor.settle(round_id, {"board": self.QUADS, "boxes": boxes})["lines"]
        assert [(line["box"], line["paid_minor"], line["rule"]) for line in lines] == [
            (1, 50_000, "PRG-5"),
            (2, 50_000, "PRG-5"),
        ]

    ROYAL = {"board": "Tc Jc Qc 4d 4s"}

    @pytest.mark.parametrize(("owner", "envy"), [(2, {1: 50_000, 2: 50_000}), (0, {2: 50_000})])
    def test_a_royal_flush_without_a_coin_pays_envy_to_the_coins_of_others(self, coins, owner, envy):
        """PRG-6: whose box it was says who is left out, with all his boxes."""
        floor, round_id = coins
        guest = str(list(Guest.objects.order_by("number"))[owner].pk)
        result = self.ROYAL | {"boxes": {"3": {"cards": "Kc Ac", "guest": guest.upper()}}}
        lines = floor.settle(round_id, result)["lines"]
        assert {line["box"]: line["paid_minor"] for line in lines if line["kind"] == "envy"} == envy
        assert [line["paid_minor"] for line in lines if line["kind"] == "coin"] == [0, 0]
        kept = RoundResult.objects.get().result
        assert kept["boxes"]["3"]["guest"] == guest
        again = end_again(round_record(house_id=floor.house.pk, round_id=round_id), kept)
        assert [(line.box, line.kind, line.prize_minor) for line in again.lines] == [
            (line["box"], line["kind"], line["prize_minor"]) for line in lines
        ]

    @pytest.mark.parametrize(
        ("boxes", "code"),
        [
            ({"3": {"cards": "Kc Ac"}}, "round.result_wrong"),  # whose?
            ({"3": {"cards": "Kc Ac", "guest": "Anna"}}, "round.result_wrong"),
            ({"3": {"cards": "Kc Ac", "guest": 5}}, "round.result_wrong"),
            ({"3": {"hand": "royal_flush", "guest": str(uuid4())}}, "uth.cards_missing"),
            ({"3": {"cards": "9s 9d", "guest": str(uuid4())}}, "uth.box_unknown"),
            ({"3": {"guest": str(uuid4())}}, "uth.box_unknown"),
            ({"1": {"cards": "9s 9d", "guest": str(uuid4())}}, "round.result_wrong"),
        ],
    )
    def test_a_box_without_a_coin_is_named_for_its_royal_flush_alone(self, coins, boxes, code):
        floor, round_id = coins
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.settle(round_id, self.ROYAL | {"boxes": boxes})
        assert refused.value.code == code

    def test_a_guest_named_for_it_is_of_this_table(self, coins):
        """Of another table, of another house, of nobody: each is as unknown."""
        floor, round_id = coins
        elsewhere = Floor(suffix=".2")
        for guest in (floor.open(floor.other, floor.nora)[0].pk, elsewhere.open()[0].pk, uuid4()):
            with pytest.raises(Refused) as refused, transaction.atomic():
                floor.settle(round_id, self.ROYAL | {"boxes": {"3": {"cards": "Kc Ac", "guest": str(guest)}}})
            assert refused.value.code == "guest.unknown"
        assert not RoundResult.objects.exists()

    def test_a_feed_of_boxes_without_coins_counts_for_a_royal_flush_alone(self, coins):
        """Somebody may play a box without a coin: nothing of his is paid or lost here, but his royal flush is (PRG-6)."""
        floor, round_id = coins
        fed = self.ROYAL | {"boxes": {"1": "9s 8d", "2": "Kh Qd", "3": "Kc Ac", "4": "2s 2h"}}
        feed(floor, round_id, fed)
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.settle(round_id, {"feed": True})
        assert (refused.value.code, refused.value.data["field"]) == ("round.result_wrong", "boxes.3.guest")
        guest = str(Guest.objects.get(number=3).pk)
        lines = floor.settle(round_id, {"feed": True, "boxes": {"3": {"guest": guest}}})["lines"]
        assert {line["box"]: line["paid_minor"] for line in lines if line["kind"] == "envy"} == {1: 50_000, 2: 50_000}

    def test_a_feed_of_a_box_without_a_coin_is_left_out(self, coins):
        floor, round_id = coins
        feed(floor, round_id, {"board": "2c 2d 9h 4c 5s", "boxes": {"1": "9s 9d", "2": "Kh Qd", "5": "As Ad"}})
        lines = floor.settle(round_id, {"feed": True})["lines"]
        assert [(line["box"], line["paid_minor"]) for line in lines] == [(1, 5_000), (2, 0)]

    def test_two_coins_on_one_box_are_refused(self, coins):
        floor, round_id = coins
        floor.settle(round_id, {"board": "2c 2d 9h 4c 5s", "boxes": {}})
        one, other = Guest.objects.order_by("number")[:2]
        for second in (one, other):
            laid = [{"box": 1, "guest": str(g.pk), "kind": "coin", "amount_minor": 500} for g in (one, second)]
            with pytest.raises(Refused) as refused, transaction.atomic():
                floor.lock(laid)
            assert (refused.value.code, refused.value.data) == ("uth.stake_twice", {"box": 1, "kind": "coin"})

    def test_a_coin_that_is_not_named_is_lost_over_any_other_board(self, coins):
        floor, round_id = coins
        lines = floor.settle(round_id, {"board": "2c 2d 9h 4c 5s", "boxes": {"1": {"cards": "9s 9d"}}})["lines"]
        assert [(line["box"], line["paid_minor"]) for line in lines] == [(1, 5_000), (2, 0)]


class TestBlindPlayedBoxes:
    """UTH-8: a guest sees one of his boxes; each further one is a free one, has its Play at the lock and cannot fold."""

    @pytest.fixture(autouse=True)
    def free(self, floor):
        """Box 5: who sat there has left."""
        values = {"house_id": floor.house.pk, "guest_id": floor.guests[4].pk, "actor_id": floor.martina.pk}
        done(services.guest_leave, **values)

    def stakes(self, floor, *, play: int | None) -> list[dict[str, object]]:
        own, guest = stakes_for(floor.guests[:1]), str(floor.guests[0].pk)
        further = [one | {"box": 5} for one in own]
        if play is not None:
            further.append({"box": 5, "guest": guest, "kind": "play", "amount_minor": play})
        return own + further

    @pytest.mark.parametrize("play", [None, 7500, 2000])
    def test_further_box_needs_its_play_at_the_lock(self, floor, play):
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.lock(self.stakes(floor, play=play))
        assert refused.value.rule in ("UTH-8", "UTH-3")

    def test_it_is_settled_with_the_play_that_lay_there(self, floor):
        locked = floor.lock(self.stakes(floor, play=6000))
        assert [s["kind"] for s in locked["stakes"] if s["box"] == 5] == ["ante", "blind", "play"]
        lines = floor.settle(locked["id"], taps(b1={"result": "fold"}, b5={"play": 4, "result": "win"}))["lines"]
        assert [(line["kind"], line["stake_minor"], line["paid_minor"]) for line in lines if line["box"] == 5] == [
            ("ante", 1500, 3000),
            ("blind", 1500, 1500),
            ("play", 6000, 12000),
        ]
        kept = RoundResult.objects.get(round_id=locked["id"])
        assert (kept.result["boxes"]["5"]["play"], kept.round.stakes.filter(revision=1).count()) == (4, 0)

    @pytest.mark.parametrize("tap", [{"result": "fold"}, {"play": 1, "result": "win"}])
    def test_it_neither_folds_nor_plays_otherwise(self, floor, tap):
        locked = floor.lock(self.stakes(floor, play=6000))
        with pytest.raises(Refused) as refused:
            floor.settle(locked["id"], taps(b1={"result": "fold"}, b5=tap))
        assert refused.value.rule == "UTH-8"

    def test_a_box_of_his_neighbour_is_not_his(self, floor):
        """Two guests' stakes on one box."""
        further = [s | {"guest": str(floor.guests[1].pk)} for s in stakes_for(floor.guests[:1]) if s["kind"] == "blind"]
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.lock([s for s in stakes_for(floor.guests[:1]) if s["kind"] == "ante"] + further)
        assert refused.value.code == "uth.box_shared"

    @pytest.mark.parametrize("seated", [True, False])
    def test_a_box_that_another_guest_owns_is_not_free(self, floor, seated):
        """Whether he sits at it or was declared its owner (BOX-1), and whether he plays this round or not."""
        owner = floor.seat(floor.table, 5, seated=seated)
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.lock(self.stakes(floor, play=6000))
        assert (refused.value.code, refused.value.rule, refused.value.data["box"]) == ("uth.box_owned", "UTH-8", 5)
        assert not Round.objects.exists()
        values = {"house_id": floor.house.pk, "guest_id": owner.pk, "actor_id": floor.martina.pk}
        done(services.guest_move, **values, box=None, seated=False, distance=1)
        assert floor.lock(self.stakes(floor, play=6000))["state"] == "locked"


def test_whose_box_it_is_is_said_by_its_stakes(floor, locked):
    with pytest.raises(Refused) as refused:
        floor.settle(locked, taps(b1={"result": "fold", "guest": str(floor.guests[0].pk)}, b2={"result": "fold"}))
    assert refused.value.code == "round.result_wrong"


def test_two_coins_on_one_box_are_refused(floor):
    """Of one guest or of two: the progressive is played once a box (PRG-1)."""
    laid = stakes_for(floor.guests[:2], coins=1)
    coin = next(one for one in laid if one["kind"] == "coin")
    for guest, codes in zip(
        floor.guests, ({"uth.stake_twice"}, {"uth.stake_twice", "uth.coin_of_another"}), strict=False
    ):
        with pytest.raises(Refused) as refused, transaction.atomic():
            floor.lock([*laid, coin | {"guest": str(guest.pk)}])
        assert refused.value.code in codes  # of two guests' coins either may be looked at first
        assert refused.value.data["box"] == 1
    assert not Round.objects.exists()


def test_games_of_the_list_answer_a_feed():
    assert bank_game("uth").read_feed({}) == {"boxes": {}}
