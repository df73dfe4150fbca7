"""Posted tables: drafted by one, approved by two others, in force from a day that has not begun, and never changed again."""

import threading
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import psycopg
import pytest
from django.db import connection, transaction

from casino.demo.rulesets import DEMO_TABLES
from jackpot.rules.progressive import ProgressiveRules
from jackpot.rules.progressive_odds import coin_odds
from payouts import services
from payouts.errors import Refused
from payouts.models import Approval, ApprovalRule, Event, PostedTable
from payouts.rules.plain import fingerprint
from payouts.rules.rulesets.calendar import gaming_day
from payouts.rules.rulesets.paytable import UTH_TRIPS, Paytable
from payouts.rules.rulesets.paytable_odds import percent, table_odds
from payouts.selectors import gaming_day_at, posted_for_next_epoch, posted_in_force
from payouts.services import house_create
from tables.kinds import KINDS
from tests.cast import make_house, make_person
from tests.clock import clock_jumps
from tests.databases import superuser
from tests.turns import each

TRIPS = KINDS["trips"]
RICHER = Paytable.of(**{line.hand.name.lower(): str(line.odds) for line in UTH_TRIPS.lines} | {"full_house": "9:1"})
GENEROUS = Paytable.of(three_of_a_kind="9:1", straight="10:1", flush="11:1", full_house="12:1")
FALLING = Paytable.of(three_of_a_kind="3:1", straight="2:1")


class Cast:
    """A house with its first tables, a technician who drafts, and those who sign."""

    def __init__(self) -> None:
        self.house = make_house()
        with transaction.atomic():
            services.posted_tables_seed(house_id=self.house.pk, tables=DEMO_TABLES)
        self.tim, self.tina = make_person("tim", "technician"), make_person("tina", "technician")
        self.mara, self.anna = make_person("mara", "manager"), make_person("anna", "auditor")
        self.cora = make_person("cora", "croupier")
        self.today = gaming_day_at(house_id=self.house.pk)
        self.tomorrow = self.today + timedelta(days=1)

    def draft(self, posted=RICHER, kind=TRIPS, name="UTH Trips", **changes) -> PostedTable:
        values = {"house_id": self.house.pk, "kind": kind, "name": name, "data": posted.to_data()}
        with transaction.atomic():
            return services.posted_table_draft(**(values | {"actor_id": self.tim.pk} | changes))

    def request(self, table, day="tomorrow", **changes) -> PostedTable:
        day = self.tomorrow if day == "tomorrow" else day
        values = {"table_id": table.pk, "kind": KINDS[table.kind], "in_force_from": day, "actor_id": self.tim.pk}
        with transaction.atomic():
            return services.posted_table_request(**(values | changes))

    def sign(self, table, person, **changes) -> PostedTable:
        table.refresh_from_db()
        values = {
            "table_id": table.pk,
            "kind": KINDS[table.kind],
            "payload_hash": table.approval.payload_hash,
            "signer_id": person.pk,
            "signer_roles": person.roles,
            "method": "totp",
        }
        with transaction.atomic():
            return services.posted_table_sign(**(values | changes))

    def release(self, posted=RICHER, day="tomorrow", **changes) -> PostedTable:
        table = self.request(self.draft(posted, **changes), day)
        self.sign(table, self.mara)
        return self.sign(table, self.anna)

    def in_force(self, day: date) -> int | None:
        table = posted_in_force(house_id=self.house.pk, kind="trips", name="UTH Trips", day=day)
        return table and table.version


@pytest.fixture
def cast(request: pytest.FixtureRequest) -> Cast:
    if "own_database" not in request.fixturenames:
        request.getfixturevalue("db")
    return Cast()


def refusal(work) -> Any:
    with pytest.raises(Refused) as refused, transaction.atomic():
        work()
    assert refused.value.text()
    return refused.value


def code_of(work) -> str:
    return refusal(work).code


# From draft to force
def test_draft_is_requested_signed_by_two_and_counts_from_its_day(cast):
    table = cast.request(cast.draft())
    assert (table.version, table.state) == (2, "requested")
    assert cast.sign(table, cast.mara).state == "requested"
    released = cast.sign(table, cast.tina)
    released.refresh_from_db()
    assert (released.state, released.in_force_from) == ("approved", cast.tomorrow)
    assert released.released_at is not None
    assert (cast.in_force(cast.today), cast.in_force(cast.tomorrow)) == (1, 2)
    names = Event.objects.filter(subject_id=str(table.pk)).order_by("id").values_list("name", flat=True)
    assert list(names) == ["posted_table.drafted", "posted_table.requested", "posted_table.released"]
    assert Event.objects.get(name="posted_table.released").actor_id == cast.tina.pk


def test_signed_payload_is_kind_name_version_hash_and_day(cast):
    table = cast.request(cast.draft())
    assert table.approval.payload == {
        "kind": "trips",
        "name": "UTH Trips",
        "version": 2,
        "data_hash": fingerprint(RICHER.to_data()).hex(),
        "in_force_from": cast.tomorrow.isoformat(),
    }
    assert (table.approval.signers, table.approval.method) == (2, "totp")


def test_who_drafted_or_requested_does_not_sign(cast):
    table = cast.request(cast.draft(), actor_id=cast.tina.pk)
    for person in (cast.tim, cast.tina, cast.cora):
        assert code_of(lambda person=person: cast.sign(table, person)) == "approval.signer_refused"
    cast.sign(table, cast.mara)
    assert code_of(lambda: cast.sign(table, cast.mara)) == "approval.signed_twice"
    assert code_of(lambda: cast.sign(table, cast.anna, method="pin")) == "approval.proof_refused"
    assert code_of(lambda: cast.sign(table, cast.anna, payload_hash=b"x" * 32)) == "approval.changed"


def test_release_without_enough_signatures_is_refused(cast):
    table = cast.request(cast.draft())
    cast.sign(table, cast.mara)
    work = lambda: services.posted_table_release(table_id=table.pk, kind=TRIPS)  # noqa: E731
    assert code_of(work) == "approval.unsigned"


def test_draft_is_edited_until_it_is_requested(cast):
    table = cast.draft()

    def edit(posted):
        with transaction.atomic():
            return services.posted_table_edit(
                table_id=table.pk, kind=TRIPS, data=posted.to_data(), note="n", actor_id=cast.tim.pk
            )

    edited = edit(UTH_TRIPS)
    assert bytes(edited.data_hash) == fingerprint(UTH_TRIPS.to_data())
    event = Event.objects.get(name="posted_table.edited")
    assert (event.before, event.after) == (RICHER.to_data(), UTH_TRIPS.to_data())
    cast.request(table)
    assert code_of(lambda: edit(RICHER)) == "posted_table.state_refused"


def test_rejected_and_withdrawn_stay_so(cast):
    rejected, withdrawn = cast.request(cast.draft()), cast.request(cast.draft(name="Other"))
    reject = {"table_id": rejected.pk, "kind": TRIPS, "person_id": cast.mara.pk, "person_roles": cast.mara.roles}
    assert code_of(lambda: services.posted_table_reject(**reject, reason="")) == "text.refused"
    with transaction.atomic():
        services.posted_table_reject(**reject, reason="too dear")
        services.posted_table_withdraw(table_id=withdrawn.pk, kind=TRIPS, actor_id=cast.tim.pk)
    assert set(Approval.objects.values_list("state", flat=True)) == {"rejected", "killed"}
    for table in (rejected, withdrawn):
        assert code_of(lambda table=table: cast.request(table)) == "posted_table.state_refused"
    assert Event.objects.get(name="posted_table.rejected").reason == "too dear"


def test_what_waits_for_signatures_is_withdrawn_or_asked_for_again_by_its_requester_alone(cast):
    table = cast.request(cast.draft())
    cast.sign(table, cast.mara)
    ids = {"table_id": table.pk, "kind": TRIPS, "actor_id": cast.tina.pk}
    for work in (services.posted_table_withdraw, partial(services.posted_table_request, in_force_from=cast.tomorrow)):
        assert code_of(partial(work, **ids)) == "posted_table.of_another"
    assert Approval.objects.get().state == "open"
    with transaction.atomic():
        withdrawn = services.posted_table_withdraw(**ids | {"actor_id": cast.tim.pk})
    assert withdrawn.state == "withdrawn"


def test_request_that_ran_out_is_asked_for_again_with_another_day(cast):
    table = cast.request(cast.draft())
    first = table.approval_id
    again = cast.request(table, cast.tomorrow + timedelta(days=1))
    assert again.approval_id != first
    assert Approval.objects.get(pk=first).state == "killed"


# What is refused
def test_data_that_the_rules_refuse_is_not_drafted(cast):
    for data in (None, {}, {"kind": "paytable", "schema": 1, "lines": []}, KINDS["rake"].start.to_data()):
        assert code_of(lambda data=data: cast.draft(data=data)).startswith("posted.")
    broken = KINDS["funding"].start.to_data() | {"house_minor": 1}
    assert code_of(lambda: cast.draft(kind=KINDS["funding"], data=broken)) == "funding.cuts_differ"


def test_hours_that_the_gaming_day_cuts_are_neither_drafted_nor_edited(cast):
    """The house's gaming day changes at 06:00 (HSE-1)."""
    calendar = KINDS["calendar"]
    late: dict[str, Any] = calendar.start.to_data()
    late["week"] = [night | {"opens": 780, "closes_latest": 1801} for night in late["week"]]
    assert code_of(lambda: cast.draft(calendar.start, calendar, data=late)) == "posted.value_wrong"
    table = cast.draft(calendar.start, calendar)
    edit = {"table_id": table.pk, "kind": calendar, "actor_id": cast.tim.pk}
    assert code_of(lambda: services.posted_table_edit(**edit, data=late)) == "posted.value_wrong"
    late["week"] = [night | {"closes_latest": 1800} for night in late["week"]]
    with transaction.atomic():
        assert services.posted_table_edit(**edit, data=late).data == late


@each(
    ("posted", "codes"),
    [
        (FALLING, {"paytable.falls", "paytable.edge_high"}),
        (GENEROUS, {"paytable.edge_negative", "paytable.falls"}),
        (Paytable.of(flush="1:1", full_house="2:1", four_of_a_kind="3:1", straight_flush="4:1", royal_flush="5:1"),
         {"paytable.edge_high"}),
    ],
)  # fmt: skip
def test_likely_mistake_needs_a_reason(cast, posted, codes):
    table = cast.draft(posted)
    refused = refusal(lambda: cast.request(table))
    assert refused.code == "posted_table.warned"
    assert {warning["code"] for warning in refused.data["warnings"]} == codes
    table.refresh_from_db()
    assert table.state == "draft"
    assert code_of(lambda: cast.request(table, reason="   ")) == "posted_table.warned"
    cast.request(table, reason="a promotion of one evening")
    assert Event.objects.get(name="posted_table.requested").reason == "a promotion of one evening"


def test_progressive_is_weighed_with_the_house_s_funding(cast):
    kind = KINDS["progressive"]
    dear = kind.start.to_data()
    dear["prizes"][4]["amount_minor"] = 20_000
    refused = refusal(lambda: cast.request(cast.draft(kind=kind, data=dear), None))
    assert [warning["code"] for warning in refused.data["warnings"]] == ["paytable.edge_negative"]
    rich = KINDS["funding"].start.to_data() | {"meter_minor": 450, "house_minor": 25}
    refused = refusal(lambda: cast.request(cast.draft(kind=KINDS["funding"], data=rich), None))
    assert [warning["code"] for warning in refused.data["warnings"]] == ["paytable.edge_negative"]


def test_funding_for_another_coin_than_the_prizes_is_a_likely_mistake(cast):
    both = {kind: KINDS[kind].start.to_data() for kind in ("funding", "progressive")}
    for kind, changes, coins in (
        ("funding", {"coin_minor": 1000, "meter_minor": 600}, (500, 1000)),
        ("progressive", {"coin_minor": 1000}, (1000, 500)),
    ):
        table = cast.draft(kind=KINDS[kind], data=both[kind] | changes, name="Bad Ragaz Progressive")
        found = refusal(lambda table=table: cast.request(table, None)).data["warnings"]
        assert [(warning["code"], *warning["data"].values()) for warning in found if "coins" in warning["code"]] == [
            ("jackpot.coins_differ", *coins)
        ]
    unchanged = cast.draft(kind=KINDS["funding"], data=both["funding"], name="Bad Ragaz Progressive")
    assert cast.request(unchanged, None).state == "requested"


def test_day_that_has_begun_or_is_taken_is_refused(cast):
    for day in (None, cast.today, cast.today - timedelta(days=1)):
        assert code_of(lambda day=day: cast.request(cast.draft(), day)) == "posted_table.start_refused"
    cast.release()
    assert code_of(lambda: cast.request(cast.draft())) == "posted_table.start_refused"
    first = cast.request(cast.draft(name="New"), cast.today)  # nothing that it would replace
    cast.sign(first, cast.mara)
    assert cast.sign(first, cast.anna).state == "approved"
    assert code_of(lambda: cast.request(cast.draft(kind=KINDS["funding"], posted=KINDS["funding"].start))) == (
        "posted_table.start_refused"
    )


def test_two_requests_for_one_day_end_with_one_version(cast):
    one, other = cast.request(cast.draft()), cast.request(cast.draft(UTH_TRIPS))
    cast.sign(one, cast.mara)
    cast.sign(one, cast.anna)
    cast.sign(other, cast.mara)
    assert code_of(lambda: cast.sign(other, cast.anna)) == "posted_table.start_refused"
    other.refresh_from_db()
    assert (other.state, other.approval.signatures.count()) == ("requested", 1)


def at_once(*works) -> list[str]:
    """Each work in a thread and connection of its own, all let go together; what became of each, in order."""
    start, said = threading.Barrier(len(works)), [""] * len(works)

    def run(place, work) -> None:
        try:
            start.wait(60)
            said[place] = work().state
        except Refused as refused:
            said[place] = refused.code
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return said


def test_two_last_signatures_at_once_release_once(own_database, cast):
    table = cast.request(cast.draft())
    cast.sign(table, cast.mara)
    seen = [PostedTable.objects.select_related("approval").get(pk=table.pk) for _signer in range(2)]
    said = at_once(lambda: cast.sign(seen[0], cast.anna), lambda: cast.sign(seen[1], cast.tina))
    assert sorted(said) == ["approved", "posted_table.state_refused"]
    table.refresh_from_db()
    assert (table.state, table.approval.state, table.approval.signatures.count()) == ("approved", "used", 2)
    assert Event.objects.filter(name="posted_table.released").count() == 1


def test_last_signatures_of_two_versions_for_one_day_at_once_release_one(own_database, cast):
    one, other = cast.request(cast.draft()), cast.request(cast.draft(UTH_TRIPS))
    for table in (one, other):
        cast.sign(table, cast.mara)
    said = at_once(lambda: cast.sign(one, cast.anna), lambda: cast.sign(other, cast.tina))
    assert sorted(said) == ["approved", "posted_table.start_refused"]
    states = [PostedTable.objects.get(pk=table.pk).state for table in (one, other)]
    assert sorted(states) == ["approved", "requested"]
    assert [len(table.approval.signatures.all()) for table in (one, other)] == [
        2 if text == "approved" else 1 for text in said
    ]


def test_unknown_table_and_wrong_kind(cast):
    table = cast.draft()
    for pk, kind in ((uuid4(), TRIPS), (table.pk, KINDS["blind"])):
        work = lambda pk=pk, kind=kind: services.posted_table_withdraw(table_id=pk, kind=kind)  # noqa: E731
        assert code_of(work) == "posted_table.unknown"


def test_seed_only_for_a_house_without_tables(cast):
    seed = lambda house: services.posted_tables_seed(house_id=house.pk, tables=DEMO_TABLES)  # noqa: E731
    assert code_of(lambda: seed(cast.house)) == "posted_table.not_first"
    other = make_house("Other")
    with transaction.atomic():
        assert [table.state for table in seed(other)] == ["approved"] * len(DEMO_TABLES)
    seeded = PostedTable.objects.filter(house=cast.house)
    assert {(table.version, table.state) for table in seeded} == {(1, "approved")}
    assert {table.in_force_from for table in seeded} == {cast.today, None}
    assert Event.objects.filter(name="posted_table.seeded", house=cast.house).count() == len(DEMO_TABLES)


def test_services_need_a_transaction(own_database):
    for work in (
        lambda: services.posted_table_draft(house_id=uuid4(), kind=TRIPS, name="x", data={}),
        lambda: services.posted_tables_seed(house_id=uuid4(), tables=[]),
    ):
        with pytest.raises(RuntimeError):
            work()


# Which version counts
def test_version_in_force_changes_with_the_gaming_day_not_at_midnight(cast):
    cast.release()
    zone = ZoneInfo(cast.house.time_zone)
    midnight = datetime.combine(cast.tomorrow, time(), zone)
    change = datetime.combine(cast.tomorrow, time(6), zone)
    for moment, version in (
        (midnight - timedelta(seconds=1), 1),
        (midnight + timedelta(seconds=1), 1),
        (change - timedelta(microseconds=1), 1),
        (change, 2),
    ):
        assert cast.in_force(gaming_day_at(house_id=cast.house.pk, moment=moment)) == version
    assert cast.in_force(cast.today - timedelta(days=1)) is None


@each("zone", ["Europe/Zurich", "America/New_York", "Asia/Kathmandu", "UTC"])
def test_gaming_day_of_the_database_is_that_of_the_rules(cast, zone):
    house = house_create(name=zone, currency="CHF", time_zone=zone)
    begin = datetime(2026, 3, 28, 20, tzinfo=UTC)
    for hours in [*range(48), *range(24 * 209, 24 * 211)]:  # both changes of the clocks
        for seconds in (-1, 0):
            moment = begin + timedelta(hours=hours, seconds=seconds)
            assert gaming_day_at(house_id=house.pk, moment=moment) == gaming_day(moment, ZoneInfo(zone), 360)


def test_next_epoch_takes_the_version_released_last(own_database, cast):
    """Also where a clock was set back between two of them."""
    kind, key = KINDS["funding"], {"house_id": cast.house.pk, "kind": "funding", "name": "Bad Ragaz Progressive"}
    assert posted_for_next_epoch(**key).version == 1
    clock_jumps(-3600)
    smaller = kind.start.to_data() | {"seed_minor": 900_000}
    table = cast.draft(kind=kind, name=key["name"], data=smaller)
    cast.request(table, None)
    assert posted_for_next_epoch(**key).version == 1
    cast.sign(table, cast.mara)
    cast.sign(table, cast.anna)
    assert posted_for_next_epoch(**key).version == 2
    assert posted_for_next_epoch(**(key | {"name": "Nothing"})) is None


# What the database refuses
@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE payouts_postedtable SET note = 'x' WHERE state = 'approved'",
        "UPDATE payouts_postedtable SET in_force_from = in_force_from + 1 WHERE state = 'approved'",
        "UPDATE payouts_postedtable SET state = 'draft' WHERE state = 'requested'",
        "UPDATE payouts_postedtable SET data = '{}', data_hash = '' WHERE state = 'requested'",
        "UPDATE payouts_postedtable SET version = 9 WHERE state = 'draft'",
        "UPDATE payouts_postedtable SET state = 'approved' WHERE state = 'draft'",
        "UPDATE payouts_postedtable SET state = 'approved', approval_id = NULL WHERE state = 'requested'",
        "DELETE FROM payouts_postedtable WHERE state = 'draft'",
        "TRUNCATE payouts_postedtable CASCADE",
    ],
)
def test_database_refuses_what_services_never_do(own_database, cast, harm):
    cast.draft(name="A draft")
    cast.request(cast.draft())
    before = list(PostedTable.objects.order_by("pk").values())
    with superuser(own_database) as link, pytest.raises(psycopg.Error) as refused:
        link.execute(harm)
    assert refused.value.diag.constraint_name in ("posted_table_guard", "posted_table_approved", "append_only")
    assert list(PostedTable.objects.order_by("pk").values()) == before


def test_app_role_cannot_delete_at_all(cast):
    with pytest.raises(Exception, match="permission denied"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM payouts_postedtable")


def test_every_house_has_the_rule_for_releases(cast):
    rule = ApprovalRule.objects.get(house=cast.house, action="posted_table.release")
    assert (rule.signers, sorted(rule.roles), rule.method) == (2, ["auditor", "manager", "technician"], "totp")


# The figures of the posted sheets
def test_figures_of_the_house_s_tables():
    assert percent(table_odds(UTH_TRIPS).edge) == "3.4979 %"
    four, five = (
        Paytable.of(three_of_a_kind="3:1", straight=f"{straight}:1", flush=f"{flush}:1", full_house=f"{full}:1",
                    four_of_a_kind="30:1", straight_flush="40:1", royal_flush="50:1")
        for straight, flush, full in ((4, 7, 9), (5, 6, 8))
    )  # fmt: skip
    assert [percent(table_odds(table).edge) for table in (four, five)] == ["0.9018 %", "1.9040 %"]
    coin = coin_odds(ProgressiveRules())
    assert round(float(coin.fixed_minor) / 100, 4) == 2.5638
    assert round(1 / coin.meter_probability) == 32_487
    assert round(coin.break_even_minor) == 7_914_340


def test_who_wrote_on_a_version_does_not_sign_it(cast):
    """Also who only changed another's draft, and though somebody else asks for it."""
    table = cast.draft()
    with transaction.atomic():
        services.posted_table_edit(table_id=table.pk, kind=TRIPS, data=GENEROUS.to_data(), actor_id=cast.tina.pk)
    table = cast.request(table, actor_id=cast.mara.pk, reason="for the holidays")
    assert set(table.approval.excluded) == {cast.tim.pk, cast.tina.pk}
    for writer in (cast.tim, cast.tina):
        with pytest.raises(Refused) as refused:
            cast.sign(table, writer)
        assert refused.value.code == "approval.signer_refused"
