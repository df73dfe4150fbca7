"""The examples in the docstrings of all rules, and those of the page about them, are true."""

import doctest
import importlib
import re

from tests.book.test_book_complete import RULES
from tests.meta.test_layers import rules_modules
from tests.turns import each


@each("name", rules_modules())
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_of_the_page() -> None:
    blocks = re.findall(r"```python\n(.+?)```", RULES, re.DOTALL)
    assert blocks
    for block in blocks:
        example = doctest.DocTestParser().get_doctest(block, {}, "docs/rules.md", None, 0)
        assert example.examples
        assert doctest.DocTestRunner().run(example).failed == 0


def test_the_page_names_functions_that_exist() -> None:
    rows = re.findall(r"^\| [^|]+ \| `(\w+\.(?:rules|games)\.[\w.]+)` \| ([^|]+) \|$", RULES, re.MULTILINE)
    assert {name for name, _ in rows} <= set(rules_modules())
    assert len(rows) > 10
    for name, functions in rows:
        for path in re.findall(r"`([\w.]+)`", functions):
            found: object = importlib.import_module(name)
            for part in path.split("."):
                found = getattr(found, part)
            assert callable(found), path
