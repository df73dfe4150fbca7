"""A hand at *pots* that was begun: it bars chips of its players until it is over, and its loss harms nothing (POK-2)."""
# ruff: noqa: N802 - tests are named after the rules

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from payouts.models import Event
from payouts.selectors import house_now
from tables import services
from tables.games.poker.streets import Street
from tables.models import BegunHand, Hand, ReviewItem, TableSession
from tables.selectors.running import RUNS, hand_running
from tests.floor import done
from tests.poker import at_table
from tests.tables.audits import breached_here
from tests.tables.test_pots import Potted, refused
from tests.worlds import world


class Begun(Potted):
    """The guests at seats 3 and 5 are dealt in."""

    def begin(self, hand_id: UUID | None = None, **values: Any) -> BegunHand:
        where = {"house_id": self.house.pk, "table_id": self.raked.pk, "person_id": self.martina.pk}
        usual = {"hand_id": hand_id or uuid4(), "number": 1, "button": 3, "dealt": [stay.pk for stay in self.stays[:2]]}
        begun: BegunHand = done(services.hand_begin, **where | usual | values)
        return begun

    def played(self, **values: Any) -> Hand:
        return self.end(self.entry(Street(15_00), winners=[[3]]), **values)

    def runs(self) -> int | None:
        """The number of the hand that runs: for commands and for the board alike."""
        session = TableSession.objects.get(pk=self.session_of(self.raked))
        begun = hand_running(session)
        rows = BegunHand.objects.raw(RUNS.replace("b.session_id, b.at", "b.*"))
        assert [row.number for row in rows] == ([] if begun is None else [begun.number])
        return begun and begun.number


pytestmark = world(Begun)


def test_POK_5_the_button_is_before_a_guest_who_is_dealt_in(floor: Begun) -> None:
    for button in (0, 7):
        misplaced = ("poker.button_wrong", {"variant": "Texas Hold'em", "seat": button or "–"})
        assert refused(floor.begin, button=button) == misplaced
    assert floor.begin(button=5).button == 5


def test_POK_2_chips_of_who_is_dealt_in_wait_for_the_end_of_the_hand(floor: Begun) -> None:
    three, five, seven = floor.stays
    begun = floor.begin()
    zone = house_now(house_id=floor.house.pk).zone
    runs_since = f"{begun.at.astimezone(zone):%H:%M}"
    mid_hand = ("poker.mid_hand", {"seat": 3, "time": runs_since})
    chips: dict[str, Any] = {"kind": "top_up", "amount_minor": 20_00, "means": "cash"}
    for command, values in (
        ("stay_chips", chips),
        ("stay_chips", {"kind": "tip", "amount_minor": 1_00, "means": "stack"}),
        ("stay_leave", {"counted_minor": 85_00}),
        ("stay_move", {"seat": 9}),
        ("stay_move", {"seat": 9, "table_id": floor.timed.pk, "counted_minor": 85_00}),
    ):
        assert refused(floor.of, three, command, **values) == mid_hand, command
    runs = ("poker.hand_running", {"number": 1, "time": runs_since})
    counted = {str(stay.pk): 100_00 for stay in floor.stays}
    assert refused(at_table, floor, "stacks_count", floor.raked, counted=counted) == runs
    assert refused(at_table, floor, "session_roll", floor.raked) == runs
    assert refused(at_table, floor, "table_entry_level_set", floor.raked, entry_level="rake_only") == runs
    # who was not dealt in, and what the tablet that plays the hand sends in its own order
    floor.of(seven, "stay_chips", **chips)
    floor.of(five, "stay_away")
    floor.of(three, "stay_chips", **chips, actor_id=floor.martina.pk, croupier_id=floor.martina.pk)
    floor.played(hand_id=begun.hand_id)
    floor.of(three, "stay_chips", kind="tip", amount_minor=1_00, means="stack")
    assert (floor.runs(), breached_here()) == (None, {})


def test_a_hand_runs_until_it_is_over_however_that_is(floor: Begun) -> None:
    def clarified(begun: BegunHand) -> None:
        ReviewItem.objects.create(
            house_id=floor.house.pk,
            table=floor.raked,
            round_id=begun.hand_id,
            kind="hand_end",
            payload={},
            payload_hash=bytes(32),
            code="poker.stacks_differ",
            data={},
            sent_by_id=floor.martina.pk,
        )

    ends: dict[str, Callable[[BegunHand], Any]] = {
        "ended": lambda begun: floor.played(hand_id=begun.hand_id),
        "another one ended": lambda _begun: floor.played(),
        "to be clarified": clarified,
        "handed over": lambda _begun: at_table(floor, "table_hand_over", floor.raked, croupier_id=floor.reto.pk),
        "given up": lambda _begun: at_table(floor, "hand_abandon", floor.raked, reason="the tablet is dead"),
    }
    for number, (how, end) in enumerate(ends.items(), 1):
        begun = floor.begin(number=number, person_id=floor.reto.pk, supervisor=True)
        assert floor.runs() == number
        end(begun)
        assert floor.runs() is None, how
    at_table(floor, "table_hand_over", floor.raked, croupier_id=floor.martina.pk)
    assert refused(at_table, floor, "hand_abandon", floor.raked, reason="again") == ("poker.no_hand_runs", {})


def test_a_hand_that_is_begun_and_never_ended_takes_no_number(floor: Begun) -> None:
    first = floor.begin()
    floor.begin(first.hand_id, dealt=[stay.pk for stay in floor.stays])
    again = BegunHand.objects.get()
    assert (len(again.dealt), again.at) == (3, first.at)
    floor.begin()
    given_up = Event.objects.filter(name="table.hand_abandoned").values_list("after__hand", "after__number")
    assert list(given_up) == [(str(first.hand_id), 1)]
    hand = floor.played(hand_id=first.hand_id)  # it comes all the same
    late = floor.played(queued=True)
    assert ([hand.number, late.number], breached_here()) == ([1, 2], {})
    for values, code in (
        ({"hand_id": hand.pk, "number": 3}, "poker.hand_taken"),
        ({"number": 2}, "poker.number_taken"),
        ({"number": 3, "dealt": [floor.stays[0].pk]}, "poker.too_few"),
        ({"number": 3, "dealt": [floor.stays[0].pk, uuid4()]}, "poker.stay_gone"),
        ({"number": 3, "variant": "razz"}, "poker.variant_wrong"),
        ({"number": 3, "person_id": floor.reto.pk}, "round.croupier_wrong"),
        ({"number": 3, "table_id": floor.timed.pk}, "poker.level_other"),
    ):
        assert refused(floor.begin, **values)[0] == code
    floor.begin(number=3)
    floor.played(queued=True)  # one that came late is not the one that runs
    assert floor.runs() == 3
