"""Transfers through the service: what is written, and what is refused with nothing written."""

from datetime import date
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from payouts.errors import Refused
from payouts.models import Account, Entry, Event, House, Transfer
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR, Leg, NotTheMirror, Posting
from payouts.services import AccountKey, accounts_open, house_create, transfer_post, transfer_reverse, transfers_post
from tests.cast import DAY, TABLE, make_house, make_person, post, stock_house
from tests.turns import each

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def house() -> House:
    return make_house()


@pytest.fixture
def accounts(house: House) -> dict[str, int]:
    kinds = {"cage_cash": house.pk, "house_capital": house.pk, "table_win": TABLE, "circulation": TABLE}
    found = accounts_open(house_id=house.pk, keys=[AccountKey(kind, owner) for kind, owner in kinds.items()])
    return {key.kind: account for key, account in found.items()}


def written() -> tuple[int, int, list[tuple[int, int]]]:
    balances = list(Account.objects.order_by("id").values_list("balance_minor", "version"))
    return Transfer.objects.count(), Entry.objects.count(), balances


def immediate() -> None:
    """Let deferred triggers speak inside a test's transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")


def test_transfer_writes_header_entries_balances_and_versions(house, accounts):
    person = make_person("nora")
    legs = [
        Leg(accounts["table_win"], -700, "box 3"),
        Leg(accounts["circulation"], 500),
        Leg(accounts["circulation"], 200),
    ]
    subject = uuid4()
    transfer_id = transfer_post(
        house_id=house.pk,
        gaming_day=DAY,
        actor_id=person.pk,
        posting=Posting("round:1:settle", "settle", legs, "round", subject, "because"),
    )
    immediate()
    transfer = Transfer.objects.get(pk=transfer_id)
    assert (
        transfer.key,
        transfer.kind,
        transfer.subject_kind,
        transfer.subject_id,
        transfer.reason,
        transfer.gaming_day,
    ) == (
        "round:1:settle",
        "settle",
        "round",
        subject,
        "because",
        DAY,
    )
    assert (transfer.actor_id, transfer.house_id, transfer.reverses_id) == (person.pk, house.pk, None)
    fields = ("account_id", "amount_minor", "account_version", "balance_after_minor", "note", "house_id")
    assert list(transfer.entries.order_by("id").values_list(*fields)) == [
        (accounts["table_win"], -700, 1, -700, "box 3", house.pk),
        (accounts["circulation"], 500, 1, 500, "", house.pk),
        (accounts["circulation"], 200, 2, 700, "", house.pk),
    ]
    balances = dict(Account.objects.values_list("kind", "balance_minor"))
    assert balances == {"table_win": -700, "circulation": 700, "cage_cash": 0, "house_capital": 0}


def test_several_transfers_in_one_call_run_on_from_each_other(house, accounts):
    def posting(number: int) -> Posting:
        return Posting(
            f"k:{number}", "tip", [Leg(accounts["table_win"], -number), Leg(accounts["circulation"], number)]
        )

    ids = transfers_post(house_id=house.pk, gaming_day=DAY, postings=[posting(3), posting(1), posting(2)])
    assert ids == sorted(ids)
    assert list(Transfer.objects.order_by("id").values_list("id", "key")) == list(
        zip(ids, ["k:3", "k:1", "k:2"], strict=True)
    )
    on_circulation = Entry.objects.filter(account_id=accounts["circulation"]).order_by("id")
    assert list(on_circulation.values_list("account_version", "balance_after_minor")) == [(1, 3), (2, 4), (3, 6)]


def test_transfer_takes_one_query(house, accounts, django_assert_num_queries):
    legs = [Leg(accounts["table_win"], -11 * 22), *[Leg(accounts["circulation"], 11, f"box {n}") for n in range(22)]]
    with django_assert_num_queries(1):
        transfer_post(house_id=house.pk, gaming_day=DAY, posting=Posting("k", "settle", legs))


HUGE = 10**400
BAD_LEGS = {
    "ledger.leg": [("ab", "cd"), "legs", [1, 2]],
    "ledger.empty": [[], [(0, 5)], None, 7],
    "ledger.unbalanced": [[(0, 5), (1, -4)], [(0, 5), (1, 5)], [(0, AMOUNT_MAX_MINOR), (1, AMOUNT_MAX_MINOR)]],
    "ledger.amount": [
        [(0, 0), (1, 0)],
        [(0, AMOUNT_MAX_MINOR + 1), (1, -AMOUNT_MAX_MINOR - 1)],
        [(0, HUGE), (1, -HUGE)],
        [(0, 1.5), (1, -1.5)],
        [(0, True), (1, -1)],
        [(0, "5"), (1, "-5")],
        [(0, None), (1, 1)],
    ],
}


@each(("code", "rows"), [(code, rows) for code, many in BAD_LEGS.items() for rows in many])
def test_posting_is_refused_and_nothing_written(house, accounts, code, rows):
    names = ("table_win", "circulation")
    drawn = isinstance(rows, list) and all(isinstance(row, tuple) for row in rows)
    legs = [Leg(accounts[names[n]], amount) for n, amount in rows] if drawn else rows
    before = written()
    with pytest.raises(Refused) as refused:
        transfer_post(house_id=house.pk, gaming_day=DAY, posting=Posting("k", "settle", legs))
    assert refused.value.code == code
    assert refused.value.text()
    assert written() == before


@each("account", [0, -1, 2**63, 10**9, "1", None, True, 1.0])
def test_unknown_account_is_refused_and_nothing_written(house, accounts, account):
    before = written()
    with pytest.raises(Refused) as refused, transaction.atomic():
        legs = [Leg(accounts["circulation"], 5), Leg(account, -5)]
        transfer_post(house_id=house.pk, gaming_day=DAY, posting=Posting("k", "settle", legs))
    assert refused.value.code == "ledger.account_unknown"
    assert written() == before


def test_account_of_another_house_and_currency_is_refused(house, accounts):
    abroad = make_house("Wiesbaden", "EUR")
    foreign = accounts_open(house_id=abroad.pk, keys=[AccountKey("cage_cash", abroad.pk)])
    before = written()
    for pair in ([*foreign.values(), accounts["circulation"]], [accounts["circulation"], *foreign.values()]):
        with pytest.raises(Refused) as refused, transaction.atomic():
            posting = Posting("k", "settle", [Leg(pair[0], 5), Leg(pair[1], -5)])
            transfer_post(house_id=house.pk, gaming_day=DAY, posting=posting)
        assert refused.value.code == "ledger.account_unknown"
    assert written() == before


def test_house_that_does_not_exist_is_refused(house, accounts):
    with pytest.raises(Refused) as refused, transaction.atomic():
        legs = [Leg(accounts["circulation"], 5), Leg(accounts["table_win"], -5)]
        transfer_post(house_id=uuid4(), gaming_day=DAY, posting=Posting("k", "settle", legs))
    assert refused.value.code in {"ledger.house_unknown", "ledger.account_unknown"}
    with pytest.raises(Refused) as refused, transaction.atomic():
        accounts_open(house_id=uuid4(), keys=[AccountKey("tray", TABLE)])
    assert refused.value.code == "ledger.house_unknown"


def test_same_key_is_posted_once(house, accounts):
    posting = Posting("round:1:settle", "settle", [Leg(accounts["circulation"], 5), Leg(accounts["table_win"], -5)])
    transfer_post(house_id=house.pk, gaming_day=DAY, posting=posting)
    before = written()
    for postings in ([posting], [Posting("new", "x", posting.legs), Posting("new", "x", posting.legs)]):
        with pytest.raises(Refused) as refused, transaction.atomic():
            transfers_post(house_id=house.pk, gaming_day=DAY, postings=postings)
        assert refused.value.code == "ledger.key_used"
    assert written() == before


def test_overdraft_is_refused(house, accounts):
    with pytest.raises(Refused) as refused, transaction.atomic():
        posting = Posting("k", "x", [Leg(accounts["cage_cash"], -1), Leg(accounts["circulation"], 1)])
        transfer_post(house_id=house.pk, gaming_day=DAY, posting=posting)
    assert refused.value.code == "ledger.overdrawn"


def test_balance_beyond_64_bits_is_refused(house, accounts):
    legs = [Leg(accounts["circulation"], AMOUNT_MAX_MINOR)] * 900 + [
        Leg(accounts["table_win"], -AMOUNT_MAX_MINOR)
    ] * 900
    with pytest.raises(Refused) as refused:
        transfer_post(house_id=house.pk, gaming_day=DAY, posting=Posting("k", "x", legs))
    assert refused.value.code == "ledger.too_large"
    legs = [Leg(accounts["circulation"], AMOUNT_MAX_MINOR)] * 500 + [
        Leg(accounts["table_win"], -AMOUNT_MAX_MINOR)
    ] * 500
    before = written()
    with pytest.raises(Refused) as refused, transaction.atomic():
        postings = [Posting(f"k{n}", "x", legs) for n in range(20)]
        transfers_post(house_id=house.pk, gaming_day=DAY, postings=postings)
    assert refused.value.code == "ledger.amount"
    assert written() == before


@each(
    ("field", "value"),
    [
        ("key", ""),
        ("key", "k" * 121),
        ("key", "a\0b"),
        ("key", 7),
        ("kind", "\ud800"),
        ("kind", "   "),
        ("reason", "line\nline"),
        ("reason", "x" * 501),
        ("reason", "\u202egnihton"),
        ("subject_kind", None),
    ],
)
def test_hostile_texts_are_refused(house, accounts, field, value):
    values = {"key": "k", "kind": "x", "legs": [Leg(accounts["circulation"], 5), Leg(accounts["table_win"], -5)]}
    before = written()
    with pytest.raises(Refused) as refused:
        transfer_post(house_id=house.pk, gaming_day=DAY, posting=Posting(**(values | {field: value})))
    assert refused.value.code == "text.refused"
    assert written() == before


def test_ordinary_texts_of_four_languages_are_taken(house, accounts):
    for number, reason in enumerate(
        ["Düsseldorf – 5’000.–", "C’est la vie: égalité", "È già così", "O'Brien; DROP TABLE x;--", "𝛑 ≥ 3"]
    ):
        legs = [Leg(accounts["circulation"], 5, reason), Leg(accounts["table_win"], -5)]
        transfer_post(house_id=house.pk, gaming_day=DAY, posting=Posting(f"k{number}", "x", legs, reason=reason))
        assert Transfer.objects.get(key=f"k{number}").reason == reason


def test_outside_a_transaction_nothing_is_posted(house):
    atomic_blocks, connection.in_atomic_block = connection.in_atomic_block, False
    try:
        with pytest.raises(RuntimeError, match="part of a command"):
            transfers_post(house_id=house.pk, gaming_day=DAY, postings=[])
    finally:
        connection.in_atomic_block = atomic_blocks


def test_reversal_mirrors_its_transfer_once(house):
    stock_house(house)
    person = make_person("nora")
    buy_in = Transfer.objects.get(kind="buy_in")
    reversal_id = transfer_reverse(
        house_id=house.pk,
        transfer_id=buy_in.pk,
        gaming_day=date(2026, 11, 22),
        reason="counted twice",
        actor_id=person.pk,
    )
    immediate()
    reversal = Transfer.objects.get(pk=reversal_id)
    assert (reversal.reverses_id, reversal.kind, reversal.reason, reversal.actor_id) == (
        buy_in.pk,
        "reversal",
        "counted twice",
        person.pk,
    )
    legs = [list(t.entries.order_by("id").values_list("account_id", "amount_minor")) for t in (buy_in, reversal)]
    assert [(account, -amount) for account, amount in legs[0]] == legs[1]
    event = Event.objects.get(name="transfer.reversed")
    assert (event.subject_id, event.after, event.reason, event.actor_id) == (
        str(buy_in.pk),
        {"reversal": reversal_id},
        "counted twice",
        person.pk,
    )
    for again in (buy_in.pk, reversal_id):
        with pytest.raises(Refused) as refused, transaction.atomic():
            transfer_reverse(house_id=house.pk, transfer_id=again, gaming_day=DAY, reason="once more")
        assert refused.value.code in {"ledger.reversed", "ledger.key_used"}
    with pytest.raises(Refused) as refused:
        transfer_reverse(house_id=house.pk, transfer_id=10**9, gaming_day=DAY, reason="unknown")
    assert refused.value.code == "ledger.transfer_unknown"
    with pytest.raises(Refused) as refused:
        transfer_reverse(house_id=house.pk, transfer_id=buy_in.pk, gaming_day=DAY, reason=" ")
    assert refused.value.code == "text.refused"


@each(
    "legs",
    [
        {"table_win": 5, "circulation": -5},
        {"table_win": -100, "circulation": 100},
        {"table_win": 100, "circulation": -99, "cage_cash": -1},
    ],
)
def test_what_calls_itself_a_reversal_and_is_no_mirror_is_refused(house, accounts, legs):
    def posting(key: str, amounts: dict[str, int], reverses: int | None = None) -> Posting:
        return Posting(
            key, "x", [Leg(accounts[kind], amount) for kind, amount in amounts.items()], reverses_id=reverses
        )

    base = {"house_id": house.pk, "gaming_day": DAY}
    transfer_post(**base, posting=posting("stock", {"cage_cash": 50, "house_capital": -50}))
    first = transfer_post(**base, posting=posting("first", {"table_win": -100, "circulation": 100}))
    before = written()
    with pytest.raises(NotTheMirror), transaction.atomic():
        transfer_post(**base, posting=posting("second", legs, first))
    assert written() == before


def test_reversal_that_would_overdraw_is_refused(house):
    post(house, "capital_in", [*_capital(500)])
    first = Transfer.objects.get()
    post(house, "cage_redeem", _cash_out(500))
    with pytest.raises(Refused) as refused, transaction.atomic():
        transfer_reverse(house_id=house.pk, transfer_id=first.pk, gaming_day=DAY, reason="too late")
    assert refused.value.code == "ledger.overdrawn"


def _capital(amount: int) -> list:
    from payouts.rules.ledger.recipes import capital_in

    return capital_in(amount)


def _cash_out(amount: int) -> list:
    from payouts.rules.ledger.recipes import Line

    return [Line("circulation", amount), Line("cage_cash", -amount)]


def test_accounts_open_is_repeatable_and_refuses_what_the_chart_lacks(house):
    keys = [AccountKey("drop", TABLE), AccountKey("sub_meter", TABLE, uuid4()), AccountKey("drop", TABLE)]
    first = accounts_open(house_id=house.pk, keys=keys)
    assert accounts_open(house_id=house.pk, keys=keys) == first
    assert set(Account.objects.values_list("kind", "side", "currency")) == {
        ("drop", "debit", "CHF"),
        ("sub_meter", "credit", "CHF"),
    }
    for key in (AccountKey("petty_cash", TABLE), AccountKey("sub_meter", TABLE), AccountKey("tray", TABLE, uuid4())):
        with pytest.raises(Refused) as refused:
            accounts_open(house_id=house.pk, keys=[key])
        assert refused.value.code == "ledger.account_unknown"


@each(
    "values",
    [
        {"name": ""},
        {"name": "a\0b"},
        {"currency": "chf"},
        {"currency": "CH"},
        {"currency": 7},
        {"currency": "A1B"},
        {"currency": "CHF\n"},
        {"locale": ""},
        {"locale": "de_CH"},
        {"locale": "de-CH" * 9},
        {"locale": "d\0-CH"},
        {"locale": None},
        {"time_zone": []},
        {"time_zone": "Moon/Base"},
    ],
)
def test_house_with_senseless_particulars_is_refused(values):
    with pytest.raises(Refused) as refused:
        house_create(**({"name": "Casino", "currency": "CHF"} | values))
    assert refused.value.code in {"house.refused", "text.refused"}


def test_house_name_is_taken_once(house):
    with pytest.raises(Refused) as refused, transaction.atomic():
        house_create(name=house.name, currency="CHF")
    assert refused.value.code == "house.refused"


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=130),
    st.binary(max_size=8),
    st.lists(st.integers(), max_size=3),
)


@settings(deadline=None)
@given(data=st.data())
def test_any_posting_is_refused_or_written_whole(django_db_blocker, data):
    """Hypothesis over the entry point: no exception but refusals, no partial write."""
    with django_db_blocker.unblock(), transaction.atomic():
        house = make_house(f"House {uuid4()}")
        keys = [AccountKey("circulation", uuid4()), AccountKey("table_win", uuid4()), AccountKey("tray", uuid4())]
        known = list(accounts_open(house_id=house.pk, keys=keys).values())
        account = st.one_of(st.sampled_from(known), anything)
        amount = st.one_of(st.integers(-3, 3), st.sampled_from([AMOUNT_MAX_MINOR, -AMOUNT_MAX_MINOR]), anything)
        legs = data.draw(
            st.one_of(st.lists(st.builds(Leg, account, amount, st.one_of(st.just(""), anything)), max_size=4), anything)
        )
        posting = Posting(
            key=data.draw(st.one_of(st.just("key"), anything)),
            kind=data.draw(st.one_of(st.just("kind"), anything)),
            legs=legs,
            reason=data.draw(st.one_of(st.just(""), anything)),
        )
        try:
            with transaction.atomic():
                transfer_id = transfer_post(house_id=house.pk, gaming_day=DAY, posting=posting)
                immediate()
        except Refused as refused:
            assert refused.text()
            assert not Transfer.objects.filter(house=house).exists()
            assert not Entry.objects.filter(house=house).exists()
            assert list(Account.objects.filter(house=house).values_list("balance_minor", "version")) == [(0, 0)] * 3
        else:
            rows = list(
                Entry.objects.filter(transfer_id=transfer_id).order_by("id").values_list("account_id", "amount_minor")
            )
            assert rows == [(leg.account_id, leg.amount_minor) for leg in legs]
            assert sum(amount for _, amount in rows) == 0
        transaction.set_rollback(True)


def test_database_itself_refuses_an_unbalanced_transfer(house, accounts):
    """The service refuses first; this goes round it, through the very function that writes."""
    header = '[{"key": "k", "kind": "x", "subject_kind": "", "reason": ""}]'
    with pytest.raises(IntegrityError, match="sum to 1"), transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT ledger_post_v1(%s, NULL, %s, %s, '{1,1}', %s::bigint[], '{5,-4}', NULL)",
                [house.pk, DAY, header, [accounts["circulation"], accounts["table_win"]]],
            )
        immediate()
