"""Whatever somebody changes who can switch every guard off is found, and named: each column of each sealed table, once."""

from dataclasses import replace
from uuid import UUID

import psycopg
from django.apps import apps

from payouts import seal_keys, verify
from payouts.findings import Breach
from payouts.models import Seal, SealedRows
from payouts.rules import seal as rules
from payouts.sealed import forms
from payouts.sealed import rows as sealed_rows
from tests.databases import superuser
from tests.seals.house import found, rows_of, spoiled
from tests.turns import each

CHAIN = ("payouts_seal", "payouts_sealedrows")
# Of a table seals hold its first version: what its row says is held against the version in force (test_tables).
OF_VERSIONS = ("pit_id", "name", "position", "boxes")
# What another value is, by type.
OTHER = {
    "bigint": "{0} + 1000003",
    "integer": "{0} + 4711",
    "smallint": "{0} + 4711",
    "boolean": "NOT {0}",
    "date": "{0} + 1",
    "jsonb": "{0} || '[1]'",
    "bytea": "{0} || '\\x00'",
    "time without time zone": "{0} + interval '1 minute'",
    "timestamp with time zone": "{0} + interval '1 microsecond'",
    "uuid": "gen_random_uuid()",
    "text": "{0} || 'x'",
    "character varying": "left({0}, 1) || 'x'",
    "ARRAY": "array_append({0}, NULL)",
}
EMPTY = {
    "uuid": "gen_random_uuid()",
    "bigint": "7",
    "jsonb": "'{}'",
    "character varying": "'x'",
    "smallint": "7",
    "timestamp with time zone": "now()",
}
TYPES = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s"
UNIQUE = """
    SELECT CASE WHEN k.oid IS NULL THEN format('DROP INDEX %%I', i.relname)
        ELSE format('ALTER TABLE %%s DROP CONSTRAINT %%I CASCADE', x.indrelid::regclass, k.conname) END
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    LEFT JOIN pg_constraint k ON k.conindid = x.indexrelid AND k.contype = 'u'
    WHERE x.indrelid = %s::regclass AND x.indisunique AND NOT x.indisprimary
"""


def columns() -> list[tuple[str, str]]:
    found = [model for model in apps.get_models() if model._meta.db_table in {*forms(), *CHAIN}]
    return [(m._meta.db_table, str(f.column)) for m in found for f in m._meta.local_concrete_fields]


def test_nothing_is_found_where_nothing_was_done(sealed, keys):
    there = {table: rows_of(table) for table in forms()}
    assert [table for table, count in there.items() if not count] == []
    with spoiled() as link:
        assert found(link, keys) == []
        assert verify.check_seals(link, 1, 3, {}).read == sum(there.values())


def test_each_column_of_each_table_changed_once_is_found_and_named(sealed, keys):
    unnoticed = []
    with spoiled() as link:
        for table in [*forms(), *CHAIN]:
            types = dict(link.execute(TYPES, [table]).fetchall())
            for column in forms()[table].columns if table in forms() else names(table):
                with link.transaction(force_rollback=True):
                    changed = change(link, table, column, types[column])
                    breaches = own(found(link, keys), table)
                others = but(breaches, table, changed)
                moved = table in forms() and column == forms()[table].key  # then it is missing here and added there
                odd = [breach for breach in others if table not in CHAIN and not (moved and breach["what"] == "added")]
                if odd or len(others) == len(breaches):
                    unnoticed.append((table, column, breaches))
    of_tables = [("tables_table", column, []) for column in OF_VERSIONS]
    nothing_refers_to = ("payouts_sealedrows", "id", [])  # a number
    assert unnoticed == [*of_tables, nothing_refers_to]
    assert len(columns()) > 150


def change(link: psycopg.Connection, table: str, column: str, of: str) -> str:
    """Give a row another value in this column, if possible one that has none; give the row's key."""
    key = forms()[table].key if table in forms() else {"payouts_seal": "number"}.get(table, "id")
    which = column if column == "stands" else "true"  # two that stand the database refuses, guards or none
    found = link.execute(
        f'SELECT {key}::text, "{column}" IS NULL FROM {table} WHERE {which} ORDER BY 2 DESC, {key} LIMIT 1'
    ).fetchone()
    new = EMPTY[of] if found[1] else OTHER[of].format(f'"{column}"')
    assert link.execute(f'UPDATE {table} SET "{column}" = {new} WHERE {key} = %s', [found[0]]).rowcount == 1
    return found[0]


def test_nothing_that_is_sealed_can_change_while_the_guards_are_on(sealed):
    """Or a change that is allowed would look like one that is not."""
    allowed = []
    with superuser() as link:
        for table, form in forms().items():
            types = dict(link.execute(TYPES, [table]).fetchall())
            for column in form.columns:
                try:
                    with link.transaction(force_rollback=True):
                        change(link, table, column, types[column])
                    allowed.append((table, column))
                except psycopg.IntegrityError:  # the guard's refusal, or that of a key
                    pass
    assert [
        place for place in allowed if place[0] != "payouts_house"
    ] == []  # no right, instead of a guard, keeps a house


def but(breaches: list[Breach], table: str, key: str) -> list[Breach]:
    """The breaches that do not name this row. A row of the chain is named by its seal."""
    if table in CHAIN:
        return [breach for breach in breaches if "why" not in breach]
    return [breach for breach in breaches if (breach.get("table"), breach.get("key")) != (table, key)]


@each("table", forms())
def test_a_row_taken_away_or_slipped_in_is_found_and_named(sealed, keys, table):
    """Slipped in: under a number between those that are sealed, or under a new UUID with an old row's date."""
    form = forms()[table]
    others = ", ".join(f't."{column}"' for column in names(table) if column != form.key)
    columns = ", ".join(f'"{column}"' for column in names(table) if column != form.key)
    if form.dated:  # a clock that is set back by a minute accuses nobody
        others = others.replace(f't."{form.columns[1]}"', f"t.\"{form.columns[1]}\" - interval '2 minutes'")
    one = f"(SELECT {form.key} FROM {table} ORDER BY 1 LIMIT 1)"
    with spoiled() as link:
        for unique in link.execute(UNIQUE, [table]).fetchall():
            link.execute(unique[0])
        [(key,)] = link.execute(f"SELECT {one}::text").fetchall()
        with link.transaction(force_rollback=True):
            link.execute(f"DELETE FROM {table} WHERE {form.key} = {one}")
            assert named(own(found(link, keys), table)) == [(table, key, "missing")]
        free = "-7" if form.numbered else "gen_random_uuid()"
        copied = f"INSERT INTO {table} ({form.key}, {columns}) SELECT {free}, {others} FROM {table} AS t"
        [(new,)] = link.execute(f"{copied} WHERE {form.key} = {one} RETURNING {form.key}::text").fetchall()
        assert named(own(found(link, keys), table)) == [(table, new, "added")]


def own(breaches: list[Breach], table: str) -> list[Breach]:
    """What is found of a table, without that its first version is not as it was made."""
    return [row for row in breaches if (table, row.get("table")) != ("tables_tableversion", "tables_table")]


def named(breaches: list[Breach]) -> list[tuple[object, ...]]:
    return [(breach["table"], breach["key"], breach["what"]) for breach in breaches]


def names(table: str) -> list[str]:
    return [column for of, column in columns() if of == table]


def test_an_interval_that_was_rewritten_is_found_even_by_who_has_the_key(own_copy, keys):
    """Every seal is made anew over it. Without the key the signatures tell; with it, the heads kept elsewhere."""
    heads = {seal.number: rules.head_of(seal.statement) for seal in Seal.objects.all()}
    newer = seal_keys.make(own_copy.key.parent / "other" / "key.pem")
    for key, mine in ((own_copy.key, True), (own_copy.key.parent / "other" / "key.pem", False)):
        with spoiled("UPDATE tables_handover SET by_id = to_croupier_id") as link:
            rewrite(link, seal_keys.signer(key))
            breaches = found(link, keys)
            assert (breaches == []) is mine
            assert mine or {breach["why"] for breach in breaches} == {f"was signed by a key that is not ours: {newer}"}
            kept = {breach["seal"] for breach in found(link, keys, heads)}
            assert kept == ({3} if mine else {1, 2, 3})  # the change was sealed by the third


def rewrite(link: psycopg.Connection, signer: seal_keys.Signer) -> None:
    """Make every seal anew from the rows as they stand."""
    before = None
    for number, text in link.execute("SELECT number, statement FROM payouts_seal ORDER BY number").fetchall():
        parts = []
        for id_, table, columns, keys in link.execute(
            'SELECT id, "table", columns, keys FROM payouts_sealedrows WHERE seal_id = %s', [number]
        ).fetchall():
            form = forms()[table]
            wanted = (
                set(rules.numbers_in(rules.unpack_runs(keys)))
                if form.numbered
                else {UUID(bytes=keys[at : at + 16]) for at in range(0, len(keys), 16)}
            )
            with link.cursor() as cursor:
                rows = [
                    row for row in sealed_rows(cursor, form.sql(f"{table} AS t", columns)) if form.key_of(row) in wanted
                ]
            leaves = b"".join(map(rules.leaf, rows))
            link.execute("UPDATE payouts_sealedrows SET leaves = %s WHERE id = %s", [leaves, id_])
            parts.append(rules.Part(table, tuple(columns), keys, leaves))
        said = replace(
            rules.Statement.read(text, number),
            previous=before.head() if before else "",
            root=rules.root_of_parts(parts).hex(),
            key=signer.id,
        )
        change = "UPDATE payouts_seal SET statement = %s, signature = %s WHERE number = %s"
        link.execute(change, [said.text(), signer.sign(said.text()), number])
        before = said


def test_seals_that_are_gone_are_found(sealed, keys):
    """In the middle by the gap; at the end by the heads kept elsewhere, and by their rows, which nothing seals any more."""
    heads = {seal.number: rules.head_of(seal.statement) for seal in Seal.objects.all()}
    gone = ("DELETE FROM payouts_sealedrows WHERE seal_id = {0}", "DELETE FROM payouts_seal WHERE number = {0}")
    with spoiled(*(harm.format(2) for harm in gone)) as link:
        why = [(breach["seal"], breach["why"]) for breach in found(link, keys) if "why" in breach]
        assert (2, "is missing") in why
        assert (3, "does not follow the seal before it") in why
    with spoiled(*(harm.format(3) for harm in gone)) as link:
        assert found(link, keys) == []  # nobody can tell without a copy
        assert found(link, keys, heads) == [{"seal": 3, "why": "is missing"}]


def test_a_part_of_a_seal_that_is_gone_or_slipped_in_is_found(sealed, keys):
    """While the seal itself and every row of the books stay as they are."""
    columns = '"table", columns, last, keys, leaves'
    copied = f"""
        INSERT INTO payouts_sealedrows (seal_id, {columns}) SELECT {{1}}, {columns} FROM payouts_sealedrows p WHERE id = {{0}}
            AND NOT EXISTS (SELECT FROM payouts_sealedrows o WHERE o."table" = p."table" AND o.seal_id = {{1}})
    """
    parts = list(SealedRows.objects.values_list("pk", "seal_id"))
    slipped_in = 0
    for part, seal in parts:
        with spoiled(f"DELETE FROM payouts_sealedrows WHERE id = {part}") as link:
            assert seal in {breach["seal"] for breach in found(link, keys) if "why" in breach}
        other = seal % 3 + 1
        with spoiled() as link:
            if link.execute(copied.format(part, other)).rowcount:
                slipped_in += 1
                assert other in {breach["seal"] for breach in found(link, keys) if "why" in breach}
    assert parts
    assert slipped_in
