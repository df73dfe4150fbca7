"""The refusals of differences, each provoked through its command (`test_refusals.py`)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from payouts.errors import Refused
from tables import errors, services
from tables.models import Difference
from tests import floor
from tests.counts import lines_of
from tests.tables.count_cases import begin, enter, made, witness
from tests.tables.played import Played

Case = Callable[[Played, pytest.MonkeyPatch], Any]


def differs(f: Played) -> Difference:
    """An opener has 25.00 more than the books."""
    witness(f, enter(f, begin(f, made(f).pk), lines_of(10, *[0] * 7)))
    return Difference.objects.get()


def explain(f: Played, difference: Difference, **changes: object) -> Difference:
    values = {"house_id": f.house.pk, "difference_id": difference.pk, "code": "count", "words": "one stack"}
    floor.done(services.difference_explain, **values | {"person_id": f.ines.pk} | changes)
    return difference


CASES: dict[type[Refused], Case] = {
    errors.DifferenceUnknown: lambda f, _: explain(f, Difference(pk=uuid4())),
    errors.DifferenceClosed: lambda f, _: explain(f, explain(f, differs(f))),
    errors.DifferenceClassUnknown: lambda f, _: explain(f, differs(f), code="whim"),
}
