"""The tree, the runs and the statement, against plain computations of the same."""

from dataclasses import replace
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.rules import seal
from payouts.rules.seal import FANOUT, Part, SealUnreadable, Statement
from tests.turns import each

rows = st.lists(st.binary(max_size=4), min_size=1, max_size=6)
STATEMENT = Statement(
    number=2, taken_at="2026-11-22T05:00:00+00:00", previous="aa", root="bb", key="cc", server="then", open=("3/4",),
    highest={"t": 9}, low={"t": 7}, closed_at="", rows={"t": 9},
)  # fmt: skip


def plain_root(level: list[bytes]) -> bytes:
    while len(level) > 1:
        groups = [level[at : at + FANOUT] for at in range(0, len(level), FANOUT)]
        level = [sha256(b"\x01" + b"".join(group)).digest() for group in groups]
    return level[0]


@each("count", [1, 2, 255, 256, 257, 65_536, 65_537])
def test_the_root_is_that_of_the_plain_tree_and_every_row_can_be_proved(count):
    data = [number.to_bytes(3, "big") for number in range(count)]
    leaves = [sha256(b"\x00" + row).digest() for row in data]
    root = seal.root_of(b"".join(leaves))
    assert root == plain_root(leaves)
    for at in {0, count // 2, count - 1}:
        steps = seal.proof(b"".join(leaves), at)
        assert seal.proves(data[at], steps, root)
        assert not seal.proves(data[at] + b"x", steps, root)


@given(rows, rows)
def test_other_rows_give_another_root(one, other):
    roots = [seal.root_of(b"".join(map(seal.leaf, each))) for each in (one, other)]
    assert (roots[0] == roots[1]) == (one == other)


def test_a_node_never_passes_for_a_row():
    leaves = [seal.leaf(b"a"), seal.leaf(b"b")]
    assert seal.leaf(b"".join(leaves)) != seal.root_of(b"".join(leaves))


@each("leaves", [b"", b"x" * 31, b"x" * 33])
def test_half_a_leaf_is_none(leaves):
    with pytest.raises(ValueError, match="whole digests"):
        seal.root_of(leaves)


@given(st.sets(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 30)))
def test_runs_are_the_numbers_again(numbers):
    runs = seal.runs_of(sorted(numbers))
    assert seal.unpack_runs(seal.pack_runs(runs)) == runs
    assert list(seal.numbers_in(runs)) == sorted(numbers)
    assert all(after[0] > before[1] + 1 for before, after in pairwise(runs))


@each("runs", [[(2, 1)], [(1, 5), (5, 6)], [(7, 8), (1, 2)]])
def test_runs_that_fall_or_overlap_are_none(runs):
    with pytest.raises(ValueError, match="rise"):
        seal.unpack_runs(seal.pack_runs(runs))
    with pytest.raises(ValueError, match="pairs"):
        seal.unpack_runs(b"x")


def test_whatever_a_part_says_changes_its_digest():
    part = Part("t", ("id", "a"), b"k" * 16, b"l" * 32)
    others = [replace(part, table="u"), replace(part, columns=("id", "b")), replace(part, keys=b"j" * 16)]
    others += [replace(part, leaves=b"m" * 32), replace(part, keys=b"k" * 32), replace(part, columns=("id", "a", "c"))]
    assert len({one.digest() for one in [part, *others]}) == 7
    assert seal.root_of_parts([part, others[0]]) == seal.root_of_parts([others[0], part])
    assert seal.root_of_parts([]) != seal.root_of_parts([part])


def test_a_statement_has_one_spelling():
    text = STATEMENT.text()
    assert Statement.read(text, 2) == STATEMENT
    assert STATEMENT.head() == sha256(text.encode()).hexdigest()
    for spoiled in (
        "",
        "[]",
        "{}",
        text + " ",
        text.replace('"t"', '"u"', 1)[:-1],
        text.replace('"format":1', '"format":2'),
    ):
        with pytest.raises(SealUnreadable):
            Statement.read(spoiled, 2)
