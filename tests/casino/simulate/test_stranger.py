"""The simulator is a stranger: it knows the API, and nothing of the code whose sums it checks."""

import ast
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "casino" / "simulate"
ALLOWED = sys.stdlib_module_names | {"websockets"}  # and itself


def imported(path: Path) -> set[str]:
    """All modules that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(f"{'.' * node.level}{node.module or ''}")
    return found


def test_the_simulator_imports_nothing_of_the_project_but_itself():
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 10
    strange = {
        f"{path.name}: {name}"
        for path in files
        for name in imported(path)
        if name.partition(".")[0] not in ALLOWED
        and name != "casino.simulate"
        and not name.startswith("casino.simulate.")
    }
    assert strange == set()


def test_a_forbidden_import_would_be_found(tmp_path):
    """The control."""
    path = tmp_path / "cheat.py"
    path.write_text("def f():\n    from tables.games.uth.settle import settle\n    import jackpot.rules.split\n")
    assert imported(path) == {"tables.games.uth.settle", "jackpot.rules.split"}
