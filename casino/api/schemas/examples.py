"""An example for every answer, made from its schema: what the schema would not allow can not be
shown.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.utils import translation

from casino.api.schemas.openapi import ID
from casino.ops.unavailable import RETRY_AFTER_S, DatabaseBusy
from casino.people.refusals import NotAllowed, SignInRequired
from casino.text.problems import problem_body
from casino.text.request_errors import (
    BODY_MOST,
    AddressUnknown,
    FieldUnknown,
    MediaTypeRefused,
    TooLarge,
)
from jackpot.errors import ClaimUnknown, HitUnknown, JackpotUnknown, PrizeUnknown, SlipUnknown
from payouts.commands import InFlight
from payouts.errors import Refused
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.rulesets.schema import picture
from tables.errors import (
    CashUnknown,
    ClarifyUnknown,
    CountUnknown,
    GuestUnknown,
    HandMissing,
    RoundUnknown,
    StayGone,
    TableUnknown,
)

_MOMENT = "2026-11-21T20:15:00+00:00"
# By the name of a field: a value that says more than the first that its kind allows.
_NAMED: dict[str, Any] = {
    "accepted_minor": 1500,
    "action": "round.correct",
    "amount_minor": 1500,
    "board": "Ah Kh Qh Jh 2c",
    "boxes": 7,
    "cards": "As Kd",
    "dealer": "3c 4c",
    "distance": 0,
    "funding": "Bad Ragaz Progressive",
    "game": "uth",
    "gaming_day": "2026-11-21",
    "hand": "flush",
    "kind": "ante",
    "name": "UTH 1",
    "next": None,
    "number": 12,
    "odds": "3:2",
    "offered_minor": 1500,
    "offline_linked": "stop",
    "paid_by": "house",
    "payload_hash": "0" * 64,
    "posted": {
        "uth_rules": "UTH 5–50",
        "blind": "UTH Blind",
        "trips": "UTH Trips",
        "floor_rules": "Bad Ragaz",
    },
    "progressive": "Bad Ragaz Progressive",
    "reason": "",
    "replayed": False,
    "revision": 1,
    "roles": ["pit_boss"],
    "rule": "UTH-6",
    "shown_minor": 1_000_200,
    "signers": 1,
    "subject_kind": "round",
    "words": "Blind wins with a flush, paid 3:2.",
}
_FORMATS = {"uuid": ID, "date": "2026-11-21", "date-time": _MOMENT}
_EMPTY: dict[str, Any] = {"string": "", "boolean": False, "null": None, "object": {}, "array": []}
_TYPES = {
    "string": str,
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
    "integer": int,
}
PROBLEM = {
    "type": "about:blank",
    "title": "Box 1: Ante only in steps of CHF 5.00, not CHF 15.01.",
    "detail": "Change the stake to the nearest step.",
    "status": 422,
    "code": "uth.off_step",
    "rule": "UTH-2",
    "data": {"box": 1, "kind": "ante", "step_minor": 500, "amount_minor": 1501},
}

# The refusal that stands for its status; of what an address names, the first thing is the one that
# is not there.
_REFUSED: dict[int, Refused] = {
    400: FieldUnknown(name=picture("tip")),
    401: SignInRequired(),
    403: NotAllowed(),
    409: InFlight(retry_after_s=1),
    413: TooLarge(most=BODY_MOST),
    415: MediaTypeRefused(),
    503: DatabaseBusy(retry_after_s=RETRY_AFTER_S),
}
_UNKNOWN: dict[str, type[Refused]] = {
    "approval": ApprovalUnknown,
    "claim": ClaimUnknown,
    "clarify": ClarifyUnknown,
    "count": CountUnknown,
    "drop": CountUnknown,
    "guest": GuestUnknown,
    "hand": HandMissing,
    "hit": HitUnknown,
    "jackpot": JackpotUnknown,
    "round": RoundUnknown,
    "prize": PrizeUnknown,
    "slip": SlipUnknown,
    "stay": StayGone,
    **dict.fromkeys(("buyin", "tip"), CashUnknown),
    "table": TableUnknown,
}


def example_of(schema: Mapping[str, Any], parts: Mapping[str, Any], name: str = "") -> Any:
    """A value that the schema allows; `parts`: the components that it may refer to."""
    if "$ref" in schema:
        return example_of(parts[schema["$ref"].rpartition("/")[2]], parts)
    if "oneOf" in schema:
        return example_of(schema["oneOf"][0], parts, name)
    if "properties" in schema:
        return {key: example_of(inner, parts, key) for key, inner in schema["properties"].items()}
    if "enum" in schema:
        named = _NAMED.get(name)
        return named if named in schema["enum"] else schema["enum"][0]
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    kinds = schema.get("type", "object")
    kind = kinds if isinstance(kinds, str) else kinds[0]
    if kind == "array" and "$ref" in schema.get("items", {}):
        return [example_of(schema["items"], parts)]
    if kind == "array" and schema.get("items", {}).get("type") == "object":
        return [example_of(schema["items"], parts)]
    if isinstance(_NAMED.get(name), _TYPES[kind]):
        return _NAMED[name]
    return schema.get("minimum", 0) if kind == "integer" else _EMPTY[kind]


def add_examples(described: dict[str, Any]) -> None:
    """Give every answer of every operation its example: of each refusal one as it is said."""
    parts = described["components"]["schemas"]
    for path, operations in described["paths"].items():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                for content in answer.get("content", {}).values():
                    if int(status) < 400:
                        shown = {
                            operation["operationId"]: {
                                "value": example_of(content["schema"], parts)
                            }
                        }
                    else:
                        problem = _problem(int(status), path)
                        shown = {problem["code"]: {"value": problem}}
                    content["examples"] = shown


def _problem(status: int, path: str) -> dict[str, Any]:
    """A refusal of this status at this address, in English."""
    if status == 422:
        return PROBLEM
    refused = _REFUSED.get(status)
    if refused is None:
        named = re.search(r"\{(\w+)_id\}", path)
        refused = _UNKNOWN[named[1]]() if named else AddressUnknown()
    with translation.override("en"):
        return problem_body(refused, status)
