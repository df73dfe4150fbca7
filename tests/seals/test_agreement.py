"""What may change is held against what is sealed of it: each of its columns, changed once, is found, or excused here."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from payouts.agreement import DIGESTS, RULES
from payouts.audit import AUDITS, REGISTERED
from payouts.sealed import forms
from tables import services
from tables.errors import RoundRunning
from tests.casino.audit.reports.conftest import CHEAP
from tests.casino.audit.reports.evening import Evening
from tests.databases import module_database, superuser
from tests.floor import done
from tests.seals.house import CHECKS, Sealed
from tests.seals.test_tampering import EMPTY, OTHER, TYPES, UNIQUE
from tests.tables.audits import disagreeing

pytestmark = pytest.mark.random_order(disabled=True)  # the first house is the database until the second one comes

# Tables that hold no money, round, version, approval, claim or gate, and why nothing of them is held against a seal. Nor are those
# of the floor above (people, devices, runs): what people did is in the log.
ELSEWHERE = {
    "payouts_seal": "the chain",
    "payouts_sealedrows": "the chain",
    "payouts_commandkey": "answers that were given: what was done stands in the books",
    "jackpot_fed": "sums of what is sealed, which an audit adds up again",
    "tables_guest": "a token: stakes and lines name its id, and are sealed",
    "tables_begunhand": "which hand runs now; what was given up is in the log",
    "jackpot_displaysession": "who speaks for a display now",
    "jackpot_signoflife": "signs of life of what runs by the clock",
    "jackpot_standstill": "which step fails now; the alert keeps what it said",
}
# Columns of the others that nothing sealed tells of, each with the reason why it need not.
EXCUSED = {
    ("payouts_account", "created_at"): "no money moves by it",
    ("payouts_postedtable", "note"): "a remark of who drafted it",
    ("jackpot_gate", "nonce"): "good for one confirmation; what was shown is checked",
    ("jackpot_gate", "phase_number"): "of the phase in which it was made; its steps are in the log",
    ("jackpot_gate", "ended_turn"): "which came first, of moments that are checked",
    ("jackpot_hit", "begun_turn"): "which came first, of moments that are checked; the list of what ran is sealed",
    ("jackpot_runninground", "begun_turn"): "the same",
    ("jackpot_runninground", "ended_turn"): "the same",
    ("jackpot_jackpot", "phase_number"): "counts phases, each of which is in the log",
    ("jackpot_gate", "version"): "which reading of the meter; the amount is checked",
    ("jackpot_gatedisplay", "id"): "a number that nothing refers to",
    ("jackpot_requireddisplay", "id"): "a number that nothing refers to",
    ("jackpot_jackpot", "phase_at"): "since when; each step is in the log",
    ("jackpot_jackpot", "version_base"): "counts readings for screens",
    ("tables_explanationwords", "at"): "the explanation and its request say when",
    ("tables_toclarify", "round_id"): "what came names it: the payload, whose hash is checked, is what is booked",
    ("tables_toclarify", "data"): "the figures of a refusal; its code is checked",
}
MOMENT = "{0} + interval '1 hour'"  # rows of one command are near one another, not equal
OTHERS = OTHER | {"timestamp with time zone": MOMENT, "ARRAY": "{0} || gen_random_uuid()"}
EMPTIES = EMPTY | {
    "timestamp with time zone": "now()",
    "bytea": "'\\x00'",
    "integer": "7",
    "date": "CURRENT_DATE",
    "boolean": "true",
}
# The row that is changed: the one of which most is known.
FIRST = {
    "payouts_account": "version DESC",
    "payouts_postedtable": "state = 'approved' DESC",
    "tables_toclarify": "id",
    "payouts_approval": "state = 'used' DESC",
    "jackpot_runninground": "begun_turn DESC",  # of the last round nothing comes later that it could be put behind
}


@pytest.fixture(scope="module")
def evening(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Evening]:
    plain = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    with (
        django_db_blocker.unblock(),
        module_database("agreeing") as name,
        override_settings(PASSWORD_HASHERS=CHEAP, STORAGES=settings.STORAGES | plain),
    ):
        yield Evening(name)


@pytest.fixture(scope="module")
def more(sealed: Sealed) -> Sealed:
    """Something to be clarified besides."""
    person = {"house_id": sealed.house.pk, "person_id": sealed.martina.pk}
    stake = {"box": 1, "guest": str(uuid4()), "kind": "ante", "amount_minor": 1500}
    what = {"table_id": sealed.tables[0].pk, "round_id": uuid4(), "kind": "lock", "payload": {"stakes": [stake]}}
    done(services.review_item_record, **person, **what, refused=RoundRunning())
    return sealed


@pytest.fixture
def house(more: Sealed) -> Iterator[psycopg.Connection]:
    with off() as link:
        yield link


@contextmanager
def off() -> Iterator[psycopg.Connection]:
    """A superuser's transaction with every guard off, keys too; rolled back."""
    with superuser() as link, link.transaction(force_rollback=True):
        link.execute("SET LOCAL session_replication_role = replica")
        for table in tables():
            link.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            for one in link.execute(UNIQUE, [table]).fetchall():
                link.execute(one[0])
        for table, check in link.execute(CHECKS, [[*tables()]]).fetchall():
            link.execute(f"ALTER TABLE {table} DROP CONSTRAINT {check}")
        yield link


def tables() -> dict[str, list[str]]:
    """By table, the columns that no seal holds."""
    found: dict[str, list[str]] = {}
    for model in apps.get_models():
        table, ours = model._meta.db_table, model.__module__.split(".")[0] in ("payouts", "jackpot", "tables")
        if not ours or table in ELSEWHERE or not model._meta.managed:
            continue
        sealed = forms()[table].columns if table in forms() else ()
        columns = [str(field.column) for field in model._meta.local_concrete_fields if field.column not in sealed]
        if columns:
            found[table] = columns
    return found


def breaches(link: psycopg.Connection, table: str) -> Iterator[dict[str, object]]:
    """What is found: first by the table's own rule, then by all others and all audits."""
    mine = [RULES[table]] if table in RULES else []
    for digest in DIGESTS.values():
        yield from filter(None, map(digest.breach, link.execute(digest.sql).fetchall()))
    others = [one.sql() for one in RULES.values() if one not in mine]
    for sql in [*(one.sql() for one in mine), *others, *AUDITS.values(), *REGISTERED.values()]:
        asked = link.execute(sql)
        titles = [column.name for column in asked.description or ()]
        yield from (dict(zip(titles, row, strict=True)) for row in asked.fetchall())


def names(breach: dict[str, object]) -> set[tuple[str, str]]:
    """What a breach names: by table and key, or an audit by the name of the id."""
    if "key" in breach and "table" in breach:
        return {(str(breach["table"]), str(breach["key"]))}
    return {("", str(value)) for name, value in breach.items() if name.endswith("_id")}


def changed(link: psycopg.Connection, table: str, column: str, of: str, key: str) -> set[str]:
    """Give the best known row another value in this column; give its key, before and after."""
    first = FIRST.get(table, f'"{column}" IS NULL')
    [(pk, empty)] = link.execute(
        f'SELECT {key}::text, "{column}" IS NULL FROM {table} ORDER BY {first}, {key} LIMIT 1'
    ).fetchall()
    new = EMPTIES[of] if empty else OTHERS[of].format(f'"{column}"')
    if of == "ARRAY" and column == "roles":
        new = "\"roles\" || ARRAY['x'::varchar]"
    said = link.execute(
        f'UPDATE {table} SET "{column}" = {new} WHERE {key} = %s RETURNING {key}::text', [pk]
    ).fetchall()
    return {pk, said[0][0]}


def test_nothing_disagrees_where_nothing_was_done(house: psycopg.Connection) -> None:
    for table in tables():
        assert link_count(house, table), table
    assert [one for one in breaches(house, "tables_round") if names(one)] == []


def link_count(link: psycopg.Connection, table: str) -> int:
    return int(link.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])


def test_each_column_that_no_seal_holds_is_found_when_it_is_changed_or_excused(house: psycopg.Connection) -> None:
    unnoticed = set()
    for table, columns in tables().items():
        types = dict(house.execute(TYPES, [table]).fetchall())
        model = next(one for one in apps.get_models() if one._meta.db_table == table)
        key = str(model._meta.pk.column)
        for column in columns:
            with house.transaction(force_rollback=True):
                keys = changed(house, table, column, types[column], key)
                wanted = {(table, one) for one in keys} | {("", one) for one in keys}
                if not any(wanted & names(one) for one in breaches(house, table)):
                    unnoticed.add((table, column))
    assert unnoticed == set(EXCUSED)


# All that the locks of a session's later rounds wrote is dated an hour before the rest of it.
SET_BACK = (
    "UPDATE tables_round r SET locked_at = locked_at - interval '1 hour' WHERE number > 1",
    """UPDATE payouts_transfer t SET posted_at = posted_at - interval '1 hour' FROM tables_round r
        WHERE r.number > 1 AND t.key = 'round:' || r.id || ':lock'""",
    """UPDATE jackpot_runninground n SET started_at = started_at - interval '1 hour' FROM tables_round r
        WHERE r.number > 1 AND r.id = n.round_id""",
)


def test_a_clock_that_was_set_back_accuses_nobody_of_a_rounds_place_or_level(more: Sealed) -> None:
    where = {"house_id": more.house.pk, "table_id": more.tables[1].pk, "actor_id": more.reto.pk}
    done(services.table_entry_level_set, **where, entry_level="full_cards")
    by = {"house_id": more.house.pk, "person_id": more.reto.pk}
    done(services.round_void, **by, round_id=more.start(1), reason="misdeal")
    done(services.table_entry_level_set, **where, entry_level="fast")
    with off() as link:
        link.execute("ALTER TABLE payouts_transfer DISABLE TRIGGER USER")
        for harm in SET_BACK:
            assert link.execute(harm).rowcount > 1
        assert link.execute(RULES["tables_round"].sql()).fetchall() == []


def test_nothing_disagrees_after_an_evening_with_all_that_can_happen(evening: Evening) -> None:
    """Late awards, corrections, a prize taken back, rounds reopened and withdrawn, a meter put right."""
    assert disagreeing() == []
