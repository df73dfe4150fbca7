"""A table that was renamed after it was sealed: the seals stand, and what nobody signed is found."""

from pathlib import Path

import psycopg

from payouts.agreement import RULES
from tables.models import Table
from tests.databases import superuser
from tests.seals.house import Sealed, found, seal
from tests.tables.test_changes import close, request, sign


def test_a_renamed_table_agrees_with_its_seals_and_one_that_nobody_signed_for_does_not(
    own_copy: Sealed, keys: Path
) -> None:
    table = own_copy.tables[2]
    close(own_copy, table)
    sign(own_copy, request(own_copy, table, name="Salon", boxes=5, position=9))
    seal(own_copy.signer)
    with superuser() as link, link.transaction(force_rollback=True):
        assert (found(link, keys), disagreeing(link)) == ([], [])
        link.execute("ALTER TABLE tables_table DISABLE TRIGGER USER")
        link.execute("UPDATE tables_table SET name = 'Salone' WHERE id = %s", [table.pk])
        assert disagreeing(link) == [("tables_table", str(table.pk), "name")]
        link.execute("ALTER TABLE tables_tableversion DISABLE TRIGGER USER")
        link.execute("UPDATE tables_tableversion SET name = 'Salone' WHERE (table_id, number) = (%s, 2)", [table.pk])
        version = str(Table.objects.get(pk=table.pk).versions.get(number=2).pk)
        assert [(row["table"], row["key"], row["what"]) for row in found(link, keys)] == [
            ("tables_tableversion", version, "changed")
        ]


def disagreeing(link: psycopg.Connection) -> list[tuple[object, ...]]:
    """By table and key the columns that say otherwise."""
    return link.execute(RULES["tables_table"].sql()).fetchall()
