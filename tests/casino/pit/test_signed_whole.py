"""Nobody signs blind: whatever a payload says stands on the page that signs it, in the reader's words."""

from collections.abc import Callable, Iterator
from datetime import datetime
from html import unescape
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings

from casino.people.models import Person
from casino.text import floor as floor_texts
from casino.text.formats import format_money
from jackpot import services as jackpots
from jackpot.models import Claim, Hit, Jackpot, Phase, Slip
from jackpot.services.standing import ADJUST, RESUME, RETIRE, SUSPEND
from payouts.models import Approval, PostedTable
from payouts.rules.approval import ApprovalChanged
from payouts.services import approval_request, whole_payload
from tables import services
from tables.models import Guest, Round, Table
from tests.casino.pit.floor.floor_desk import words
from tests.casino.pit.room import Careful, Room
from tests.floor import done, second_jackpot
from tests.jackpot.linked import Linked, royal
from tests.jackpot.lived import four_of_a_kind
from tests.jackpot.test_late import Late, paid_late
from tests.jackpot.test_prizes import approved_correction
from tests.jackpot.test_standing import act
from tests.worlds import world

LATE_MINOR = 333_433


def named(value: str) -> str:
    """What the page calls the thing with this id."""
    pk = UUID(value)
    for model, name in (
        (Table, "name"),
        (Jackpot, "name"),
        (Round, "number"),
        (Hit, "number"),
        (PostedTable, "name"),
        (Person, "full_name"),
    ):
        if row := model.objects.filter(pk=pk).first():
            return str(getattr(row, name))
    return f"Guest {Guest.objects.get(pk=pk).number}"


def since(value: str) -> str:
    zone = ZoneInfo(settings.DEMO_TIME_ZONE)  # where the houses of the tests lie
    return datetime.fromisoformat(value).astimezone(zone).strftime("%d.%m. %H:%M:%S")


def said_as(name: str) -> Callable[[Any], str]:
    """How the page says a field of a payload."""
    if name.endswith("_minor"):
        return lambda value: format_money(value, "CHF", "de-CH")
    if name in ("phase", "kept_phase"):
        return lambda value: str(Phase(value).label)
    plain = {"kind": floor_texts.PAID_KINDS.__getitem__, "how": floor_texts.CANCELS.__getitem__, "since": since}
    return plain.get(name, named if name in ("table", "round", "guest", "by", "next_funding", "to") else str)


# The jackpot is the page's own; a slip goes by its number, a display by its name, a phase by its time; no remainder, no line
ELSEWHERE = {"jackpot", "slip", "display", "required", "phase_number"}


def leaves(payload: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(payload, dict):
        for key, value in payload.items():
            yield from leaves(value, key)
    elif isinstance(payload, list):
        for value in payload:
            yield from leaves(value, name)
    elif payload not in (None, "", 0) and name not in ELSEWHERE:
        yield name, payload


def unsaid(room: Room, done_before: set[str]) -> list[str]:
    """What open requests say and their page does not."""
    page, found = room.html(), []
    for one in Approval.objects.filter(house=room.linked.house, state="open"):
        done_before.add(one.action)
        section = page.partition(f'id="asked-{one.pk}"')[2].partition("</section>")[0]
        text = unescape(words(f"<main {section}")).replace("\xa0", " ")
        for name, value in leaves(whole_payload(one)):
            if (one.action, name) == ("jackpot.award", "hit"):
                continue  # the head of the timeline
            say = named if name == "hit" and "-" in str(value) else said_as(name)
            if say(value).replace("\xa0", " ") not in text:
                found.append(f"{one.action}: {name} {say(value)}")
    return found


def request(floor: Linked, action: str, **payload: Any) -> None:
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "person_id": floor.reto.pk}
    done(jackpots.jackpot_request, **ids, action=action, payload={"reason": "seen on camera 4"} | payload)


@world(Careful, count=3)
def test_everything_that_is_signed_about_a_hit_is_shown(floor: Careful) -> None:
    seen: set[str] = set()
    room, rounds = Room(floor), [floor.start(table) for table in range(3)]
    for table, result in enumerate((royal("h"), royal("d"), four_of_a_kind())):
        floor.end(table, rounds[table], result)
    floor.advance()
    first, second = Claim.objects.order_by("number")
    floor.verify(first)
    ids = {"house_id": floor.house.pk, "person_id": floor.reto.pk}
    done(jackpots.claim_refuse, **ids, claim_id=second.pk, reason="the ten lay in the muck")
    floor.advance()
    wrong = unsaid(room, seen)  # the payment, with a claim that one person refused, and a prize beside it
    done(jackpots.claim_refuse, **ids, claim_id=first.pk, reason="a card too many")
    done(jackpots.hit_reject_request, **ids, hit_id=first.hit_id, reason="no claim is true")
    wrong += unsaid(room, seen)
    assert wrong == []
    rejection = Approval.objects.get(action="jackpot.reject").payload
    assert [one["reason"] for one in rejection["refused"]] == ["a card too many", "the ten lay in the muck"]
    assert seen == {"jackpot.award", "jackpot.reject"}


@world(paid_late)
def test_everything_that_is_signed_besides_is_shown(floor: Late) -> None:
    seen: set[str] = set()
    room = Room(floor)
    approved_correction(floor, floor.rounds[2], royal("c"))
    ids = {"house_id": floor.house.pk, "person_id": floor.reto.pk}
    values = {"box": 1, "amount_minor": LATE_MINOR, "reason": "overlooked at the table"}
    done(services.late_award_request, **ids, round_id=floor.rounds[2], **values)
    for slip, how in zip(Slip.objects.order_by("number"), ("unpaid", "receivable"), strict=False):
        if how == "receivable":
            floor.pay(slip)
        done(jackpots.award_cancel_request, **ids, slip_id=slip.pk, how=how, reason="the wrong guest")
    request(floor, ADJUST, amount_minor=-12_345)
    request(floor, SUSPEND)
    display = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "person_id": floor.reto.pk}
    done(jackpots.display_out_request, **display, display_id=floor.displays[0], reason="the panel is dark")
    done(jackpots.display_add_request, **display, display_id=uuid4(), name="Foyer")
    floor.end(0, floor.start(0), four_of_a_kind())
    assert unsaid(room, seen) == []
    assert seen == {
        *("jackpot.award_late", "jackpot.award_cancel", "jackpot.adjust", "jackpot.suspend"),
        *("jackpot.display_out", "jackpot.display_add", "jackpot.prize"),
    }


@world(Linked)
def test_everything_that_is_signed_about_a_jackpot_that_stands_still_is_shown(floor: Linked) -> None:
    seen: set[str] = set()
    room = Room(floor)
    heir = second_jackpot(floor.house)
    act(floor, SUSPEND)
    request(floor, RESUME)
    assert unsaid(room, seen) == []
    floor.sign(floor.asked(RESUME), floor.bea)
    close = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "actor_id": floor.bea.pk}
    done(jackpots.jackpot_close, **close, reason="the end")
    request(floor, RETIRE, to=str(heir.pk))
    assert unsaid(room, seen) == []
    assert seen == {RESUME, RETIRE}


@world(paid_late)
def test_a_request_of_before_is_shown_as_it_is(floor: Late) -> None:
    """Payloads grow: one that was asked for before it named all this opens, and is refused as changed when it is used."""
    slip = Slip.objects.order_by("number")[0]
    old = {"jackpot": str(floor.jackpot.pk), "slip": str(slip.pk), "how": "unpaid", "reason": "the wrong guest"}
    ids = {"house_id": floor.house.pk, "requester_id": floor.reto.pk}
    asked = done(
        approval_request, **ids, action="jackpot.award_cancel", subject_kind="slip", subject_id=slip.pk, payload=old
    )
    bare = {"jackpot": str(floor.jackpot.pk), "amount_minor": 500, "reason": "a fault"}
    done(
        approval_request,
        **ids,
        action=ADJUST,
        subject_kind="jackpot",
        subject_id=floor.jackpot.pk,
        payload=bare,
    )
    assert "the wrong guest" in Room(floor).said()
    with pytest.raises(ApprovalChanged):
        floor.sign(asked, floor.bea)
