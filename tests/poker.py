"""A floor with poker tables: one takes a rake, one a time charge, one nothing; the first two are open."""

from typing import Any, ClassVar
from uuid import UUID, uuid4

from payouts.models import Account, Approval
from payouts.rules.ledger import recipes, stacks
from payouts.rules.rulesets.kinds import TableKind
from payouts.rules.rulesets.rake import TimeCharge
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_sign
from tables import services
from tables.games.poker.entered import PotsEntry
from tables.games.poker.game import POKER
from tables.games.poker.raking import Pot
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.settle import PotWinners
from tables.games.poker.streets import Betting, Street
from tables.kinds import KINDS
from tables.models import Guest, Hand, PokerStay, Table
from tables.services.hands.entry import PlayedHand
from tests import floor as floors
from tests.cast import post
from tests.floor import POSTED, Floor

GAME, HOUSE = POKER.kinds


def poker_table(floor: Any, name: str = "Poker 1", game: str = "NL 1/2", **posted: str) -> Table:
    """A poker table of nine seats with chips in its tray; a rake is taken unless something else is posted."""
    names = {kind: POSTED[kind] for kind in ("floor_rules", "calendar")}
    names |= {"poker_game": game, "poker_rules": "Bad Ragaz", "hand_rules": "Poker"} | (posted or {"rake": "Poker"})
    values = {"house_id": floor.house.pk, "pit_id": floor.pit.pk, "game": "poker", "boxes": 9, "posted": names}
    table: Table = floors.done(services.table_create, **values, name=name)
    owners = {"house": floor.house.pk, "table": table.pk}
    post(floor.house, "fill", recipes.fill(1_000_000), owners=owners, key=f"fill:{table.pk}")
    return table


def at_table(floor: Any, command: str, table: Table, **values: object) -> Any:
    """A command of the pit at a table."""
    ids = {"house_id": floor.house.pk, "table_id": table.pk, "actor_id": floor.reto.pk}
    return floors.done(getattr(services, command), **ids | values)


def opened(floor: Any, table: Table) -> Table:
    at_table(floor, "table_open", table, croupier_id=floor.martina.pk, entry_level="rake_only")
    return table


def sit(floor: Any, seat: int, table: Table, amount_minor: int = 100_00, means: str = "cash") -> PokerStay:
    stay: PokerStay = at_table(floor, "stay_begin", table, seat=seat, amount_minor=amount_minor, means=means)
    return stay


def of_stay(floor: Floor, stay: PokerStay, command: str, **values: object) -> Any:
    """A command of the pit about a stay."""
    ids = {"house_id": floor.house.pk, "stay_id": stay.pk, "actor_id": floor.reto.pk}
    return floors.done(getattr(services, command), **ids | values)


def deal(floor: Any, *stays: PokerStay, hand_id: UUID | None = None, **values: Any) -> Hand:
    """A hand ends at the table of these stays, entered by its croupier; `pot`: by the names of `Pot`."""
    pot = Pot(**values.pop("pot", {"rake_minor": 5_00}))
    variant = values.pop("variant", "")
    ids = {"house_id": floor.house.pk, "table_id": stays[0].guest.session.table_id, "hand_id": hand_id or uuid4()}
    entry = PlayedHand([stay.pk for stay in stays], pot, variant)
    hand: Hand = floors.done(services.hand_end, **ids | {"person_id": floor.martina.pk} | values, entry=entry)
    return hand


def pots_of(stays: list[PokerStay], *streets: Street, winners: Any = (), **more: Any) -> PlayedHand:
    """What is entered of a hand at *pots* of these guests, whose stacks are those that are booked; `winners`: by pot.
    Who sits at 1 has the button, else the last of them.
    """
    ids = [stay.pk for stay in stays]
    booked = dict(Account.objects.filter(kind="stack", detail_id__in=ids).values_list("detail_id", "balance_minor"))
    seats = dict(Guest.objects.filter(pk__in=ids).values_list("pk", "box"))
    dealt = [*seats.values()]
    entry = PotsEntry(
        seats=tuple(seats[pk] for pk in ids),
        stacks=tuple(-booked[pk] for pk in ids),
        betting=Betting(streets),
        winners=tuple(PotWinners(tuple(high)) for high in winners),
        **{"button": 1 if 1 in dealt else max(dealt)} | more,
    )
    return PlayedHand(ids, Pot(), pots=entry)


def of_hand(floor: Floor, hand: Hand, command: str, **values: Any) -> Any:
    """A command about a hand, of its croupier; `pot` as above, the players are those of before."""
    if (pot := values.pop("pot", None)) is not None:
        last = hand.results.order_by("-revision")[0]
        values["entry"] = PlayedHand(values.pop("dealt", last.dealt), Pot(**pot))
    ids = {"house_id": floor.house.pk, "hand_id": hand.pk, "person_id": floor.martina.pk, "revision": hand.revision}
    return floors.done(getattr(services, command), **ids | {"reason": "mistyped"} | values)


class PokerRoom(Floor):
    """Three poker tables of nine seats, chips of 1.00, buy-in 40.00 to 200.00; half hours at 5.00."""

    also_posted: ClassVar[list[tuple[TableKind, str, Posted]]] = [
        (GAME, "Zeit", PokerGame(fee="time")),
        (GAME, "Frei", PokerGame(fee="nothing", seats=6)),
        (HOUSE, "Pocket", PokerRules(tips_from_stack=False, time_from="pocket")),
        (KINDS["time_charge"], "Five", TimeCharge(half_hour_minor=500)),
    ]

    def __init__(self, *, suffix: str = "", **changes: Any) -> None:
        super().__init__(suffix=suffix, **({"linked": False, "displays": 0} | changes))
        self.raked = opened(self, poker_table(self))
        self.timed = opened(self, poker_table(self, "Poker 2", "Zeit", time_charge="Five"))
        self.free = poker_table(self, "Poker 3", "Frei", poker_rules="Pocket")

    def at_table(self, command: str, table: Table | None = None, **values: object) -> Any:
        """A command of the pit at a table, the raked one unless another is named."""
        return at_table(self, command, table or self.raked, **values)

    def sit(self, seat: int, amount_minor: int = 100_00, table: Table | None = None, means: str = "cash") -> PokerStay:
        return sit(self, seat, table or self.raked, amount_minor, means)

    def of(self, stay: PokerStay, command: str, **values: object) -> Any:
        return of_stay(self, stay, command, **values)

    def ask(self, hand: Hand, command: str, **values: Any) -> Approval:
        """Ask by the croupier, and have the pit boss sign."""
        approval: Approval = of_hand(self, hand, command, **values)
        signer = {"signer_id": self.reto.pk, "signer_roles": self.reto.roles, "method": approval.method}
        ids = {"house_id": self.house.pk, "approval_id": approval.pk, "payload_hash": approval.payload_hash}
        floors.done(approval_sign, **ids, **signer)
        return approval

    def rake(self, amount_minor: int) -> None:
        """A fee out of a pot of the raked table; hands themselves are not booked."""
        owners = {"house": self.house.pk, "table": self.raked.pk}
        post(self.house, "hand_raked", stacks.hand_raked(amount_minor), owners=owners)

    def session_of(self, table: Table) -> UUID:
        session_id = Table.objects.get(pk=table.pk).session_id
        assert session_id is not None
        return session_id

    def stacks(self, table: Table | None = None) -> dict[str, int]:
        """Stacks by seat, and what is in play, of a table."""
        return {kind: minor for kind, minor in self.balances(table).items() if kind.startswith(("stack", "in_play"))}

    def balances(self, table: Table | None = None) -> dict[str, int]:
        """What the accounts of a table hold that are not empty, stacks by seat."""
        return {
            f"stack {seats[account.detail_id]}" if account.detail_id else account.kind: account.balance_minor
            for seats in [_seats(table or self.raked)]
            for account in Account.objects.filter(owner_id=(table or self.raked).pk).exclude(balance_minor=0)
        }


def _seats(table: Table) -> dict[UUID, int | None]:
    return dict(PokerStay.objects.filter(guest__session__table=table).values_list("pk", "guest__box"))
