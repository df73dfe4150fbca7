"""A floor for the browser: a house of its own for each test, so that nothing that other tests leave behind is on its pages."""

import itertools
from typing import Any, ClassVar
from unittest.mock import patch
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet

from casino.people.models import Person
from casino.people.pins import pin_set
from payouts.models import Approval
from payouts.rules.approval import ApprovalNeed
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_rule_change, approval_rule_request, approval_sign
from tables.errors import RoundRunning
from tables.models import Guest, ReviewItem, Table
from tables.rules.floor import FloorRules
from tables.services import (
    review_item_record,
    round_correction_request,
    round_evaluate,
    table_create,
    table_link,
    table_open,
)
from tables.services.review import entries
from tables.services.rounds.correct import ACTION
from tests.browser.people import somebody
from tests.casino.devices.devices import PIN
from tests.floor import POSTED, Floor, done, stakes_for, taps

NAMES = {
    "martina": "Martina Frei",
    "nora": "Nora Oberhollenzer-Brändli",
    "reto": "Reto Caduff",
    "ines": "Ines Zumstein",
}
NAMES |= {"tim": "Tim Gantenbein"}
_numbers = itertools.count(1)
# A lock can be taken back, and a result be put right, for as long as a busy machine takes to come to it.
PATIENT: dict[str, Posted] = {"floor_rules": FloorRules(reopen_s=60, undo_s=300)}


class FloorHouse(Floor):
    """Linked table UTH 1, UTH 2 without a jackpot, and people who can sign in: `boss`, `second`, `manager`, `tech`."""

    def __init__(self) -> None:
        super().__init__(suffix=f".b{next(_numbers)}")
        for name, full_name in NAMES.items():
            Person.objects.filter(pk=getattr(self, name).pk).update(full_name=full_name)
        self.boss, self.second = somebody(self.house, "pit_boss"), somebody(self.house, "pit_boss")
        Person.objects.filter(pk=self.boss.pk).update(full_name="Laura Bernasconi")
        Person.objects.filter(pk=self.second.pk).update(full_name="Jean-Baptiste de la Rochefoucauld")
        somebody(self.house, "cage", pin="set")  # who pays prizes
        self.manager, self.tech = somebody(self.house, "manager"), somebody(self.house, "technician")

    def more(self, first: int, last: int) -> list[Table]:
        """More tables, linked to the jackpot."""
        ids = {"house_id": self.house.pk}
        made = []
        for number in range(first, last + 1):
            values = {"pit_id": self.pit.pk, "game": "uth", "boxes": 7, "posted": POSTED, "position": number}
            made.append(done(table_create, **ids, **values, name=f"UTH {number}"))
            done(table_link, **ids, table_id=made[-1].pk, jackpot_id=self.jackpot.pk, actor_id=self.tim.pk)
        return made

    def round(self, boxes: int = 1, *, level: str = "fast", **stakes: int) -> UUID:
        """A locked round at UTH 1, which is opened for it."""
        guests = self.open(entry_level=level)
        return UUID(self.lock(stakes_for(guests[:boxes], **stakes))["id"])

    def lost(self) -> UUID:
        """A settled round of one box that lost; it can be corrected by a signature only, since Martina has dealt it."""
        round_id = self.round()
        self.settle(round_id, taps(b1={"play": 4, "result": "lose"}))
        return round_id

    def late(self, *, playable: bool = True) -> ReviewItem:
        """A round that UTH 2 has played offline and that was refused when it came; UTH 2 is open."""
        guests = self.open(self.other, self.nora)[:1]
        stakes = stakes_for(guests) if playable else [{"box": 1, "guest": "?", "kind": "ante", "amount_minor": 1500}]
        with patch.object(entries, "check_form"), transaction.atomic():
            return review_item_record(
                house_id=self.house.pk,
                table_id=self.other.pk,
                round_id=uuid4(),
                kind="queued",
                payload={"stakes": stakes, "result": taps(b1={"result": "fold"})},
                refused=RoundRunning(),
                person_id=self.nora.pk,
            )

    def open_for(self, *boxes: int) -> None:
        """UTH 1 open, with guests at these boxes alone."""
        ids = {"house_id": self.house.pk, "table_id": self.table.pk}
        done(table_open, **ids, croupier_id=self.martina.pk, actor_id=self.reto.pk)
        for box in boxes:
            self.seat(self.table, box)

    def ask(self, round_id: UUID, **others: dict[str, Any]) -> Approval:
        """The correction of a settled round as it waits for a signature: box 1 had won with a flush."""
        result = taps(b1={"play": 4, "result": "win", "hand": "flush"}, **others)
        prepared = round_evaluate(house_id=self.house.pk, round_id=round_id, result=result, state="settled")
        values = {"prepared": prepared, "person_id": self.boss.pk, "reason": "Box 1 hatte gewonnen"}
        asked: Approval = done(round_correction_request, **values)
        return asked

    def want_codes(self) -> None:
        """From now on corrections are signed by a manager with his authenticator's code."""
        line = {"house_id": self.house.pk, "action": ACTION, "rule": ApprovalNeed(1, ("manager",), "totp")}
        asked = done(approval_rule_request, **line, reason="mit Code", requester_id=self.tim.pk)
        for signer in (self.manager, somebody(self.house, "auditor")):
            done(
                approval_sign,
                approval_id=asked.pk,
                house_id=self.house.pk,
                payload_hash=bytes(asked.payload_hash),
                signer_id=signer.pk,
                signer_roles=signer.roles,
                method=asked.method,
            )
        done(approval_rule_change, **line, approval_id=asked.pk, actor_id=self.tim.pk)

    def pin(self, person: Person) -> str:
        """The person's PIN, set."""
        pin_set(person=person, pin=PIN)
        return PIN

    def guests(self, table: Table) -> QuerySet[Guest]:
        """Who is at the table, box by box."""
        return Guest.objects.filter(session__table=table, left_at=None).order_by("box")


class PatientFloor(FloorHouse):
    """Of which no time runs out while a test is at it."""

    posted: ClassVar[dict[str, Posted]] = PATIENT
