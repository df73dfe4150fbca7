"""Linked tables, and a pit boss who reads their control room."""

import re
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import ProgressiveRules
from payouts.models import Approval
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_reject
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.floor import done
from tests.jackpot.linked import Linked, dull, royal

NAMED = {"reto": "Reto Caduff", "bea": "Beatrice Zumstein"}


class Careful(Linked):
    """Prizes from 500.00 on are signed."""

    posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": JackpotRules(prize_approval_from_minor=50_000)}


class Poor(Linked):
    """A meter that pays the prizes, and holds little."""

    posted: ClassVar[dict[str, Posted]] = {
        "progressive": ProgressiveRules(paid_by="meter"),
        "funding": FundingSchedule(seed_minor=10_000),
    }


class Room:
    """Linked tables whose pit boss reads the control room in English."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.boss = people.make(linked.house, f"boss.room.{uuid4().hex[:6]}", "pit_boss")
        self.client = people.signed_in(self.boss)
        for name, full_name in NAMED.items():
            type(self.boss).objects.filter(pk=getattr(linked, name).pk).update(full_name=full_name)

    def html(self, query: str = "") -> str:
        path = f"/pit/jackpots/{self.linked.jackpot.pk}/{query}"
        answer = self.client.get(path, headers={"accept-language": "en"})
        assert answer.status_code == 200
        return answer.content.decode()

    def said(self, query: str = "") -> str:
        return words(self.html(query))

    def station(self, code: str, query: str = "") -> str:
        """What one station of the timeline says."""
        page = self.html(query)
        return words(page.partition(f'id="step-{code}"')[2].partition('<li class="station')[0].partition("</ol>\n")[0])

    def shows(self, part: str) -> tuple[int, int]:
        """How often this stands on the page, and by how many statements it was read."""
        self.html()  # what is read once in a process is not counted
        with CaptureQueriesContext(connection) as statements:
            page = self.html()
        return page.count(part), len(statements)

    def now(self) -> list[str]:
        """The stations at hand."""
        return re.findall(r'<li class="station now" aria-current="step" id="step-(\w+)"', self.html())

    def turn_down(self, asked: Approval, reason: str) -> None:
        values = {"approval_id": asked.pk, "house_id": self.linked.house.pk, "person_id": self.linked.bea.pk}
        done(approval_reject, **values, person_roles=self.linked.bea.roles, reason=reason)

    def step(self, step: str, **fields: object) -> Any:
        address = f"/floor/jackpots/{self.linked.jackpot.pk}/{step}/"
        data = {"key": str(uuid4())} | fields
        return self.client.post(address, data, headers={"accept-language": "en"})


def at_hand(linked: Linked, *, winners: int = 1) -> tuple[UUID, UUID]:
    """A hit that waits for people."""
    rounds = linked.start(0), linked.start(1)
    linked.end(0, rounds[0], royal("h"))
    linked.end(1, rounds[1], royal("d") if winners > 1 else dull())
    linked.advance()
    return rounds
