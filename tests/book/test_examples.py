"""The examples in the docstrings of all rules are true."""

import doctest
import importlib

import pytest

from tests.meta.test_layers import rules_modules


@pytest.mark.parametrize("name", rules_modules())
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
