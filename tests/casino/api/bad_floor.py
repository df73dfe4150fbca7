"""Bad results and bad commands to the floor: what is sent, the status, code and rule of its refusal."""

from uuid import uuid4

from tables.models import Table
from tests.casino.api.bad import Cases, Sent, boss, settle
from tests.casino.api.callers import NO_ID
from tests.floor import POSTED, stakes_for, taps

FULL = {"board": "Ah Kh Qh Jh 2c", "dealer": "3c 4c"}
OVERRIDE = {"box": 1, "guest": str(NO_ID), "amount_minor": 500, "reason": "seen on camera 4"}


def changed(table: Table, **changes: object) -> dict[str, object]:
    """A table as it is, but for these."""
    place = {"pit": str(table.pit_id), "name": table.name, "position": table.position}
    return place | {"boxes": table.boxes, "posted": table.posted, "retired": False} | changes


RESULTS: Cases = {
    "no result": (lambda g: settle(g, {}), 422, "cards.count", "HAND-7"),
    "result is a text": (lambda g: settle(g, "win"), 400, "request.field_wrong", None),
    "an unknown field": (lambda g: settle(g, {"tips": 5}), 422, "round.result_wrong", "HAND-7"),
    "a card twice": (
        lambda g: settle(g, {**FULL, "boxes": {"1": {"play": 1, "cards": "Ah Kd"}, "2": {"cards": "5c 5d"}}}),
        422,
        "cards.twice",
        "HAND-7",
    ),
    "a card that there is not": (lambda g: settle(g, {"board": "Ah Kh Qh Jh 1c"}), 422, "cards.unknown", None),
    "four cards on the board": (
        lambda g: settle(g, {"board": "Ah Kh Qh Jh", "dealer": "3c 4c", "boxes": {"1": {"cards": "5c 5d"}}}),
        422,
        "cards.count",
        "HAND-7",
    ),
    "cards against taps": (
        lambda g: settle(
            g,
            {
                **FULL,
                "boxes": {
                    "1": {"play": 1, "result": "lose", "cards": "As Ad"},
                    "2": {"result": "fold"},
                },
            },
        ),
        422,
        "uth.cards_contradict",
        "HAND-6",
    ),
    "a box without stakes": (
        lambda g: settle(g, taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"}, b5={"result": "fold"})),
        422,
        "uth.box_unknown",
        "UTH-1",
    ),
    "a box left out": (
        lambda g: settle(g, taps(b1={"play": 1, "result": "lose"})),
        422,
        "uth.outcome_missing",
        "UTH-3",
    ),
    "box 01": (lambda g: settle(g, {"boxes": {"01": {"result": "fold"}}}), 422, "round.result_wrong", "HAND-7"),
    "an unknown result": (lambda g: settle(g, taps(b1={"result": "draw"})), 422, "round.result_wrong", "HAND-7"),
    "an unknown hand": (
        lambda g: settle(g, taps(b1={"result": "win", "hand": "six_of_a_kind"})),
        422,
        "round.result_wrong",
        "HAND-7",
    ),
    "play of eleven": (
        lambda g: settle(g, taps(b1={"play": 11, "result": "win"})),
        422,
        "round.result_wrong",
        "HAND-7",
    ),
    "play that is true": (
        lambda g: settle(g, taps(b1={"play": True, "result": "win"})),
        422,
        "round.result_wrong",
        "HAND-7",
    ),
    "fold with play": (
        lambda g: settle(g, taps(b1={"play": 4, "result": "fold"}, b2={"result": "fold"})),
        422,
        "uth.fold_with_play",
        "UTH-3",
    ),
    "a win without play": (
        lambda g: settle(g, taps(b1={"result": "win"}, b2={"result": "fold"})),
        422,
        "uth.play_not_allowed",
        "UTH-3",
    ),
    "a full house with a coin, without cards": (
        lambda g: settle(g, taps(b1={"play": 4, "result": "win", "hand": "full_house"}, b2={"result": "fold"})),
        422,
        "uth.cards_missing",
        "HAND-7",
    ),
    "by the croupier of another table": (
        lambda g: Sent(g.nora, f"rounds/{g.floor.locked}/settle/", {"result": {}}),
        404,
        "round.unknown",
        None,
    ),
    "before the lock": (
        lambda g: Sent(g.tablet, f"rounds/{uuid4()}/settle/", {"result": taps(b1={"result": "fold"})}),
        404,
        "round.unknown",
        None,
    ),
    "after it was settled, by the pit": (
        lambda g: Sent(g.boss, f"rounds/{g.floor.settled}/settle/", {"result": taps(b1={"result": "fold"})}),
        409,
        "round.state_refused",
        None,
    ),
    "of another house": (
        lambda g: Sent(g.boss, f"rounds/{g.foreign.locked}/settle/", {"result": taps(b1={"result": "fold"})}),
        404,
        "round.unknown",
        None,
    ),
    "card twice by the feed": (
        lambda g: Sent(g.feed, f"rounds/{g.floor.locked}/cards/", {"cards": {"board": "Ah Ah Qh 2s 3d", "boxes": {}}}),
        422,
        "cards.twice",
        "HAND-7",
    ),
    "no cards by the feed": (
        lambda g: Sent(g.feed, f"rounds/{g.floor.locked}/cards/", {"cards": {"boxes": []}}),
        422,
        "round.result_wrong",
        "HAND-7",
    ),
}
FLOOR: Cases = {
    "open: an unknown table": (
        boss(lambda g: f"tables/{NO_ID}/open/", lambda g: {"croupier": str(g.floor.nora.pk)}),
        404,
        "table.unknown",
        None,
    ),
    "open: an open table": (
        boss(lambda g: f"tables/{g.floor.other.pk}/open/", lambda g: {"croupier": str(g.floor.nora.pk)}),
        409,
        "table.open",
        None,
    ),
    "open: a croupier of another house": (
        boss(lambda g: f"tables/{g.closed.pk}/open/", lambda g: {"croupier": str(g.foreign.dealer.pk)}),
        422,
        "table.croupier_unknown",
        None,
    ),
    "open: somebody who does not deal": (
        boss(lambda g: f"tables/{g.closed.pk}/open/", lambda g: {"croupier": str(g.floor.ines.pk)}),
        422,
        "table.croupier_unknown",
        None,
    ),
    "open: an unknown entry level": (
        boss(
            lambda g: f"tables/{g.closed.pk}/open/",
            lambda g: {"croupier": str(g.floor.nora.pk), "entry_level": "guess"},
        ),
        422,
        "table.level_unknown",
        None,
    ),
    "open: coins only without a jackpot": (
        boss(
            lambda g: f"tables/{g.closed.pk}/open/",
            lambda g: {"croupier": str(g.floor.nora.pk), "entry_level": "jackpot_only"},
        ),
        422,
        "table.level_needs_jackpot",
        None,
    ),
    "close: in the middle of a round": (
        boss(lambda g: f"tables/{g.floor.table.pk}/close/", {}),
        409,
        "table.round_running",
        None,
    ),
    "close: a closed table": (boss(lambda g: f"tables/{g.closed.pk}/close/", {}), 409, "table.closed", "HSE-1"),
    "hand-over: to nobody": (
        boss(lambda g: f"tables/{g.floor.table.pk}/hand-over/", {"croupier": NO_ID}),
        422,
        "table.croupier_unknown",
        None,
    ),
    "hand-over: to a croupier of another house": (
        boss(lambda g: f"tables/{g.floor.table.pk}/hand-over/", lambda g: {"croupier": str(g.foreign.dealer.pk)}),
        422,
        "table.croupier_unknown",
        None,
    ),
    "hand-over: to a number": (
        boss(lambda g: f"tables/{g.floor.table.pk}/hand-over/", {"croupier": 7}),
        400,
        "request.field_wrong",
        None,
    ),
    "guest: on an owned box": (
        boss(lambda g: f"tables/{g.floor.other.pk}/guests/", {"box": 1, "seated": True}),
        409,
        "guest.box_owned",
        "BOX-1",
    ),
    "guest: on box 8 of 7": (
        boss(lambda g: f"tables/{g.floor.other.pk}/guests/", {"box": 8, "seated": True}),
        422,
        "guest.box_outside",
        "BOX-1",
    ),
    "guest: seated on no box": (
        boss(lambda g: f"tables/{g.floor.other.pk}/guests/", {"seated": True}),
        422,
        "guest.place_refused",
        "BOX-1",
    ),
    "guest: at a closed table": (boss(lambda g: f"tables/{g.closed.pk}/guests/", {}), 409, "table.closed", "HSE-1"),
    "guest: at distance 100": (
        boss(lambda g: f"tables/{g.floor.other.pk}/guests/", {"distance": 100}),
        400,
        "request.field_wrong",
        None,
    ),
    "guest: on box true": (
        boss(lambda g: f"tables/{g.floor.other.pk}/guests/", {"box": True}),
        400,
        "request.field_wrong",
        None,
    ),
    "void: without a reason": (
        boss(lambda g: f"rounds/{g.floor.locked}/void/", {"reason": "  "}),
        400,
        "text.refused",
        None,
    ),
    "void: a reason that reads backwards": (
        boss(lambda g: f"rounds/{g.floor.locked}/void/", {"reason": "mis\u202edeal"}),
        400,
        "text.refused",
        None,
    ),
    "irregularity: none that a game lists": (
        boss(
            lambda g: f"rounds/{g.floor.locked}/irregularities/",
            {"kind": "earthquake", "decision": "void", "reason": "seen by all"},
        ),
        400,
        "request.field_wrong",
        None,
    ),
    "irregularity: none of this game": (
        boss(
            lambda g: f"rounds/{g.floor.locked}/irregularities/",
            {"kind": "bank_surplus", "decision": "burnt", "reason": "one card too many"},
        ),
        422,
        "irregularity.unknown",
        "BJ-11",
    ),
    "irregularity: a decision that is not allowed for it": (
        boss(
            lambda g: f"rounds/{g.floor.locked}/irregularities/",
            {"kind": "misdeal", "decision": "kept", "reason": "dealt twice"},
        ),
        422,
        "irregularity.decision_not_allowed",
        "BJ-11",
    ),
    "irregularity: a box that does not play": (
        boss(
            lambda g: f"rounds/{g.floor.locked}/irregularities/",
            {"kind": "cards_exposed", "decision": "burnt", "box": 7, "reason": "fell from the shoe"},
        ),
        422,
        "irregularity.box_wrong",
        "BJ-11",
    ),
    "irregularity: by the croupier after the end": (
        lambda g: Sent(
            g.tablet,
            f"rounds/{g.floor.settled}/irregularities/",
            {"kind": "misdeal", "decision": "play_on", "reason": "dealt twice"},
        ),
        409,
        "irregularity.late",
        "BJ-12",
    ),
    "override: a round that runs": (
        boss(lambda g: f"rounds/{g.floor.locked}/override-request/", OVERRIDE),
        409,
        "round.state_refused",
        None,
    ),
    "override: while another request waits": (
        boss(lambda g: f"rounds/{g.floor.settled}/override-request/", OVERRIDE),
        409,
        "override.waits",
        "BJ-12",
    ),
    "override: nothing besides": (
        boss(lambda g: f"rounds/{g.floor.settled}/override-request/", OVERRIDE | {"amount_minor": 0}),
        400,
        "request.field_wrong",
        None,
    ),
    "void: a settled round": (
        boss(lambda g: f"rounds/{g.floor.settled}/void/", {"reason": "misdeal"}),
        409,
        "round.state_refused",
        None,
    ),
    "reopen: a voided round": (
        lambda g: Sent(g.tablet, f"rounds/{g.floor.voided}/reopen/"),
        409,
        "round.state_refused",
        None,
    ),
    "correct: without approval": (
        boss(
            lambda g: f"rounds/{g.floor.settled}/correct/",
            {"result": taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"}), "reason": "mistyped"},
        ),
        422,
        "round.approval_needed",
        None,
    ),
    "correct: with an approval of another house": (
        boss(
            lambda g: f"rounds/{g.floor.settled}/correct/",
            lambda g: {
                "result": taps(b1={"play": 1, "result": "lose"}, b2={"result": "fold"}),
                "reason": "mistyped",
                "approval": str(g.foreign.approval.pk),
            },
        ),
        404,
        "approval.unknown",
        None,
    ),
    "withdraw: a settled round": (
        boss(lambda g: f"tables/{g.floor.table.pk}/rounds/{g.floor.settled}/withdraw/", {}),
        409,
        "round.state_refused",
        None,
    ),
    "withdraw: at another table": (
        boss(lambda g: f"tables/{g.floor.other.pk}/rounds/{g.floor.settled}/withdraw/", {}),
        409,
        "round.id_taken",
        "BOX-5",
    ),
    "late lock after withdraw, by the pit": (
        boss(
            lambda g: f"tables/{g.floor.table.pk}/rounds/{g.floor.withdrawn}/lock/",
            lambda g: {"stakes": stakes_for(g.guests[:2])},
        ),
        409,
        "round.withdrawn",
        "BOX-5",
    ),
    "lock twice with another body": (
        boss(
            lambda g: f"tables/{g.floor.table.pk}/rounds/{g.floor.locked}/lock/",
            lambda g: {"stakes": stakes_for(g.guests[:3], coins=2)},
        ),
        409,
        "round.id_taken",
        "BOX-5",
    ),
    "lock a round of another table": (
        boss(
            lambda g: f"tables/{g.floor.other.pk}/rounds/{g.floor.locked}/lock/",
            lambda g: {"stakes": stakes_for(g.others[:2])},
        ),
        409,
        "round.id_taken",
        "BOX-5",
    ),
    "queued: none": (
        lambda g: Sent(g.other, f"tables/{g.floor.other.pk}/queued-rounds/", {"rounds": []}),
        400,
        "request.field_wrong",
        None,
    ),
    "queued: fifty-one": (
        lambda g: Sent(g.other, f"tables/{g.floor.other.pk}/queued-rounds/", {"rounds": [{}] * 51}),
        400,
        "request.field_wrong",
        None,
    ),
    "queued: a round without id": (
        lambda g: Sent(
            g.other, f"tables/{g.floor.other.pk}/queued-rounds/", {"rounds": [{"stakes": [], "result": {}}]}
        ),
        400,
        "request.field_missing",
        None,
    ),
    "set-up: a table in a pit of another house": (
        lambda g: Sent(
            g.technician,
            "tables/",
            {"pit": str(g.foreign.pit.pk), "name": "UTH 9", "game": "uth", "boxes": 5, "posted": POSTED},
        ),
        404,
        "pit.unknown",
        None,
    ),
    "set-up: a table with 99 boxes": (
        lambda g: Sent(
            g.technician,
            "tables/",
            {"pit": str(g.floor.pit.pk), "name": "UTH 9", "game": "uth", "boxes": 99, "posted": {}},
        ),
        400,
        "request.field_wrong",
        None,
    ),
    "set-up: an unknown game": (
        lambda g: Sent(
            g.technician,
            "tables/",
            {"pit": str(g.floor.pit.pk), "name": "Boule 1", "game": "boule", "boxes": 5, "posted": {}},
        ),
        422,
        "table.game_unknown",
        None,
    ),
    "set-up: posted tables left out": (
        lambda g: Sent(
            g.technician,
            "tables/",
            {"pit": str(g.floor.pit.pk), "name": "UTH 9", "game": "uth", "boxes": 5, "posted": {}},
        ),
        422,
        "table.posted_names_refused",
        None,
    ),
    "change: a pit of another house": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/change/", changed(g.closed, pit=str(g.foreign.pit.pk))),
        404,
        "pit.unknown",
        None,
    ),
    "change: letters for boxes": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/change/", changed(g.closed, boxes="six")),
        400,
        "request.field_wrong",
        None,
    ),
    "change: no boxes": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/change/", changed(g.closed, boxes=0)),
        400,
        "request.field_wrong",
        None,
    ),
    "change: more boxes than the game has": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/change/", changed(g.closed, boxes=23)),
        400,
        "request.field_wrong",
        None,
    ),
    "change: posted tables left out": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/change/", changed(g.closed, posted={})),
        422,
        "table.posted_names_refused",
        None,
    ),
    "change: the name of another table": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/change/", changed(g.closed, name="UTH 1")),
        409,
        "table.name_taken",
        None,
    ),
    "change: retired that is neither true nor false": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/change/", changed(g.closed, retired=1)),
        400,
        "request.field_wrong",
        None,
    ),
    "change: nothing": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/change/", changed(g.closed)),
        409,
        "table.unchanged",
        None,
    ),
    "change: at once of a table that was opened": (
        lambda g: Sent(g.technician, f"tables/{g.floor.other.pk}/change/", changed(g.floor.other, boxes=5)),
        409,
        "table.opened_before",
        None,
    ),
    "change: a linked table is to retire": (
        lambda g: Sent(
            g.technician,
            f"tables/{g.floor.table.pk}/change-request/",
            changed(g.floor.table, retired=True) | {"reason": "gone"},
        ),
        409,
        "table.linked",
        None,
    ),
    "set-up: a name that is taken": (
        lambda g: Sent(g.technician, "pits/", {"name": "Pit 1"}),
        409,
        "table.name_taken",
        None,
    ),
    "set-up: link in the middle of a round": (
        lambda g: Sent(g.technician, f"tables/{g.floor.table.pk}/link/", {"jackpot": None}),
        409,
        "table.round_running",
        None,
    ),
    "set-up: link to a jackpot of another house": (
        lambda g: Sent(g.technician, f"tables/{g.closed.pk}/link/", {"jackpot": str(g.foreign.jackpot.pk)}),
        404,
        "jackpot.unknown",
        None,
    ),
}
