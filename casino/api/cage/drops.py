"""Drop boxes of tables: which wait, and the count of each, made twice, each blind, and together
where the two differ (DRP-4). Until both have signed, nothing here says what the books have, nor
what the first has counted.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.schemas import counts, openapi
from casino.api.schemas.answers import answer
from casino.api.views import HouseView
from casino.people.models import Person
from casino.people.permissions import COUNT_DROP
from casino.people.proofs import run_signed
from casino.people.refusals import SignInRequired
from casino.people.roles import check_counter
from payouts.models import Count
from payouts.rules.plain import Json
from tables import services
from tables.errors import CountUnknown, TableUnknown
from tables.models import Table
from tables.selectors.counts import counts_shown
from tables.selectors.drops import DropBox, boxes_of, drop_parts, drop_tables

DROPS = Count.objects.filter(place_kind=Count.Place.DROP)


def drop_answer(count_id: UUID) -> dict[str, Json]:
    """A count of a drop box as it stands."""
    row = counts_shown(DROPS.filter(pk=count_id)).get()
    return answer(counts.DropCountStanding, row, **drop_parts(row))


def _box_answer(box: DropBox) -> dict[str, Json]:
    running = box.running
    return answer(
        counts.DropBoxStanding,
        box.table,
        counted_at=box.counted_at,
        is_waiting=box.is_waiting,
        count=running.pk if running else None,
    )


class Drops(HouseView):
    """Drop boxes of the house."""

    rights = {"get": (COUNT_DROP,)}

    @openapi.listing(
        "drops_list",
        "The drop boxes of tables: in which something lies, how much nobody is told, and which are"
        " being counted",
        counts.DropBoxStanding,
    )
    def get(self, request: Request) -> Response:
        rows = drop_tables(self.scope.rows(Table.objects.all(), "pk"))
        return self.page(
            rows, ("name", "id"), lambda part: [_box_answer(box) for box in boxes_of(part)]
        )


class OneDropCount(HouseView):
    """One count of a drop box."""

    rights = {"get": (COUNT_DROP,)}

    @openapi.one(
        "drop_count_get",
        "A count of a drop box; its pieces and what the books have once both have signed",
        counts.DropCountStanding,
    )
    def get(self, request: Request, drop_id: UUID) -> Response:
        """Show it. Raises CountUnknown."""
        rows = self.scope.rows(DROPS.filter(pk=drop_id), "place_id")
        if not rows.exists():
            raise CountUnknown
        return Response(drop_answer(drop_id))


class DropCommand(HouseView):
    """A command about a drop box, which the caller proves by their PIN."""

    rights = {"post": (COUNT_DROP,)}

    def service_args(self, drop_id: UUID) -> dict[str, Any]:
        """House and count. Raises HouseNeeded, CountUnknown."""
        house = self.scope.house()
        if not self.scope.rows(DROPS.filter(pk=drop_id), "place_id").exists():
            raise CountUnknown
        return {"house_id": house, "count_id": drop_id}

    def counter(self) -> Person:
        """Who counts. Raises SignInRequired, DropCounterPit."""
        if self.scope.person is None:
            raise SignInRequired
        check_counter(self.scope.person.roles)
        return self.scope.person

    def proved(
        self,
        request: Request,
        name: str,
        values: Mapping[str, Any],
        work: Callable[[], Json],
        **about: object,
    ) -> Response:
        """As `once`; the proof is no part of the request's fingerprint."""
        person = self.counter()
        body = {field: value for field, value in values.items() if field != "secret"}
        done = run_signed(
            self.key(request),
            self.print_for(name, about | {"counter": person.pk}, body),
            person=person,
            method="pin",
            secret=values["secret"],
            work=work,
            **self.scope.proof_place,
        )
        return Response({"replayed": done.replayed, "answer": done.body})


class DropCountBegin(DropCommand):
    """The drop box of a table."""

    @openapi.command(
        "drop_count_begin",
        "The drop box of a table, open or closed, is taken to be counted, with one's PIN"
        " (`secret`): what is sold from now on lies in the next one. Nobody counts who works in the"
        " pit, or dealt there",
        counts.DropCountStanding,
        counts.DropProof,
        {"secret": "270415"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = {"house_id": self.scope.house(), "table_id": table_id}
        if not self.scope.rows(Table.objects.filter(pk=table_id), "pk").exists():
            raise TableUnknown
        values = self.sent(request, counts.DropProof)
        person = self.counter()

        def work() -> Json:
            return drop_answer(services.drop_count_begin(**where, actor_id=person.pk).pk)

        return self.proved(request, "drop.count_begin", values, work, table=table_id)


class DropCountEnter(DropCommand):
    """What lay in the box."""

    @openapi.command(
        "drop_count_enter",
        "Enter the pieces of each note and coin of the house's currency, with one's PIN (`secret`):"
        " first one person, then another, who sees nothing of it. Where both are equal they have"
        " signed; where they `differ`, one of the two enters what they count together",
        counts.DropCountStanding,
        counts.DropPieces,
        {"lines": [{"value_minor": 2_000, "pieces": 80}], "secret": "270415"},
    )
    def post(self, request: Request, drop_id: UUID) -> Response:
        where = self.service_args(drop_id)
        person = self.counter()
        values = self.sent(request, counts.DropPieces)

        def work() -> Json:
            services.drop_count_enter(**where, lines=values["lines"], counter_id=person.pk)
            return drop_answer(drop_id)

        return self.proved(request, "drop.count_enter", values, work, count=drop_id)


class DropCountWitness(DropCommand):
    """What both have counted together."""

    @openapi.command(
        "drop_count_witness",
        "The other of the two signs, with their PIN (`secret`), what both have counted `together`;"
        " where it is not `ok` it is entered anew",
        counts.DropCountStanding,
        counts.DropAgreement,
        {"entry": 3, "ok": True, "secret": "270415"},
    )
    def post(self, request: Request, drop_id: UUID) -> Response:
        where = self.service_args(drop_id)
        person = self.counter()
        values = self.sent(request, counts.DropAgreement)
        entry, ok = values["entry"], values["ok"]

        def work() -> Json:
            services.drop_count_witness(**where, entry=entry, ok=ok, witness_id=person.pk)
            return drop_answer(drop_id)

        return self.proved(request, "drop.count_witness", values, work, count=drop_id)


class DropCountGiveUp(DropCommand):
    """Give a count up."""

    @openapi.command(
        "drop_count_give_up",
        "A count of a drop box ends without signatures, with one's PIN (`secret`): it is counted"
        " with what comes after it",
        counts.DropCountStanding,
        counts.DropProof,
        {"secret": "270415"},
    )
    def post(self, request: Request, drop_id: UUID) -> Response:
        where = self.service_args(drop_id)
        person = self.counter()
        values = self.sent(request, counts.DropProof)

        def work() -> Json:
            services.drop_count_give_up(**where, actor_id=person.pk)
            return drop_answer(drop_id)

        return self.proved(request, "drop.count_give_up", values, work, count=drop_id)
