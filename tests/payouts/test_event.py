"""The event log: what is written is what was said; hostile texts and data are refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.errors import Refused
from payouts.models import Event
from payouts.rules.plain import canonical, check_data, check_text, fingerprint
from payouts.services import Subject, event_record
from tests.cast import make_house, make_person
from tests.turns import each


@pytest.mark.usefixtures("db")
def test_event_says_who_what_when_before_after_and_why():
    house = make_house()
    nora = make_person("nora")
    event = event_record(
        "table.opened",
        Subject("table", "UTH 1"),
        house_id=house.pk,
        actor_id=nora.pk,
        before={"state": "closed"},
        after={"state": "open"},
        reason="18 Uhr",
        request_id="req-1",
    )
    event.refresh_from_db()
    fields = ("name", "house_id", "actor_id", "subject_kind", "subject_id", "before", "after", "reason", "request_id")
    assert [getattr(event, field) for field in fields] == [
        "table.opened",
        house.pk,
        nora.pk,
        "table",
        "UTH 1",
        {"state": "closed"},
        {"state": "open"},
        "18 Uhr",
        "req-1",
    ]
    assert event.at is not None


@pytest.mark.usefixtures("db")
@each(
    "changes",
    [
        {"name": ""},
        {"name": "n" * 61},
        {"reason": "r" * 501},
        {"reason": "\0"},
        {"subject": Subject("table", "s" * 65)},
        {"before": {"share": 0.1}},
        {"after": {"text": "\0"}},
        {"after": {"deep": json.loads("[" * 30 + "]" * 30)}},
        {"after": ["x" * 1000] * 200},
    ],
)
def test_event_that_is_not_plain_is_refused(changes):
    with pytest.raises(Refused) as refused:
        event_record(**({"name": "test.event"} | changes))
    assert refused.value.code in {"text.refused", "data.refused"}
    assert Event.objects.count() == 0


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4), inner, max_size=4
        )
    ),
    max_leaves=10,
)


@given(value=plain)
def test_plain_data_passes_unchanged_and_hashes_by_value(value):
    assert check_data(value, "data") == value
    again = json.loads(canonical(value))
    assert again == value
    assert fingerprint(again) == fingerprint(value)


@given(value=st.text(max_size=40))
def test_text_is_taken_as_it_is_or_refused(value):
    try:
        assert check_text(value, "text", most=30) == value
    except Refused as refused:
        assert refused.code == "text.refused"
