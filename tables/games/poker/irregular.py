"""What goes wrong at a poker table, and what may be decided about it (POK-9): one list."""

from collections.abc import Mapping
from typing import NamedTuple

from payouts.errors import mark
from tables.games.irregular import About, IrregularityKind

FLOOR = "floor"
HAND_DECISIONS: Mapping[str, str] = {
    "redeal": mark("dealt again"),
    "stands": mark("stands"),
    FLOOR: mark("the floor decides"),
    "shown": mark("shown"),
    "misdealt": mark("misdeal"),
    "dead": mark("dead"),
    "live": mark("live, by the floor"),
    "binds": mark("binds"),
    "released": mark("released by the floor"),
    "call": mark("counts as a call"),
    "raise_stands": mark("the raise stands"),
    "plays_on": mark("plays on"),
    "folded": mark("counts as a fold"),
    "good_faith": mark("acted in good faith"),
    "award_moved": mark("carried to another seat"),
    "override": mark("the management decides"),
    "voided": mark("the hand is void"),
    "not_shown": mark("not shown"),
    "right_withdrawn": mark("right withdrawn for the evening"),
    "warned": mark("warned"),
    "hand_dead": mark("hand dead"),
    "excluded": mark("excluded"),
}


class HandCase(NamedTuple):
    """One choice, with what the rule says of it, as message ids, and the decisions it allows."""

    title: str
    decisions: tuple[str, ...]
    words: str


HAND_CASES: Mapping[str, HandCase] = {
    "misdeal": HandCase(
        mark("Misdeal"),
        ("redeal", "stands", FLOOR),
        mark(
            "Noticed before two have acted: the same dealer deals again. After that it stands, and"
            " a hand with a wrong count cannot win. Where players deal, a second misdeal in a row"
            " passes the turn on to the next."
        ),
    ),
    "card_exposed": HandCase(
        mark("Exposed card"),
        ("shown", "misdealt", FLOOR),
        mark("It is shown to all; in the initial deal, before any action, it is a misdeal."),
    ),
    "cards_mucked": HandCase(
        mark("Cards in the muck, or stray"),
        ("dead", "live"),
        mark("What touched the muck is dead, and unprotected cards are taken in."),
    ),
    "out_of_turn": HandCase(
        mark("Action out of turn"),
        ("binds", "released"),
        mark(
            "It binds; after a call that still stands there is no raise. Play goes on at the right"
            " seat."
        ),
    ),
    "bet_unclear": HandCase(
        mark("String bet, announcement, single chip, overpay"),
        ("call", "raise_stands"),
        mark(
            "Only the first motion counts, and the word before the act; a single chip calls, and an"
            " overpay is changed."
        ),
    ),
    "open_fold": HandCase(
        mark("Open fold with one opponent left"),
        ("plays_on", "folded"),
        mark("By accident it is no fold."),
    ),
    "passed_over": HandCase(
        mark("Covered hand passed over"),
        ("good_faith", FLOOR),
        mark("Whoever acted in good faith did not act out of turn."),
    ),
    "pot_pushed": HandCase(
        mark("Pot pushed to the wrong seat"),
        ("award_moved", "override"),
        mark("Before it lies in the stack it is put right; after that it stands."),
    ),
    "cards_amiss": HandCase(
        mark("Deck: a card twice, missing, damaged"),
        ("voided", "stands"),
        mark(
            "A card twice or too many: the hand is void, and stakes go back. Missing or damaged: it"
            " is played out, and the deck is changed."
        ),
    ),
    "show_wanted": HandCase(
        mark("A called hand is to be shown"),
        ("shown", "not_shown", "right_withdrawn"),
        mark(
            "Whoever was in the hand may ask for it (POK-8); whoever does so too often loses the"
            " right for the evening."
        ),
    ),
    "conduct": HandCase(
        mark("Conduct: collusion, advice, talk about a live hand"),
        ("warned", "hand_dead", "excluded"),
        mark(
            "Each plays alone for himself. Nobody speaks of cards that are in a hand that runs, or"
            " were thrown from it; collusion is cheating."
        ),
    ),
}
LISTED: Mapping[str, IrregularityKind] = {
    code: IrregularityKind(case.title, About.ROUND, case.decisions, "POK-9")
    for code, case in HAND_CASES.items()
}
