"""The application with two games more in its list, that tests bring (`tests/sharing.py`, `tests/dealing.py`), with what a
tablet's page asks of them.

Their modules on the tablet are served by the tests, at the places of others (`tablet/test_shared.py`, `tablet/test_dealing.py`).
"""

import sys
from typing import Any

from casino.asgi import application  # first: it loads the apps

# isort: split
from casino import games
from casino.games.plain import FORM, RESULT, form, form_placed, form_result, result_description, tablet_texts
from tables.games import GAMES, BankGame, Rules
from tests.dealing import DEALING, SCREENS
from tests.sharing import LOST, SHARING, WON, SharingRules

__all__ = [
    "FORM",
    "PLAY",
    "RESULT",
    "TABLET",
    "application",
    "form",
    "form_placed",
    "form_result",
    "result_description",
    "surface",
    "tablet_texts",
]
PLAY = "round/play"
TABLET = "uth/game"
CHIPS = (1_000, 2_000, 5_000, 10_000, 20_000, 30_000)


def surface(game: BankGame, rules: Rules) -> dict[str, Any]:
    """Limits, what a box pays, and the words of both outcomes."""
    posted, limits = rules.posted["sharing_rules"], game.limits(rules, "stake")
    assert isinstance(posted, SharingRules)
    stake = {"minimum": limits.minimum_minor, "maximum": limits.maximum_minor, "step": 1_000, "chips": CHIPS}
    reasons = {one.code: {"rule": one.rule, "words": one.code} for one in (WON, LOST)}
    return {"limits": {"stake": stake}, "pays": posted.pays, "reasons": reasons}


GAMES |= {SHARING.code: SHARING, DEALING.code: DEALING}
games._NAMED |= {SHARING.code, DEALING.code}
sys.modules[f"{games.__name__}.{DEALING.code}.screens"] = SCREENS
sys.modules[f"{games.__name__}.{SHARING.code}.screens"] = sys.modules[__name__]
