"""A game for tests, that stands in the list and nowhere else: guests stake on boxes together, a box wins 1:1 or loses.

A result names who decided for a box: `{"boxes": {"1": {"by": guest, "wins": true, "away": [guest, …]}}}`; others lose.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from unittest.mock import patch
from uuid import UUID

from payouts.errors import Refused
from payouts.models import Account
from payouts.rules.ledger import recipes
from payouts.rules.lines import Reason, Stake, StakeLine
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted, whole
from tables import services
from tables.games import GAMES, NOBODY, BankGame, Decision, Ended, Placed, Rules
from tables.games.base import Came, Decider, Entered, RoundForm
from tables.games.irregular import COMMON
from tables.models import Guest
from tables.rules.floor import FloorRules
from tables.rules.limits import BoxLimits
from tests.cast import post
from tests.floor import POSTED, Floor, done

LOST = Reason("sharing.lost", "BOX-2", "Box %(box)s lost.")
WON = Reason("sharing.won", "BOX-2", "Box %(box)s won.")


class OutsideBoxes(Refused):
    code = "test.box_outside"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingRules(Posted):
    """A posted table that only this game has."""

    KIND: ClassVar[str] = "sharing_rules"

    pays: int = whole(1, low=1, high=35)


class Sharing(BankGame):
    """One kind of stake, under the posted limits of shared boxes."""

    code = "sharing"
    title = "Sharing"
    posted: tuple[str, ...] = ("box_limits", "sharing_rules")
    kinds: tuple[TableKind, ...] = (TableKind("sharing_rules", "What sharing pays", SharingRules()),)
    boxes_most = 7
    main = ("box_limits", "stake")
    form = RoundForm(*[lambda _part, _layout: None] * 3)
    pace = (20, 120)
    shared = True
    reasons = {one.code: one for one in (LOST, WON)}
    stakes = {"stake": "Stake"}
    fields = {"pays": "Pays to one"}
    choices: ClassVar[dict[str, str]] = {}
    logged = {"sharing_rules": "what sharing pays"}
    words: ClassVar[dict[str, dict[str, str]]] = {}
    places: ClassVar[dict[str, str]] = {}
    box = {"wins": {"type": "boolean"}}
    result: ClassVar[dict[str, dict[str, Any]]] = {}
    fed: ClassVar[dict[str, dict[str, Any]]] = {}
    irregularities = COMMON

    def limits(self, rules: Rules, kind: str) -> BoxLimits:
        found = rules.posted["box_limits"]
        assert isinstance(found, BoxLimits)
        return found

    def check(
        self, rules: Rules, stakes: Sequence[Stake], *, layout: int, level: str, owners: Mapping[int, str] = NOBODY
    ) -> None:
        if not stakes or any(stake.box > layout or stake.kind != "stake" for stake in stakes):
            raise OutsideBoxes

    def end(self, rules: Rules, stakes: Sequence[Stake], result: object, *, level: str) -> Ended:
        assert isinstance(result, dict)
        found, posted = result.get("boxes", {}), rules.posted["sharing_rules"]
        assert isinstance(posted, SharingRules)
        lines = tuple(_line(one, posted.pays, wins=found.get(str(one.box), {}).get("wins", False)) for one in stakes)
        decided = tuple(Decision(int(box), one["by"], frozenset(one.get("away", ()))) for box, one in found.items())
        return Ended(lines, (), (), (), "taps", result, decided=decided)

    def place(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        placement: object,
        decider: Decider,
        entered: Sequence[Entered] = (),
    ) -> Placed:
        raise OutsideBoxes

    def check_later(
        self, rules: Rules, stakes: Sequence[Stake], later: Sequence[Placed], before: Sequence[Placed]
    ) -> None:
        pass

    def hands_on(self, stakes: Sequence[Stake], box: int) -> int:
        return int(any(one.box == box for one in stakes))

    def read_feed(self, cards: object) -> dict[str, Any]:
        return {}

    def with_feed(
        self, result: object, fed: Mapping[str, Any] | None, *, staked: Collection[int], level: str
    ) -> object:
        return result

    def particulars(self, placement: object) -> dict[str, Any]:
        return {}

    def drawn(self, fed: Mapping[str, Any], staked: Collection[int]) -> int:
        return 0

    def fed_until(self, fed: Mapping[str, Any], staked: Collection[int], drawn: int) -> Mapping[str, Any]:
        return fed

    def check_fed_stake(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        placement: object,
        fed: Mapping[str, Any],
        came: Came,
    ) -> None:
        pass

    def check_fed_result(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        result: Mapping[str, Any],
        fed: Mapping[str, Any],
        came: Came,
        *,
        level: str,
    ) -> None:
        pass


def _line(stake: Stake, pays: int, *, wins: bool) -> StakeLine:
    amount = stake.amount_minor
    back, won, why = (amount, amount * pays, WON) if wins else (0, 0, LOST)
    return StakeLine(stake.box, stake.guest, stake.kind, amount, back, won, 0, why)


SHARING = Sharing()


def won_by(box: int, guest: Guest, away: Sequence[Guest] = ()) -> dict[str, Any]:
    """A result by which a box wins; `guest` decided for it."""
    return {"boxes": {str(box): {"by": str(guest.pk), "wins": True, "away": [str(one.pk) for one in away]}}}


class Shared(Floor):
    """A floor with a third table, open, of the game that shares; maximum 500 a box, in tens."""

    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = [(SHARING.kinds[0], "Sharing", SharingRules())]

    def __init__(self, *, suffix: str = "", **changes: bool) -> None:
        super().__init__(suffix=suffix, **({"linked": False} | changes))
        with patch.dict(GAMES, {SHARING.code: SHARING}):
            self._open_shared()

    def _open_shared(self) -> None:
        names = {kind: POSTED[kind] for kind in ("floor_rules", "calendar")}
        names |= {"box_limits": "Box 10–500", "sharing_rules": "Sharing"}
        values = {"house_id": self.house.pk, "pit_id": self.pit.pk, "game": "sharing", "boxes": 7, "posted": names}
        self.shared = done(services.table_create, **values, name="Sharing 1")
        post(self.house, "fill", recipes.fill(10_000_000), owners={"house": self.house.pk, "table": self.shared.pk})
        at = {"house_id": self.house.pk, "table_id": self.shared.pk, "croupier_id": self.martina.pk}
        done(services.table_open, **at, actor_id=self.reto.pk)

    def guest(self, box: int | None = None, **place: object) -> Guest:
        return self.seat(self.shared, box, **place)

    def lay(self, *stakes: tuple[Guest, int, int], round_id: UUID | None = None) -> dict[str, Any]:
        """Lock a round: guest, box, francs."""
        rows = [{"box": box, "guest": str(g.pk), "kind": "stake", "amount_minor": chf * 100} for g, box, chf in stakes]
        return self.lock(rows, round_id, table_id=self.shared.pk)

    def balance(self, kind: str) -> int:
        return Account.objects.get(owner_id=self.shared.pk, kind=kind).balance_minor


class Generous(Shared):
    """Whose croupiers put right alone what wins less than 10 000, for as long as a busy machine takes to come to it."""

    posted: ClassVar[dict[str, Posted]] = {"floor_rules": FloorRules(approval_from_minor=1_000_000, undo_s=300)}
