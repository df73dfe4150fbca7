"""A game for tests, that stands in the list and nowhere else: guests play hands against one another. It plays nothing yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar
from unittest.mock import patch

from payouts.rules.lines import Reason
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted, whole
from tables import services
from tables.games import GAMES, Game, HandGame, Rules
from tables.games.irregular import COMMON
from tests.floor import POSTED, Floor, done


@dataclass(frozen=True, slots=True, kw_only=True)
class DealingRules(Posted):
    """A posted table that only this game has."""

    KIND: ClassVar[str] = "dealing_rules"

    small_minor: int = whole(100, low=1)
    big_minor: int = whole(200, low=1)


class Dealing(HandGame):
    """Nine seats, two blinds on the sign, one level of its own."""

    code = "dealing"
    title = "Dealing"
    posted: tuple[str, ...] = ("dealing_rules",)
    kinds: tuple[TableKind, ...] = (TableKind("dealing_rules", "Blinds of Dealing", DealingRules()),)
    levels = {"by_hand": "Hand by hand"}
    boxes_most = 9
    pace = (15, 40)
    reasons: Mapping[str, Reason] = {}
    stakes: Mapping[str, str] = {}
    fields = {"small_minor": "Small blind", "big_minor": "Big blind"}
    choices: Mapping[str, str] = {}
    logged = {"dealing_rules": "blinds of Dealing"}
    words: Mapping[str, Mapping[str, str]] = {}
    places: Mapping[str, str] = {}
    irregularities = COMMON
    sign_kind = "dealing_rules"

    def fit(self, posted: Mapping[str, Posted]) -> None:
        assert isinstance(posted["dealing_rules"], DealingRules)

    def sign(self, posted: Posted) -> tuple[int, int]:
        assert isinstance(posted, DealingRules)
        return posted.small_minor, posted.big_minor


DEALING = Dealing()


class Screens(ModuleType):
    """Its screens: what is played on the tablet is served by a test, at the place of the round's module."""

    PLAY, TABLET = "round/play", "uth/game"

    @staticmethod
    def surface(game: Game, rules: Rules) -> dict[str, object]:
        return {"seats": game.boxes_most}

    @staticmethod
    def tablet_texts() -> dict[str, str]:
        return {}


SCREENS = Screens("dealing")


class Dealt(Floor):
    """A floor with a third table, open, of the game that plays hands."""

    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = [(DEALING.kinds[0], "1/2", DealingRules())]

    def __init__(self, *, suffix: str = "", **changes: bool) -> None:
        super().__init__(suffix=suffix, **({"linked": False} | changes))
        with patch.dict(GAMES, {DEALING.code: DEALING}):
            self._open_dealt()

    def _open_dealt(self) -> None:
        names = {kind: POSTED[kind] for kind in ("floor_rules", "calendar")} | {"dealing_rules": "1/2"}
        values = {"house_id": self.house.pk, "pit_id": self.pit.pk, "game": "dealing", "boxes": 9, "posted": names}
        self.dealt = done(services.table_create, **values, name="Dealing 1")
        at = {"house_id": self.house.pk, "table_id": self.dealt.pk, "croupier_id": self.martina.pk}
        done(services.table_open, **at, entry_level="by_hand", actor_id=self.reto.pk)
