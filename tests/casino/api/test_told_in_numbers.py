"""What a refusal of the API says of a number, a box, a text: what came, and what fits, so that nobody has to guess."""

from collections.abc import Callable

from tests.casino.api.bad import Sent, amount, boss, lock, refused, settle, stake
from tests.casino.api.ground import Ground
from tests.floor import taps
from tests.turns import each

TOLD: dict[str, tuple[Callable[[Ground], Sent], str]] = {
    "a fraction": (amount(1500.0), "The request · stakes · 1 · amount: 1500.0 is no whole number."),
    "a text for an amount": (
        amount("1500"),
        'Stake 1 cannot be read: “amount” must be a whole number from 1 to 1000000000000000, not "1500".',
    ),
    "a box beyond the layout": (
        lambda g: lock(g, stake(g, box=99)),
        "The table has boxes 1 to 7; 99 is not one of them.",
    ),
    "a seat beyond the layout": (
        boss(lambda g: f"tables/{g.floor.other.pk}/guests/", {"box": 99, "seated": True}),
        "The table has boxes 1 to 7; 99 is not one of them.",
    ),
    "a result beyond the layout": (
        lambda g: settle(g, taps(b1={"play": 1, "result": "win"}, b2={"result": "fold"}, b99={"result": "fold"})),
        "Box 99 does not play in this round.",
    ),
    "half a box": (
        boss(lambda g: f"tables/{g.floor.other.pk}/guests/", {"box": "2"}),
        'The field “box” is not right: a whole number from 1 to 99 is expected, not "2".',
    ),
    "a short reason": (
        boss(lambda g: f"rounds/{g.floor.locked}/void/", {"reason": "x"}),
        "Reason: too short, 1 of at least 3 characters.",
    ),
    "no reason": (
        boss(lambda g: f"rounds/{g.floor.locked}/void/", {"reason": ""}),
        "Reason: too short, 0 of at least 3 characters.",
    ),
    "a long reason": (
        boss(lambda g: f"rounds/{g.floor.locked}/void/", {"reason": "x" * 501}),
        "Reason: too long, 501 of at most 500 characters.",
    ),
    "an unknown field": (
        boss(lambda g: f"rounds/{g.floor.locked}/void/", {"reasn": "misdeal"}),
        "There is no field “reasn” in this request.",
    ),
    "a code of five digits": (
        boss(lambda g: f"approvals/{g.approval.pk}/sign/", {"payload_hash": "0" * 64, "secret": "12345"}),
        "The field “secret” is not right: a text of six digits is expected, not ….",
    ),
}


@each("what", TOLD)
def test_a_refusal_says_what_came_and_what_fits(ground: Ground, what: str) -> None:
    make, title = TOLD[what]
    status, problem = make(ground).send()
    refused((status, problem), problem["status"], problem["code"], problem["rule"])
    assert problem["title"].replace("\u00a0", " ") == title
