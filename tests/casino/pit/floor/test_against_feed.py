"""A result that the feed contradicts, on the round's page: with a reason, and from the threshold on by another's signature."""

from types import SimpleNamespace
from uuid import UUID

from payouts.models import Approval
from tables import services
from tables.models import RoundResult
from tables.rules.floor import FloorRules
from tables.services.rounds import against_feed
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, state_of, words
from tests.casino.pit.floor.test_round import locked, signing
from tests.floor import done
from tests.worlds import world

pytestmark = world(FloorDesk)


def test_a_result_against_the_feed_needs_a_reason_and_from_the_threshold_on_a_signature(desk, monkeypatch):
    round_id = locked(desk)
    fed = {"board": "Ah Ad Kh 7c 2d", "dealer": "3c 4c", "boxes": {"1": "Kd Ks"}}
    done(services.card_feed_record, house_id=desk.house.pk, round_id=UUID(round_id), cards=fed)
    lost = {"play__1": "4", "result__1": "lose"}
    page = desk.post("boss", f"rounds/{round_id}/settle/", REFUSED, **lost)
    assert "the round did not end so" in page
    rules = SimpleNamespace(floor=FloorRules(approval_from_minor=5_000))
    monkeypatch.setattr(against_feed, "rules_of", lambda _versions: rules)
    desk.post("boss", f"rounds/{round_id}/settle/", **lost, reason="a king was a queen")
    approval = Approval.objects.get()
    assert (state_of(round_id), approval.revision, desk.martina.pk in approval.excluded) == ("locked", 0, True)
    assert "Your PIN" in words(desk.get("second", f"rounds/{round_id}/"))
    desk.post("second", f"rounds/{round_id}/sign/", **signing(desk, approval, "second"))
    result = RoundResult.objects.get()
    assert (state_of(round_id), result.approval_id, result.reason) == ("settled", approval.pk, "a king was a queen")


def test_a_void_beside_the_feed_is_asked_for_from_the_threshold_on(desk, monkeypatch):
    round_id = locked(desk)
    fed = {"boxes": {"1": "Kd Ks"}}
    done(services.card_feed_record, house_id=desk.house.pk, round_id=UUID(round_id), cards=fed)
    rules = SimpleNamespace(floor=FloorRules(approval_from_minor=1_000))
    monkeypatch.setattr(against_feed, "rules_of", lambda _versions: rules)
    desk.post("boss", f"rounds/{round_id}/void/", reason="a card was exposed")
    approval = Approval.objects.get()
    assert (state_of(round_id), approval.action, desk.martina.pk in approval.excluded) == (
        "locked",
        "round.void_claimed",
        True,
    )
    assert f"rounds/{round_id}/void/" not in desk.get("boss", f"rounds/{round_id}/")
    assert "A feed has read cards of this round" in words(desk.get("second", f"rounds/{round_id}/"))
    fields = signing(desk, approval, "second", secret=people.code(desk.people["second"]))
    desk.post("second", f"rounds/{round_id}/sign/", **fields)
    assert state_of(round_id) == "voided"
