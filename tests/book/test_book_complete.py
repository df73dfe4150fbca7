"""`docs/rules.md` and the tests of the book agree: each rule has a test, each test a rule, each Open a setting of that default."""

import ast
import re
from dataclasses import fields
from pathlib import Path

from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.rules.progressive import Prize, ProgressiveRules
from payouts.rules.rulesets.cage import CageRules
from payouts.rules.rulesets.chips import ChipSet, Denomination, FloatLine, TrayFloat
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import RakeSchedule, RakeTier, TimeCharge
from payouts.rules.rulesets.schema import Posted
from tables.games.blackjack.rules import BlackjackRules
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.uth.rules import UthRules
from tables.rules.limits import BoxLimits
from tests.turns import each

BOOK = Path(__file__).parent
RULES = (BOOK.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
SECTIONS = ("HAND", "UTH", "BJ", "PRG", "BOX", "PRM", "RAK")

# Rules without a test in the book, and why.
ELSEWHERE = {
    "UTH-9": "how cards are dealt and shown: conduct at the table, which no code can see",
    "BJ-13": "what lies there are chips, and guests keep their advice: conduct at the table, too",
}

POSTED: dict[str, tuple[type[Posted], ...]] = {
    "HAND": (HandRules,),
    "UTH": (UthRules,),
    "BJ": (BlackjackRules,),
    "PRG": (ProgressiveRules, Prize, FundingSchedule, JackpotRules),
    "BOX": (BoxLimits,),
    "PRM": (BoxLimits,),
    "POK": (PokerGame, PokerRules),
    "RAK": (RakeSchedule, RakeTier, TimeCharge, PokerRules),
    "CHP": (ChipSet, Denomination, TrayFloat, FloatLine),
    "CNT": (CageRules,),
}


def rules() -> dict[str, str]:
    """The rules of the page by id."""
    found = re.findall(r"^- \*\*([A-Z]+-\d+)\*\* (.+?)(?=^- \*\*|^\n|\Z)", RULES, re.MULTILINE | re.DOTALL)
    assert len(dict(found)) == len(found)
    return dict(found)


def ids_of_tests() -> set[str]:
    """The ids that tests of the book carry in their names, and those of Black Jack that stand in the tests of its rules."""
    tests = [*(BOOK.parent / "tables/games/blackjack").glob("test_*.py"), BOOK.parent / "tables/test_irregularities.py"]
    names = {rule for path in tests for rule in re.findall(r"\bBJ-\d+\b", path.read_text(encoding="utf-8"))}
    for path in BOOK.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (named := re.match(r"test_([A-Z]+)_(\d+)_", node.name)):
                names.add(f"{named[1]}-{named[2]}")
    return names


def test_every_rule_has_a_test() -> None:
    wanted = {rule for rule in rules() if rule.split("-")[0] in SECTIONS}
    assert wanted - ids_of_tests() - set(ELSEWHERE) == set()


def test_every_test_has_a_rule() -> None:
    assert ids_of_tests() - set(rules()) == set()


def test_what_is_tested_elsewhere_is_a_rule_and_not_tested_here() -> None:
    assert set(ELSEWHERE) <= set(rules())
    assert not set(ELSEWHERE) & ids_of_tests()


@each("section", SECTIONS)
def test_a_section_is_numbered_without_a_gap(section: str) -> None:
    numbers = [int(rule.split("-")[1]) for rule in rules() if rule.startswith(f"{section}-")]
    assert numbers == list(range(1, len(numbers) + 1)) != []


@each("section", POSTED)
def test_every_open_is_a_setting_with_the_default_that_the_page_names(section: str) -> None:
    defaults = {one.name: one.default for kind in POSTED[section] for one in fields(kind)}  # type: ignore[arg-type]
    text = " ".join(rule for name, rule in rules().items() if name.startswith(f"{section}-"))
    opens = re.findall(r"\*\*Open\*\* `(\w+)`\s+=\s+`([^`]*)`", text)
    assert opens
    for name, default in opens:
        assert str(defaults[name]).lower() == default, name


@each("kind", dict.fromkeys(kind for kinds in POSTED.values() for kind in kinds))
def test_the_page_explains_every_setting(kind: type[Posted]) -> None:
    unexplained = {one.name for one in fields(kind) if f"`{one.name}`" not in RULES} - {"hand", "amount_minor"}  # type: ignore[arg-type]
    assert unexplained == set()


@each("path", sorted([*BOOK.parents[1].glob("*/rules/**/*.py"), *BOOK.parents[1].glob("tables/games/**/*.py")]))
def test_rules_named_in_code_are_rules(path: Path) -> None:
    """A refusal or a line may only cite a rule that the page has."""
    cited = set(
        re.findall(r'(?:rule = |")((?:HAND|UTH|BJ|PRG|BOX|PRM|POK|RAK)-\d+)"', path.read_text(encoding="utf-8"))
    )
    assert cited <= set(rules())
