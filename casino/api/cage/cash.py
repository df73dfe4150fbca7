"""Buy-ins and tips at a table, entered at its tablet and taken back."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api.floor import TableCommand
from casino.api.late import NOT_OF_THE_ROUND
from casino.api.schemas import cash, openapi
from casino.api.schemas.answers import answer
from casino.api.views import HouseView
from casino.devices.alone import tablet_use
from casino.people.permissions import DEAL, RUN_FLOOR
from payouts.errors import Refused
from payouts.rules.plain import Json
from tables import services
from tables.errors import CashUnknown
from tables.models import BuyIn, EntryReversal, Tip
from tables.services.cash.kinds import BUY_IN, TIP, CashKind, alone_until
from tables.services.cash.refused import entry_refused

ENTERED = {"id": openapi.ID, "amount_minor": 20_000, "session": None, "queued_at": None}


class TableEntries(TableCommand):
    """What is entered at a table as it falls, or comes later from its tablet."""

    rights = {"post": (DEAL, RUN_FLOOR)}
    takes_queued = True
    kind: ClassVar[CashKind]

    def enter(
        self, request: Request, table_id: UUID, values: Any, command: Callable[..., BuyIn | Tip]
    ) -> Response:
        """Carry one out. One that was queued and is refused for good is told to the pit."""
        where = self.service_args(table_id)
        queued_at: datetime | None = values["queued_at"]
        if self.scope.device is not None and queued_at is None:
            tablet: Any = request._request
            tablet_use(tablet.seat)
        entry_id = values.pop("id")
        session_id = values.pop("session")
        own = {f"{self.kind.name}_id": entry_id, "session_id": session_id}

        def work() -> Json:
            row = command(**where, **own, **values, supervisor=self.scope.supervisor)
            return entry_answer(self.kind, row)

        try:
            return self.once(request, f"{self.kind.name}.enter", work, table=table_id)
        except NOT_OF_THE_ROUND:
            raise
        except Refused as refused:
            if self.scope.device is not None and queued_at is not None:
                self._tell(table_id, entry_id, values["amount_minor"], refused)
            raise

    def _tell(self, table_id: UUID, entry_id: UUID, amount: object, refused: Refused) -> None:
        """Tell the pit, unless the same comes again by itself."""
        if "retry_after_s" in refused.data:
            return
        with transaction.atomic():
            entry_refused(
                kind=self.kind,
                house_id=self.scope.house(),
                table_id=table_id,
                entry_id=entry_id,
                amount=amount,
                actor_id=self.scope.actor,
                refused=refused,
            )


class BuyIns(TableEntries):
    """Buy-ins at a table."""

    kind = BUY_IN

    @openapi.command(
        "buyin_enter",
        "A guest buys chips for cash at a table; the same id again gives the first answer",
        cash.TableEntry,
        cash.BuyInEnter,
        ENTERED | {"box": 3},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        return self.enter(
            request, table_id, self.sent(request, cash.BuyInEnter), services.buyin_enter
        )


class Tips(TableEntries):
    """Tips at a table."""

    kind = TIP

    @openapi.command(
        "tip_enter",
        "A guest gives chips to the staff at a table; the same id again gives the first answer",
        cash.TableEntry,
        cash.TipEnter,
        ENTERED | {"amount_minor": 500},
    )
    def post(self, request: Request, table_id: UUID) -> Response:
        return self.enter(request, table_id, self.sent(request, cash.TipEnter), services.tip_enter)


class EntryTakeBack(HouseView):
    """A buy-in or a tip that was entered by mistake."""

    rights = {"post": (DEAL, RUN_FLOOR)}
    kind: ClassVar[CashKind]

    def take_back(
        self, request: Request, entry_id: UUID, command: Callable[..., EntryReversal]
    ) -> Response:
        """Take it back. Raises HouseNeeded, CashUnknown: from a tablet only those of its table are
        known.
        """
        house = self.scope.house()
        table_id = self.scope.table_id
        rows = self.kind.model.objects.filter(pk=entry_id)
        if table_id and not rows.filter(session__table_id=table_id).exists():
            raise CashUnknown
        values = self.sent(request, cash.CashTakeBack)
        who = {"actor_id": self.scope.actor, "supervisor": self.scope.supervisor}

        def work() -> Json:
            command(house_id=house, **{f"{self.kind.name}_id": entry_id}, **who, **values)
            rows = self.kind.model.objects.select_related("session", "taken_back")
            return entry_answer(self.kind, rows.get(pk=entry_id))

        return self.once(request, f"{self.kind.name}.take_back", work, entry=entry_id)


class BuyInTakeBack(EntryTakeBack):
    """A buy-in."""

    kind = BUY_IN

    @openapi.command(
        "buyin_take_back",
        "Take a buy-in back: who entered it within `undo_s`, later a pit boss with a reason",
        cash.TableEntry,
        cash.CashTakeBack,
        {"reason": ""},
    )
    def post(self, request: Request, buyin_id: UUID) -> Response:
        return self.take_back(request, buyin_id, services.buyin_take_back)


class TipTakeBack(EntryTakeBack):
    """A tip."""

    kind = TIP

    @openapi.command(
        "tip_take_back",
        "Take a tip back: who entered it within `undo_s`, later a pit boss with a reason",
        cash.TableEntry,
        cash.CashTakeBack,
        {"reason": ""},
    )
    def post(self, request: Request, tip_id: UUID) -> Response:
        return self.take_back(request, tip_id, services.tip_take_back)


def entry_answer(kind: CashKind, row: BuyIn | Tip) -> dict[str, Json]:
    """A buy-in or a tip as it is answered."""
    back = getattr(row, "taken_back", None)
    return answer(
        cash.TableEntry,
        row,
        kind=kind.name,
        box=getattr(row, "box", None),
        alone_until=alone_until(row),
        taken_back_at=back.at if back else None,
    )
