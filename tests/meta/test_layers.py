"""The arrows between the apps, and the purity of the rules."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def rules_modules() -> list[str]:
    files = [path for app in ("payouts", "jackpot", "tables") for path in (ROOT / app / "rules").rglob("*.py")]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files]
    return [*sorted(name.removesuffix(".__init__") for name in names), "payouts.errors"]


def test_imports_go_one_way():
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; raise SystemExit(run())"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_rules_load_without_django():
    """One process imports every rules module and finds no Django, clock-driven or database package loaded."""
    program = f"import sys, importlib; [importlib.import_module(name) for name in {rules_modules()!r}]"
    program += "; bad = {'django', 'rest_framework', 'celery', 'psycopg', 'redis'} & set(sys.modules)"
    program += "; print(bad); sys.exit(bool(bad))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.django_db
def test_no_migration_is_missing():
    from django.core.management import call_command

    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
