"""The arrows between the apps, and the purity of the rules."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from tests.turns import each

ROOT = Path(__file__).parents[2]


def rules_modules() -> list[str]:
    pure = ("payouts/rules", "jackpot/rules", "tables/rules", "tables/games")
    files = [path for folder in pure for path in (ROOT / folder).rglob("*.py")]
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files]
    return [*sorted(name.removesuffix(".__init__") for name in names), "payouts.errors", "tables.kinds"]


def test_imports_go_one_way():
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; raise SystemExit(run())"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_no_file_imports_itself_by_way_of_others():
    """Circles have no floor to stand on: such files can only be read, moved and tested together. CycleError names one."""
    graph = grimp.build_graph(
        "casino", "tables", "jackpot", "payouts", exclude_type_checking_imports=True, cache_dir=None
    )
    TopologicalSorter({file: graph.find_modules_directly_imported_by(file) for file in graph.modules}).prepare()


def test_rules_load_without_django():
    """One process imports every rules module and finds no Django, clock-driven or database package loaded."""
    program = f"import sys, importlib; [importlib.import_module(name) for name in {rules_modules()!r}]"
    program += "; bad = {'django', 'rest_framework', 'celery', 'psycopg', 'redis'} & set(sys.modules)"
    program += "; print(bad); sys.exit(bool(bad))"
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}"
    done = subprocess.run([sys.executable, "-I", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


IMPURE_MODULES = {"asyncio", "os", "pathlib", "random", "secrets", "socket", "subprocess", "sys", "threading", "time"}
IMPURE_CALLS = {
    "now",
    "today",
    "utcnow",
    "fromtimestamp",
    "uuid1",
    "uuid4",
    "urandom",
    "default_rng",
    "open",
    "input",
    "print",
}


def impurities(source: str) -> set[str]:
    """What a source says that depends on more than its arguments: clock, chance, files, the process."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.partition(".")[0] in IMPURE_MODULES}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in IMPURE_MODULES:
            found.add(str(node.module))
        elif isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            found |= {called} & IMPURE_CALLS
    return found


def test_rules_read_no_clock_draw_no_lots_and_open_no_file():
    found = {name: impurities((ROOT / f"{name.replace('.', '/')}.py").read_text()) for name in modules_with_code()}
    assert {name: bad for name, bad in found.items() if bad} == {}


def modules_with_code() -> list[str]:
    return [name for name in rules_modules() if (ROOT / f"{name.replace('.', '/')}.py").exists()]


@each(
    "source",
    [
        "import time",
        "from random import choice",
        "datetime.now(UTC)",
        "date.today()",
        "uuid.uuid4()",
        "np.random.default_rng(1)",
    ],
)
def test_the_check_finds(source):
    assert impurities(source)


@pytest.mark.usefixtures("db")
def test_no_migration_is_missing():
    from django.core.management import call_command

    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
