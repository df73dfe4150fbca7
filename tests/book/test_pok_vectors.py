"""The rules of poker in money say what stands in the file to which the tablet is held as well."""
# ruff: noqa: N802 - tests are named after the rules

import json

from payouts.errors import Refused
from tables.games.poker.buying import ChipsAmountRefused, OffChip
from tables.games.poker.pots import PotsRefused
from tables.games.poker.settle import WinnerFolded, WinnerMissing, WinnerNotInPot
from tables.games.poker.streets import StreetsRefused
from tests.vectors import showdowns
from tests.vectors.hands import COUNT, FILE, SEED, drawn, examples, outcome

REFUSALS: list[type[Refused]] = [*StreetsRefused.__subclasses__(), *PotsRefused.__subclasses__()]
REFUSALS += [ChipsAmountRefused, OffChip, WinnerMissing, WinnerFolded, WinnerNotInPot]


def test_POK_6_POK_7_HAND_5_RAK_3_a_hand_in_money_is_what_the_file_says() -> None:
    """If it is the rules that changed: `var/venv/bin/python -m tests.vectors`."""
    rows = json.loads(FILE.read_text("utf-8"))
    assert [hand for hand, _ in rows] == [*examples(), *drawn(COUNT, SEED)]
    for hand, written in rows:
        assert outcome(hand) == written, hand
    codes = {written["code"] for _, written in rows if "code" in written}
    assert codes == {refusal.code for refusal in REFUSALS}


def test_HAND_2_HAND_4_HAND_5_cards_win_what_the_file_says() -> None:
    rows = json.loads(showdowns.FILE.read_text("utf-8"))
    assert [showdown for showdown, _ in rows] == [*showdowns.dealt(showdowns.COUNT, showdowns.SEED)]
    for showdown, written in rows:
        assert showdowns.won(showdown) == written, showdown
