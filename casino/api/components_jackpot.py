"""What the API answers about jackpots, as JSON Schema: the shapes of `casino/api/show_hits.py` and of jackpots and displays."""

from casino.api.components import (
    DAY,
    FLAG,
    ID,
    ID_OR_NONE,
    MINOR,
    OBJECT,
    TEXT,
    TIME,
    TIME_OR_NONE,
    WHOLE,
    Schema,
    answer,
    maybe,
    words,
)
from casino.api.describe import ref
from jackpot.models import Award, Claim, Gate, GateDisplay, Hit, Phase, Slip
from jackpot.rules.jackpot_rules import CHECKS
from jackpot.services.verify import NOTE_MOST

WHOLE_OR_NONE: Schema = {"type": ["integer", "null"]}
_JACKPOT = {
    "id": ID,
    "house": ID,
    "name": TEXT,
    "progressive": TEXT,
    "funding": TEXT,
    "rules": TEXT,
    "offline_linked": TEXT,
    "phase": words(tuple(Phase.values)),
    "kept_phase": words(("", *Phase.values)),
}
_GATE = {
    "number": WHOLE,
    "state": words(tuple(Gate.State.values)),
    "version": WHOLE,
    "amount_minor": MINOR,
    "made_at": TIME,
}
_HIT = {
    "id": ID,
    "house": ID,
    "jackpot": ID,
    "number": WHOLE,
    "state": words(tuple(Hit.State.values)),
    "shown_minor": MINOR,
    "begun_at": TIME,
    "drained_at": TIME_OR_NONE,
    "ended_at": TIME_OR_NONE,
    "reason": TEXT,
}
_AWARD = {
    "id": ID,
    "jackpot": ID,
    "hit": ID_OR_NONE,
    "claim": ID_OR_NONE,
    "prize": ID_OR_NONE,
    "kind": words(tuple(Award.KINDS)),
    "amount_minor": MINOR,
    "round": ID,
    "table": ID,
    "box": WHOLE,
    "guest": ID,
    "reason": TEXT,
    "at": TIME,
}
_SLIP = {
    "id": ID,
    "house": ID,
    "number": WHOLE,
    "incarnation": WHOLE,
    "written": TEXT,
    "state": words(tuple(Slip.State.values)),
    "to_pay_minor": MINOR,
    "due_on": DAY,
    "made_at": TIME,
    "paid_at": TIME_OR_NONE,
    "paid_by": ID_OR_NONE,
    "cash_minor": WHOLE_OR_NONE,
    "cancelled_at": TIME_OR_NONE,
    "cancelled_as": words(("", *Slip.CANCELS)),
    "reason": TEXT,
}
_CLAIM = {
    "id": ID,
    "hit": ID,
    "number": WHOLE,
    "round": ID,
    "table": ID,
    "box": WHOLE_OR_NONE,
    "guest": ID_OR_NONE,
    "origin": words(tuple(Claim.ORIGINS)),
    "state": words(tuple(Claim.State.values)),
    "dealers": {"type": "array", "items": ID},
    "checklist": maybe(OBJECT),
    "made_by": ID_OR_NONE,
    "made_at": TIME,
    "decided_by": ID_OR_NONE,
    "decided_at": TIME_OR_NONE,
    "reason": TEXT,
}
_ROUNDS = answer(round=ID, table=ID, name=TEXT, running=FLAG, ended_as=TEXT, ended_at=TIME_OR_NONE)
_SPLITS = answer(
    revision=WHOLE,
    sum_minor=MINOR,
    won_minor=MINOR,
    unit_minor=MINOR,
    remainder_minor=MINOR,
    carried_minor=MINOR,
    overflow_minor=MINOR,
    shortfall_minor=MINOR,
    shares={"type": "array", "items": answer(claim=ID, share_minor=MINOR)},
    at=TIME,
)
_ON_GATE = answer(
    display=ID, name=TEXT, state=words(tuple(GateDisplay.State.values)), at=TIME_OR_NONE, shown=TEXT, reason=TEXT
)
_LAST_HIT = answer(
    **{name: _HIT[name] for name in ("number", "state", "shown_minor", "begun_at", "ended_at")}, won_minor=WHOLE_OR_NONE
)
_NOTE: Schema = {"type": "string", "minLength": 1, "maxLength": NOTE_MOST}

JACKPOT: dict[str, Schema] = {
    "Checklist": {
        "type": "object",
        "properties": dict.fromkeys(CHECKS, _NOTE),
        "additionalProperties": False,
        "description": "A note to each item that the house's rules ask for (`checklist` of the hit), and to no other.",
    },
    "Claim": answer(**_CLAIM),
    "ControllerMeters": answer(
        coins=WHOLE,
        coins_in_minor=MINOR,
        hits=WHOLE,
        hits_paid=WHOLE,
        won_minor=MINOR,
        overflow_minor=MINOR,
        reserve_minor=MINOR,
        last_hits={"type": "array", "items": _LAST_HIT},
        unreasonable={"type": "array", "items": answer(table=ID, hour=TIME, rounds=WHOLE, coins=WHOLE)},
    ),
    "Display": answer(
        display=ID,
        name=TEXT,
        in_service=FLAG,
        required_since=TIME_OR_NONE,
        seen_at=TIME_OR_NONE,
        shown=TEXT,
        version=WHOLE_OR_NONE,
        gate=maybe(words(tuple(GateDisplay.State.values))),
    ),
    "HitRow": answer(**_HIT),
    "HitWhole": answer(
        **_HIT,
        checklist={"type": "array", "items": TEXT},
        rounds={"type": "array", "items": _ROUNDS},
        claims={"type": "array", "items": ref("Claim")},
        splits={"type": "array", "items": _SPLITS},
        approvals={"type": "array", "items": ref("Approval")},
        awards={"type": "array", "items": answer(**_AWARD, slip=answer(**_SLIP))},
        gate=maybe(answer(**_GATE, ended_at=TIME_OR_NONE, displays={"type": "array", "items": _ON_GATE})),
    ),
    "Jackpot": answer(**_JACKPOT),
    "JackpotNow": answer(
        **_JACKPOT,
        phase_at=TIME,
        incarnation=WHOLE,
        epoch=WHOLE,
        version=WHOLE,
        shown_minor=MINOR,
        hit=maybe(answer(id=ID, number=WHOLE, state=words(tuple(Hit.State.values)))),
        gate=maybe(answer(**_GATE)),
    ),
    "RequiredDisplay": answer(display=ID, name=TEXT, added_at=TIME),
    "Slip": answer(**_SLIP, award=answer(**_AWARD)),
}
