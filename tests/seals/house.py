"""A house with a row in every table that is sealed, and its seals: some were taken while it lived, the last one at the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from django.db import connection

from casino.pit.shifts import shift_take_over
from payouts import seal_keys, unsealed, verify
from payouts.db import expected
from payouts.findings import Breach
from payouts.models import Account, Approval
from payouts.seal_keys import Signer
from payouts.sealed import forms
from payouts.services import seal_take
from payouts.services.seal import Taken
from tables import services
from tables.models import RoundStake
from tests.counts import counted_twice, played_on
from tests.databases import superuser
from tests.floor import done
from tests.jackpot.linked import royal
from tests.jackpot.lived import Lived, dull
from tests.poker import at_table, deal, of_hand, of_stay, opened, poker_table, sit
from tests.tables.pot_cases import end as pots_end
from tests.tables.pot_cases import guests, won

INVENTORY = """
    INSERT INTO payouts_inventory (house_id, gaming_day, approval_id, difference_minor, at)
        SELECT house_id, current_date, id, 0, now() FROM payouts_approval WHERE state = 'used' LIMIT 1;
    INSERT INTO payouts_chipmove (house_id, gaming_day, kind, value_minor, pieces, from_place, to_place, approval_id, at)
        SELECT i.house_id, i.gaming_day, 'inventory', 100, -sum(a.balance_minor) / 100, 'stock', 'vault', i.approval_id, now()
        FROM payouts_inventory i JOIN payouts_account a ON (a.house_id, a.kind) = (i.house_id, 'chip_stock') GROUP BY i.house_id
"""
CHECKS = "SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype = 'c' AND conrelid::regclass::text = ANY (%s)"


class Sealed(Lived):
    """What `Lived` is, with cards from a feed, an irregularity, a decision against the rules, a table handed over,
    a count and a shift taken over.
    """

    def __init__(self, database: str, folder: Path) -> None:
        self.key = folder / "key.pem"
        seal_keys.make(self.key)
        super().__init__(database)
        seal(self.signer)
        house = {"house_id": self.house.pk}
        cards = {"board": "2h 3h 4h 5h 7h", "dealer": "3c 4c", "boxes": {"1": "Kd Ks", "2": "8s 9s"}}
        done(services.card_feed_record, **house, round_id=self.locked, cards=cards)
        exposed = {"kind": "cards_exposed", "decision": "burnt", "box": 1, "card": "5c", "reason": "fell from the shoe"}
        by = {"person_id": self.reto.pk, "supervisor": True}
        done(services.irregularity_record, **house, round_id=self.locked, **exposed, **by)
        self.end(2, self.locked, dull())
        self.overrule()
        stay = sit(self, 1, opened(self, poker_table(self)))
        hand = deal(self, stay, sit(self, 2, stay.guest.session.table))
        of_hand(self, hand, "hand_correct", pot={"rake_minor": 6_00})
        self.played()
        played_on(self, counted_twice(self), self.bea)
        for command, values in (("stay_away", {}), ("stay_leave", {"counted_minor": 100_00})):
            of_stay(self, stay, command, **values)
        seal(self.signer)
        self.sold()
        person = {"table_id": self.tables[0].pk, "croupier_id": self.martina.pk, "actor_id": self.reto.pk}
        done(services.table_hand_over, **house, **person)
        self.counted()
        done(shift_take_over, **house, person_id=self.reto.pk, seen=0, was_open=list, note="")
        seal(self.signer)

    def played(self) -> None:
        """A hand at *pots* for which the house pays, with an irregularity; then the stacks are counted."""
        stays = guests(self, name="Poker 2")
        hand = pots_end(self, won(stays, 1))
        paid = {"stay_id": stays[1].pk, "amount_minor": 1_00, "reason": "pushed to seat 1", "person_id": self.reto.pk}
        request = of_hand(self, hand, "hand_override_request", **paid)
        self.countersign(services.hand_override_sign, request)
        pushed = {"kind": "pot_pushed", "decision": "override", "seat": 1, "reason": "pushed to seat 1"}
        where = {"house_id": self.house.pk, "table_id": hand.table_id, "hand_id": hand.pk}
        done(services.hand_irregular, **where, **pushed, person_id=self.martina.pk)
        booked = Account.objects.filter(kind="stack", owner_id=hand.table_id)
        counted = {str(stay): -minor for stay, minor in booked.values_list("detail_id", "balance_minor")}
        at_table(self, "stacks_count", hand.table, counted=counted)

    def counted(self) -> None:
        """A first inventory, as if it had been taken while every table was closed: all that is in stock, by the franc."""
        with superuser(self.database) as link, link.transaction():
            link.execute("SET LOCAL session_replication_role = replica")
            for table in ("payouts_chipmove", "payouts_inventory"):
                link.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            link.execute(INVENTORY)
            for (table, name), _text in expected.triggers().items():
                if table in ("payouts_chipmove", "payouts_inventory"):
                    link.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")

    def sold(self) -> None:
        """A buy-in and a tip at a table; the tip is taken back."""
        by = {"house_id": self.house.pk, "actor_id": self.reto.pk, "supervisor": True}
        at = {"table_id": self.tables[0].pk} | by
        done(services.buyin_enter, **at, buyin_id=uuid4(), amount_minor=200_00, box=3)
        tip = done(services.tip_enter, **at, tip_id=uuid4(), amount_minor=5_00)
        done(services.tip_take_back, **by, tip_id=tip.pk, reason="it was a stake")

    def countersign(self, command: Any, request: Approval) -> None:
        """The manager signs."""
        signs = {"signer_id": self.ines.pk, "signer_roles": self.ines.roles, "method": request.method}
        done(command, house_id=self.house.pk, approval_id=request.pk, payload_hash=request.payload_hash, **signs)

    def overrule(self) -> None:
        """A guest of the round that has just ended is paid against the rules, by who signs it."""
        guest = RoundStake.objects.filter(round_id=self.locked, box=1)[0].guest_id
        paid = {"round_id": self.locked, "box": 1, "guest_id": guest, "amount_minor": 1_000, "reason": "goodwill"}
        request = done(services.override_request, house_id=self.house.pk, **paid, person_id=self.reto.pk)
        self.countersign(services.override_sign, request)

    @property
    def signer(self) -> Signer:
        return seal_keys.signer(self.key)


def seal(signer: Signer) -> Taken:
    """Take one seal; nobody else is at it."""
    taken = seal_take(signer=signer)
    assert taken
    return taken


def found(link: psycopg.Connection, folder: Path, heads: dict[int, str] | None = None) -> list[Breach]:
    """Everything that verifying finds, in one process."""
    newest = verify.last_seal(link)
    last = max([newest.number if newest else 0, *(heads or {})])
    checked = verify.check_seals(link, 1, last, seal_keys.public_keys(folder), heads)
    breaches = checked.chain.rows + checked.rows.rows
    for table in forms() if newest else ():
        breaches += unsealed.check_unsealed(link, table, newest).added.rows
    return breaches


@contextmanager
def spoiled(*harms: str, database: str | None = None) -> Iterator[psycopg.Connection]:
    """A superuser's transaction in which he did this with all triggers and checks off; rolled back at the end."""
    tables = [*forms(), "payouts_seal", "payouts_sealedrows"]
    with superuser(database) as link, link.transaction(force_rollback=True):
        link.execute("SET LOCAL session_replication_role = replica")
        for table in tables:
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for table, check in link.execute(CHECKS, [tables]).fetchall():
            link.execute(f"ALTER TABLE {table} DROP CONSTRAINT {check}")
        for harm in harms:
            assert link.execute(harm).rowcount, harm
        yield link


def rows_of(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        return int(cursor.fetchone()[0])


__all__ = ["Sealed", "dull", "found", "rows_of", "royal", "seal", "spoiled"]
