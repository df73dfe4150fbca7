"""Displays and the gate: tables open when every display on the gate's list has shown the value
(PRG-9).
"""

import secrets
from datetime import timedelta
from uuid import UUID, uuid4

from django.db.models import Max
from django.db.models.functions import Now

from jackpot.errors import (
    DisplayLast,
    DisplayListClosed,
    DisplayNotOnGate,
    DisplayRequired,
    DisplaySessionOver,
    DisplaySessionTaken,
    DisplayUnknown,
    GateNonceWrong,
    GateOver,
    GateUnknown,
    GateValueWrong,
    GateVersionWrong,
)
from jackpot.hints import hint
from jackpot.models import DisplaySession, Gate, GateDisplay, Jackpot, Phase, RequiredDisplay
from jackpot.selectors.jackpots import meter_read
from jackpot.services.state import jackpot_lock, log, phase_of
from payouts.db.constraints import refusing, require_transaction
from payouts.models import Approval
from payouts.rules.plain import Json, check_name, check_text
from payouts.services import Subject, approval_request, approval_use, event_record

SHOWN_MOST = 30  # signs that a display can show of an amount
SESSION_S = 6  # a display's session ends so long after its last sign of life
OUT, ADD = "jackpot.display_out", "jackpot.display_add"
LIST_OPEN = (Phase.OPEN, Phase.CLOSED)  # the phases in which one person adds a display to the list


def gate_make(jackpot: Jackpot) -> Gate | None:
    """A new gate for what the meter shows now, with the displays that are required now; None while
    there are none.

    Whatever gate was open before lapses, and its confirmations with it.
    """
    Gate.objects.filter(jackpot=jackpot, state=Gate.State.OPEN).update(state=Gate.State.LAPSED)
    required = list(
        RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None).order_by("added_at", "pk")
    )
    jackpot.gate = None
    if required:
        reading = meter_read(jackpot_id=jackpot.pk)
        last = Gate.objects.filter(jackpot=jackpot).aggregate(last=Max("number"))["last"] or 0
        newest_hit = jackpot.hits.order_by("-number").first()
        jackpot.gate = Gate.objects.create(
            id=uuid4(),
            house_id=jackpot.house_id,
            jackpot=jackpot,
            number=last + 1,
            nonce=secrets.token_hex(16),
            version=reading.version,
            amount_minor=reading.shown_minor,
            hit=newest_hit,
        )
        GateDisplay.objects.bulk_create(
            GateDisplay(
                gate=jackpot.gate,
                house_id=jackpot.house_id,
                display_id=one.display_id,
                name=one.name,
            )
            for one in required
        )
        log(jackpot, "gate.made", after={"gate": last + 1, "amount_minor": reading.shown_minor})
    jackpot.save(update_fields=["gate"])
    return jackpot.gate


def gate_confirm(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    display_id: UUID,
    session_id: UUID,
    gate: int,
    nonce: str,
    version: int,
    shown: str,
) -> dict[str, Json]:
    """A display says which digits are visible on it; confirmed is what equals the gate's amount,
    once. Repeated: the same answer.

    Raises JackpotUnknown, GateUnknown, GateOver, DisplayNotOnGate, GateNonceWrong,
    GateVersionWrong, GateValueWrong, DisplaySessionOver.
    """
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    there = Gate.objects.filter(jackpot=jackpot, number=gate).first()
    if there is None:
        raise GateUnknown
    mine = GateDisplay.objects.filter(gate=there, display_id=display_id).first()
    if mine is None:
        raise DisplayNotOnGate
    if not secrets.compare_digest(nonce.encode(), there.nonce.encode()):
        raise GateNonceWrong
    if mine.state != GateDisplay.State.CONFIRMED:
        if there.state != Gate.State.OPEN or mine.state != GateDisplay.State.WAITING:
            raise GateOver
        _check_session(display_id, session_id)
        reading = meter_read(jackpot_id=jackpot.pk)
        if version != there.version or there.version != reading.version:
            raise GateVersionWrong
        if len(shown) > SHOWN_MOST or digits(shown) != str(there.amount_minor).zfill(3):
            raise GateValueWrong(shown=shown[:SHOWN_MOST])
        mine.state, mine.shown = GateDisplay.State.CONFIRMED, shown[:SHOWN_MOST]
        mine.save(update_fields=["state", "shown"])
        log(
            jackpot,
            "gate.confirmed",
            after={"gate": gate, "display": mine.name, "shown": mine.shown},
        )
        hint(jackpot_id)
    waiting = GateDisplay.objects.filter(gate=there, state=GateDisplay.State.WAITING).count()
    return {"gate": gate, "state": mine.state, "waiting": waiting}


def digits(shown: str) -> str:
    """The digits of a shown amount, whatever stands between them: "CHF 10’000.00" is 1000000 minor
    units.
    """
    return "".join(sign for sign in shown if sign in "0123456789")


def display_heard(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    display_id: UUID,
    session_id: UUID,
    shown: str = "",
    version: int = 0,
) -> None:
    """A sign of life: the first session to speak is the live one, until 6 s after its last sign.
    Raises DisplaySessionTaken.

    A sign that is still to come is of a clock that was set back since, and holds nobody up.
    """
    require_transaction()
    seen = {
        "session_id": session_id,
        "seen_at": Now(),
        "shown": shown[:SHOWN_MOST],
        "version": version,
    }
    own = DisplaySession.objects.filter(display_id=display_id)
    if own.filter(session_id=session_id).update(**seen):
        return
    span = timedelta(seconds=SESSION_S)
    if own.exclude(seen_at__range=(Now() - span, Now() + span)).update(
        jackpot_id=jackpot_id, **seen
    ):
        return
    start = DisplaySession(display_id=display_id, house_id=house_id, jackpot_id=jackpot_id, **seen)
    _, made = DisplaySession.objects.get_or_create(display_id=display_id, defaults=_plain(start))
    if not made:
        raise DisplaySessionTaken


def display_session_alarm(
    *, house_id: UUID, jackpot_id: UUID, display_id: UUID, session_id: UUID
) -> None:
    """Keep that a second session spoke for a display: the pit is told."""
    event_record(
        "display.second_session",
        Subject("display", display_id),
        house_id=house_id,
        after={"jackpot": str(jackpot_id), "session": str(session_id)},
    )


def _plain(start: DisplaySession) -> dict[str, object]:
    names = ("house_id", "jackpot_id", "session_id", "seen_at", "shown", "version")
    return {name: getattr(start, name) for name in names}


def _check_session(display_id: UUID, session_id: UUID) -> None:
    live = DisplaySession.objects.filter(display_id=display_id).first()
    if live is None or live.session_id != session_id:
        raise DisplaySessionTaken if live else DisplaySessionOver
    fresh = DisplaySession.objects.filter(
        display_id=display_id, seen_at__gte=Now() - timedelta(seconds=SESSION_S)
    )
    if not fresh.exists():
        raise DisplaySessionOver


def display_require(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    display_id: UUID,
    name: str,
    approval_id: UUID | None = None,
    actor_id: UUID | None = None,
) -> RequiredDisplay:
    """Put an enrolled display on the list of those that must show a new value; after a hit, two
    people do so together.

    A display added to an open gate makes a new gate. Raises JackpotUnknown, DisplayRequired,
    TextRefused, DisplayListClosed (an approval is needed now), and what using one raises.
    """
    check_name(name, "name", most=40)
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    if approval_id is not None:
        _use(approval_id, jackpot, ADD, display_payload(jackpot_id, display_id, name), actor_id)
    elif phase_of(jackpot) not in LIST_OPEN:
        raise DisplayListClosed(state=phase_of(jackpot))
    with refusing({"required_display_once": DisplayRequired()}):
        added = RequiredDisplay.objects.create(
            id=uuid4(), house_id=house_id, jackpot=jackpot, display_id=display_id, name=name
        )
    log(
        jackpot,
        "display.required",
        actor_id=actor_id,
        after={"display": str(display_id), "name": name},
    )
    if phase_of(jackpot) == Phase.SHOWING:
        gate_make(jackpot)
    hint(jackpot_id)  # the first one lets coins in, and tablets say so
    return added


def display_add_request(
    *, house_id: UUID, jackpot_id: UUID, display_id: UUID, name: str, person_id: UUID
) -> Approval:
    """Ask for a further display on a list that is closed."""
    check_name(name, "name", most=40)
    return _ask(house_id, jackpot_id, ADD, display_payload(jackpot_id, display_id, name), person_id)


def display_out_request(
    *, house_id: UUID, jackpot_id: UUID, display_id: UUID, reason: str, person_id: UUID
) -> Approval:
    """Ask to take a dead display out. Raises DisplayUnknown, TextRefused."""
    check_text(reason, "reason", least=3, most=500)
    rows = RequiredDisplay.objects.filter(
        house_id=house_id, jackpot_id=jackpot_id, display_id=display_id
    )
    required = rows.filter(ended_at=None).first()
    if required is None:
        raise DisplayUnknown
    return _ask(
        house_id,
        jackpot_id,
        OUT,
        display_payload(jackpot_id, display_id, reason, required),
        person_id,
    )


def display_out(
    *,
    house_id: UUID,
    jackpot_id: UUID,
    display_id: UUID,
    reason: str,
    approval_id: UUID,
    actor_id: UUID,
) -> None:
    """Take a display off the list, and off the gate that waits for it; the last one can only be
    replaced.

    Raises JackpotUnknown, DisplayUnknown, DisplayLast and what using an approval raises.
    """
    jackpot = jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    required = RequiredDisplay.objects.filter(jackpot=jackpot, ended_at=None)
    own = required.filter(display_id=display_id).first()
    _use(approval_id, jackpot, OUT, display_payload(jackpot_id, display_id, reason, own), actor_id)
    if own is None:
        raise DisplayUnknown
    if required.count() == 1:
        raise DisplayLast
    own.ended_at, own.reason = Now(), reason
    own.save(update_fields=["ended_at", "reason"])
    waiting = GateDisplay.objects.filter(
        gate__jackpot=jackpot,
        gate__state=Gate.State.OPEN,
        display_id=display_id,
        state=GateDisplay.State.WAITING,
    )
    with refusing({"gate_display_guard": DisplayLast()}):
        waiting.update(state=GateDisplay.State.OUT, reason=reason)
    log(
        jackpot, "display.out", actor_id=actor_id, after={"display": str(display_id)}, reason=reason
    )
    hint(jackpot_id)


def display_payload(
    jackpot_id: UUID, display_id: UUID, text: str, required: RequiredDisplay | None = None
) -> dict[str, Json]:
    """What is signed about a display: which one, and its name or the reason; to take it out, which
    line of the list goes.
    """
    line: dict[str, Json] = {"required": str(required.pk)} if required else {}
    return {"jackpot": str(jackpot_id), "display": str(display_id), "text": text} | line


def _ask(
    house_id: UUID, jackpot_id: UUID, action: str, payload: dict[str, Json], person_id: UUID
) -> Approval:
    jackpot_lock(jackpot_id=jackpot_id, house_id=house_id)
    return approval_request(
        house_id=house_id,
        action=action,
        subject_kind="display",
        subject_id=payload["display"],
        payload=payload,
        requester_id=person_id,
    )


def _use(
    approval_id: UUID,
    jackpot: Jackpot,
    action: str,
    payload: dict[str, Json],
    actor_id: UUID | None,
) -> None:
    approval_use(
        approval_id=approval_id,
        house_id=jackpot.house_id,
        action=action,
        subject_kind="display",
        subject_id=payload["display"],
        payload=payload,
        actor_id=actor_id,
    )
