"""What waits to be clarified against what others book or sign meanwhile: chips are given once, by the books or by hand."""

from uuid import UUID, uuid4

from payouts.models import Approval, Event
from payouts.services import approval_reject
from tables import services
from tables.models import ReviewItem, Round
from tables.selectors.rounds import corrections_wait, unclarified
from tests.floor import done, stakes_for
from tests.tables.audits import breached_here
from tests.tables.test_correct import sign
from tests.tables.test_queued import LOST, WON, Offline, refusal
from tests.turns import each
from tests.worlds import world

pytestmark = world(Offline)


def locked(floor: Offline) -> UUID:
    return UUID(floor.lock(stakes_for(floor.others[:2]), table_id=floor.other.pk, croupier_id=floor.nora.pk)["id"])


def settled(floor: Offline, result: object) -> UUID:
    round_id = locked(floor)
    floor.settle(round_id, result, person_id=floor.nora.pk)
    return round_id


def ask(floor: Offline, round_id: UUID) -> None:
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=WON, state="settled")
    done(services.round_correction_request, prepared=prepared, person_id=floor.reto.pk, reason="seen on camera")


def state(entry: ReviewItem) -> str:
    return ReviewItem.objects.values_list("state", flat=True).get(pk=entry.pk)


@each("kind", ["settle", "queued"])
def test_what_a_signature_is_asked_for_is_not_dismissed(floor: Offline, kind: str) -> None:
    if kind == "settle":
        round_id, payload = settled(floor, LOST), {"result": WON}
    else:
        round_id, payload = uuid4(), {"stakes": stakes_for(floor.others[:2]), "result": WON}
        floor.take(round_id, result=LOST)
    entry = floor.keep(round_id, kind, payload)
    floor.clarify("take", entry)
    assert refusal(floor.clarify, "dismiss", entry, "paid by hand") == "round.correction_waits"
    floor.correct_signed(round_id, WON)
    assert (state(entry), Round.objects.get().revision) == ("taken", 2)
    assert breached_here() == {}


def test_once_the_request_is_rejected_it_is_dismissed(floor: Offline) -> None:
    round_id = settled(floor, LOST)
    entry = floor.keep(round_id, "settle", {"result": WON})
    floor.clarify("take", entry)
    asked = Approval.objects.get(action="round.correct")
    person = {"person_id": floor.ines.pk, "person_roles": floor.ines.roles}
    done(approval_reject, **person, approval_id=asked.pk, house_id=floor.house.pk, reason="the camera says lost")
    floor.clarify("dismiss", entry, "the camera says lost")
    assert (state(entry), unclarified([round_id]), Round.objects.get().revision) == ("dismissed", 0, 1)


def test_prg7_a_correction_that_is_asked_for_leaves_its_round_unclear_until_it_is_decided(floor: Offline) -> None:
    """Of the lines as they stand: what was asked about others is dead."""
    one, other = settled(floor, LOST), settled(floor, LOST)
    ask(floor, one)
    assert (corrections_wait([one, other]), unclarified([one, other])) == ({one}, 1)
    floor.keep(one, "settle", {"result": WON})
    assert unclarified([one, other]) == 1  # one round, however many papers lie about it
    sign(floor, Approval.objects.get(), floor.ines)
    assert corrections_wait([one]) == {one}  # signed, and not carried out yet
    ask(floor, other)
    floor.correct(other, WON, person_id=floor.nora.pk)
    assert corrections_wait([one, other]) == {one}


@each("taker", ["croupier", "pit"])
def test_a_result_that_is_booked_as_it_came_closes_its_entry(floor: Offline, taker: str) -> None:
    round_id = locked(floor)
    same, other = (floor.keep(round_id, "settle", {"result": one}) for one in (WON, LOST))
    if taker == "croupier":
        floor.settle(round_id, WON, person_id=floor.nora.pk)
    else:
        floor.clarify("take", floor.keep(round_id, "settle", {"result": WON}))
    assert (state(same), state(other), unclarified([round_id])) == ("taken", "open", 1)
    assert refusal(floor.clarify, "dismiss", same) == "clarify.closed"
    why = {"croupier": "its result was booked", "pit": "seen on camera"}[taker]
    assert Event.objects.get(name="clarify.taken").reason == why
    floor.clarify("dismiss", other)
    assert breached_here() == {}


def test_a_late_withdrawal_is_taken_by_the_pit_and_gives_the_stakes_back(floor: Offline) -> None:
    round_id = locked(floor)
    entry = floor.keep(round_id, "withdraw", {})
    assert (state(entry), unclarified([round_id])) == ("open", 1)
    assert floor.clarify("take", entry, "the chips lie with the guests")["state"] == "voided"
    entry.refresh_from_db()
    assert (entry.state, entry.closed_by_id, entry.reason) == ("taken", floor.reto.pk, "the chips lie with the guests")
    assert breached_here() == {}


@each("way", ["void", "withdraw"])
def test_a_round_that_ends_without_a_result_takes_its_late_withdrawal_with_it(floor: Offline, way: str) -> None:
    round_id = locked(floor)
    entry = floor.keep(round_id, "withdraw", {})
    ids = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.reto.pk}
    if way == "void":
        done(services.round_void, **ids, reason="misdeal")
    else:
        done(services.round_withdraw, **ids, table_id=floor.other.pk, supervisor=True)
    assert state(entry) == "taken"
    assert refusal(floor.clarify, "dismiss", entry) == "clarify.closed"


def test_a_late_withdrawal_of_a_round_that_was_played_can_only_be_dismissed(floor: Offline) -> None:
    round_id = settled(floor, WON)
    entry = floor.keep(round_id, "withdraw", {})
    assert refusal(floor.clarify, "take", entry) == "round.state_refused"
    floor.clarify("dismiss", entry)
    assert (state(entry), Round.objects.get().state) == ("dismissed", "settled")
