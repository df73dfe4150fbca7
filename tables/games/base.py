"""What the floor asks of a game. A game is one module that answers this, registered in
`tables.games.GAMES`: a `BankGame` or a `HandGame`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from payouts.errors import Refused, mark
from payouts.rules.lines import Reason, Stake, StakeLine
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.schema import Posted
from tables.games.irregular import DECISIONS, IrregularityKind
from tables.rules.floor import FloorRules
from tables.rules.limits import BoxLimits

# Cards in a result, as the API describes them.
CARDS: dict[str, Any] = {
    "type": ["string", "array"],
    "maxLength": 40,
    "items": {"type": "string"},
    "description": "Such as “Ah Kd”.",
}
# A field of a result or feed that says something by the numbers of boxes.
BY_BOX: dict[str, Any] = {"type": "object", "propertyNames": {"pattern": "^[0-9]{1,2}$"}}
HANDS_MOST = 4  # of a box
LEVELS: Mapping[str, str] = {
    "full_cards": mark("Full cards"),
    "fast": mark("Fast"),
    "jackpot_only": mark("Jackpot only"),
}
AN_OBJECT = mark("an object with the fields of a result")


class ResultWrong(Refused):
    """A result that cannot be read. Data: `field`, the place, and `expected`."""

    code = "round.result_wrong"
    rule = "HAND-7"
    sentence = mark("The result cannot be read: “%(field)s” must be %(expected)s.")
    remedy = mark("Enter the result again.")


class PlacementWrong(Refused):
    """A stake after the lock that cannot be read. Data: `field` and `expected`."""

    code = "round.placement_wrong"
    rule = "BOX-5"
    sentence = mark("The stake cannot be read: “%(field)s” must be %(expected)s.")
    remedy = mark("Enter the stake again.")


class LevelRefused(Refused):
    """Stakes or a result that the table's entry level does not take."""

    code = "round.level_refused"
    sentence = mark("This table is entered as “%(level)s”: %(why)s.")
    remedy = mark("Enter what the level asks for, or have the pit boss change the entry level.")


class AgainstFeed(Refused):
    """What the cards contradict that a shoe or shuffler read. Each subclass says which."""

    code = "round.against_feed"
    rule = "HAND-6"
    sentence = mark("The cards that the feed read say otherwise.")
    remedy = mark("Look at the cards. Where the feed is wrong, the pit books it, with a reason.")


class FeedContradicts(AgainstFeed):
    """Cards entered by hand are others than those that the feed read. Data: `field`, the place;
    `fed` and `entered`.
    """

    code = "round.feed_contradicts"
    sentence = mark("“%(field)s”: the feed read %(fed)s, but %(entered)s was entered.")


class FeedEndsOtherwise(AgainstFeed):
    """A result that the cards of the feed cannot have come to. Data: `fed`."""

    code = "round.feed_ends_otherwise"
    sentence = mark("By the cards that the feed read (%(fed)s) the round did not end so.")


class FeedBarsStake(AgainstFeed):
    """A stake that the cards of the feed do not allow. Data: `box`, `act`, `fed`."""

    code = "round.feed_bars_stake"
    rule = "BOX-5"
    sentence = mark("Box %(box)s: the feed read %(fed)s, and then there is no %(act)s.")


class FeedReadOn(AgainstFeed):
    """A stake that comes, or goes back, after the card that decides it was read. Data: `box`."""

    code = "round.feed_read_on"
    rule = "BOX-5"
    sentence = mark("Box %(box)s: the feed has read on, past the card that this stake is about.")


class FeedBarsVoid(AgainstFeed):
    """Every stake of a round goes back whose cards were read."""

    code = "round.feed_bars_void"
    rule = "BOX-5"
    sentence = mark("The feed has read cards of this round: whoever dealt it does not void it.")
    remedy = mark("Play the round, or have a pit boss void it who did not deal it.")


class Rules(NamedTuple):
    """Everything a round was locked under: the game's posted tables by kind, the prizes of a linked
    progressive, the house's.

    `jackpot`: what is posted about hits; its own defaults where nothing is.
    """

    posted: Mapping[str, Posted]
    progressive: ProgressiveRules | None
    floor: FloorRules
    jackpot: JackpotRules = JackpotRules()


class Decision(NamedTuple):
    """A guest who decided for a box after the lock, as the result names them; `away`: who was not
    at the table then (PRM-2).
    """

    box: int
    guest: str
    away: frozenset[str] = frozenset()


class Placed(NamedTuple):
    """A stake that came after the lock. `source`: whose stake it doubles, or whose place on the
    second hand it takes; mostly the guest's own.
    """

    stake: Stake
    source: str

    @property
    def lies(self) -> Stake:
        """The stake as a round is settled with it."""
        return replace(self.stake, source=self.source)


# By box and kind of the stakes that came after the lock: how many drawn cards a feed had read when
# the last of them came.
Came = Mapping[tuple[int, str], int]

# What was entered with a stake that came after the lock: its box, and its particulars.
Entered = tuple[int, Mapping[str, Any]]

# Who decides for a box, those who are away left out (BOX-2, PRM-2): "" where nobody has staked,
# None where who sat where is not known.
Decider = Callable[[int, frozenset[str]], str | None]


class Ended(NamedTuple):
    """How a round ended.

    `lines`: one for each stake. `placed`: stakes that came after the lock (Play). `claims`: boxes
    that claim the meter.
    `paying`: boxes whose royal flush pays Envy, coin or none. `source`: cards, taps or coins.
    `result`: what was entered, in the form that settles again to the same lines. `named`: guests
    whom no stake but the result names. `decided`: who decided for boxes on which several may stake;
    the floor asks whether they had the right to (BOX-2).
    """

    lines: tuple[StakeLine, ...]
    placed: tuple[Stake, ...]
    claims: tuple[int, ...]
    paying: tuple[int, ...]
    source: str
    result: dict[str, Any]
    named: tuple[str, ...] = ()
    decided: tuple[Decision, ...] = ()


class RoundForm(NamedTuple):
    """Each refuses what is none of the game; it is given how many boxes the table has."""

    stake: Callable[[Stake, int], None]
    placement: Callable[[object, int], None]
    result: Callable[[object, int], None]


NOBODY: Mapping[int, str] = {}


class Game(ABC):
    """A game of the list, whatever it plays: how its tables are set up, opened and shown. All
    amounts are minor units; nothing here reads a clock or a database.
    """

    plays: Literal["round", "hand"]
    code: str
    title: str
    posted: tuple[str, ...]  # kinds of posted tables that a table of this game names
    optional: tuple[str, ...] = ()  # and those that it may name
    kinds: tuple[TableKind, ...]  # those of them that come with the game
    levels: Mapping[str, str]  # how it can be entered: by code, the words for it
    boxes_most: int  # places at its table: boxes, or seats
    stacks: bool = False  # whether guests play with chips that are booked before each seat
    # rounds or hands an hour: fewer, while enough guests play there, or more is told to the pit
    pace: tuple[int, int]
    players_least = 1
    # Its words, as message ids: why a line is what it is, kinds of stakes, fields of its posted
    # tables and what can be chosen there, their kinds in the log.
    reasons: Mapping[str, Reason]
    stakes: Mapping[str, str]
    fields: Mapping[str, str]
    choices: Mapping[str, str]
    logged: Mapping[str, str]
    # Codes in the data of its refusals: by name, the words for them.
    words: Mapping[str, Mapping[str, str]]
    places: Mapping[str, str]  # the words for fields of its results that refusals name
    # What may go wrong in a round or hand and be recorded, by code (BJ-11).
    irregularities: Mapping[str, IrregularityKind]
    decisions: Mapping[str, str] = DECISIONS  # what may be decided about them
    doubted: Mapping[str, str] = {}  # refused results that the pit hears of: by code, the words

    @property
    @abstractmethod
    def sign_kind(self) -> str:
        """The kind of posted table that the sign at the table is read from."""

    @abstractmethod
    def sign(self, posted: Posted) -> tuple[int, int | None]:
        """The least and the greatest amount on the sign at the table, None where there is none."""

    def places_at(self, posted: Posted) -> int:
        """How many boxes or seats are played under what the sign is read from."""
        return self.boxes_most

    @abstractmethod
    def fit(self, posted: Mapping[str, Posted]) -> None:
        """Refuse posted tables of one table, by kind, that contradict one another. Raises
        PostedRefused.
        """


class BankGame(Game):
    """A game against a bank, played in rounds: stakes lie on boxes, and the house pays them or
    takes them.
    """

    plays = "round"
    levels = LEVELS
    # the stake that a guest sits down with: the posted table that limits it, and its kind
    main: tuple[str, str]
    form: RoundForm
    shared: bool  # whether several guests may stake on one box, under the prime rule
    # As JSON Schema, the fields of a result: of one box, and those beside the boxes; of the cards
    # that a shoe or shuffler sends.
    box: Mapping[str, dict[str, Any]]
    result: Mapping[str, dict[str, Any]]
    fed: Mapping[str, dict[str, Any]]
    fed_in_order = False  # whether the order of fed cards says whose they are

    def fit(self, posted: Mapping[str, Posted]) -> None:
        """Each stands alone."""

    @property
    def sign_kind(self) -> str:
        """The posted table that limits the main stake."""
        return self.main[0]

    def sign(self, posted: Posted) -> tuple[int, int]:
        """The limits of the main stake."""
        kind, stake = self.main
        limits = self.limits(Rules({kind: posted}, None, FloorRules()), stake)
        return limits.minimum_minor, limits.maximum_minor

    @abstractmethod
    def limits(self, rules: Rules, kind: str) -> BoxLimits:
        """The limits of one kind of stake on a shared box (BOX-3, BOX-4, PRM-1)."""

    @abstractmethod
    def check(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        *,
        layout: int,
        level: str,
        owners: Mapping[int, str] = NOBODY,
    ) -> None:
        """Refuse what may not lie on the table at the lock. `owners`: by box the guest whose it is
        (BOX-1); empty where a round is sent later or looked at again, since who sat where then is
        not known.
        """

    @abstractmethod
    def end(self, rules: Rules, stakes: Sequence[Stake], result: object, *, level: str) -> Ended:
        """Read a result and settle the round by it; the same stakes and `Ended.result` give the
        same again, for ever.
        """

    @abstractmethod
    def place(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        placement: object,
        decider: Decider,
        entered: Sequence[Entered] = (),
    ) -> Placed:
        """Read a stake that comes after the lock, and give what it brings, or refuse it. `stakes`:
        those of the lock; `later`: those that came since, in their order; `entered`: with them, as
        far as it is known.
        """

    @abstractmethod
    def check_later(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        before: Sequence[Placed],
    ) -> None:
        """Refuse stakes that came after the lock, of which others were taken off, where one cannot
        lie there without those. `before`: all that lay there, in their order.
        """

    @abstractmethod
    def hands_on(self, stakes: Sequence[Stake], box: int) -> int:
        """How many hands a box has by the stakes that lie on it; 0 where nobody plays there."""

    @abstractmethod
    def read_feed(self, cards: object) -> dict[str, Any]:
        """Read the cards that a shoe or shuffler sends: checked, in the form that is kept."""

    @abstractmethod
    def with_feed(
        self, result: object, fed: Mapping[str, Any] | None, *, staked: Collection[int], level: str
    ) -> object:
        """A result, completed by the cards that were fed last where it asks for them. `staked`: the
        boxes that have stakes.
        """

    @abstractmethod
    def particulars(self, placement: object) -> dict[str, Any]:
        """What a placement says beside the stake that it brings; it is judged by that again."""

    @abstractmethod
    def drawn(self, fed: Mapping[str, Any], staked: Collection[int]) -> int:
        """How many of the fed cards were drawn, after the first ones of all boxes and the bank."""

    @abstractmethod
    def fed_until(
        self, fed: Mapping[str, Any], staked: Collection[int], drawn: int
    ) -> Mapping[str, Any]:
        """The fed cards without those that were drawn later than so many."""

    def check_fed_stake(
        self,
        rules: Rules,
        stakes: Sequence[Stake],
        later: Sequence[Placed],
        placement: object,
        fed: Mapping[str, Any],
        came: Came,
    ) -> None:
        """Refuse a placement that `place` takes, where the fed cards contradict it. `came`: of
        those of `later`. Raises AgainstFeed.
        """

    @abstractmethod
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
        """Refuse a result that `end` takes, where the fed cards contradict it; `result` as `end`
        gives it. Raises AgainstFeed.
        """

    def waits_for_feed(self, rules: Rules, stakes: Sequence[Stake], fed: Mapping[str, Any]) -> bool:
        """Whether cards are drawn yet that the feed has not read. Never where it may read a part
        alone.
        """
        return False


class HandGame(Game):
    """A game that the house deals and does not play: guests play hands against one another."""

    plays = "hand"
    players_least = 2
