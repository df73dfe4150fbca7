"""What a database must be before anything is served from it. Asked at start
(`casino/ops/startup.py`) and by `manage.py check`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import NotSupportedError, OperationalError
from django.db.migrations.loader import MigrationLoader

from casino.database import this_database
from casino.ops.restores import unexplained_loss
from casino.ops.zones import zones_apart
from casino.people.models import Person
from casino.text.catalogues import outdated
from payouts.db.durability import undurable_settings
from payouts.db.guards import missing_guards
from payouts.db.rights import needless_rights, owned, powers

VERSION_LEAST = 150_000
NAMED = 3  # of a long list; the rest is counted


@dataclass(frozen=True, slots=True)
class Unsafe:
    """One reason not to serve: a stable code, what is wrong, what to do."""

    code: str
    sentence: str
    remedy: str


class Cursor(Protocol):
    """What Django's and psycopg's cursors have in common."""

    def execute(self, query: str, params: Sequence[Any] | None = None, /) -> Any:
        """Run one statement."""

    def fetchall(self) -> list[Any]:
        """All rows of the last statement."""


def unsafe_database() -> list[Unsafe]:
    """Every reason why the serving role may not serve from the database; empty if it may. Raises
    OperationalError.
    """
    if old := list(_too_old()):
        return old
    with this_database().cursor() as cursor:
        missing = missing_migrations(cursor)
    strong = list(_too_strong())
    found = [*_not_durable(), *strong]
    if missing:
        return [*found, _unmigrated(missing)]
    # Who owns a table has every right to it.
    return [
        *found,
        *_unguarded(),
        *(() if strong else _needless()),
        *_restored(),
        *_zones(),
        *_demo(),
    ]


def _too_old() -> Iterator[Unsafe]:
    try:
        version = this_database().pg_version
    except NotSupportedError:  # older than Django itself can use
        version = 0
    if version < VERSION_LEAST:
        yield Unsafe(
            "database.too_old",
            "This PostgreSQL is too old.",
            "Move the data to PostgreSQL 15 or newer.",
        )


def _not_durable() -> Iterator[Unsafe]:
    for name, value in undurable_settings():
        yield Unsafe(
            f"database.{name}",
            f"PostgreSQL runs with {name} = {value}: a crash could lose what was paid.",
            f"Set {name} to on for the server, the database and the role, and reload.",
        )


def _too_strong() -> Iterator[Unsafe]:
    role = this_database().settings_dict["USER"]
    remedy = (
        "Serve as a role that owns nothing (DATABASE_URL), and leave the owner to migrations"
        " (DATABASE_OWNER_URL)."
    )
    if rights := powers():
        yield Unsafe(
            "database.role_too_strong",
            f"The role {role} that serves is, or may become, {_named(rights)}.",
            remedy,
        )
    if things := owned():
        yield Unsafe(
            "database.role_owns",
            f"The role {role} that serves owns, or may come to own, {_named(things)}.",
            remedy,
        )


def _unmigrated(missing: list[str]) -> Unsafe:
    return Unsafe(
        "database.unmigrated",
        f"The database is behind this program: it lacks {_named(missing)}.",
        "Run `manage.py migrate` with DATABASE_OWNER_URL set, then start again.",
    )


REPAIR = (
    "Find out who changed the database, and undo it. `manage.py migrate` puts back rights and what"
    " tables have by their base class; the rest is made again from the files in the apps' `sql`"
    " folders."
)


def _unguarded() -> Iterator[Unsafe]:
    if missing := missing_guards():
        yield Unsafe(
            "database.unguarded",
            f"What defends the books is missing, off or changed: {_named(missing)}.",
            REPAIR,
        )


def _needless() -> Iterator[Unsafe]:
    if needless := needless_rights():
        yield Unsafe(
            "database.needless_rights",
            f"The role that serves may do too much: {_named(needless)}.",
            REPAIR,
        )


def _restored() -> Iterator[Unsafe]:
    if told := unexplained_loss():
        yield Unsafe("database.restored", *told)


def _zones() -> Iterator[Unsafe]:
    for zone, at in zones_apart().items():
        when = f"from {at:%d.%m.%Y %H:%M} UTC on" if at else "since one of them lacks it"
        yield Unsafe(
            "database.time_zones",
            f"Python and PostgreSQL disagree on the time in {zone}, {when}: what is played would be"
            " of two gaming days.",
            "Bring both time zone databases to one release (the system's tzdata, and the one that"
            " PostgreSQL was built with), restart PostgreSQL, then start again.",
        )


def _demo() -> Iterator[Unsafe]:
    if not settings.DEMO and Person.objects.filter(is_demo=True).exists():
        yield Unsafe(
            "demo.people",
            "The database holds demo people, whose passwords everybody knows, and this is no demo.",
            "Start on a database of your own. Only on a machine without real data set"
            " SAALCHEF_DEMO=1.",
        )


@cache
def last_migrations() -> frozenset[tuple[str, str]]:
    """The last migration of each app of this program; they cannot change while it runs."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).graph.leaf_nodes())


def missing_migrations(cursor: Cursor) -> list[str]:
    """The apps' last migrations that the database lacks, as `app.name`; one that has the last has
    them all.
    """
    cursor.execute("SELECT to_regclass('public.django_migrations') IS NOT NULL")
    if not cursor.fetchall()[0][0]:
        applied: set[tuple[str, str]] = set()
    else:
        cursor.execute("SELECT app, name FROM public.django_migrations")
        applied = {(app, name) for app, name in cursor.fetchall()}
    return sorted(".".join(migration) for migration in last_migrations() - applied)


def _named(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


@register
def check_catalogues(**_: object) -> list[CheckMessage]:
    """Without its catalogue a language is served in English."""
    languages = ", ".join(po.parts[-3] for po in outdated(settings.LOCALE_PATHS[0]))
    sentence = f"Translations are not compiled: {languages}."
    hint = "Run `manage.py messages --compile`."
    return [Error(sentence, hint=hint, id="casino.catalogues.outdated")] if languages else []


LONE_HEADS = (
    "The heads of the seals are kept nowhere but on this disk: whoever owns the server can write"
    " all seals anew, and nobody could tell."
)
LONE_HEADS_HINT = "Let SEAL_HEADS name a folder of another machine, or set SEAL_WEBHOOK."


def heads_are_lone() -> bool:
    """Whether no head leaves the disk that the key lies on."""
    if settings.SEAL_WEBHOOK or not settings.SEAL_HEADS:
        return not settings.SEAL_WEBHOOK
    places = (Path(settings.SEAL_HEADS), settings.SEAL_KEY_PATH.parent)
    try:
        return len({place.stat().st_dev for place in places}) == 1
    except OSError:  # not made yet; whoever keeps heads there finds what is amiss
        return False


@register(Tags.security, deploy=True)
def check_heads(**_: object) -> list[CheckMessage]:
    """A warning where no head is kept elsewhere."""
    lone = heads_are_lone()
    return (
        [checks.Warning(LONE_HEADS, hint=LONE_HEADS_HINT, id="casino.seals.lone")] if lone else []
    )


@register(Tags.database)
def check_database(*, databases: Iterable[str] | None = None, **_: object) -> list[CheckMessage]:
    """The same for `manage.py check --database default`. While migrating, only what concerns the
    server: the owner does own.
    """
    if "default" not in (databases or ()):
        return []
    try:
        serving = this_database().settings_dict["USER"] == settings.DATABASES["default"]["USER"]
        found = unsafe_database() if serving else [*_too_old(), *_not_durable()]
    except OperationalError as error:
        found = [
            Unsafe(
                "database.unreachable",
                f"The database does not answer: {error}",
                "Check that it runs.",
            )
        ]
    return [
        Error(unsafe.sentence, hint=unsafe.remedy, id=f"casino.{unsafe.code}") for unsafe in found
    ]
