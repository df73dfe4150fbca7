"""One test, many turns: a language, a size, a role, a malformed body is a turn of a loop, and all that fail are told."""

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

Test = Callable[..., None]


SET = type(pytest.param(0))


def each(names: str | Iterable[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Play the test once for each case, as `parametrize` would, within one test.

    What a turn writes in the test's transaction is undone before the next; fixtures are made once. Several of these multiply.
    """
    keys = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
    told = [_named(keys, case) for case in cases]

    def played(test: Test) -> Test:
        inner, loops = getattr(test, "turns", (test, []))
        return _test(inner, [told, *loops])

    return played


def _named(keys: list[str], case: Any) -> dict[str, Any]:
    values = case.values if isinstance(case, SET) else case if len(keys) > 1 else (case,)
    return dict(zip(keys, values, strict=True))


def _test(inner: Test, loops: list[list[dict[str, Any]]]) -> Test:
    wanted = inspect.signature(inner)
    looped = {key for loop in loops for case in loop[:1] for key in case}

    @functools.wraps(inner)
    def turns(subtests: pytest.Subtests, **given: Any) -> None:
        for chosen in itertools.product(*loops):
            case = {key: value for one in chosen for key, value in one.items()}
            with subtests.test(**_told(case)), _undone(given.values()):
                inner(**given, **case)

    own = inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    rest = [one for name, one in wanted.parameters.items() if name not in looped]
    turns.__signature__ = wanted.replace(parameters=[own, *rest])  # type: ignore[attr-defined]
    turns.turns = (inner, loops)  # type: ignore[attr-defined]
    return turns


def _told(case: Mapping[str, Any]) -> dict[str, str]:
    return {key: getattr(value, "__name__", None) or _said(value) for key, value in case.items()}


def _said(value: object) -> str:
    try:
        return f"{value!s:.60}"
    except ValueError:  # a number of more digits than Python will print
        return type(value).__name__


@contextmanager
def _undone(fixtures: Iterable[Any]) -> Iterator[None]:
    """Where the test has a transaction, Django's or that of a connection of its own, what is written is not there afterwards."""
    with ExitStack() as stack:
        for link in (one for one in fixtures if isinstance(one, psycopg.Connection)):
            stack.enter_context(link.transaction(force_rollback=True))
        if connection.in_atomic_block:
            block: Any = transaction.atomic()
            block._from_testcase = True  # as the test's own: what must be outermost may begin within it
            stack.enter_context(block)
            stack.callback(transaction.set_rollback, True)
        yield
