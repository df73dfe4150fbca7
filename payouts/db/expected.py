"""What must stand in the database besides tables, read from the apps' `sql` folders and the models:
nobody keeps a list.

Files are read in the order of their versions, and the last word counts: `<name>_v2.sql` may replace
a function (CREATE OR REPLACE FUNCTION, same name and signature) or a trigger, or drop what
`<name>_v1.sql` made, and what a file drops is expected no more. A function's body stands between
`$$`; SET clauses end its head, and `ALTER FUNCTION … SET` adds one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import cast

from django.apps import apps
from django.db import connection, models
from django.db.models import Q

from payouts.models import AppendOnly, Guarded

_NAME = r"(?:public\.)?(?P<{}>\w+)"
_FUNCTION = rf"FUNCTION {_NAME.format('function')}(?P<head>[^$]*?)\s+AS \$\$(?P<body>.*?)\$\$"
_TRIGGER = (
    r"(?P<constraint>CONSTRAINT )?TRIGGER (?P<trigger>\w+)\s[^;]*?\sON"
    rf" {_NAME.format('watched')}[^;]*"
)
_KEY = rf"ALTER TABLE {_NAME.format('table')}\s+ADD CONSTRAINT (?P<key>\w+)\s+(?P<key_is>[^;]*)"
_INDEX = (
    r"CREATE (?P<index_is>UNIQUE) INDEX (?P<index>\w+) ON"
    rf" {_NAME.format('indexed')}\s+(?P<index_of>[^;]*)"
)
_DROP = rf"DROP (?:FUNCTION|TRIGGER|INDEX|CONSTRAINT) (?:IF EXISTS )?{_NAME.format('dropped')}"
_ALTER = rf"ALTER FUNCTION {_NAME.format('altered')}\([^)]*\) (?P<altered_to>[^;]*)"
_STATEMENTS = re.compile(
    rf"CREATE (?:OR REPLACE )?(?:{_FUNCTION}|{_TRIGGER})|{_ALTER}|{_KEY}|{_INDEX}|{_DROP}",
    re.DOTALL,
)
_SETTING = re.compile(r"\bSET (\w+) = (.+?)(?= SET |$)")
_REFERENCE = re.compile(r"FOREIGN KEY (\(.*?\)) REFERENCES (\w+)")
_EVENTS = ("INSERT", "DELETE", "UPDATE", "TRUNCATE")  # in the order in which PostgreSQL says them
_EVENT_LIST = re.compile(r"(INSERT|DELETE|UPDATE|TRUNCATE)( OR (INSERT|DELETE|UPDATE|TRUNCATE))*")

# What each append-only or guarded table has by its base class.
ROW = (
    "CREATE TRIGGER append_only_row BEFORE DELETE OR UPDATE ON {} FOR EACH ROW EXECUTE FUNCTION"
    " refuse_change_v1()"
)
TRUNCATE = (
    "CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON {} FOR EACH STATEMENT EXECUTE FUNCTION"
    " refuse_change_v1()"
)
STAMP = "CREATE TRIGGER stamp BEFORE INSERT ON {} FOR EACH ROW EXECUTE FUNCTION stamp_v1('{}')"


@dataclass(frozen=True, slots=True)
class Function:
    """A function as `pg_proc` shows it."""

    language: str
    definer: bool
    strict: bool
    volatility: str  # v, s or i
    settings: tuple[str, ...]
    body: str


@dataclass(frozen=True, slots=True)
class Declared:
    """What the files make: functions by name; triggers by (table, name), as text; keys by name, as
    (table, what it is).
    """

    functions: dict[str, Function] = field(default_factory=dict)
    triggers: dict[tuple[str, str], str] = field(default_factory=dict)
    keys: dict[str, tuple[str, str]] = field(default_factory=dict)


@cache
def in_files() -> Declared:
    """What the `sql` folders of all apps declare. Files do not change while the program runs."""
    paths = [
        path for app in apps.get_app_configs() for path in Path(app.path, "sql").glob("*_v*.sql")
    ]
    declared = Declared()
    for path in sorted(paths, key=lambda path: (int(path.stem.rpartition("_v")[2]), path.stem)):
        read(path.read_text(encoding="utf-8"), declared)
    return declared


def read(text: str, declared: Declared) -> None:
    """Add what one file makes, and take away what it drops."""
    text = re.sub(r"(\$\$.*?\$\$)|--[^\n]*", lambda match: match[1] or "", text, flags=re.DOTALL)
    for match in _STATEMENTS.finditer(text):
        part = match.groupdict()
        if part["function"]:
            declared.functions[part["function"]] = _function(part["head"], part["body"])
        elif part["altered"]:
            if made := declared.functions.get(part["altered"]):
                more = _settings(part["altered_to"])
                declared.functions[part["altered"]] = replace(made, settings=made.settings + more)
        elif part["trigger"]:
            declared.triggers[part["watched"], part["trigger"]] = trigger_text(match[0])
        elif part["key"]:
            declared.keys[part["key"]] = (part["table"], _key(part["key_is"]))
        elif part["index"]:
            declared.keys[part["index"]] = (part["indexed"], _key(f"UNIQUE {part['index_of']}"))
        else:
            _drop(part["dropped"], declared)


def _function(head: str, body: str) -> Function:
    head = " ".join(head.split())
    volatility = re.search(r"\b(VOLATILE|STABLE|IMMUTABLE)\b", head)
    return Function(
        language=re.findall(r"\bLANGUAGE (\w+)", head)[-1],
        definer="SECURITY DEFINER" in head,
        strict=bool(re.search(r"\bSTRICT\b", head)),
        volatility=volatility[1][0].lower() if volatility else "v",
        settings=_settings(head),
        body=body,
    )


def _settings(text: str) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in _SETTING.findall(" ".join(text.split())))


def _key(text: str) -> str:
    text = " ".join(text.replace("public.", "").split())
    if reference := _REFERENCE.match(text):
        return f"foreign key {reference[1]} to {reference[2]}"
    if text.startswith("UNIQUE "):
        return f"unique {text[7:].partition(')')[0]})" + (" where" if " WHERE " in text else "")
    return ""  # a CHECK: known by its name only


def _drop(name: str, declared: Declared) -> None:
    declared.functions.pop(name, None)
    declared.keys.pop(name, None)
    for table, trigger in list(declared.triggers):
        if trigger == name:
            del declared.triggers[table, trigger]


def trigger_text(text: str) -> str:
    """A trigger's text in one spelling, whether it comes from a file or from the database
    (`pg_get_triggerdef`).
    """
    text = " ".join(text.replace("public.", "").replace("OR REPLACE ", "").split())
    return _EVENT_LIST.sub(
        lambda found: " OR ".join(sorted(found[0].split(" OR "), key=_EVENTS.index)), text, count=1
    )


def defended() -> Iterator[type[models.Model]]:
    """The models that say what the app role may do: money tables, people, signs of life."""
    return (
        model for model in apps.get_models() if hasattr(model, "app_may") and model._meta.managed
    )


def triggers() -> dict[tuple[str, str], str]:
    """Every trigger that must be there, ENABLE ALWAYS, by (table, name), with its text."""
    expected = dict(in_files().triggers)
    for model in defended():
        expected |= by_base_class(model)
    return expected


def by_base_class(model: type[models.Model]) -> dict[tuple[str, str], str]:
    """The triggers that a table has because its model is append-only or guarded."""
    table, expected = model._meta.db_table, {}
    if issubclass(model, AppendOnly):
        expected[table, "append_only_row"] = ROW.format(table)
    if issubclass(model, AppendOnly | Guarded):
        expected[table, "append_only_truncate"] = TRUNCATE.format(table)
        if model.clock:
            expected[table, "stamp"] = STAMP.format(table, _columns(model)[model.clock])
    return expected


def _columns(model: type[models.Model]) -> dict[str, str]:
    return {field.name: str(field.column) for field in model._meta.local_concrete_fields}


def reference(table: str, column: str) -> str:
    """The name of a foreign key: the one that PostgreSQL itself would give."""
    return f"{table}_{column}_fkey"


def constraints() -> set[str]:
    """Every key, check and NOT NULL of the defended tables, as `<table>: [<name> ]<what it is>`."""
    expected = {
        f"{table}: {name} {what}".rstrip() for name, (table, what) in in_files().keys.items()
    }
    for model in defended():
        table = model._meta.db_table
        expected |= {f"{table}: {what}" for what in (*_of_fields(model), *_of_meta(model))}
    return expected


def _of_fields(model: type[models.Model]) -> Iterator[str]:
    for column in model._meta.local_concrete_fields:
        if not column.null:
            yield f"not null {column.column}"
        if column.unique:
            yield f"unique ({column.column})"
        if column.db_parameters(connection)["check"]:
            yield f"check ({column.column})"
        if isinstance(column, models.ForeignKey) and column.db_constraint:  # type: ignore[attr-defined]
            yield f"foreign key ({column.column}) to {column.related_model._meta.db_table}"


def _of_meta(model: type[models.Model]) -> Iterator[str]:
    column = _columns(model)
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.CheckConstraint):
            condition = cast("Q", constraint.condition)
            names = sorted(column[name] for name in condition.referenced_base_fields)
            yield f"{constraint.name} check ({', '.join(names)})"
        elif isinstance(constraint, models.UniqueConstraint):
            names = [column[name] for name in constraint.fields]
            nulls = " nulls not distinct" if constraint.nulls_distinct is False else ""
            where = " where" if constraint.condition else ""
            yield f"{constraint.name} unique ({', '.join(names)}){nulls}{where}"
