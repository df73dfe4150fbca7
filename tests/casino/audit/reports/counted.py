"""The evening of the design's worked examples, at a table for each."""

from datetime import date, datetime, time, timedelta
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from casino.people.models import Person
from payouts.models import Count
from payouts.rules.ledger import recipes
from tables import services
from tables.models import Difference, Guest, Table, TableSession
from tables.services.counts.back import Came, count_follow
from tests.casino.people import people
from tests.cast import post
from tests.counts import CLOSER, COUNTED, explain
from tests.databases import superuser
from tests.drops import FULL, DropFloor
from tests.floor import POSTED, done, stakes_for, taps

GAME, COINS, PRIZES = 341_250, 206_000, 95_000
BOUGHT, TIPPED = 785_000, 8_500
SOLD_MORE = {**FULL, 200_00: 1}
STOLEN = (*CLOSER[:6], 23, CLOSER[7])  # one 500 less
SOLD_TWICE = (*CLOSER[:5], 97, *CLOSER[6:])  # two 100 less
LATE_MINOR = 157_000
GUARDS = """
    SELECT tgname FROM pg_trigger
    WHERE tgrelid = 'payouts_countsignature'::regclass AND NOT tgisinternal AND tgenabled = 'A'
"""


class Examples(DropFloor):
    """`played_at`: by what happened there. Sina and Dario count the boxes, an auditor looks."""

    def __init__(self, database: str) -> None:
        super().__init__()
        self.database = database
        self.auditor: Person = people.make(self.house, "a.auditor", "auditor", language="en")
        self.bea: Person = people.make(self.house, "bea.x", "manager", language="de")
        self.played_at: dict[str, Table] = {}
        self.signed: dict[str, Count] = {}
        self.honest()
        self.robbed()
        self.unentered()
        self.late()
        self.untold()

    @property
    def day(self) -> date:
        """The gaming day on which all of it was."""
        first: TableSession = TableSession.objects.earliest("opened_at")
        return first.gaming_day

    def opened_at(self, case: str, name: str, *, linked: bool = False, **changes: object) -> None:
        """The next example is played at a table of its own."""
        values = {"house_id": self.house.pk, "pit_id": self.pit.pk, "game": "uth", "boxes": 7}
        table: Table = done(services.table_create, **values, name=name, posted=POSTED | COUNTED)
        self.counted = self.played_at[case] = table
        self.move("fill", recipes.fill(3_660_000))
        if linked:
            ids = {"house_id": self.house.pk, "table_id": table.pk, "actor_id": self.tim.pk}
            done(services.table_link, **ids, jackpot_id=self.jackpot.pk)
        self.opened(**changes)

    def guest(self) -> Guest:
        session = TableSession.objects.get(table=self.counted, closed_at=None)
        guest: Guest = session.guests.earliest("box")
        return guest

    def of_round(self, round_id: UUID, kind: str, lines: list[recipes.Line]) -> None:
        owners = {"house": self.house.pk, "table": self.counted.pk, "epoch": self.pit.pk}
        of = {"subject_kind": "round", "subject_id": round_id, "gaming_day": self.day}
        post(self.house, kind, lines, owners=owners, key=f"{kind}:{uuid4()}", **of)

    def staked(self, round_id: UUID, lost_minor: int, *, won_minor: int = 0) -> None:
        """As of a round: a stake that is lost, or one of 10 that goes back with what is won."""
        stake_minor = lost_minor or 1_000
        self.of_round(round_id, "lock", recipes.lock([(stake_minor, "")]))
        result = recipes.StakeResult(stake_minor, 0 if lost_minor else stake_minor, won_minor)
        self.of_round(round_id, "settle", recipes.settle([result]))

    def played(self, round_id: UUID, *, coins: int = COINS) -> None:
        """Filled, sold, tipped; coins and prizes are posted as of a round."""
        self.move("fill", recipes.fill(1_000_000))
        self.move("credit", recipes.credit(500_000))
        self.sell(BOUGHT)
        tip = {"tip_id": uuid4(), "amount_minor": TIPPED, "actor_id": self.martina.pk}
        done(services.tip_enter, house_id=self.house.pk, table_id=self.counted.pk, **tip)
        parts = (coins // 5, coins // 20, coins - coins // 5 - coins // 20)
        self.of_round(round_id, "lock", recipes.lock([], [(*parts, "")]))
        self.of_round(round_id, "fixed_prize", recipes.fixed_prize(PRIZES))

    def settled(self, *, game: int = GAME) -> UUID:
        """An evening whose rounds tell their results, as of one in which nobody wins."""
        locked = self.lock(stakes_for([self.guest()]), table_id=self.counted.pk)
        self.settle(locked["id"], taps(b1={"play": 1, "result": "tie"}))
        round_id = UUID(locked["id"])
        self.played(round_id)
        self.staked(round_id, game)
        return round_id

    def twice(self, purpose: str, *pieces: int) -> Count:
        """Counted again, since it is far from the books."""
        count = self.begin(purpose)
        for _turn in range(2):
            self.witness(count, self.enter(count, *pieces))
        count.refresh_from_db()
        return count

    def honest(self) -> None:
        """Examples 1 to 4 and 16."""
        self.played_at["honest"] = self.counted
        self.settled()
        self.sign("closer", *CLOSER)
        self.close()
        self.counted_drop(FULL)

    def robbed(self) -> None:
        """Example 5: counted at 23:00 and at 00:00; a manager says what it was, another one signs."""
        self.opened_at("robbed", "UTH 4")
        self.settled()
        self.signed["eleven"] = self.sign("relief", *CLOSER).count
        self.signed["midnight"] = self.twice("relief", *STOLEN)
        self.sign("closer", *STOLEN)
        self.close()
        self.counted_drop(FULL)
        self.at(eleven=time(23), midnight=time(0))
        gap = Difference.objects.get(count=self.signed["midnight"])
        explain(self, gap, self.ines, self.bea, code="theft")

    def at(self, **hours: time) -> None:
        """Counts have their moments from the database: somebody who switches its guards off sets them."""
        table = "ALTER TABLE payouts_countsignature"
        with superuser(self.database) as link:
            guards = link.execute(GUARDS).fetchall()
            link.execute(f"{table} DISABLE TRIGGER USER")
            for case, hour in hours.items():
                values = [self.moment(hour), self.signed[case].pk]
                link.execute("UPDATE payouts_countsignature SET signed_at = %s WHERE count_id = %s AND stands", values)
            for (guard,) in guards:
                link.execute(f"{table} ENABLE ALWAYS TRIGGER {guard}")

    def moment(self, hour: time) -> datetime:
        """Of the gaming day, by the clock of the house."""
        day = self.day + timedelta(days=hour < self.house.gaming_day_change)
        return datetime.combine(day, hour, ZoneInfo(self.house.time_zone))

    def unentered(self) -> None:
        """Example 6: 200 more in the drop, 200 less in the tray."""
        self.opened_at("unentered", "UTH 5")
        self.settled()
        self.signed["tray"] = self.twice("closer", *SOLD_TWICE)
        self.close()
        self.signed["drop"] = self.counted_drop(SOLD_MORE)

    def late(self) -> None:
        """Example 37: a round that paid out 1 570 lay on the tablet until the table was closed and counted."""
        self.opened_at("late", "UTH 6")
        round_id = self.settled(game=GAME + LATE_MINOR)
        self.signed["late"] = self.twice("closer", *CLOSER)
        self.close(reason="the tablet is silent")
        self.counted_drop(FULL)
        self.staked(round_id, 0, won_minor=LATE_MINOR)
        session = TableSession.objects.get(table=self.counted)
        done(count_follow, session_id=session.pk, came=Came("round", round_id), actor_id=self.martina.pk)

    def untold(self) -> None:
        """Example 14: coins and prizes alone were entered."""
        level = {"entry_level": "jackpot_only", "reason": "no cashier yet", "prize_lacks": "cashier"}
        self.hang("Display 1")
        self.opened_at("untold", "UTH 7", linked=True, **level)
        guest = self.guest()
        coin = {"box": guest.box, "guest": str(guest.pk), "kind": "coin", "amount_minor": 500}
        locked = self.lock([coin], table_id=self.counted.pk)
        self.settle(locked["id"], {"boxes": {"1": {}}})
        self.played(UUID(locked["id"]), coins=COINS - 500)
        self.signed["untold"] = self.twice("closer", *CLOSER)
        self.close()
        self.counted_drop(FULL)
