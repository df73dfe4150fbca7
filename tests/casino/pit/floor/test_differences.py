"""The first thing that a signer reads is the difference, line by line, whatever it is that is signed."""

from uuid import UUID

from jackpot.models import Claim
from payouts.models import Approval
from tables import services
from tables.models import Guest
from tests.casino.games.test_blackjack import Desk, hands
from tests.casino.pit.differences import signed_lines
from tests.casino.pit.floor.floor_desk import FloorDesk
from tests.casino.pit.floor.test_jackpot import HitDesk
from tests.floor import done, stakes_for, taps
from tests.jackpot.linked import CHECKLIST
from tests.worlds import world


@world(FloorDesk)
def test_correction_of_a_round_says_box_guest_result_and_sum(desk: FloorDesk) -> None:
    """Of two boxes that are corrected and one that is not: the third is folded away."""
    guests = desk.open()
    round_id = desk.lock(stakes_for(guests[:3]))["id"]
    lost, won = {"play": 4, "result": "lose"}, {"play": 4, "result": "win", "hand": "flush"}
    desk.settle(round_id, taps(b1=lost, b2=lost, b3=lost))
    prepared = services.round_evaluate(
        house_id=desk.house.pk,
        round_id=UUID(round_id),
        result=taps(b1=won, b2=lost | {"play": 2}, b3=lost),
        state="settled",
    )
    done(services.round_correction_request, prepared=prepared, person_id=desk.martina.pk, reason="seen")
    page = desk.get("second", f"rounds/{round_id}/")
    assert signed_lines(page) == [
        "Box 1 · Guest 1: loses → wins · flush, +187.50",
        "Box 2 · Guest 2: 4× → 2×, +30.00",
        "Together: CHF −270.00 → CHF −52.50, +217.50",
    ]
    waits = page.partition('id="sign"')[2]
    order = [waits.index(text) for text in ('class="differences"', "<q>", ">Sign</button>", "<details", "<table")]
    assert order == sorted(order)


@world(Desk)
def test_correction_at_black_jack_tells_hands_bank_and_guests_apart(desk: Desk) -> None:
    """The double of one of two guests on a box is taken off, and the bank had other cards."""
    owner = desk.owner
    other = desk.sit(distance=1)
    lies = [{"box": 1, "guest": str(guest.pk), "kind": "stake", "amount_minor": 10_000} for guest in (owner, other)]
    round_id = desk.lock(lies, table_id=desk.jack.pk)["id"]
    by = {"house_id": desk.house.pk, "round_id": UUID(round_id), "person_id": desk.martina.pk}
    done(services.round_place, **by, placement={"box": 1, "guest": str(owner.pk), "act": "double"})
    desk.settle(round_id, hands("lose", bank="20"))
    form = {"revision": 1, "reason": "seen on camera 4", "bank": "19", "result.1.1": "win", "off.1": "on"}
    desk.post("boss", f"rounds/{round_id}/correct/", **form)
    assert signed_lines(desk.get("second", f"rounds/{round_id}/")) == [
        "Bank: 20 → 19",
        f"Box 1 · Guest {owner.number}: a loss → a win, +300.00",
        f"Box 1 · Guest {other.number}: a loss → a win, +200.00",
        "Together: CHF −300.00 → CHF 200.00, +500.00",
    ]
    assert Approval.objects.get(action="round.correct").waits


@world(HitDesk)
def test_split_of_a_jackpot_says_first_what_leaves_the_meter_and_who_gets_it(desk: HitDesk) -> None:
    desk.hit()
    claim = Claim.objects.get()
    guest = Guest.objects.get(pk=claim.guest_id)
    desk.step("boss", "verify", claim=claim.pk, **CHECKLIST)
    desk.advance()
    page = desk.get("second", desk.path)
    assert signed_lines(page) == [
        "In the meter: CHF 10’002.00 → CHF 10’000.00, −2.00",
        f"UTH 1 · Box 1 · Guest {guest.number}: – → CHF 10’002.00, +10’002.00",
    ]
    waits = page.partition('class="differences"')[2]
    order = [waits.index(text) for text in (">Sign</button>", "The split as a whole", 'class="split"')]
    assert order == sorted(order)
