"""Style as a test: sizes, words that may not appear, docs that are true."""

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path

from jackpot.models.states import FROZEN, Phase
from tables.games import GAMES
from tests.turns import each

ROOT = Path(__file__).parents[2]
FILE_LINES, FUNCTION_LINES, FOLDER_FILES = 400, 60, 24
CODE = ("casino", "tables", "jackpot", "payouts")

# What may not appear in the code, and what stands in its place.
BANNED = {
    r"_minor\s*=\s*float\(|float\(\w*amount": "money is whole minor units",
    r"\bTODO\b|\bFIXME\b|\bXXX\b": "do it, or file it",
    r"DecimalField|_minor = models.FloatField": "money is BIGINT minor units",
    r"auto_now": "times come from the database (db_default)",
    r"\bcsrf_exempt\b": "every page is protected",  # but for ALLOWED
    r"(?m)^\s*(#|//) ?[-=]{3,}": "a file instead of a ruler",
    r"mark_safe|autoescape off": "templates escape",
    r"style=\"|onclick=|<script>(?!</)": "strict content security policy",
    r"https?://(?!(127\.0\.0\.1|localhost|\{|www\.w3\.org|www\.apache\.org|%))[\w.-]+/": "no address outside in what we ship",
}
# Protected in another way, and why: Note [Forged calls] there; tests/casino/display/test_pages.py forges one.
ALLOWED = {(r"\bcsrf_exempt\b", "casino/devices/door.py")}


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def code_files() -> list[Path]:
    return [
        path for path in tracked("*.py") if path.relative_to(ROOT).parts[0] in CODE and "migrations" not in path.parts
    ]


def test_files_functions_and_folders_fit():
    folders = Counter(path.parent for path in code_files())
    long = [f"{one.relative_to(ROOT)}: {files} files" for one, files in folders.items() if files > FOLDER_FILES]
    for path in code_files():
        source = path.read_text(encoding="utf-8")
        if (lines := source.count("\n")) > FILE_LINES:
            long.append(f"{path.relative_to(ROOT)}: {lines} lines")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or 0) - node.lineno + 1
                if size > FUNCTION_LINES:
                    long.append(f"{path.relative_to(ROOT)}: {node.name} has {size} lines")
    assert long == []


@each("pattern", BANNED)
def test_nothing_banned_appears(pattern):
    found = []
    for path in [*code_files(), *tracked("templates/*.html", "templates/**/*.html", "*.js", "*.css")]:
        if "vendor" in path.parts or path.suffix == ".svg" or (pattern, str(path.relative_to(ROOT))) in ALLOWED:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(pattern, line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert found == [], BANNED[pattern]


def test_a_phase_is_named_by_its_constant() -> None:
    """The display's sentences have words of their own; the stranger and what runs without Django know codes only."""
    phases = {str(one) for one in (*FROZEN, Phase.SUSPENDED)}  # what is open, closed or retired may be something else
    own = {"jackpot/models/states.py", "casino/display/texts.py"}
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in code_files()
        if str(path.relative_to(ROOT)) not in own and not {"simulate", "launcher"} & {*path.parts}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in phases
    ]
    assert named == []


def test_no_game_is_named_outside_its_own_places() -> None:
    """By its code, a kind of rule set that it brings, or a module of its own: a game is added to `tables.games` alone."""
    codes = "|".join(name for game in GAMES.values() for name in (game.code, *(kind.code for kind in game.kinds)))
    names = re.compile(rf"(?:{codes})(?:[._].*)?|(?:tables|casino)\.games\.(?:{'|'.join(GAMES)})\b.*")
    named = {
        str(path.relative_to(ROOT))
        for path in code_files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if names.fullmatch(str(getattr(node, "value", getattr(node, "module", getattr(node, "name", "")))))
    }
    for path in tracked("casino/static/**/*.js", "templates/**/*.html"):
        if "vendor" not in path.parts and re.search(rf"\b(?:{'|'.join(GAMES)})\b[^ ]*[\"'./]", path.read_text("utf-8")):
            named.add(str(path.relative_to(ROOT)))
    own = (
        "tables/games/",
        "tables/services/seats/",  # who sits at a table of poker, and what is refused there
        "tables/errors/seats.py",
        "tables/services/hands/",
        "tables/audit/replay_hands.py",
        "tables/selectors/hands.py",
        "tables/errors/hands.py",
        "casino/pit/hands/",
        # what is signed of hands, and its words
        "payouts/rules/approval.py",
        "casino/text/vocabulary.py",
        "casino/api/schemas/hands.py",
        "casino/api/schemas/stays.py",
        "casino/games/",
        "casino/static/casino/tablet/app/uth/",
        "casino/static/casino/tablet/app/blackjack/",
        "casino/static/casino/tablet/app/poker/",
        "casino/demo/",
        "casino/rulesets/starter.py",
        "casino/simulate/",  # a stranger
    )
    examples = {"casino/api/schemas/examples.py", "casino/api/floor.py", "casino/api/queued.py", "casino/api/rounds.py"}
    assert {one for one in named if not one.startswith(own)} <= examples


def test_only_the_qr_code_is_put_into_a_page_unescaped():
    """It is drawn by us from our own secret, or the number of a slip (`segno`), with no text of a person in it."""
    raw = [
        path.name
        for path in tracked("templates/*.html", "templates/**/*.html")
        if "|safe" in path.read_text(encoding="utf-8")
    ]
    assert raw == ["enrolment.html", "slip.html"]


def test_apps_are_empty_at_their_door():
    for app in CODE:
        assert (ROOT / app / "__init__.py").read_text() == ""


def test_links_in_the_docs_lead_somewhere():
    broken = []
    for page in tracked("*.md"):
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_files_and_functions_that_the_docs_name_exist():
    """`path/to/file.py`, `module.function` in backticks are there."""
    missing = []
    for page in tracked("README.md", "docs/*.md"):
        for name in re.findall(
            r"`((?:casino|tables|jackpot|payouts|tests|deploy|docs)/[\w./-]+)`", page.read_text(encoding="utf-8")
        ):
            if not (ROOT / name).exists():
                missing.append(f"{page.relative_to(ROOT)}: {name}")
    assert missing == []


def test_every_make_target_has_a_line_of_help():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = set(" ".join(re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)).split())
    helped = set(re.findall(r"^([a-z-]+):.*## \S", makefile, re.MULTILINE))
    assert phony == helped
    assert helped >= {"help", "run", "test", "check", "lint", "types", "bench", "lock", "reset"}


def test_every_test_that_keeps_pictures_is_one_of_those_that_make_screens_runs():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    named = set(re.search(r"^LOOKS = (.*)$", makefile, re.MULTILINE)[1].split())
    keeping = {
        str(page.relative_to(ROOT))
        for page in tracked("tests/browser/*/test_*.py")
        if re.search(
            r"\b(keep|look|Looker)\(|\bSHOTS\b|look.test_tablet import .*\bwrong\b", page.read_text(encoding="utf-8")
        )
    }
    assert keeping == named


def test_what_the_first_day_names_stands_on_the_screens():
    bold = set(re.findall(r"\*\*([^*]+)\*\*", (ROOT / "docs/FIRST_DAY.md").read_text(encoding="utf-8")))
    known = set(
        re.findall(r'^msgid "(.+)"$', (ROOT / "casino/locale/de/LC_MESSAGES/django.po").read_text(), re.MULTILINE)
    )
    assert bold
    assert bold - known == set()


def test_pins_name_no_index_and_every_pin_has_a_hash():
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.search(r"://|--index|--find-links|--extra", text.replace("--generate-hashes", ""))
        pins = re.split(r"\n(?=[A-Za-z])", text)
        assert all("--hash=sha256:" in pin for pin in pins if "==" in pin)


def test_every_threat_names_a_test_that_is_there() -> None:
    text = (ROOT / "docs/SECURITY.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith(("| who", "| ---"))]
    named = [re.search(r"`(tests/[\w/]+\.py)::(\w+)` \|$", line) for line in rows]
    assert [row for row, found in zip(rows, named, strict=True) if not found] == []
    gone = [
        found[0] for found in named if found and f"def {found[2]}(" not in (ROOT / found[1]).read_text(encoding="utf-8")
    ]
    assert gone == []
