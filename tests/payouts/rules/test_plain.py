"""Plain data: the quick look and the close one give the same, whatever comes."""

import json
import unicodedata
from enum import IntEnum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from payouts.commands import request_fingerprint
from payouts.rules import plain
from payouts.rules.plain import (
    DATA_MAX_BYTES,
    DEPTH_MAX,
    INTEGER_MAX,
    DataRefused,
    NameMarked,
    NameMixed,
    TextRefused,
    canonical,
    check_canonical,
    check_name,
    check_written,
    fingerprint,
)
from tests.turns import each


class Grade(IntEnum):
    HIGH = 7


TEXTS = st.text(st.characters(), max_size=8)
LEAVES = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | TEXTS | st.just(Grade.HIGH)
KEYS = TEXTS | st.integers() | st.none() | st.booleans()
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(KEYS, inner, max_size=4),
)


def nested(depth: int) -> object:
    value: object = 1
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


def outcome(look: object) -> object:
    try:
        return look()
    except DataRefused as refused:
        return refused.data


@given(ANYTHING)
@example({"a": "\\u0000"})
@example({"a": "\0"})
@example({"a": "\ud800"})
@example({"\ud800": 1})
@example({"\0": 1})
@example([INTEGER_MAX, -INTEGER_MAX])
@example([INTEGER_MAX + 1])
@example({1: 2})
@example(True)
@example(1.0)
@example("text")
@example(nested(DEPTH_MAX - 1))
@example(nested(DEPTH_MAX))
@example(nested(DEPTH_MAX + 1))
@example([[]] * 3)
def test_quick_look_passes_nothing_that_the_close_one_refuses_and_changes_nothing(value: object) -> None:
    closely = outcome(lambda: plain._slowly(value, "body", canonical))
    assert outcome(lambda: check_canonical(value, "body")) == closely
    if quickly := plain._quickly(value, canonical):
        assert quickly == closely
    written = outcome(lambda: check_written(value, "body"))
    if isinstance(closely, tuple):
        # What was hashed once must be written alike for ever, by whatever library.
        python = json.dumps(closely[0], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert closely[1] == python.encode()
        assert written == (closely[0], written[1])
        assert json.loads(written[1]) == closely[0]
    else:
        assert written == closely


def test_ordinary_data_needs_no_close_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(plain, "_slowly")
    value = {"stakes": [{"box": 1, "kind": "ante", "amount_minor": 1500, "note": "süss ♥", "last": None, "ok": True}]}
    assert check_canonical(value, "body") == (value, canonical(value))


@each("size", [DATA_MAX_BYTES - 1, DATA_MAX_BYTES])
def test_size_counts_the_bytes_as_written(size: int) -> None:
    text = "x" * (size - 1)  # with its quotes one more than allowed, in the second case
    if size < DATA_MAX_BYTES:
        assert check_canonical(text, "body")[0] == text
    else:
        with pytest.raises(DataRefused):
            check_canonical(text, "body")


@given(st.dictionaries(TEXTS, st.integers(0, 9) | TEXTS, max_size=3))
def test_fingerprint_of_a_request_is_that_of_command_actor_and_body(body: dict[str, object]) -> None:
    wanted = outcome(lambda: fingerprint(["round.lock", "x", plain.check_data(body, "body")]))
    assert outcome(lambda: request_fingerprint("round.lock", "x", body)) == wanted


@each(
    "name",
    [
        "UTH 2",
        "Noëlle Neu-Đorđević",
        "Ştefan D’Angelo (Nº 3)",
        "Þórður Ångström-Łęcka",
        "Nguyễn Thị Ất",
        unicodedata.normalize("NFD", "Nguyễn Thị Ất"),
        "Straße 7 · «Süd»",
        "Tisch 5 – ½ € ™",
        "Анна Ковалёва 2",
        "Стол №1",
        "Ελένη Παπαϊωάννου",
        "ישראל",
        "น้ำทิพย์",
        "東京タワーのテーブル",
        "サロン A",
    ],
)
def test_ordinary_names_are_taken_as_they_are(name: str) -> None:
    assert check_name(name, "name", most=60) == name


@each(
    ("name", "letter", "point"),
    [
        ("Anna Кovalёva", "К", "U+041A"),
        ("Mаria", "а", "U+0430"),
        ("Сasino", "a", "U+0061"),
        ("Table Α", "Α", "U+0391"),
        ("Ελενa", "a", "U+0061"),
        ("Αнна", "н", "U+043D"),
        ("Croupier ª а", "а", "U+0430"),
        ("5 µm", "m", "U+006D"),
        ("Օlga", "l", "U+006C"),
    ],
)
def test_a_name_in_letters_of_two_scripts_is_refused(name: str, letter: str, point: str) -> None:
    with pytest.raises(NameMixed) as refused:
        check_name(name, "name", most=60)
    assert (refused.value.code, refused.value.data) == (
        "name.scripts_mixed",
        {"field": "name", "letter": letter, "point": point},
    )


@each("name", ["Anna\u3164", "\u3164\u3164", "A\u115fnna", "\u2800\u2800", "Anna\ufe0f", "Anna\u034f", "An\u2028na"])
def test_a_name_with_what_nobody_sees_is_refused(name: str) -> None:
    """A second Anna, or nobody at all."""
    with pytest.raises(TextRefused) as refused:
        check_name(name, "name", most=60)
    assert refused.value.data["why"] == "holds a character that cannot be shown"


@each("name", ["Zoe\u0301\u0302\u0303", "Ế\u0323 a", "Ann\u20dd\u20dd\u20dda", "\u0301\u0301\u0301"])
def test_a_name_with_more_than_two_marks_on_a_letter_is_refused(name: str) -> None:
    with pytest.raises(NameMarked) as refused:
        check_name(name, "name", most=60)
    assert (refused.value.code, refused.value.data["most"]) == ("name.marks_heaped", 2)
