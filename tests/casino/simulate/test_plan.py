"""The same seed is the same evening; another one is another; what is asked for is in it."""

import math
import os
from itertools import islice

import pytest

from casino.simulate.books.hands import made
from casino.simulate.books.uth import settle
from casino.simulate.games.uth.game import LEVELS
from casino.simulate.games.uth.plan import UthPlan
from casino.simulate.options import Options, Wrong
from casino.simulate.plan import FAST, JACKPOT_ONLY, MISHAPS, OFFLINE, Royal, digest
from tests.casino.simulate.test_sums import GAME, JACKPOT
from tests.turns import each

ROYALS = (Royal(2, 4, 6), Royal(3, 1, 6), Royal(1, 2, 3, false_call=True))


def table(seed, number, level=FAST, **other):
    return UthPlan(seed, number, 7, level, GAME, JACKPOT, ROYALS, **other)


def rounds(seed, number, count, **other):
    return list(islice(table(seed, number, **other).rounds(), count))


def told(seed, **other):
    return [one.to_data() for number in (1, 2, 3, 4) for one in rounds(seed, number, 40, **other)]


def test_the_same_seed_is_the_same_history_and_another_seed_another():
    assert told(5) == told(5)
    assert digest(told(5)) == digest(reversed(told(5)))  # tables play side by side, in whatever order
    assert len({digest(told(seed)) for seed in range(5)}) == 5


def test_a_royal_flush_is_where_it_was_asked_for_and_all_tables_play_that_round_together():
    for number in (1, 2, 3, 4):
        for one in rounds(5, number, 12):
            winners = settle(GAME, JACKPOT, one.boxes, one.deal).winners
            wanted = {(2, 6): (4,), (3, 6): (1,)}.get((number, one.number), ())
            assert winners == wanted, (number, one.number)
            assert one.together is (one.number in (3, 6))
            assert not (one.together and one.mishap)


def test_somebody_plays_in_every_round_of_every_evening():
    for seed in range(300):
        for one in islice(UthPlan(seed, 1, 2, FAST, GAME, JACKPOT).rounds(), 2):
            assert one.boxes


def test_whoever_is_to_hold_the_royal_flush_stakes_little():
    """500:1 of a high Ante would empty the tray of a demo table."""
    one = rounds(5, 2, 6)[-1]
    assert next(box for box in one.boxes if box.box == 4).ante == GAME.ante[0]


def test_a_false_call_has_a_coin_and_no_royal_flush():
    one = rounds(5, 1, 3)[-1]
    assert one.royal == "false call"
    assert next(box for box in one.boxes if box.box == 2).coin
    assert not any(made(hole, one.deal.board).own_royal for hole in one.deal.holes.values())


def test_every_mishap_happens_and_offline_rounds_only_where_the_house_allows_them_and_without_coins():
    seen = {one.mishap for number in (1, 2, 3, 4) for one in rounds(5, number, 40, offline=True)}
    assert seen == {"", *MISHAPS}
    assert OFFLINE not in {one["mishap"] for one in told(5)}
    apart = [one for number in (1, 2, 3, 4) for one in rounds(5, number, 60, offline=True) if one.mishap == OFFLINE]
    assert len(apart) > 10
    assert not any(one.coins or one.together for one in apart)
    assert {one["mishap"] for one in told(5, mistakes=False)} == {""}


@each("level", sorted(set(LEVELS)))
def test_stakes_are_what_the_house_posts(level):
    for one in rounds(9, 1, 60, level=level):
        assert one.boxes
        for box in one.boxes:
            if level == JACKPOT_ONLY:
                assert (box.ante, box.trips, box.coin) == (0, 0, True)
                continue
            assert 500 <= box.ante <= 5000
            assert box.ante % 500 == 0
            assert box.trips == 0 or 500 <= box.trips <= 5000
            assert box.play in (0, 1, 2, 3, 4)
            assert box.play or not box.blind  # UTH-8
        seen = [box.guest for box in one.boxes if not box.blind]
        assert len(seen) == len(set(seen))  # UTH-8: he may look at one box only


WRONG = {
    "no address": {"url": "127.0.0.1:8000"},
    "a page": {"url": "http://127.0.0.1:8000/floor/"},
    "half an address": {"url": "http://[::1"},
    "a port that there is not": {"url": "http://127.0.0.1:99999"},
    "a port in words": {"url": "http://127.0.0.1:web"},
    "a name that no host has": {"url": "http://a..b"},
    "a question": {"url": "http://127.0.0.1:8000?x=1"},
    "a question without words": {"url": "http://127.0.0.1:8000/?"},
    "a place on a page": {"url": "http://127.0.0.1:8000#floor"},
    "somebody's password": {"url": "http://me:secret@127.0.0.1:8000"},
    "no table": {"tables": 0},
    "too many tables": {"tables": 65},
    "another game that there is not": {"beside": ("poker=2",)},
    "the game of the jackpot beside itself": {"beside": ("uth=2",)},
    "no table of another game": {"beside": ("blackjack=0",)},
    "another game without a number": {"beside": ("blackjack",)},
    "no round": {"rounds": 0},
    "no time": {"minutes": 0.0},
    "backwards": {"speed": -1.0},
    "no speed": {"speed": math.nan},
    "faster than anything": {"speed": math.inf},
    "no length": {"minutes": math.nan},
    "no share": {"lossy": math.nan},
    "all answers lost": {"lossy": 99.0},
    "no folder": {"json": "/nowhere/at/all/report.json"},
    "a folder": {"json": "/etc"},
    "no folder to keep it in": {"keep": "/nowhere/x"},
    "a folder to keep it as": {"keep": "/etc"},
    "a name that no file has": {"keep": "x" * 300},
    "no display": {"displays": " , "},
    "an unknown display": {"displays": "prompt,loud"},
    "no display that confirms": {"displays": "never"},
}


@each("what", WRONG)
def test_a_wrong_flag_has_its_sentence(what):
    with pytest.raises(Wrong) as wrong:
        Options(**WRONG[what]).check()
    assert str(wrong.value).startswith(f"--{next(iter(WRONG[what]))}: ")
    assert str(wrong.value).endswith(".")


def test_a_file_that_may_not_be_written_is_refused_before_the_evening(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, _how: path != tmp_path)
    for flag in ("json", "keep"):
        with pytest.raises(Wrong, match=f"^--{flag}: .* cannot be written.$"):
            Options(**{flag: str(tmp_path / "new")}).check()


@each("url", ["http://[::1]:8000", "https://house.example/", "http://127.0.0.1:8000"])
def test_the_address_of_a_house_is_one(url):
    assert Options(url=url, json="-").check().url == url.rstrip("/")


@each(
    "royals",
    [
        ("table=2",),
        ("table=two,box=1",),
        ("table=2,box=1,colour=red",),
        ("table=5,box=1",),
        ("table=0,box=1",),
        ("table=2,box=8",),
        ("table=2,box=1,round=11",),
        ("table=2,box=1,round=0",),
        ("table=2,box=1", "table=2,box=4"),
    ],
)
def test_a_royal_flush_that_cannot_be_is_refused_with_a_sentence(royals):
    with pytest.raises(Wrong, match=r"\.$"):
        Options(royals=royals).check().planned([7, 7, 7, 7], 10)


def test_a_false_call_in_the_round_of_a_royal_flush_is_refused():
    with pytest.raises(Wrong, match="another round"):
        Options(royals=("table=1,box=1,round=4",), false_calls=("table=2,box=2,round=4",)).planned([7, 7], 10)


def test_royal_flushes_fall_into_one_round_unless_told_otherwise():
    asked = Options(royals=("table=2,box=4", "table=3,box=1", "table=1,box=7,round=9")).check()
    assert [one.round for one in asked.planned([7, 7, 7], 10)] == [5, 5, 9]
