"""What a migration holds while it runs, judged by its SQL (docs/OPERATIONS.md, *A migration holds nobody up*)."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from tests.meta import landed

# Up to these numbers they were written before the rule: they land as they are.
BEFORE = {"casino": 19, "jackpot": 19, "payouts": 17, "tables": 19}
HOT = {
    *("payouts_entry", "payouts_transfer", "payouts_commandkey", "payouts_event"),
    *("tables_round", "tables_roundstake", "tables_roundresult", "tables_roundline"),
    *("jackpot_contribution", "jackpot_runninground"),
}
UNCHECKED = "a CHECK or foreign key is added NOT VALID: as a part of its column it cannot be, so it comes after it"
ALONE = "VALIDATE CONSTRAINT has a migration of its own: what was locked before it stays locked until it is done"
INDEX = "an index is made CONCURRENTLY (`AddIndexOnline`), a unique key of such an index (USING INDEX)"
REWRITE = "a hot table is not rewritten or read through: a new column without a value, filled in pieces by a command"

BODY = re.compile(r"\$(\w*)\$.*?\$\1\$", re.DOTALL)
COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
ALTER = re.compile(r"ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(?:public\.)?(\w+) (.*)", re.IGNORECASE)
MADE = re.compile(r"CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(?:public\.)?(\w+)", re.IGNORECASE)
INDEXED = re.compile(r"CREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY\b).*? ON (?:ONLY )?(?:public\.)?(\w+)", re.IGNORECASE)
WRITTEN = re.compile(
    r"(?:UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?|CLUSTER|REINDEX TABLE|VACUUM FULL|LOCK(?: TABLE)?) (?:ONLY )?(?:public\.)?(\w+)",
    re.IGNORECASE,
)
KEY = r"(?:CHECK|FOREIGN KEY|REFERENCES)\b"
UNIQUE = r"\b(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b"
COLUMN = re.compile(rf"ADD COLUMN\b.*{KEY}", re.IGNORECASE)
CONSTRAINT = re.compile(rf"ADD (?:CONSTRAINT \w+ )?{KEY}", re.IGNORECASE)
KEYED = re.compile(rf"ADD (?:CONSTRAINT|COLUMN)\b.*{UNIQUE}|ADD {UNIQUE}", re.IGNORECASE)
CONSTANT = r"(?:now|statement_timestamp|transaction_timestamp|current_timestamp)\(\)"
REWRITES = re.compile(
    rf"ALTER COLUMN \w+ (?:SET DATA )?TYPE\b|SET NOT NULL|SET (?:UNLOGGED|LOGGED|TABLESPACE)|\bSTORED\b|AS IDENTITY|\bSERIAL\b"
    rf"|ADD COLUMN [^,]*DEFAULT (?!\(?{CONSTANT})[^,]*\w\(",
    re.IGNORECASE,
)


def harms(transactions: Sequence[str]) -> list[str]:
    """What each transaction would hold, as the rule that it breaks and the statement. Tables that are made here are empty."""
    split = [list(_statements(text)) for text in transactions]
    made = {table[1] for statements in split for statement in statements if (table := MADE.match(statement))}
    return [
        f"{rule}: {statement[:120]}"
        for statements in split
        for statement in statements
        for rule in _broken(statement, made, alone=len(statements) == 1)
    ]


def _statements(sql: str) -> Iterator[str]:
    """Without comments, the bodies of functions, quotes and what a session sets for itself."""
    for statement in COMMENT.sub(" ", BODY.sub("''", sql)).split(";"):
        text = " ".join(statement.replace('"', "").split())
        if text and not text.upper().startswith(("SET ", "RESET ", "BEGIN", "COMMIT")):
            yield text


def _broken(statement: str, made: set[str], *, alone: bool) -> Iterator[str]:
    if altered := ALTER.match(statement):
        table, actions = altered[1], altered[2]
        if table not in made:
            yield from _altered(actions, hot=table in HOT, alone=alone)
    elif (indexed := INDEXED.match(statement)) and indexed[1] not in made:
        yield INDEX
    elif (written := WRITTEN.match(statement)) and written[1] in HOT:
        yield REWRITE


def _altered(actions: str, *, hot: bool, alone: bool) -> Iterator[str]:
    if COLUMN.search(actions) or (CONSTRAINT.search(actions) and "NOT VALID" not in actions.upper()):
        yield UNCHECKED
    if "VALIDATE CONSTRAINT" in actions.upper() and not alone:
        yield ALONE
    if KEYED.search(actions) and "USING INDEX" not in actions.upper():
        yield INDEX
    if hot and REWRITES.search(actions):
        yield REWRITE


def transactions(migration: Migration, state: ProjectState) -> list[str]:
    """The SQL of a migration on top of a state, a text for each transaction. What runs Python cannot be read."""
    with connection.schema_editor(collect_sql=True, atomic=migration.atomic) as editor:
        migration.apply(state, editor, collect_sql=True)
    written = [text for text in editor.collected_sql if not text.startswith("--")]
    return ["\n".join(written)] if migration.atomic else written


def young() -> list[tuple[str, str]]:
    """Migrations that no house has run, and that were written since there is the rule."""
    paths = [Path(path) for path in landed.present() if path not in landed.listed() and path.endswith(".py")]
    keys = [(path.parts[0], path.stem) for path in paths]
    return [(app, name) for app, name in keys if int(name[:4]) > BEFORE[app]]


def judged() -> list[str]:
    """What young migrations would hold."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    broken = []
    for key in young():
        state = loader.project_state([key], at_end=False)
        broken += [f"{'.'.join(key)}: {harm}" for harm in harms(transactions(loader.graph.nodes[key], state))]
    return broken
