"""Counts of a tray by the piece: begun, entered, witnessed, given up. Until both have signed,
nothing here says what the books have (CNT-2).
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.floor import TableCommand
from casino.api.schemas import counts, openapi
from casino.api.schemas.answers import answer
from casino.api.schemas.common import Nothing
from casino.api.views import HouseView
from casino.devices.signin import device_prove
from casino.people.models import Person
from casino.people.permissions import DEAL, RUN_FLOOR, VIEW_COUNT, WITNESS_COUNT
from casino.people.proofs import run_by_pin, run_proved, run_signed
from casino.people.refusals import NotAllowed, SignInRequired
from payouts.commands import Answer
from payouts.models import Count
from payouts.rules.plain import Json
from tables import services
from tables.errors import CountUnknown
from tables.selectors.counts import count_parts, counts_shown


def count_answer(count_id: UUID) -> dict[str, Json]:
    """A count as it stands."""
    row = counts_shown(Count.objects.filter(pk=count_id)).get()
    return answer(counts.CountStanding, row, **count_parts(row))


class Counts(HouseView):
    """Counts of the house."""

    rights = {"get": (VIEW_COUNT,)}

    @openapi.listing(
        "counts_list",
        "Counts, newest first; those of a table, those in a state",
        counts.CountStanding,
        counts.CountsQuery,
    )
    def get(self, request: Request) -> Response:
        rows = counts_shown(self.scope.rows(Count.objects.all(), "place_id"))
        if state := self.values["state"]:
            rows = rows.filter(state=state)
        if table := self.values.get("table"):
            rows = rows.filter(place_id=table)
        return self.page(
            rows,
            ("-begun_at", "-id"),
            lambda part: [answer(counts.CountStanding, row, **count_parts(row)) for row in part],
        )


class OneCount(HouseView):
    """One count."""

    rights = {"get": (VIEW_COUNT, DEAL)}

    @openapi.one(
        "count_get",
        "A count with its pieces; what the books have once both have signed",
        counts.CountStanding,
    )
    def get(self, request: Request, count_id: UUID) -> Response:
        """Show it. Raises CountUnknown."""
        rows = self.scope.rows(Count.objects.filter(pk=count_id), "place_id")
        row = counts_shown(rows).first()
        if row is None:
            raise CountUnknown
        return Response(answer(counts.CountStanding, row, **count_parts(row)))


class CountsBegin(TableCommand):
    """Counts of a table."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    @openapi.command(
        "count_begin",
        "A tray is counted from now on: until that is signed or given up, nothing moves it",
        counts.CountStanding,
        counts.CountBegin,
        {"purpose": "relief"},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        where = self.service_args(table_id)
        values = self.sent(request, counts.CountBegin)

        def work() -> Json:
            begun = services.count_begin(**where, **values, croupier_id=self.scope.must_deal)
            return count_answer(begun.pk)

        return self.once(request, "count.begin", work, table=table_id)


class CountCommand(HouseView):
    """A command about one count."""

    rights = {"post": (DEAL, RUN_FLOOR)}

    def service_args(self, count_id: UUID) -> dict[str, Any]:
        """House and count. Raises HouseNeeded, CountUnknown: from a tablet only counts of its table
        are known.
        """
        house = self.scope.house()
        if not self.scope.rows(Count.objects.filter(pk=count_id), "place_id").exists():
            raise CountUnknown
        return {"house_id": house, "count_id": count_id}

    def person(self) -> Person:
        """Who asks. Raises SignInRequired."""
        if self.scope.person is None:
            raise SignInRequired
        return self.scope.person


class CountsEnter(CountCommand):
    """Enter what was counted."""

    @openapi.command(
        "count_enter",
        "Enter the pieces of each denomination, with one's PIN (`secret`); the value is computed",
        counts.CountStanding,
        counts.CountEnter,
        {"lines": [{"value_minor": 500, "pieces": 208}], "secret": "270415"},
    )
    def post(self, request: Request, count_id: UUID) -> Response:
        """Enter it. The proof is no part of the request's fingerprint."""
        where = self.service_args(count_id)
        person = self.person()
        values = self.sent(request, counts.CountEnter)
        lines = values["lines"]

        def work() -> Json:
            services.count_enter(**where, lines=lines, counter_id=person.pk)
            return count_answer(count_id)

        done = run_by_pin(
            self.key(request),
            self.print_for("count.enter", {"count": count_id, "counter": person.pk}, lines),
            person=person,
            secret=values["secret"],
            work=work,
            **self.scope.proof_place,
        )
        return Response({"replayed": done.replayed, "answer": done.body})


class CountsWitness(CountCommand):
    """Witness what was counted."""

    rights = {"post": (DEAL, RUN_FLOOR, WITNESS_COUNT)}

    @openapi.command(
        "count_witness",
        "A pit boss or manager signs, with their PIN (`secret`), what somebody else counted; where"
        " it is not `ok` it is entered anew. A first entry that is far from the books is counted"
        " again",
        counts.CountStanding,
        counts.CountWitness,
        {"entry": 1, "ok": True, "person": openapi.ID, "username": "", "secret": "270415"},
    )
    def post(self, request: Request, count_id: UUID) -> Response:
        """Sign it. Raises NotAllowed unless they may witness. The proof is no part of the
        request's fingerprint.
        """
        where = self.service_args(count_id)
        values = self.sent(request, counts.CountWitness)
        entry, ok = values["entry"], values["ok"]

        def signed_by(person: Person) -> tuple[bytes, Callable[[], Json]]:
            if not person.has_perm(WITNESS_COUNT) or person.house_id != where["house_id"]:
                raise NotAllowed

            def work() -> Json:
                services.count_witness(**where, entry=entry, ok=ok, witness_id=person.pk)
                return count_answer(count_id)

            about = {"count": count_id, "witness": person.pk}
            return self.print_for("count.witness", about, [entry, ok]), work

        done = self._proved(request, values, signed_by)
        return Response({"replayed": done.replayed, "answer": done.body})

    def _proved(
        self,
        request: Request,
        values: counts.CountWitness,
        signed_by: Callable[[Person], tuple[bytes, Callable[[], Json]]],
    ) -> Answer:
        """At a table whoever is named; elsewhere the caller."""
        device = self.scope.device
        key = self.key(request)
        if device is not None:
            person = device_prove(
                device=device,
                pin=values["secret"],
                person_id=values["person"],
                username=values["username"],
                right=WITNESS_COUNT,
            )
            same, work = signed_by(person)
            return run_proved(key, same, person=person, work=work)
        person = self.person()
        same, work = signed_by(person)
        return run_signed(
            key, same, person=person, method="pin", secret=values["secret"], work=work
        )


class CountsGiveUp(CountCommand):
    """Give a count up."""

    @openapi.command(
        "count_give_up",
        "A count ends without signatures, and the table plays on; a signed closer stands as a count"
        " between",
        counts.CountStanding,
    )
    def post(self, request: Request, count_id: UUID) -> Response:
        where = self.service_args(count_id)
        self.sent(request, Nothing)

        def work() -> Json:
            services.count_give_up(
                **where, actor_id=self.scope.actor, croupier_id=self.scope.must_deal
            )
            return count_answer(count_id)

        return self.once(request, "count.give_up", work, count=count_id)
