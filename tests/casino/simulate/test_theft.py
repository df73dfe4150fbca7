"""A chip of 500 leaves a tray between two counts of an evening: its table and its hour stand in the report of differences."""

import io
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from casino.simulate.counting import amiss, gaps
from casino.simulate.floor import Evening
from casino.simulate.options import Options
from casino.simulate.report import Terminal
from casino.simulate.run import EQUAL, finish
from payouts.audit import run_audits
from tables.models import Explanation
from tests.browser.conftest import Server
from tests.casino.api.demo_house import demo_house
from tests.casino.simulate.as_it_was import check_that_the_house_is_as_it_was


@pytest.fixture
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    yield from demo_house("theft", django_db_blocker)


def played(house: Server, output: io.StringIO, **more: Any) -> Evening:
    """An evening that has come to its end."""
    terminal = Terminal(output)
    options = Options(url=house.address, tables=2, beside=("blackjack=1",), displays="prompt", **more)
    evening = Evening(options.check(), terminal.say)
    try:
        evening.open()
        evening.play(lambda: None)
    finally:
        evening.close()
    assert finish(evening, terminal) == EQUAL, output.getvalue()
    evening.end()
    return evening


@pytest.mark.timeout(300)  # a minute, but on a machine that does other things besides
def test_a_theft_is_named_by_table_and_hour_by_the_report_of_differences(house: Server) -> None:
    """On the second evening of a house: it opens with what the first one's closers have left."""
    before = played(house, io.StringIO(), seed=3, rounds=12)
    output = io.StringIO()
    evening = played(house, output, seed=6, rounds=36, theft=True)
    for table, tray in evening.counting.trays.items():
        left = before.counting.trays[table].book.counts[-1].value
        assert tray.book.counts[0].recorded == left
    [(tray, at)] = [
        (tray, at)
        for tray in evening.counting.trays.values()
        for at, count in enumerate(tray.book.counts)
        if amiss.THEFT in count.amiss
    ]
    [row] = evening.counting.robbed
    moments = [datetime.fromisoformat(count["signed"]["signed_at"]) for count in tray.rows]
    assert (row["table"], gaps.span_of(row)) == (tray.name, (moments[at - 1], moments[at]))
    assert f"The report names it: 500.00 left the tray of {tray.name} between" in output.getvalue()
    assert Explanation.objects.filter(code="theft").count() == 1
    assert Explanation.objects.get(code="theft").approval is not None  # a second person signed (RES-4)
    check_that_the_house_is_as_it_was()
    assert [audit for audit in run_audits() if audit.breaches] == []
