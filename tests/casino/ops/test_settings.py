"""What the settings take from the environment, and what they refuse, in a sentence that shows no secret."""

import os
import runpy
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.casino.ops.own_servers import PROJECT

GOOD = secrets.token_hex(32)


def read(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, object]:
    """The settings as a process with this environment reads them."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(PROJECT / "casino" / "settings.py"))


WEAK = {
    "empty": "",
    "as in the example": "change-me",
    "short": GOOD[:31],
    "one letter": "a" * 64,
    "four letters": "abcd" * 16,
    "padded": f"  {GOOD[:28]}  ",
}


@pytest.mark.parametrize("name", ["SECRET_KEY", "SIGNATURE_KEY"])
@pytest.mark.parametrize("weak", WEAK.values(), ids=WEAK)
def test_weak_key_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch, weak: str, name: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=rf"^{name} .*32 random characters or more.*openssl rand") as refused:
        read(monkeypatch, **{name: weak})
    assert not weak.strip() or weak.strip() not in str(refused.value)


@pytest.mark.parametrize("name", ["SECRET_KEY", "SIGNATURE_KEY"])
def test_former_key_may_not_be_weak_either(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{name}_FALLBACKS"):
        read(monkeypatch, **{name: GOOD, f"{name}_FALLBACKS": f"{secrets.token_hex(32)},short"})


def test_signatures_are_attested_by_a_key_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for former in ("SECRET_KEY", "SECRET_KEY_FALLBACKS"):
        with monkeypatch.context() as patch, pytest.raises(ImproperlyConfigured, match="a value of its own"):
            read(patch, SIGNATURE_KEY=GOOD, **{former: GOOD})


def test_key_of_32_characters_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch, SECRET_KEY=GOOD[:32])["SECRET_KEY"] == GOOD[:32]


def test_file_gives_its_value_without_the_newline_at_its_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SECRET_KEY", "METRICS_TOKEN"):
        (tmp_path / name).write_text(f"{GOOD}\n")
    files = {f"{name}_FILE": str(tmp_path / name) for name in ("SECRET_KEY", "METRICS_TOKEN")}
    made = read(monkeypatch, **files)
    assert (made["SECRET_KEY"], made["METRICS_TOKEN"]) == (GOOD, GOOD)


def test_file_that_cannot_be_read_is_named_by_its_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"METRICS_TOKEN_FILE names cannot be read: No such file"):
        read(monkeypatch, METRICS_TOKEN_FILE=str(tmp_path / "none"))


def test_command_says_it_in_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=PROJECT, env=os.environ | {"SECRET_KEY": "short"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("SECRET_KEY (or one of SECRET_KEY_FALLBACKS) is too weak")
    assert len(done.stderr.splitlines()) == 1
