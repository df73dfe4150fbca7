"""What a buy-in and a tip have in common, and what not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from jackpot.services.slips import CASH_UNIT
from payouts.models import House
from payouts.rules.ledger import recipes
from payouts.rules.ledger.recipes import Line
from payouts.rules.plain import Json
from payouts.rules.rulesets.chips import ChipSet
from payouts.rules.rulesets.schema import MAXIMUM_MINOR, Posted, sent
from tables.errors import BuyInAmountWrong, BuyInTakeBackOver, TipAmountWrong, TipTakeBackOver
from tables.games import Rules
from tables.models import BuyIn, Table, TableSession, Tip
from tables.services.parts import posted_of, rules_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CashKind:
    """A buy-in or a tip: its rows, what it is called in keys and events, how it is posted and
    refused.
    """

    model: type[BuyIn] | type[Tip]
    name: str
    posting: str
    recipe: Callable[[int], list[Line]]
    amount_wrong: type[BuyInAmountWrong]
    over: type[BuyInTakeBackOver]
    column: str  # of `EntryReversal`


BUY_IN = CashKind(
    model=BuyIn,
    name="buyin",
    posting="buy_in",
    recipe=recipes.buy_in,
    amount_wrong=BuyInAmountWrong,
    over=BuyInTakeBackOver,
    column="buy_in",
)
TIP = CashKind(
    model=Tip,
    name="tip",
    posting="tip",
    recipe=recipes.tip,
    amount_wrong=TipAmountWrong,
    over=TipTakeBackOver,
    column="tip",
)
KEYS = 6  # for amounts, of each kind
# where a house posts no chips
BOUGHT_MINOR = (20_00, 50_00, 100_00, 200_00, 500_00, 1_000_00)
KINDS: Mapping[str, CashKind] = {kind.name: kind for kind in (BUY_IN, TIP)}


def chips_of(posted: Mapping[str, Posted]) -> ChipSet | None:
    """The chips that are played with under these tables; None where none are posted."""
    chips = posted.get("chip_set")
    return chips if isinstance(chips, ChipSet) else None


def least_minor(session: TableSession) -> int:
    """What each amount at a table is a multiple of: its smallest chip, else the smallest coin."""
    if chips := chips_of(posted_of(session.versions.values())):
        return chips.smallest_minor
    currency = House.objects.values_list("currency", flat=True).get(pk=session.house_id)
    return CASH_UNIT.get(currency, 1)


def cash_keys(table: Table, rules: Rules) -> dict[str, Json]:
    """The amounts that a tablet has keys for, of buy-ins the higher chips, of tips the lower ones;
    `step`: what any other is a multiple of.
    """
    chips = chips_of(rules.posted)
    step = chips.smallest_minor if chips else CASH_UNIT.get(table.house.currency, 1)
    most = MAXIMUM_MINOR // step * step
    bought = chips.values()[-KEYS:] if chips else BOUGHT_MINOR
    given = (chips or ChipSet()).values()[:KEYS]
    return {"buyin": list(bought), "tip": list(given), "step": step, "most": most}


def check_amount(kind: CashKind, session: TableSession, amount: object) -> int:
    """An amount that guests buy or give at the table, in minor units. Raises BuyInAmountWrong,
    TipAmountWrong.
    """
    least = least_minor(session)
    most = MAXIMUM_MINOR // least * least
    if type(amount) is int and least <= amount <= most and amount % least == 0:
        return amount
    raise kind.amount_wrong(amount_minor=sent(amount), least_minor=least, most_minor=most)


def entered(kind: CashKind, entry_id: UUID) -> BuyIn | Tip | None:
    """A buy-in or a tip with its session, and when it was taken back."""
    rows = kind.model.objects.select_related("session", "taken_back")
    return rows.filter(pk=entry_id).first()


def undo_s(session: TableSession) -> int:
    """For how many seconds a croupier takes back alone what they entered."""
    return rules_of(session.versions).floor.undo_s


def alone_until(row: BuyIn | Tip) -> datetime:
    """Until when its croupier takes a buy-in or a tip back alone."""
    return row.at + timedelta(seconds=undo_s(row.session))
