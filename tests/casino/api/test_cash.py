"""Buy-ins and tips over HTTP: answered, queued, refused for good (DRP-1, TRN-2)."""
# ruff: noqa: N802 - tests are named after the rules

from typing import Any
from uuid import uuid4

import pytest

from casino.pit.alerts import alerts_derive
from casino.pit.labels import alert_text
from casino.pit.models import Alert
from payouts.models import Event, Transfer
from tables import services
from tables.errors import TableBeingCounted
from tables.models import BuyIn, Tip
from tables.services.cash import enter
from tests.cash import CashFloor
from tests.casino.api.callers import Callers
from tests.floor import done
from tests.tables.audits import breached_here
from tests.worlds import world

MOMENT = "2026-11-28T23:10:00+00:00"


class Desk(Callers):
    """A tablet at an open table of rounds, one at a poker table."""

    floor: CashFloor

    def __init__(self) -> None:
        super().__init__(CashFloor())
        self.tablet = self.at_tablet(self.floor.table, self.floor.martina, "UTH 1")

    def enter(self, kind: str, key: str = "", **body: Any) -> tuple[int, dict[str, Any]]:
        place = {"buyin": "buy-ins", "tip": "tips"}[kind]
        whole = {"id": str(uuid4()), "amount_minor": 100_00} | body
        answer: tuple[int, dict[str, Any]] = self.tablet.post(
            f"tables/{self.floor.table.pk}/{place}/", whole, **({"key": key} if key else {})
        )
        return answer


pytestmark = world(Desk)


def frozen(_session: object) -> None:
    raise TableBeingCounted


def test_DRP_1_entered_answered_and_taken_back(floor: Desk) -> None:
    """The same id under another key gives the row that stands."""
    for kind, more in (("buyin", {"box": 3}), ("tip", {})):
        entry_id = str(uuid4())
        status, body = floor.enter(kind, id=entry_id, **more)
        answer = body["answer"]
        assert (status, answer["id"], answer["kind"], answer["amount_minor"]) == (200, entry_id, kind, 100_00)
        assert (answer["box"], answer["queued_at"], answer["taken_back_at"]) == (more.get("box"), None, None)
        assert answer["croupier"] == str(floor.floor.martina.pk)
        assert answer["alone_until"] > answer["at"]
        transfers = Transfer.objects.count()
        again = floor.enter(kind, id=entry_id, **more)[1]["answer"]
        assert (again, Transfer.objects.count()) == (answer, transfers)
        place = {"buyin": "buy-ins", "tip": "tips"}[kind]
        status, body = floor.tablet.post(f"{place}/{entry_id}/take-back/", {"reason": ""})
        assert (status, body["answer"]["taken_back_at"] is not None) == (200, True)
        assert floor.tablet.post(f"{place}/{entry_id}/take-back/", {})[1]["code"] == "cash.taken_back"
    assert breached_here() == {}


def test_DRP_1_what_was_queued_is_booked_in_its_session_though_the_table_has_closed(floor: Desk) -> None:
    where = {"house_id": floor.floor.house.pk, "table_id": floor.floor.table.pk, "actor_id": floor.floor.reto.pk}
    session = str(floor.floor.session().pk)
    done(services.table_close, **where, reason="the evening is over")
    later = {"session": session, "queued_at": MOMENT}
    for kind, model in (("buyin", BuyIn), ("tip", Tip)):
        assert floor.enter(kind, session=session)[1]["code"] == "table.closed"
        status, body = floor.enter(kind, **later)
        assert (status, body["answer"]["session"], body["answer"]["queued_at"]) == (200, session, MOMENT)
        assert model.objects.filter(session_id=session).exists()  # type: ignore[attr-defined]
    assert breached_here() == {}


def test_DRP_1_one_that_was_queued_and_is_refused_for_good_is_told_to_the_pit_once(
    floor: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until it is booked; what was not queued stands on the tablet alone."""
    entry_id = str(uuid4())
    refused = {"id": entry_id, "amount_minor": 2_51}
    assert floor.enter("buyin", **refused)[1]["code"] == "buyin.amount_wrong"
    assert not Event.objects.filter(name="buyin.refused").exists()
    for _turn in range(2):
        assert floor.enter("buyin", **refused, queued_at=MOMENT)[1]["code"] == "buyin.amount_wrong"
    event = Event.objects.get(name="buyin.refused")
    table = str(floor.floor.table.pk)
    assert (event.subject_id, event.actor_id) == (entry_id, floor.floor.martina.pk)
    assert event.after == {"table": table, "amount_minor": 2_51, "code": "buyin.amount_wrong"}
    floor.enter("tip", amount_minor="twenty", queued_at=MOMENT)
    assert Event.objects.get(name="tip.refused").after == {
        "table": table,
        "amount_minor": 0,
        "code": "tip.amount_wrong",
    }
    with monkeypatch.context() as counting:
        counting.setattr(enter, "check_uncounted", frozen)
        assert floor.enter("tip", queued_at=MOMENT)[1]["code"] == "table.being_counted"  # it comes again by itself
    assert Event.objects.filter(name="tip.refused").count() == 1
    alerts_derive()
    alerts = Alert.objects.filter(kind="entry_unbooked", over_at=None)
    assert alerts.count() == 2
    words = {alert_text(alert.kind, alert.data, floor.floor.house).partition(" at ")[0] for alert in alerts}
    sentence = "entered by Martina without network, came"
    assert words == {f"CHF\N{NO-BREAK SPACE}{amount}, {sentence}" for amount in ("2.51", "0.00")}
    assert floor.enter("buyin", id=entry_id, amount_minor=2_50)[0] == 200
    alerts_derive()
    assert alerts.all().count() == 1
