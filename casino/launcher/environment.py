"""The environment of our processes: what a caller's shell may bring along, and what it may not.
Standard library only.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from casino.launcher.errors import StartError
from casino.launcher.fit import given
from casino.launcher.places import Place
from casino.launcher.processes import MARKER

# Settings of the tools we start, meant for somebody else's project: each could change what runs
# here without a trace.
FOREIGN = re.compile(
    r"(PYTHON|__PYVENV|VIRTUAL_ENV|DJANGO_|CELERY_|UVICORN_|SUPERVISOR_|SAALCHEF_PROGRAM|MAKE)"
)
FOREIGN_NAMES = {
    "WEB_CONCURRENCY",
    "FORWARDED_ALLOW_IPS",
    "C_FORCE_ROOT",
    "MFLAGS",
    "DATABASE_POOL_SIZE",
}
# What may be said to pip: where packages come from and how they get here. The rest (PIP_USER,
# PIP_TARGET, ...) breaks a venv.
PIP_KEPT = re.compile(
    r"PIP_(INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS|NO_INDEX|TRUSTED_HOST|CERT|CLIENT_CERT|PROXY|CACHE_DIR|NO_CACHE_DIR"
    r"|DEFAULT_TIMEOUT|TIMEOUT|RETRIES|CONFIG_FILE|KEYRING_PROVIDER)$"
)

KEYS = {"SECRET_KEY": "secret-key", "SIGNATURE_KEY": "signature-key"}  # by name, its file in var


def plain(environ: Mapping[str, str]) -> dict[str, str]:
    """The caller's environment without what is meant for other programs."""
    kept = {
        name: value
        for name, value in environ.items()
        if not FOREIGN.match(name) and name not in FOREIGN_NAMES
    }
    return kept | {"PYTHONNOUSERSITE": "1", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}


def for_pip(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of pip: our venv, our pins, the caller's sources."""
    kept = {
        name: value
        for name, value in plain(environ).items()
        if not name.startswith("PIP_") or PIP_KEPT.match(name)
    }
    return kept | {
        "PIP_USER": "0",
        "PIP_NO_INPUT": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
    }


def own_database(environ: Mapping[str, str]) -> bool:
    """Whether the caller names a PostgreSQL of their own. Raises StartError if they name only one
    of its two roles.
    """
    app, owner = given(environ, "DATABASE_URL"), given(environ, "DATABASE_OWNER_URL")
    if app != owner:
        there, missing = (
            ("DATABASE_URL", "DATABASE_OWNER_URL")
            if app
            else ("DATABASE_OWNER_URL", "DATABASE_URL")
        )
        raise StartError(
            f"{there} is set and {missing} is not: a PostgreSQL of your own needs both roles.",
            "Set both (the app role serves, the owner role migrates; docs/OPERATIONS.md), or"
            " neither.",
        )
    if app:
        for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
            _check_database_url(name, environ)
    return app


def _check_database_url(name: str, environ: Mapping[str, str]) -> None:
    """Refuse what is no address of a PostgreSQL, before the settings choke on it; the value itself
    may hold a password.
    """
    try:
        value = environ.get(name) or Path(environ[f"{name}_FILE"]).read_text().strip()
    except OSError as error:
        raise StartError(
            f"{name}_FILE cannot be read: {error.strerror}.", "Put that right and start again."
        ) from error
    if not re.match(r"(postgres|postgresql|pgsql|psql)://.+", value):
        raise StartError(
            f"{name} is no address of a PostgreSQL.",
            "Write postgres://role:password@host:5432/database",
        )


def own_redis(environ: Mapping[str, str]) -> bool:
    """Whether the caller names a Redis of their own."""
    return given(environ, "REDIS_URL")


def for_place(
    place: Place, environ: Mapping[str, str], servers: Mapping[str, str]
) -> dict[str, str]:
    """The environment of every process of this place; `servers` holds the URLs of the embedded
    servers.
    """
    result = plain(environ)
    for name in servers:
        result.pop(f"{name}_FILE", None)
    if "DATABASE_URL" in servers:
        for name in [name for name in result if re.fullmatch(r"PG[A-Z]+", name)]:
            del result[name]  # PGPORT, PGOPTIONS, PGSSLMODE ... speak of some other server
    # Demo people have a public password. A database of the caller's own may be meant for real ones:
    # only they can say it is not.
    result.setdefault("SAALCHEF_DEMO", "1" if "DATABASE_URL" in servers else "0")
    result.setdefault("SAALCHEF_HTTPS", "0")  # nothing in front ends TLS here
    result.setdefault("SAALCHEF_INSTANCE", place.key)
    result.setdefault("SEAL_KEY_PATH", str(place.var / "seals" / "key.pem"))
    result.setdefault("SEAL_HEADS", str(place.var / "seals" / "heads"))
    for name, file in KEYS.items():
        if not given(result, name):
            result[name] = secret_key(place.var / file)
    return (
        result
        | dict(servers)
        | {
            MARKER: str(place.root),
            "DJANGO_SETTINGS_MODULE": "casino.settings",
        }
    )


def secret_key(path: Path) -> str:
    """A secret of the place's own, made once and readable by its owner only."""
    if not path.exists() or not path.read_text().strip():
        work = path.with_suffix(".new")
        work.unlink(missing_ok=True)
        with os.fdopen(os.open(work, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as output:
            output.write(os.urandom(32).hex() + "\n")
        work.rename(path)
    return path.read_text().strip()
