"""How a game is shown: its round on a tablet, its result on the floor's pages.

In the folder that is named as the game's code the module `screens` answers `Screens`; a game
without one is shown plainly (`plain`), so that a new game needs its place in `tables.games.GAMES`
and nothing else.
"""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from django.forms import Form

from payouts.rules.plain import Json
from tables.games import Game, Rules
from tables.models import Round
from tables.selectors.sessions import RoundParts


class Screens(Protocol):
    """What the screens ask about a game."""

    # the modules that the tablet's page knows as `tablet/play` and `tablet/game`; empty where
    # nothing is entered on a tablet
    PLAY: str
    TABLET: str

    def surface(self, game: Game, rules: Rules) -> dict[str, Json]:
        """What a tablet needs to know of the rules, in the words of the page's language; `limits`
        by kind of stake, main first.
        """

    def tablet_texts(self) -> dict[str, str]:
        """What a tablet says of this game alone, by name, in the page's language."""


class RoundScreens(Screens, Protocol):
    """What they ask besides about a game that plays rounds."""

    FORM: str  # the template in which a result is entered, with `form`
    RESULT: str  # the template that tells a result, with `told`

    def form(self, round_: Round, parts: RoundParts, at: str, words: Mapping[str, str]) -> Form:
        """The form of a result, `at` its place on the page: empty, filled with what counts, or as
        typed (`words`).
        """

    def form_result(self, round_: Round, words: Mapping[str, str]) -> dict[str, Json]:
        """The result that a form says, as it would come from a tablet. Raises what is wrong with
        it.
        """

    def form_placed(self, round_: Round, words: Mapping[str, str]) -> list[Json] | None:
        """All that should have come after the lock, as the form of a correction says it; None where
        it leaves that as it is.
        """

    def result_description(self, result: Mapping[str, Any]) -> object:
        """A result as people read it; what cannot be read is left out."""

    def outcomes(self, result: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """How each box ended, "" the bank: what two results say in the same places is compared."""


_NAMED = {module.name for module in pkgutil.iter_modules(__path__) if module.ispkg}


def screens_of(code: str) -> Screens:
    """How the game of this code is shown."""
    found = f"{code}.screens" if code in _NAMED else "plain"
    return cast(Screens, import_module(f"{__name__}.{found}"))


def round_screens_of(code: str) -> RoundScreens:
    """How the rounds of the game of this code are shown."""
    return cast(RoundScreens, screens_of(code))
