"""What the API answers, as JSON Schema: the shapes of `casino/api/show.py` and of what the services answer."""

from typing import Any

from casino.api.describe import PROBLEM, ref
from casino.text.floor import CALL_REASONS
from jackpot.models import Jackpot
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR
from tables.games import GAMES
from tables.games.base import CARDS
from tables.models import Round, ToClarify
from tables.models.floor import ENTRY_LEVELS
from tables.models.rounds import SOURCES

Schema = dict[str, Any]
ID: Schema = {"type": "string", "format": "uuid"}
ID_OR_NONE: Schema = {"type": ["string", "null"], "format": "uuid"}
TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
MINOR: Schema = {"type": "integer", "description": "Minor units of the house's currency."}
FLAG: Schema = {"type": "boolean"}
DAY: Schema = {"type": "string", "format": "date"}
TIME: Schema = {"type": "string", "format": "date-time"}
TIME_OR_NONE: Schema = {"type": ["string", "null"], "format": "date-time"}
ANYTHING: Schema = {}
OBJECT: Schema = {"type": "object"}


def maybe(schema: Schema) -> Schema:
    """That, or null."""
    return {"oneOf": [schema, {"type": "null"}]}


def words(codes: tuple[str, ...]) -> Schema:
    """One of these."""
    return {"type": "string", "enum": list(codes)}


def answer(**properties: Schema) -> Schema:
    """What we answer: every field is there, and no other."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


def asked(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """What we take: these fields alone."""
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": list(required)} if required else {})


_TABLE = {
    "id": ID,
    "house": ID,
    "pit": ID,
    "name": TEXT,
    "position": WHOLE,
    "game": TEXT,
    "boxes": WHOLE,
    "posted": {"type": "object", "additionalProperties": TEXT},
    "jackpot": ID_OR_NONE,
}
_ROUND = {
    "id": ID,
    "house": ID,
    "table": ID,
    "session": ID_OR_NONE,
    "number": {"type": ["integer", "null"]},
    "state": words(tuple(Round.State.values)),
    "revision": WHOLE,
    "entry_level": TEXT,
    "queued": FLAG,
    "croupier": ID_OR_NONE,
    "locked_at": TIME,
    "ended_at": TIME_OR_NONE,
    "ended_by": ID_OR_NONE,
    "reason": TEXT,
}
_STAKE = {
    "box": WHOLE,
    "guest": ID,
    "kind": TEXT,
    "offered_minor": MINOR,
    "accepted_minor": MINOR,
    "returned_minor": MINOR,
}
_LINE = {
    "place": WHOLE,
    "box": WHOLE,
    "guest": ID,
    "kind": TEXT,
    "stake_minor": MINOR,
    "returned_minor": MINOR,
    "won_minor": MINOR,
    "prize_minor": MINOR,
    "paid_minor": MINOR,
    "odds": TEXT,
    "hand": TEXT,
    "paid_by": TEXT,
    "code": TEXT,
    "rule": TEXT,
}
_WHY = {"rank": {"type": ["integer", "null"]}, "reason": TEXT, "rule": TEXT, "data": ANYTHING}
_PROBLEM = {"type": TEXT, "title": TEXT, "detail": TEXT, "status": WHOLE, "code": TEXT}
_KEPT = answer(id=ID, state=TEXT, detail=TEXT)
_BOX = asked() | {"properties": {name: field for game in GAMES.values() for name, field in game.box.items()}}
_BOX_NUMBER = {"pattern": "^[0-9]{1,2}$"}

COMPONENTS: dict[str, Schema] = {
    "Approval": answer(
        id=ID,
        house=ID,
        action=TEXT,
        subject_kind=TEXT,
        subject_id=TEXT,
        revision=WHOLE,
        payload=OBJECT,
        payload_hash=TEXT,
        lists=OBJECT,
        requester=ID_OR_NONE,
        state=TEXT,
        signers=WHOLE,
        roles={"type": "array", "items": TEXT},
        method=words(("pin", "totp")),
        requested_at=TIME,
        expires_at=TIME,
        signed_by={"type": "array", "items": ID},
    ),
    "CardFeed": answer(round=ID, cards=OBJECT, at=TIME),
    "Cards": asked(
        board=CARDS,
        dealer=CARDS,
        boxes={"type": "object", "propertyNames": _BOX_NUMBER, "additionalProperties": CARDS},
    ),
    "FloorCall": answer(table=ID, reason=maybe(words(tuple(CALL_REASONS)))),
    "Guest": answer(
        id=ID,
        session=ID,
        number=WHOLE,
        box={"type": ["integer", "null"]},
        seated=FLAG,
        distance=WHOLE,
        arrived_at=TIME,
        left_at=TIME_OR_NONE,
    ),
    "HandOver": answer(table=ID, from_croupier=ID, to_croupier=ID),
    "Person": answer(id=ID, name=TEXT),
    "Pit": answer(id=ID, house=ID, name=TEXT, position=WHOLE),
    "PostedTable": answer(
        id=ID,
        house=ID,
        kind=TEXT,
        name=TEXT,
        version=WHOLE,
        in_force_from={"type": ["string", "null"], "format": "date"},
        released_at=TIME_OR_NONE,
        data=OBJECT,
    ),
    "Present": answer(state=words(tuple(Round.State.values)), revision=WHOLE),
    "Problem": {
        "type": "object",
        "required": [*_PROBLEM, "rule", "data"],
        "properties": {**_PROBLEM, "rule": {"type": ["string", "null"]}, "data": OBJECT, "to_clarify": _KEPT},
        "description": f"{PROBLEM}: what happened (title), what to do (detail), and for programs code, rule, data.",
    },
    "QueuedAnswer": answer(
        rounds={
            "type": "array",
            "items": answer(
                round=ID,
                outcome=words(("taken", "known", "to_clarify")),
                answer=maybe(ref("Round")),
                problem=maybe(ref("Problem")),
                to_clarify=maybe(_KEPT),
            ),
        }
    ),
    "Result": asked(
        board=CARDS,
        dealer=CARDS,
        dealer_without_pair=FLAG,
        dispute=FLAG,
        feed=FLAG,
        boxes={"type": "object", "propertyNames": _BOX_NUMBER, "additionalProperties": _BOX},
    ),
    "Round": {
        "type": "object",
        "required": ["id", "table", "state"],
        "properties": {
            "id": ID,
            "table": ID,
            "number": {"type": ["integer", "null"]},
            "state": words(tuple(Round.State.values)),
            "revision": WHOLE,
            "stakes": {
                "type": "array",
                "items": {"type": "object", "required": list(_STAKE)[:4], "properties": _STAKE | _WHY},
            },
            "lines": {"type": "array", "items": {"type": "object", "required": ["box", "code"], "properties": _LINE}},
        },
        "description": "As the command left it. One that was withdrawn before its lock came has no stakes.",
    },
    "RoundRow": answer(**_ROUND),
    "RoundWhole": answer(
        **_ROUND,
        stakes={"type": "array", "items": answer(**_STAKE, **_WHY, revision=WHOLE, words=TEXT)},
        result=maybe(OBJECT),
        source=maybe(words(SOURCES)),
        lines={"type": "array", "items": answer(**_LINE, words=TEXT)},
    ),
    "Session": answer(
        id=ID,
        table=ID,
        gaming_day=DAY,
        entry_level=words(ENTRY_LEVELS),
        croupier=ID,
        opened_at=TIME,
        closed_at=TIME_OR_NONE,
    ),
    "Stake": asked(
        ("box", "guest", "kind", "amount_minor"),
        box={"type": "integer", "minimum": 1, "maximum": 99},
        guest=ID,
        kind={"type": "string", "minLength": 1, "maxLength": 20, "pattern": "^[ -~]{1,20}$"},
        amount_minor={"type": "integer", "minimum": 1, "maximum": AMOUNT_MAX_MINOR},
    ),
    "Surface": answer(
        at=TIME,
        name=TEXT,
        session=maybe(ref("Session")),
        croupier=maybe(ref("Person")),
        call=maybe(words(tuple(CALL_REASONS))),
        call_taken=maybe(answer(by=TEXT, at=TIME)),
        jackpot=ID_OR_NONE,
        offline=words(("play", *Jackpot.OFFLINE)),
        versions={"type": "object", "additionalProperties": ID},
        guests={
            "type": "array",
            "items": answer(id=ID, number=WHOLE, box={"type": ["integer", "null"]}, seated=FLAG, distance=WHOLE),
        },
        told=maybe(OBJECT),
        round=maybe(
            answer(
                id=ID,
                number={"type": ["integer", "null"]},
                state=words(tuple(Round.State.values)),
                called=FLAG,
                revision=WHOLE,
                correction_waits=FLAG,
                locked_at=TIME,
                ended_at=TIME_OR_NONE,
                entry_level=TEXT,
                stakes={"type": "array", "items": answer(box=WHOLE, guest=ID, kind=TEXT, amount_minor=MINOR)},
                result=maybe(OBJECT),
            )
        ),
    ),
    "Table": answer(**_TABLE),
    "Taken": answer(round=ref("Round"), entry=ref("ToClarify")),
    "TableNow": answer(
        **_TABLE,
        state=words(("open", "closed")),
        session=maybe(ref("Session")),
        croupier=maybe(ref("Person")),
        running_round=maybe(answer(id=ID, number=WHOLE, locked_at=TIME)),
    ),
    "ToClarify": answer(
        id=ID,
        table=ID,
        round=ID,
        kind=words(("lock", "settle", "queued", "withdraw")),
        payload=OBJECT,
        code=TEXT,
        data=ANYTHING,
        sent_by=ID_OR_NONE,
        received_at=TIME,
        state=words(tuple(ToClarify.State.values)),
        closed_by=ID_OR_NONE,
        closed_at=TIME_OR_NONE,
        reason=TEXT,
    ),
}
