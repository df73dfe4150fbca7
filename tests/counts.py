"""A floor with a table whose tray is counted by the piece, and the evening of the design's worked examples."""

from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone

from casino.people.models import Person
from payouts.models import Account, Approval, Count, PostedTable
from payouts.rules.ledger import recipes
from tables import services
from tables.models import Difference, Table, TableSession
from tables.services.counts.witness import WitnessedCount
from tests.cast import post
from tests.floor import POSTED, Floor, done

COUNTED = {"chip_set": "Bad Ragaz", "cage_rules": "Bad Ragaz"}
VALUES = (250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000)
OPENER = (40, 200, 150, 100, 60, 90, 20, 10)  # 36 600.00 by rising value
CLOSER = (37, 208, 144, 85, 62, 99, 24, 9)  # 38 272.50


def lines_of(*pieces: object) -> list[dict[str, object]]:
    """What is entered, by rising value."""
    return [{"value_minor": value, "pieces": number} for value, number in zip(VALUES, pieces, strict=True)]


def opener_signed(table: Table, *, counter: Person, witness: Person, minor: int) -> Count:
    """The tray of a closed table is counted before it opens: so much, in few pieces of its chips."""
    chips = PostedTable.objects.filter(kind="chip_set", name=table.posted["chip_set"]).latest("version")
    lines, rest = [], minor
    for value in sorted((chip["value_minor"] for chip in chips.data["denominations"]), reverse=True):
        pieces, rest = divmod(rest, value)
        lines.append({"value_minor": value, "pieces": pieces})
    house = {"house_id": table.house_id}
    count = done(services.count_begin, **house, table_id=table.pk, purpose="opener", actor_id=counter.pk)
    done(services.count_enter, **house, count_id=count.pk, lines=lines, counter_id=counter.pk)
    signed: WitnessedCount = done(
        services.count_witness, **house, count_id=count.pk, entry=1, ok=True, witness_id=witness.pk
    )
    return signed.count


def settled(table: Table, croupier: Person, witness: Person) -> TableSession:
    """A session of a closed table, opened and closed on counts of its empty tray."""
    opener_signed(table, counter=croupier, witness=witness, minor=0)
    house = {"house_id": table.house_id}
    ids = house | {"table_id": table.pk, "actor_id": witness.pk}
    done(services.table_open, **ids, croupier_id=croupier.pk)
    count = done(services.count_begin, **ids, purpose="closer")
    done(services.count_enter, **house, count_id=count.pk, lines=lines_of(*[0] * 8), counter_id=croupier.pk)
    done(services.count_witness, **house, count_id=count.pk, entry=1, ok=True, witness_id=witness.pk)
    session: TableSession = done(services.table_close, **ids, cards_complete=True)
    return session


def counted_twice(floor: Any) -> Table:
    """A table that names its chips, in any house with a floor: its empty tray was counted again, and signed; why it differs is
    asked for.
    """
    house = {"house_id": floor.house.pk}
    values = {"pit_id": floor.pit.pk, "game": "uth", "boxes": 7, "name": "UTH 8"}
    table: Table = done(services.table_create, **house, **values, posted=POSTED | COUNTED)
    count = done(services.count_begin, **house, table_id=table.pk, purpose="opener", actor_id=floor.martina.pk)
    ids = house | {"count_id": count.pk}
    for entry in (1, 2):
        done(services.count_enter, **ids, lines=lines_of(*OPENER), counter_id=floor.martina.pk)
        done(services.count_witness, **ids, entry=entry, ok=True, witness_id=floor.reto.pk)
    explain(floor, Difference.objects.get(count=count), floor.ines)
    return table


def explain(
    floor: Any, difference: Difference, person: Person, signer: Person | None = None, *, code: str = "unknown"
) -> Approval | None:
    """The request, where a second person is asked; `signer` signs it."""
    ids = {"house_id": floor.house.pk, "difference_id": difference.pk, "person_id": person.pk}
    approval: Approval | None = done(services.difference_explain, **ids, code=code, words="never filled").approval
    if approval and signer:
        by = {"signer_id": signer.pk, "signer_roles": signer.roles, "method": approval.method}
        seen = {"approval_id": approval.pk, "payload_hash": bytes(approval.payload_hash)}
        done(services.difference_explain_sign, house_id=floor.house.pk, **seen, **by)
    return approval


def played_on(floor: Any, table: Table, signer: Person) -> None:
    """As `counted_twice` left it: explained, opened, closed on a closer that what came later sets back."""
    explain(floor, Difference.objects.get(table=table), floor.ines, signer)
    ids = {"house_id": floor.house.pk, "table_id": table.pk}
    by = {"croupier_id": floor.martina.pk, "actor_id": floor.reto.pk}
    session = done(services.table_open, **ids, **by, reason="never filled")
    count = done(services.count_begin, **ids, purpose="closer", actor_id=floor.martina.pk)
    of_count = {"house_id": floor.house.pk, "count_id": count.pk}
    done(services.count_enter, **of_count, lines=lines_of(*OPENER), counter_id=floor.martina.pk)
    done(services.count_witness, **of_count, entry=1, ok=True, witness_id=floor.reto.pk)
    done(services.table_close, **ids, actor_id=floor.reto.pk, cards_complete=True)
    came = {"buyin_id": uuid4(), "session_id": session.pk, "queued_at": timezone.now(), "amount_minor": 20_00}
    done(services.buyin_enter, **ids, **came, actor_id=floor.martina.pk)


class CountedFloor(Floor):
    """UTH 3 opens and closes on counts; 36 600.00 lie in its tray. Reto witnesses what Martina counts."""

    def __init__(self, *, suffix: str = "", **changes: Any) -> None:
        super().__init__(suffix=suffix, **({"linked": False, "displays": 0} | changes))
        values = {"house_id": self.house.pk, "pit_id": self.pit.pk, "game": "uth", "boxes": 7}
        self.counted: Table = done(services.table_create, **values, name="UTH 3", posted=POSTED | COUNTED)
        self.move("fill", recipes.fill(3_660_000))

    def move(self, kind: str, lines: list[recipes.Line], table: Table | None = None) -> int:
        """Post a recipe at the table."""
        owners = {"house": self.house.pk, "table": (table or self.counted).pk, "epoch": self.pit.pk}
        return post(self.house, kind, lines, owners=owners, key=f"{kind}:{uuid4()}")

    def begin(self, purpose: str, table: Table | None = None, by: Person | None = None, **changes: Any) -> Count:
        ids = {"house_id": self.house.pk, "table_id": (table or self.counted).pk}
        values = ids | {"purpose": purpose, "actor_id": (by or self.martina).pk}
        count: Count = done(services.count_begin, **values | changes)
        return count

    def enter(self, count: Count, *pieces: object, by: Person | None = None) -> int:
        """The number of the entry."""
        ids = {"house_id": self.house.pk, "count_id": count.pk, "counter_id": (by or self.martina).pk}
        return int(done(services.count_enter, **ids, lines=lines_of(*pieces)).number)

    def witness(self, count: Count, entry: int = 1, *, ok: bool = True, by: Person | None = None) -> WitnessedCount:
        ids = {"house_id": self.house.pk, "count_id": count.pk, "witness_id": (by or self.reto).pk}
        signed: WitnessedCount = done(services.count_witness, **ids, entry=entry, ok=ok)
        return signed

    def give_up(self, count: Count, by: Person | None = None, croupier_id: UUID | None = None) -> Count:
        ids = {"house_id": self.house.pk, "count_id": count.pk, "actor_id": (by or self.reto).pk}
        ended: Count = done(services.count_give_up, **ids, croupier_id=croupier_id)
        return ended

    def sign(self, purpose: str, *pieces: object, table: Table | None = None) -> WitnessedCount:
        """A count from its begin to its signature."""
        count = self.begin(purpose, table)
        return self.witness(count, self.enter(count, *pieces))

    def opened(self, *pieces: int, **changes: object) -> None:
        """The table opens on its opener."""
        self.sign("opener", *(pieces or OPENER))
        self.open(self.counted, **changes)

    def close(self, **changes: object) -> Any:
        ids = {"house_id": self.house.pk, "table_id": self.counted.pk, "actor_id": self.reto.pk}
        return done(services.table_close, **{"cards_complete": True} | ids | changes)

    def sell(self, amount_minor: int) -> None:
        """A guest buys chips at the open table."""
        ids = {"house_id": self.house.pk, "table_id": self.counted.pk, "actor_id": self.martina.pk}
        done(services.buyin_enter, **ids, buyin_id=uuid4(), amount_minor=amount_minor)

    def evening(self, *, game: bool = True) -> None:
        """What the books hear of UTH 2 of the examples; `game`: they hear its rounds."""
        self.move("fill", recipes.fill(1_000_000))
        self.move("credit", recipes.credit(500_000))
        self.sell(785_000)
        self.move("tip", recipes.tip(8_500))
        self.move("lock", recipes.lock([(341_250, "")] if game else [], [(41_200, 10_300, 154_500, "")]))
        if game:
            self.move("settle", recipes.settle([recipes.StakeResult(341_250, 0, 0)]))
        self.move("fixed_prize", recipes.fixed_prize(95_000))

    def balance(self, kind: str, table: Table | None = None) -> int:
        accounts = Account.objects.filter(kind=kind, owner_id=(table or self.counted).pk)
        return accounts.get().balance_minor
