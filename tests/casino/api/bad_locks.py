"""Bad locks, bad bodies and bad stakes after the lock: what is sent, the status, code and rule of its refusal."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from casino.text.request_errors import BODY_MOST
from tests.casino.api.bad import Cases, Sent, amount, lock, raw_lock, stake, standing
from tests.casino.api.callers import NO_ID
from tests.casino.api.ground import Ground
from tests.floor import stakes_for, taps

HUGE = 10**30

LOCKS: Cases = {
    "unknown table": (lambda g: lock(g, who=g.boss, table=NO_ID), 404, "table.unknown", None),
    "closed table": (lambda g: lock(g, who=g.boss, table=g.closed.pk), 409, "table.closed", "HSE-1"),
    "foreign house": (lambda g: lock(g, who=g.boss, table=g.foreign.table.pk), 404, "table.unknown", None),
    "another table": (lambda g: lock(g, who=g.tablet), 404, "table.unknown", None),
    "wrong croupier": (lambda g: lock(g, who=g.nora), 403, "round.croupier_wrong", None),
    "a round runs": (lambda g: lock(g, who=g.boss, table=g.floor.table.pk), 409, "table.round_running", None),
    "wrong step": (amount(1501), 422, "uth.off_step", "UTH-2"),
    "below the minimum": (amount(499), 422, "uth.off_limits", "UTH-2"),
    "above the maximum": (amount(5500), 422, "uth.off_limits", "UTH-2"),
    "zero": (amount(0), 422, "round.stake_wrong", "BOX-4"),
    "negative": (amount(-1500), 422, "round.stake_wrong", "BOX-4"),
    "more than the books hold": (amount(10**18), 422, "round.stake_wrong", "BOX-4"),
    "huge": (amount(HUGE), 400, "data.refused", None),
    "negative huge": (amount(-HUGE), 400, "data.refused", None),
    "float": (amount(1500.0), 400, "data.refused", None),
    "text": (amount("1500"), 422, "round.stake_wrong", "BOX-4"),
    "true": (amount(True), 422, "round.stake_wrong", "BOX-4"),
    "null": (amount(None), 422, "round.stake_wrong", "BOX-4"),
    "list": (amount([1500]), 422, "round.stake_wrong", "BOX-4"),
    "without amount": (lambda g: lock(g, stake(g, amount_minor=...)), 422, "round.stakes_wrong", "BOX-4"),
    "one field more": (lambda g: lock(g, stake(g, tip=5)), 422, "round.stakes_wrong", "BOX-4"),
    "unknown kind": (lambda g: lock(g, stake(g, kind="lottery")), 422, "uth.kind_unknown", "UTH-2"),
    "unknown guest": (lambda g: lock(g, stake(g, guest=NO_ID)), 404, "guest.unknown", "BOX-1"),
    "guest of another table": (lambda g: lock(g, stakes_for(g.guests[:1])), 404, "guest.unknown", "BOX-1"),
    "guest of another house": (
        lambda g: lock(g, stake(g, guest=str(g.foreign.guest.pk))),
        404,
        "guest.unknown",
        "BOX-1",
    ),
    "guest is a number": (lambda g: lock(g, stake(g, guest=7)), 422, "round.stake_wrong", "BOX-4"),
    "box beyond the layout": (lambda g: lock(g, stake(g, box=8)), 422, "uth.box_outside_layout", "UTH-1"),
    "box beyond all layouts": (lambda g: lock(g, stake(g, box=100)), 422, "round.stake_wrong", "BOX-4"),
    "more boxes than the layout": (
        lambda g: lock(
            g, stakes_for(g.others) + [one | {"box": 8, "guest": standing(g)} for one in stakes_for(g.others[:1])]
        ),
        422,
        "uth.box_outside_layout",
        "UTH-1",
    ),
    "a stake twice": (
        lambda g: lock(g, stakes_for(g.others[:1]) + stakes_for(g.others[:1])),
        422,
        "uth.stake_twice",
        "UTH-2",
    ),
    "no stake": (lambda g: lock(g, []), 422, "uth.no_box", "UTH-2"),
    "a coin without a progressive": (
        lambda g: lock(g, stakes_for(g.others[:1], coins=1)),
        422,
        "uth.no_progressive",
        "PRG-1",
    ),
    "a thousand stakes": (
        lambda g: lock(g, stakes_for(g.others[:1]) * 500),
        422,
        "round.too_many_stakes",
        None,
    ),
    "stakes are no list": (lambda g: lock(g, {"box": 1}), 400, "request.field_wrong", None),
    "stakes are no objects": (lambda g: lock(g, [1, "2", None]), 422, "round.stakes_wrong", "BOX-4"),
    "round id is none": (
        lambda g: Sent(g.boss, f"tables/{g.floor.other.pk}/rounds/none/lock/", {}),
        404,
        "request.not_found",
        None,
    ),
}
BODIES: Cases = {
    "a megabyte": (raw_lock(b'{"stakes": "' + b"x" * 1_048_576 + b'"}'), 413, "request.too_large", None),
    "one byte too many": (raw_lock(b" " * (BODY_MOST - 1) + b"{}"), 413, "request.too_large", None),
    "nothing": (raw_lock(b""), 400, "request.field_missing", None),
    "broken JSON": (raw_lock(b'{"stakes": ['), 400, "request.parse_error", None),
    "two documents": (raw_lock(b"{} {}"), 400, "request.parse_error", None),
    "not UTF-8": (raw_lock(b'{"stakes": "\xff\xfe"}'), 400, "request.parse_error", None),
    "UTF-16": (raw_lock('{"stakes": []}'.encode("utf-16")), 400, "request.parse_error", None),
    "a name twice": (raw_lock(b'{"stakes": [], "stakes": []}'), 400, "request.parse_error", None),
    "a name twice inside": (raw_lock(b'{"stakes": [{"box": 1, "box": 2}]}'), 400, "request.parse_error", None),
    "NaN": (raw_lock(b'{"stakes": [{"amount_minor": NaN}]}'), 400, "request.parse_error", None),
    "Infinity": (raw_lock(b'{"stakes": [-Infinity]}'), 400, "request.parse_error", None),
    "1e999": (raw_lock(b'{"stakes": [1e999]}'), 400, "data.refused", None),
    "a number of 5000 digits": (raw_lock(b'{"stakes": [' + b"1" * 5000 + b"]}"), 400, "request.parse_error", None),
    "deep": (raw_lock(b'{"stakes": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"), 400, "request.parse_error", None),
    "deeper than is stored": (raw_lock(b'{"stakes": ' + b"[" * 25 + b"]" * 25 + b"}"), 400, "data.refused", None),
    "NUL": (raw_lock(b'{"stakes": ["\\u0000"]}'), 400, "data.refused", None),
    "half a surrogate": (raw_lock(b'{"stakes": ["\\ud800"]}'), 400, "data.refused", None),
    "a list": (raw_lock(b"[]"), 400, "request.not_an_object", None),
    "null": (raw_lock(b"null"), 400, "request.not_an_object", None),
    "a text": (raw_lock(b'"stakes"'), 400, "request.not_an_object", None),
    "an unknown field": (raw_lock(b'{"stakes": [], "tip": 5}'), 400, "request.field_unknown", None),
    "a field that cannot be shown": (
        raw_lock(b'{"stakes": [], "\\u0000\\ud800": 5}'),
        400,
        "request.field_unknown",
        None,
    ),
    "no field": (raw_lock(b"{}"), 400, "request.field_missing", None),
    "a form": (
        raw_lock(b"stakes=1", **{"Content-Type": "application/x-www-form-urlencoded"}),
        415,
        "request.unsupported_media_type",
        None,
    ),
    "a file": (
        raw_lock(b"--x\r\n", **{"Content-Type": "multipart/form-data; boundary=x"}),
        415,
        "request.unsupported_media_type",
        None,
    ),
    "gzip that is none": (
        raw_lock(b"\x1f\x8b", **{"Content-Encoding": "gzip"}),
        400,
        "request.parse_error",
        None,
    ),
}


def take_back(body: Any, *, round_name: str = "locked", who: str = "tablet") -> Callable[[Ground], Sent]:
    return lambda g: Sent(getattr(g, who), f"rounds/{getattr(g.floor, round_name)}/take-back/", body)


def queued(placed: Any) -> Callable[[Ground], Sent]:
    return lambda g: Sent(
        g.other,
        f"tables/{g.floor.other.pk}/queued-rounds/",
        {"rounds": [{"round": str(uuid4()), "stakes": stakes_for(g.others[:1]), "result": {}, "placed": placed}]},
    )


def placed_right(placed: Any) -> Callable[[Ground], Sent]:
    result = taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"})
    body = {"result": result, "reason": "mistyped", "placed": placed}
    return lambda g: Sent(g.boss, f"rounds/{g.floor.settled}/correct/", body)


LATER: Cases = {
    **{
        f"placed right {placed!r:.20}": (placed_right(placed), 400, "request.field_wrong", None)
        for placed in ({}, "double", 5, True)
    },
    "placed right of too many": (placed_right([{}] * 201), 422, "round.too_many_stakes", None),
    "placed right where nothing comes": (placed_right([{}]), 422, "uth.nothing_later", "UTH-3"),
    "nothing to take back": (take_back({"placed": 1}), 409, "round.nothing_placed", "BOX-5"),
    "take back without a number": (take_back({}), 400, "request.field_missing", None),
    **{
        f"take back {name}": (take_back({"placed": value}), 400, "request.field_wrong", None)
        for name, value in {
            "number 0": 0,
            "number -1": -1,
            "number 32768": 32_768,
            "number 1.5": 1.5,
            "number true": True,
            "number as a text": "1",
            "number null": None,
            "several": [1],
        }.items()
    },
    "take back with a word too many": (take_back({"placed": 1, "why": "mistyped"}), 400, "request.field_unknown", None),
    "take back of a settled round, by the pit": (
        take_back({"placed": 1}, round_name="settled", who="boss"),
        409,
        "round.state_refused",
        None,
    ),
    "take back by the croupier of another table": (take_back({"placed": 1}, who="nora"), 404, "round.unknown", None),
    "queued: placements that are no list": (queued({"1": "double"}), 400, "request.field_wrong", None),
    "queued: placements null": (queued(None), 400, "request.field_wrong", None),
}
