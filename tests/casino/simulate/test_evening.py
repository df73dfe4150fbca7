"""A short evening of `manage.py simulate` on a real server: both books agree; and would they not, it would be seen."""

import io
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from casino.demo import floor as demo_floor
from casino.demo import rulesets
from casino.demo.display import OWN
from casino.demo.floor import POKER_POSTED, SEATS
from casino.simulate.books import results
from casino.simulate.clients import Client
from casino.simulate.counting import amiss
from casino.simulate.display import LATE_S
from casino.simulate.floor import Evening
from casino.simulate.options import Options
from casino.simulate.plan import MISHAPS, TablePlan, digest
from casino.simulate.report import Terminal, paid_data
from casino.simulate.run import DIFFERENT, EQUAL, NOT_PLAYED, finish, run
from casino.simulate.tablet import Table as PlayedTable
from jackpot.models import Gate
from payouts.audit import run_audits
from payouts.models import Account, House
from payouts.rules.rulesets.calendar import Hours, HouseCalendar
from tables.games.poker.game import POKER
from tables.games.poker.rules import PokerGame, PokerRules
from tables.kinds import KINDS
from tables.models import BegunHand, Hand, HandPot, HandResult, Pit, PokerStay, Table
from tests import databases
from tests.browser.conftest import Server, _serve
from tests.casino.simulate.as_it_was import check_that_the_house_is_as_it_was
from tests.floor import done
from tests.tables.audits import disagreeing

ROUNDS_EACH = 12
COUNTED = ["Black Jack 1", "Poker 1", "UTH 1", "UTH 2", "UTH 3", "UTH 4"]


@pytest.fixture(scope="module")
def demo_house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Server]:
    static = ["manage.py", "collectstatic", "--noinput", "-v0", "--ignore", "drf_spectacular_sidecar"]
    subprocess.run([sys.executable, *static], cwd=settings.BASE_DIR, check=True)
    with django_db_blocker.unblock():
        for server in _serve("simulate", SAALCHEF_DEMO="1"):
            databases.use(server.database)
            try:
                yield server
            finally:
                databases.use("tests")


def options_for(server: Server, **other: object) -> Options:
    royals = ("table=2,box=4", "table=3,box=1")
    options = Options(
        url=server.address, seed=25, tables=4, beside=("blackjack=2",), rounds=6 * ROUNDS_EACH, royals=royals,
        displays="prompt,late,wrong,never", offline=True, lossy=8.0, **other,
    )  # fmt: skip
    return options.check()


def told_by(table: PlayedTable, plan: TablePlan) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """What the same seed plans, and what it then must have paid, worked out without any house."""
    again = type(plan)(
        plan.seed, plan.table, plan.layout, plan.level, plan.rules, plan.jackpot, plan.royals, offline=plan.offline
    )
    rounds = list(islice(again.rounds(), ROUNDS_EACH))
    lines = [(one.number, table.game.settle(plan.rules, plan.jackpot, one).lines) for one in rounds]
    return [one.to_data() for one in rounds], [paid_data(plan.table, number, paid) for number, paid in lines]


@pytest.mark.timeout(300)  # half a minute, but on a machine that does other things besides
def test_a_double_royal_with_a_wrong_and_a_dead_display_ends_with_equal_books(
    demo_house: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = io.StringIO()
    terminal = Terminal(said)
    options = options_for(demo_house, json=str(tmp_path / "report.json"), tell=True)
    options.poker = 3
    set_up_draw(monkeypatch)
    evening = Evening(options, terminal.say)
    try:
        evening.open()
        evening.play(lambda: None)
    finally:
        evening.close()
    assert finish(evening, terminal) == EQUAL, said.getvalue() + demo_house.log.read_text()[-4000:]
    told = json.loads((tmp_path / "report.json").read_text())
    check_report(told)
    planned, paid = zip(*map(told_by, evening.tables, evening.plans), strict=True)
    assert told["plan"] == digest(chain(*planned))
    assert told["history"] == digest(chain(*planned, *paid))
    assert "Stopping" not in said.getvalue()
    assert [table["state"] for table in evening.people["boss"].client.every("tables/")] == ["closed"] * 9
    assert evening.pit.look()["offline_linked"] == "stop"  # as it was before
    check_that_one_display_was_late()
    check_poker(evening, told)
    audits = run_audits()
    assert [one for one in audits if one.breaches] == []
    assert disagreeing() == []
    try:
        check_that_a_changed_answer_is_found(evening, terminal, monkeypatch)
    finally:
        evening.end()
    monkeypatch.undo()
    check_that_the_house_is_as_it_was()
    check_that_a_closed_house_opens_nothing(demo_house, monkeypatch)


def set_up_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """A third table of poker, at which all may pass before the draw."""
    house = House.objects.get()
    game = PokerGame(variants=("draw",), limit="pot", seats=6, ante_minor=100)
    more = [(POKER.kinds[0], "Draw 1/2", game), (POKER.kinds[1], "Draw", PokerRules(first_round_check=True))]
    monkeypatch.setattr(rulesets, "DEMO_TABLES", more)
    done(rulesets.demo_posted_load, house=house)
    drawn = {"poker_game": "Draw 1/2", "poker_rules": "Draw"}
    for name, names in (("Poker 2", {}), ("Poker 3", drawn)):
        row = {"game": "poker", "posted": POKER_POSTED | names, "boxes": SEATS}
        done(demo_floor._table, house=house, pit=Pit.objects.get(), name=name, **row)


def check_poker(evening: Evening, told: dict[str, Any]) -> None:
    """Guests have come, played and gone at both tables, dealers have erred; nobody sits there any more, and nothing is in play."""
    assert [table.name for table in evening.poker.tables] == ["Poker 1", "Poker 2", "Poker 3"]
    assert any(what.startswith("poker: ") for what in told["clients"])
    levels = Hand.objects.order_by("table__name").values_list("table__name", "entry_level").distinct()
    assert list(levels) == [("Poker 1", "pots"), ("Poker 2", "rake_only"), ("Poker 3", "pots")]
    assert HandPot.objects.filter(number=2).exists()
    begun = BegunHand.objects.order_by("session__table__name").values_list("session__table__name", flat=True)
    assert list(begun) == ["Poker 1", "Poker 3"]
    assert HandResult.objects.filter(entered__passed=True, hand__table__name="Poker 3").exists()
    for took in told["poker"].values():
        assert (took["hands"] > 0, took["rake"] > 0) == (True, True)
    assert not PokerStay.objects.filter(left_at=None).exists()
    assert not Account.objects.filter(kind__in=("in_play", "stack", "pot_carried")).exclude(balance_minor=0).exists()


def check_report(told: dict[str, Any]) -> None:
    assert told["differences"] == []
    assert told["compared"] > 500
    assert told["rounds"]["settled"] == 6 * ROUNDS_EACH
    assert told["queued"] >= 3
    assert [(hit["state"], hit["winners"]) for hit in told["hits"]] == [("paid", 2)]
    assert [one["wrong_refused"] for one in told["displays"]] == [0, 0, 2, 0]  # a digit, and a nonce
    assert told["clients"]["displays taken out"] == 1
    assert told["clients"]["answers lost"] > 3
    assert told["clients"]["sockets opened"] >= 9  # four tablets at linked tables, four displays, the pit
    assert told["clients"]["sockets of the pit"] >= 1
    assert told["clients"]["boards shown"] >= 3
    assert told["refusals"]["jackpot.not_open"] >= 3
    assert sum(took["rounds"] for took in told["tables"].values()) == 6 * ROUNDS_EACH
    assert len(told["tables"]) == 6
    assert {game: took["rounds"] for game, took in told["games"].items()} == {
        "Ultimate Texas Hold'em": 4 * ROUNDS_EACH,
        "Black Jack": 2 * ROUNDS_EACH,
    }
    assert all(took["result"] and took["stakes"] for took in told["tables"].values())
    assert [bool(took["coin_income"]) for _name, took in sorted(told["tables"].items())] == [False] * 2 + [True] * 4
    assert told["clients"]["stakes after the lock"] > 10
    assert told["clients"]["stakes taken back"] >= 1
    assert told["refusals"]["slip.state"] == 2
    assert set(told["mishaps"]) == set(MISHAPS)
    assert {what for what in told["clients"] if what.startswith("amiss: ")} == {
        f"amiss: {kind}" for kind in amiss.KINDS
    }
    assert sorted(table.partition(",")[0] for table in told["counted"]) == COUNTED
    assert sum(took["drop"] for took in told["tables"].values()) > 0


def check_that_one_display_was_late() -> None:
    """Each new value: tables waited for the display that confirms late, when the others had shown it already."""
    for gate in Gate.objects.filter(hit__isnull=False, state="passed"):
        confirmed = gate.displays.filter(state="confirmed")
        after_s = {one.name: (one.at - gate.made_at).total_seconds() for one in confirmed}
        assert after_s["Demo-Display 2"] >= LATE_S > after_s[OWN], after_s  # the second of those that were asked for
        assert (gate.ended_at - gate.made_at).total_seconds() >= LATE_S


def check_that_a_changed_answer_is_found(evening: Evening, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same evening, and one amount of a round's answer and one of the report of results changed on their way."""
    played = reversed(evening.all_played())  # the last table is one of Black Jack
    spoiled = next(one.id for one in played if one.lines)
    right = Client.get

    def get(self: Client, path: str, **query: object) -> object:
        answer = right(self, path, **query)
        if path == f"rounds/{spoiled}/":
            answer["lines"][0]["paid_minor"] += 5
        return answer

    monkeypatch.setattr(Client, "get", get)
    reported = results.read

    def read(client: Client, days: Iterable[str]) -> results.Results:
        found = reported(client, days)
        found[evening.places[2]]["result"] += 5
        return found

    monkeypatch.setattr(results, "read", read)
    assert finish(evening, terminal) == DIFFERENT
    assert len(evening.differences) == 2
    assert "result recorded" in evening.differences[1]
    assert terminal.stream.getvalue().rstrip().splitlines()[-1].startswith("2 of ")


def check_that_a_closed_house_opens_nothing(demo_house: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same people come again when the house's calendar says that it is not open now."""
    house = House.objects.get()
    monkeypatch.setattr(rulesets, "DEMO_TABLES", [(KINDS["calendar"], "Hardly ever", hardly_ever(house))])
    done(rulesets.demo_posted_load, house=house)
    with databases.superuser() as link:  # as if two had signed it
        link.execute("ALTER TABLE tables_table DISABLE TRIGGER table_as_its_version")
        link.execute("""UPDATE tables_table SET posted = posted || '{"calendar": "Hardly ever"}'""")
        link.execute("ALTER TABLE tables_table ENABLE ALWAYS TRIGGER table_as_its_version")
    said = io.StringIO()
    assert run(Options(url=demo_house.address), Terminal(said)) == NOT_PLAYED
    first, *more = said.getvalue().splitlines()
    assert re.fullmatch(
        r"Not played: UTH 1 does not open: on this gaming day tables open from 1[28]:00 to 1[28]:01; now it is .*",
        first,
    ), first
    assert more == []
    assert not Table.objects.exclude(session=None).exists()
    assert [one.name for one in threading.enumerate() if one.name == "pit"] == []


def hardly_ever(house: House) -> HouseCalendar:
    """A calendar by which the house is open for one minute a day, and not in this one."""
    opens = (18 if datetime.now(ZoneInfo(house.time_zone)).hour == 12 else 12) * 60
    return HouseCalendar(week=(Hours(opens=opens, closes=opens + 1, closes_latest=opens + 1),) * 7)


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--tables", "0"], "--tables: a number from 1 to 64, not 0."),
        (["--royal", "table=9,box=1"], "--royal: there are tables 1 to 4, not 9."),
        (["--royal", "box=1"], "--royal: “box=1” cannot be read; write table=2,box=4 or table=2,box=4,round=9."),
        (["--jackpot", "Mystery"], "The house has no jackpot “Mystery”; it has: Bad Ragaz Progressive."),
    ],
)
def test_what_cannot_be_played_ends_with_a_sentence_and_2(
    demo_house: Server, capsys: pytest.CaptureFixture[str], flags: list[str], sentence: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("simulate", "--url", demo_house.address, *flags)
    assert ended.value.code == NOT_PLAYED
    assert capsys.readouterr().out.splitlines()[-1] == f"Not played: {sentence}"
