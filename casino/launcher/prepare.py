"""Bring database, static files and demo house up to date, in one Django process (each process costs
a second or two).

Says what it does as JSON lines on its standard output; what the commands themselves print goes to
standard error, the log.
"""

import hashlib
import io
import json
import os
import sys
from pathlib import Path

import django

SETTINGS, DATABASE, MIGRATIONS, STATIC, DEMO = (
    "code",
    "database",
    "migrations",
    "static files",
    "demo house",
)


def prepare(var: Path) -> int:
    """Run all steps; returns the exit status. What a person can put right is said as a refusal."""
    said = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def say(**message: object) -> None:
        said.write(json.dumps(message) + "\n")

    say(step=SETTINGS)
    from django.core.exceptions import ImproperlyConfigured

    try:
        django.setup()
    except ImproperlyConfigured as error:
        say(refused=(str(error), "Put that right in the environment and start again."))
        return 1
    from django.conf import settings
    from django.core.management import CommandError, call_command

    say(step=DATABASE)
    if refusal := _unreachable():
        say(refused=refusal)
        return 1
    try:
        say(step=MIGRATIONS)
        call_command("migrate", interactive=False, verbosity=1)
        if refusal := _another_mode() or _restored():
            say(refused=refusal)
            return 1
        say(step=STATIC)
        _collect_static(var / "static.stamp")
        _make_seal_key(Path(settings.SEAL_KEY_PATH))
        if settings.DEMO:
            say(step=DEMO)
            shown = io.StringIO()
            call_command("demo", show=True, stdout=shown)
            say(show=shown.getvalue())
        else:
            say(show=_first_manager(var.parent))
    except CommandError as error:
        say(refused=(str(error), f"The log is {var / 'log' / 'prepare.log'}."))
        return 1
    return 0


AN_EMPTY_ONE = (
    "A house of your own begins with an empty database; `make reset` empties that of this folder."
)
FIRST_MANAGER = """\
There is no manager yet. Make the house and its first manager, in another terminal:
  {command}
It asks for all that it needs; the first sign-in sets up the authenticator.
There are no demo people here."""


def _first_manager(root: Path) -> str:
    """How to make the first manager; empty when there is one."""
    from casino.launcher.places import command_line
    from casino.people.models import Person

    there = Person.objects.filter(roles__contains=["manager"]).exists()
    return "" if there else FIRST_MANAGER.format(command=command_line(root, "bootstrap"))


def _another_mode() -> tuple[str, str] | None:
    """Why this house cannot be started in this mode, with the way out; None if it can."""
    from django.conf import settings

    from casino.people.models import Person

    if settings.DEMO and Person.objects.filter(is_demo=False).exists():
        return (
            (
                "This house has people of its own, and demo people, whose password everybody knows,"
                " never stand beside them."
            ),
            "Start it without them: SAALCHEF_DEMO=0 make run",
        )
    if not settings.DEMO and Person.objects.filter(is_demo=True).exists():
        return (
            (
                "This is a demo house: everybody knows the password of its people, so it starts as"
                " nothing else."
            ),
            f"Start it as the demo: SAALCHEF_DEMO=1 make run. {AN_EMPTY_ONE}",
        )
    return None


def _unreachable() -> tuple[str, str] | None:
    """Why one of the two addresses does not answer, with the way out; None if both do."""
    import psycopg
    import redis
    from django.conf import settings

    from casino.database import database_config

    for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        config = database_config(getattr(settings, name))
        keys = {
            "NAME": "dbname",
            "USER": "user",
            "PASSWORD": "password",
            "HOST": "host",
            "PORT": "port",
        }
        parameters = {key: config[setting] for setting, key in keys.items() if config[setting]}
        extra = {
            key: value for key, value in config["OPTIONS"].items() if key not in ("options", "pool")
        }
        try:
            psycopg.connect(**{"connect_timeout": 10} | parameters | extra).close()
        except psycopg.OperationalError as error:
            reason = str(error).strip().splitlines()[0]
            return (
                f"The PostgreSQL that {name} names does not let us in: {reason}",
                f"Put it, or {name}, right.",
            )
    try:
        redis.Redis.from_url(settings.REDIS_URL, socket_timeout=10).ping()
    except (redis.RedisError, ValueError) as error:
        return (
            f"The Redis that REDIS_URL names does not answer: {error}",
            "Put it, or REDIS_URL, right.",
        )
    return None


def _restored() -> tuple[str, str] | None:
    """Why nothing may be served from books that were restored before somebody says so, by
    RESTORED=1; None if it may.
    """
    from django.core.management import call_command

    from casino.ops.restores import unexplained_loss

    if os.environ.get("RESTORED") == "1":
        call_command("restored")
        return None
    told = unexplained_loss()
    return (
        (told[0], f"{told[1]} With `make run` the former is `make run RESTORED=1`, once.")
        if told
        else None
    )


def _make_seal_key(path: Path) -> None:
    """The key of the seals, made once; one that is there is never replaced by a start."""
    from payouts import seal_keys

    if not path.exists():
        seal_keys.make(path)


def _collect_static(stamp: Path) -> None:
    """Collect and compress, unless nothing changed since the last time."""
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders
    from django.core.management import call_command

    digest = hashlib.sha256(str(settings.STATIC_ROOT).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            state = os.stat(storage.path(name))
            digest.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    if (
        stamp.exists()
        and stamp.read_text() == digest.hexdigest()
        and Path(settings.STATIC_ROOT).is_dir()
    ):
        return
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(digest.hexdigest())


if __name__ == "__main__":
    sys.exit(prepare(Path(sys.argv[1])))
