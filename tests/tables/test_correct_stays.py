"""A correction names by its number what came after the lock and stays; only what is added is asked (BOX-5, BJ-6 to BJ-8)."""

from uuid import UUID, uuid4

from casino.games.blackjack.screens import form_placed
from payouts.models import Event
from tables import services
from tables.models import Round, RoundStake
from tests.blackjack import hands
from tests.floor import done
from tests.tables.audits import breached_here
from tests.tables.test_correct_placed import ACE, LOST, Wrong, refusal, replayed
from tests.worlds import world

THREE = {"bank": "20", "boxes": hands(b1=["win", "lose", "win"])}


pytestmark = world(Wrong)


def stays(*numbers: object) -> list[dict[str, object]]:
    return [{"placed": number} for number in numbers]


def resplit(floor: Wrong) -> UUID:
    """The owner of box 1 has 30 francs on its first hand, doubled, and 60 on hand 2, half of it for another guest; hand 3
    comes from it, and is doubled. The numbers 1 to 6.
    """
    other = floor.guest(distance=1)
    round_id = floor.lay((floor.owner, 1, 30), (other, 1, 30))
    floor.place(round_id, floor.owner, "split")
    floor.place(round_id, floor.owner, "split", instead_of=other)
    floor.place(round_id, floor.owner, "double")
    floor.place(round_id, floor.owner, "split", hand=2)
    floor.place(round_id, floor.owner, "double", hand=3)
    floor.place(round_id, floor.owner, "insurance", **ACE, amount_minor=10_000)
    floor.settle(round_id, THREE)
    me, him = floor.owner.pk, other.pk
    assert floor.later(round_id) == [
        (1, 1, me, me, "split_2", 30),
        (2, 1, me, him, "split_2", 30),
        (3, 1, me, me, "double_1", 30),
        (4, 1, me, me, "split_3", 60),
        (5, 1, me, me, "double_3", 60),
        (6, 1, me, me, "insurance", 100),
    ]
    return round_id


def test_what_stays_is_not_asked_again(floor):
    """PRM-2, BJ-7: the owner splits and leaves, and who followed doubles; an insurance alone is taken off."""
    other = floor.guest(distance=1)
    round_id = floor.lay((floor.owner, 1, 100), (other, 1, 100))
    floor.place(round_id, floor.owner, "insurance", **ACE, amount_minor=5000)
    floor.place(round_id, floor.owner, "split")
    floor.place(round_id, other, "split")
    done(
        services.guest_leave,
        house_id=floor.house.pk,
        actor_id=floor.martina.pk,
        guest_id=floor.owner.pk,
    )
    floor.place(round_id, other, "double", hand=2)
    two, before = {"bank": "20", "boxes": hands(b1=["win", "lose"])}, floor.later(round_id)
    floor.settle(round_id, two)
    floor.correct(round_id, two, placed=stays(4, 2, 3))
    back = RoundStake.objects.filter(round_id=round_id, revision=2)
    assert (floor.later(round_id)[:4], [(one.placed, one.takes_back) for one in back]) == (
        before,
        [(5, 1)],
    )
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_what_is_added_comes_on_what_stays(floor):
    """BJ-6 to BJ-8: hand 1 was doubled before hand 2 was split, and hand 3 has what lay on hand 2; nothing is worked out anew. In
    the pit's form too.
    """
    round_id = resplit(floor)
    before, me = floor.later(round_id), floor.owner.pk
    more = floor.sent(floor.owner, "insurance", bank="As", amount_minor=500)
    entered = {"act.1": "insurance", "box.1": "1", "guest.1": str(me), "amount.1": "5.00"}
    sent = form_placed(Round.objects.get(pk=round_id), entered)
    assert sent == [*stays(1, 2, 3, 4, 5, 6), more]
    refused = refusal(floor.correct, round_id, THREE, placed=[*stays(1, 2, 3, 4, 5, 6), more | {"amount_minor": 4000}])
    assert refused.data == {"box": 1, "maximum_minor": 12_000, "amount_minor": 14_000}
    floor.correct(round_id, THREE, placed=sent)
    assert floor.later(round_id) == [*before, (7, 1, me, me, "insurance", 5)]
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_what_stays_has_what_it_goes_with(floor):
    """BJ-6 to BJ-8: a hand whose split is taken off, a stake that was doubled, half of what was insured."""
    round_id = resplit(floor)
    without = "blackjack.without_its_stake"
    for numbers, code, data in (
        ((3, 4), without, {"box": 1, "kind": "split_3"}),  # no second hand
        ((1, 3, 4), without, {"box": 1, "kind": "split_3"}),  # half of it
        ((1, 2, 5), without, {"box": 1, "kind": "double_3"}),
        ((1, 2, 3, 6), "blackjack.insurance_too_much", {"box": 1, "maximum_minor": 6000, "amount_minor": 10_000}),
    ):
        refused = refusal(floor.correct, round_id, THREE, placed=stays(*numbers))
        assert (refused.code, refused.data) == (code, data)
    two = {"bank": "20", "boxes": hands(b1=["win", "lose"])}
    floor.correct(round_id, two, placed=stays(1, 2, 3))
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_a_co_players_double_goes_with_the_owners(floor):
    """BJ-6: taken off by a correction it leaves none that came after it, named or sent again; nor is one added alone."""
    other = floor.guest(distance=1)
    won = {"bank": "20", "boxes": hands(b1=["win"])}
    round_id = floor.lay((floor.owner, 1, 100), (other, 1, 100))
    floor.place(round_id, floor.owner, "double")
    floor.place(round_id, other, "double")
    floor.settle(round_id, won)
    before = floor.later(round_id)
    refused = refusal(floor.correct, round_id, won, placed=stays(2))
    assert (refused.code, refused.data) == ("blackjack.without_its_stake", {"box": 1, "kind": "double_1"})
    his = floor.sent(other, "double")
    assert refusal(floor.correct, round_id, won, placed=[his]).code == "blackjack.not_first"
    floor.correct(round_id, won, placed=stays(1))
    assert refusal(floor.correct, round_id, won, placed=[his]).code == "blackjack.not_first"
    assert refusal(floor.correct, round_id, won, placed=[his | {"away": [str(floor.owner.pk)]}])
    floor.correct(round_id, won, placed=[*stays(1), his])
    lies = {number: placed for number, *placed in floor.later(round_id)}
    assert [lies[1], lies[4]] == [placed for _number, *placed in before]
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_a_co_players_double_is_not_added_where_the_owners_was_taken_off_before(floor):
    """BJ-6: nor in two steps, the owner said to be away; nor unheard where none lay there (PRM-2)."""
    other = floor.guest(distance=1)
    won = {"bank": "20", "boxes": hands(b1=["win"])}
    round_id = floor.lay((floor.owner, 1, 100), (other, 1, 100))
    floor.place(round_id, floor.owner, "double")
    floor.place(round_id, other, "double")
    floor.settle(round_id, won)
    floor.correct(round_id, won, placed=[])
    alone = floor.sent(other, "double", away=[str(floor.owner.pk)])
    refused = refusal(floor.correct, round_id, won, placed=[alone])
    assert (refused.code, refused.data) == ("blackjack.without_its_stake", {"box": 1, "kind": "double_1"})
    round_id = floor.lay((floor.owner, 1, 100), (other, 1, 100))
    floor.settle(round_id, won)
    floor.correct(round_id, won, placed=[alone])
    doubt = {"why": "owner_away", "box": 1, "guest": str(floor.owner.pk)}
    assert [event.after for event in Event.objects.filter(name="round.doubted")] == [doubt]
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_a_co_players_double_that_a_correction_adds_when_the_owner_has_left_is_doubted(floor):
    """PRM-2: as in a round that runs; not where the owner doubled first."""
    won = {"bank": "20", "boxes": hands(b1=["win"])}
    for is_first in (False, True):
        other = floor.guest(distance=1)
        round_id = floor.lay((floor.owner, 1, 100), (other, 1, 100))
        if is_first:
            floor.place(round_id, floor.owner, "double")
        floor.settle(round_id, won)
        owner = floor.owner
        done(services.guest_leave, house_id=floor.house.pk, actor_id=floor.martina.pk, guest_id=owner.pk)
        stands = stays(1) if is_first else []
        floor.correct(round_id, won, placed=[*stands, floor.sent(other, "double")])
        doubt = {"why": "owner_left", "box": 1, "guest": str(owner.pk), "placed": 1}
        doubts = Event.objects.filter(name="round.doubted", subject_id=str(round_id))
        assert [event.after for event in doubts] == ([] if is_first else [doubt])
        done(services.guest_leave, house_id=floor.house.pk, actor_id=floor.martina.pk, guest_id=other.pk)
        floor.owner = floor.guest(1)
    assert breached_here() == {}


def test_what_was_a_mistake_before_the_result_is_missed_by_no_correction(floor):
    """BJ-6: the owner was away, and their double was taken back at once."""
    other = floor.guest(distance=1)
    won = {"bank": "20", "boxes": hands(b1=["win"])}
    round_id = floor.lay((floor.owner, 1, 100), (other, 1, 100))
    floor.place(round_id, floor.owner, "double")
    values = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.martina.pk}
    done(services.round_take_back, **values, placed=1)
    floor.place(round_id, other, "double", away=[str(floor.owner.pk)])
    floor.settle(round_id, won)
    floor.correct(round_id, {"bank": "20", "boxes": hands(b1=["push"])}, placed=stays(3))
    assert (breached_here(), replayed(round_id)) == ({}, {})


def test_a_number_is_of_what_lies_there(floor):
    """Unknown, taken back, twice or no number; a round that comes later has none."""
    mine, other = floor.sent(floor.owner, "double"), floor.sent(floor.other, "double", 2)
    round_id = floor.ended(LOST, mine, other)
    floor.correct(round_id, LOST, placed=stays(2))
    for wrong in (
        stays(1),
        stays(3),
        stays(4),
        stays(2, 2),
        stays(True),
        stays("2"),
        [mine | {"placed": 2}],
    ):
        refused = refusal(floor.correct, round_id, LOST, placed=wrong)
        assert refused.code == "round.placement_wrong", wrong
    stakes = [{"box": 1, "guest": str(floor.owner.pk), "kind": "stake", "amount_minor": 10_000}]
    values = {
        "house_id": floor.house.pk,
        "table_id": floor.bj.pk,
        "round_id": uuid4(),
        "person_id": floor.martina.pk,
    }
    sent = values | {"stakes": stakes, "placed": stays(2), "result": LOST}
    assert refusal(services.round_take_queued, **sent).code == "round.placement_wrong"
