"""The games that the simulator plays, by their codes. A game is a package of its own that answers
`Game`; the first is the one that feeds the progressive.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from casino.simulate.books.lines import Outcome
from casino.simulate.books.rules import JackpotRules, Posted
from casino.simulate.games.blackjack import game as blackjack
from casino.simulate.games.uth import game as uth
from casino.simulate.plan import RoundPlan, TablePlan


class Game(Protocol):
    """What a table, its plan and its books ask of a game. `rules` are whatever `rules_of` gives."""

    @property
    def TITLE(self) -> str:  # noqa: N802
        """What it is called."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """What its tables are called, with a number."""

    @property
    def LINKED(self) -> bool:  # noqa: N802
        """Whether its tables feed the progressive."""

    @property
    def LEVELS(self) -> Sequence[str]:  # noqa: N802
        """How its tables are entered, in turns."""

    @property
    def OFF_STEP(self) -> Sequence[str]:  # noqa: N802
        """The codes by which a stake off the step is refused."""

    @property
    def IMPOSSIBLE(self) -> Sequence[str]:  # noqa: N802
        """The codes by which an impossible result is refused."""

    @property
    def REFUSALS(self) -> Mapping[str, str]:  # noqa: N802
        """Its refusals in the words of the story."""

    def rules_of(self, posted: Posted, names: Mapping[str, str], day: str) -> Any:
        """What is posted at a table whose posted tables have these names. Raises NotPlayable."""

    def plan(self, *given: Any, **named: Any) -> TablePlan:
        """The evening of a table."""

    def settle(self, rules: Any, jackpot: JackpotRules | None, plan: RoundPlan) -> Outcome:
        """Work a round out from its cards."""

    def stakes(self, plan: RoundPlan, guests: Mapping[str, str], coin: int) -> list[dict[str, Any]]:
        """What lies there at the lock; `guests`: the house's ids by our names."""

    def placements(
        self, level: str, plan: RoundPlan, guests: Mapping[str, str]
    ) -> list[dict[str, Any]]:
        """What is staked after the lock, in its order."""

    def off_step(self, laid: list[dict[str, Any]], rules: Any) -> list[dict[str, Any]]:
        """The same stakes with an amount that no step allows."""

    def result(self, level: str, rules: Any, plan: RoundPlan, outcome: Any) -> dict[str, Any]:
        """The result as it is entered at a table of this level."""

    def mistyped(
        self, level: str, rules: Any, plan: RoundPlan, outcome: Any
    ) -> dict[str, Any] | None:
        """A result that the service takes and that is wrong; None where there is none."""

    def impossible(self, level: str, rules: Any, plan: RoundPlan, outcome: Any) -> dict[str, Any]:
        """A result that must be refused."""

    def story(self, plan: RoundPlan, outcome: Any) -> Iterable[str]:
        """What the story tells of a round, each with the box where it happened."""


GAMES: dict[str, Game] = {"uth": uth, "blackjack": blackjack}
