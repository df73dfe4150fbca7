"""Whoever names a person, a house or a day that there is not hears so at once, whatever he names; and nothing is written."""

from datetime import UTC, date, datetime
from uuid import uuid4

import pytest
from django.db import connection, transaction

from payouts.errors import Refused
from payouts.models import ApprovalRule, Event, House, PostedTable, Transfer
from payouts.rules.ledger.postings import Leg, Posting
from payouts.rules.rulesets.paytable import UTH_TRIPS
from payouts.services import (
    AccountKey,
    accounts_open,
    approval_request,
    event_record,
    posted_table_draft,
    transfer_post,
    transfer_reverse,
)
from tables.kinds import KINDS
from tests.cast import DAY, TABLE, make_house, make_person, stock_house
from tests.turns import each

pytestmark = pytest.mark.usefixtures("db")
NOBODY = [uuid4(), "nora", 7, b"x"]
NOWHERE = [uuid4(), "Bad Ragaz", 7, None]


@pytest.fixture
def house() -> House:
    house = make_house()
    make_person("nora")
    stock_house(house)
    return house


def post(house: House, **changes: object) -> None:
    kinds = {"house_id": house.pk, "keys": [AccountKey("circulation", TABLE), AccountKey("table_win", TABLE)]}
    first, second = accounts_open(**kinds).values()
    posting = Posting("k", "x", [Leg(first, 5), Leg(second, -5)], reverses_id=changes.pop("reverses_id", None))
    transfer_post(**{"house_id": house.pk, "gaming_day": DAY, "posting": posting} | changes)


def reverse(house: House, **changes: object) -> None:
    buy_in = Transfer.objects.filter(kind="buy_in").earliest("id").pk
    values = {"house_id": house.pk, "transfer_id": buy_in, "gaming_day": DAY, "reason": "counted twice"}
    transfer_reverse(**values | changes)


def event(house: House, **changes: object) -> None:
    event_record(**{"name": "test.event", "house_id": house.pk} | changes)


def request(house: House, **changes: object) -> None:
    values = {
        "house_id": house.pk,
        "action": "transfer.reverse",
        "subject_kind": "transfer",
        "subject_id": 1,
        "payload": {},
    }
    if "actor_id" in changes:
        changes["requester_id"] = changes.pop("actor_id")
    approval_request(**values | changes)


def draft(house: House, **changes: object) -> None:
    values = {"house_id": house.pk, "kind": KINDS["trips"], "name": "Trips", "data": UTH_TRIPS.to_data()}
    posted_table_draft(**values | changes)


def code_of(command: object, house: House, **changes: object) -> str:
    """The code of the refusal, which comes before the commit and leaves nothing behind."""

    def written() -> list[int]:
        return [model.objects.count() for model in (Transfer, Event, PostedTable, ApprovalRule)]

    before = written()
    with pytest.raises(Refused) as refused, transaction.atomic():
        command(house, **changes)
        pytest.fail("was taken")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    assert written() == before
    assert refused.value.text()
    return refused.value.code


@each("nobody", NOBODY)
@each("command", [post, reverse, event, request, draft])
def test_unknown_person_is_refused(house, command, nobody):
    assert code_of(command, house, actor_id=nobody) == "ledger.actor_unknown"


@each("nowhere", NOWHERE)
@each("command", [post, reverse, event, request, draft])
def test_unknown_house_is_refused(house, command, nowhere):
    if command is event and nowhere is None:
        event(house, house_id=None)  # something of the whole installation
        return
    codes = {
        "ledger.house_unknown",
        "ledger.transfer_unknown",  # not of that house
        "ledger.account_unknown",
        "approval.rule_missing",
    }
    assert code_of(command, house, house_id=nowhere) in codes


@each("day", [None, "2026-11-21", datetime(2026, 11, 21, tzinfo=UTC), 20261121, (2026, 11, 21)])
@each("command", [post, reverse])
def test_gaming_day_that_is_no_date_is_refused(house, command, day):
    assert code_of(command, house, gaming_day=day) == "ledger.day"


def test_every_date_is_taken(house):
    for key, day in enumerate((date.min, date.max)):
        accounts = accounts_open(house_id=house.pk, keys=[AccountKey("circulation", TABLE), AccountKey("rake", TABLE)])
        first, second = accounts.values()
        posting = Posting(f"k{key}", "x", [Leg(first, 5), Leg(second, -5)])
        transfer_id = transfer_post(house_id=house.pk, gaming_day=day, posting=posting)
        assert Transfer.objects.get(pk=transfer_id).gaming_day == day


def test_transfer_that_is_not_there_is_not_reversed(house):
    assert code_of(post, house, reverses_id=10**9) == "ledger.transfer_unknown"
    for transfer_id in (10**9, 0, -1, 2**63, 2**70, "1", None, True, 1.5, float("nan")):
        assert code_of(reverse, house, transfer_id=transfer_id) == "ledger.transfer_unknown"


def test_transfer_of_another_house_is_not_reversed(house):
    abroad = make_house("Wiesbaden", "EUR")
    stock_house(abroad)
    theirs = Transfer.objects.filter(house=abroad).latest("id").pk
    assert code_of(post, house, reverses_id=theirs) == "ledger.transfer_unknown"
    assert code_of(reverse, house, transfer_id=theirs) == "ledger.transfer_unknown"


@each("revision", [-1, 2**31, 2**40, 2**70, "1", 1.5, None, True])
def test_revision_that_is_none_is_refused(house, revision):
    assert code_of(request, house, revision=revision) == "data.refused"
