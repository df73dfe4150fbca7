"""What a name, a call and a line are to be (docs/NAMES.md): how often each rule is broken, file by file.

python -m tests.meta.names             writes the counts that have fallen into names.json
python -m tests.meta.names FILE ...    each place in these files
"""

import ast
import gc
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.meta.landed import listed

ROOT = Path(__file__).parents[2]
COUNTS = Path(__file__).with_name("names.json")
READ = ("*.py", "*.js", "*.sql", "templates/*.html")
PRODUCT = ("casino", "tables", "jackpot", "payouts")
WORDS = {
    *("said", "told", "shown", "kept", "held", "asked", "found", "taken", "laid", "sent"),
    *("here", "there", "say", "wrong", "picture", "print"),
}
POSITIONAL_MOST, LINE_MOST = 5, 100
FOR_WHO = re.compile(r"\b(?:for|of) who\b")
ROW = re.compile(r"(?:^|_)row$")
HOW = {
    "a name that says how instead of what": "a noun of the trade, or a verb that acts",
    "`one` as the name of what a loop is over": "name what it is: `for stake in stakes`",
    "a class name that stands twice": "say whose it is: `BoxOutcome`, `HitOutcome`",
    "a call with more than five positional arguments": "by keyword, or a record",
    "calls assigned side by side": "a line each",
    "a column of SQL by its number": "unpack the row: `[(number,)] = cursor.fetchall()`",
    "a line over 100 characters in JavaScript, SQL or a template": "break it",
    "a docstring with *for who* or *of who*": "name the role",
}
NAME, ONE, TWICE, POSITIONAL, SIDE_BY_SIDE, COLUMN, LONG, WHO = HOW


def places(files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each breach of a rule in these files, with its place; class names that stand twice are told at the later ones."""
    classes: set[str] = set()
    for name in files:
        text = (ROOT / name).read_text("utf-8")
        if not name.endswith(".py"):
            yield from ((LONG, f"{name}:{at}") for at, line in enumerate(text.splitlines(), 1) if len(line) > LINE_MOST)
            continue
        tree = ast.parse(text)
        yield from ((rule, f"{name}:{line}") for rule, line in broken(tree, Path(name)))
        for line, made in _classes(tree) if name.startswith(PRODUCT) else ():
            if made in classes:
                yield TWICE, f"{name}:{line}"
            classes.add(made)


def counted() -> dict[str, int]:
    """How often each rule is broken. Nothing of a tree is a cycle, so nothing is collected meanwhile: half of the time."""
    gc.disable()
    try:
        return dict.fromkeys(HOW, 0) | Counter(rule for rule, _place in places(files()))
    finally:
        gc.enable()


def files() -> list[str]:
    """Code and tests, scripts, SQL and templates: what is written by hand, and can still be changed."""
    landed = set(listed())
    output = subprocess.run(["git", "ls-files", "-z", *READ], cwd=ROOT, check=True, capture_output=True, text=True)
    names = [name for name in output.stdout.split("\0") if name and (ROOT / name).exists()]
    return [name for name in names if name not in landed and not {"vendor", "migrations"} & {*Path(name).parts}]


def _classes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Those of the module itself, but what Django finds by that very name."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name != "Command":
            yield node.lineno, node.name


def broken(tree: ast.Module, path: Path) -> Iterator[tuple[str, int]]:
    """The rules that a module breaks, each as often as it does, with the line."""
    if path.stem in WORDS:
        yield NAME, 1
    nodes: list[Any] = [tree]
    for node in nodes:  # as `ast.walk`, which takes three times as long
        for value in node.__dict__.values():
            if isinstance(value, list):
                nodes += [part for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST):
                nodes.append(value)
        for check in CHECKS.get(type(node), ()):
            for rule in check(node):
                yield rule, getattr(node, "lineno", 0) or getattr(node, "target", tree.body[0]).lineno


def _named(node: Any) -> Iterator[str]:
    name = getattr(node, "name", None) or getattr(node, "arg", None) or getattr(node, "id", None) or node.attr
    is_given = not isinstance(node, ast.Name | ast.Attribute) or isinstance(node.ctx, ast.Store)
    if is_given and name.strip("_").lower() in WORDS:
        yield NAME


def _loop(node: Any) -> Iterator[str]:
    names = [part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)]
    yield from [ONE] * names.count("one")


def _call(node: Any) -> Iterator[str]:
    if len(node.args) > POSITIONAL_MOST:
        yield POSITIONAL


def _assignment(node: Any) -> Iterator[str]:
    match node:
        case ast.Assign(targets=[ast.Tuple()], value=ast.Tuple(elts=values)):
            if any(isinstance(value, ast.Call) for value in values):
                yield SIDE_BY_SIDE


def _column(node: Any) -> Iterator[str]:
    """Of `fetchone()`, of a row of `fetchall()`, or of what is called a row."""
    match node:
        case (
            ast.Subscript(value=ast.Call(func=ast.Attribute(attr="fetchone")), slice=ast.Constant(value=int()))
            | ast.Subscript(
                value=ast.Subscript(value=ast.Call(func=ast.Attribute(attr="fetchall"))),
                slice=ast.Constant(value=int()),
            )
        ):
            yield COLUMN
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int())) if ROW.search(name):
            yield COLUMN


def _docstring(node: Any) -> Iterator[str]:
    if FOR_WHO.search(" ".join((ast.get_docstring(node) or "").split())):
        yield WHO


CHECKS: dict[type[ast.AST], tuple[Callable[[Any], Iterator[str]], ...]] = {
    ast.Module: (_docstring,),
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), (_named, _docstring)),
    **dict.fromkeys((ast.Name, ast.Attribute, ast.arg), (_named,)),
    **dict.fromkeys((ast.For, ast.AsyncFor, ast.comprehension), (_loop,)),
    ast.Call: (_call,),
    ast.Assign: (_assignment,),
    ast.Subscript: (_column,),
}


def limits() -> dict[str, int]:
    """The counts that the code may not exceed."""
    counts: dict[str, int] = json.loads(COUNTS.read_text("utf-8"))
    return counts


def main(wanted: list[str]) -> None:
    """Tell the places in the files that are named; else lower the counts that have fallen, and raise none."""
    if wanted:
        print(*(f"{place}: {rule} ({HOW[rule]})" for rule, place in places(wanted)), sep="\n")
        return
    now = counted()
    before = limits() if COUNTS.exists() else now
    lowered = {rule: min(count, before.get(rule, count)) for rule, count in now.items()}
    COUNTS.write_text(json.dumps(lowered, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(*(f"{count:>6}  {rule}" for rule, count in now.items()), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
