"""Hypothesis over everything that moves money: whatever is asked, the answer is done or refused, and the books stay sound."""

from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.db import connection, transaction
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from payouts.audit import AUDITS
from payouts.errors import Refused
from payouts.models import Account, Entry, Event, Transfer
from payouts.rules.ledger.chart import CHART
from payouts.rules.ledger.postings import AMOUNT_MAX_MINOR, Leg, Posting
from payouts.rules.ledger.recipes import Line
from payouts.services import AccountKey, accounts_open, recipe_post, transfer_replace, transfer_reverse, transfers_post
from tests.cast import DAY, make_house, make_person, owners_of, stock_house
from tests.payouts.spoiled import anything, spoiled

# Those that say something of this one transaction's rows.
SOUND = sorted(set(AUDITS) - {"append_only_tables_unchanged", "entries_written_with_their_transfer"})


class Books:
    """A house with something on its accounts, another beside it, and one person; all within one transaction."""

    def __init__(self) -> None:
        self.house, self.other = make_house("Bad Ragaz"), make_house("Wiesbaden", "EUR")
        self.nora = make_person("nora", house=self.house)
        for house in (self.house, self.other):
            stock_house(house)
        self.accounts = list(Account.objects.filter(house=self.house).values_list("pk", flat=True))
        self.foreign = Account.objects.filter(house=self.other).first().pk
        self.transfers = [
            list(Transfer.objects.filter(house=house).values_list("pk", flat=True))
            for house in (self.house, self.other)
        ]
        self.keys = list(Transfer.objects.values_list("key", flat=True))

    def written(self) -> tuple[object, ...]:
        accounts = Account.objects.order_by("pk").values_list("pk", "kind", "balance_minor", "version")
        return Transfer.objects.count(), Entry.objects.count(), Event.objects.count(), list(accounts)

    def breaches(self) -> dict[str, list[tuple[object, ...]]]:
        found = {}
        with connection.cursor() as cursor:
            for name in SOUND:
                cursor.execute(AUDITS[name])
                found[name] = cursor.fetchall()
        return {
            name: rows
            for name, rows in found.items()
            if rows and name not in ("chips_outside_are_claims", "circles_balance")
        }


@pytest.fixture(scope="module")
def books(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Books]:
    """Made once: every example works in a savepoint of its own on top of it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield Books()
        transaction.set_rollback(True)


class _Undone(Exception):
    """Takes a successful example back."""


def done_or_refused(books: Books, command: Callable[[], object]) -> None:
    """Carry the command out. Refused: nothing was written. Done: every audit passes. Then take it back."""
    before = books.written()
    try:
        with transaction.atomic():
            command()
            with connection.cursor() as cursor:  # what would speak at commit
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
            assert books.breaches() == {}
            raise _Undone
    except Refused as refused:
        assert refused.text()
    except _Undone:
        pass
    assert books.written() == before


def parties(books: Books) -> dict[str, st.SearchStrategy]:
    """Who does it, where and when."""
    return {
        "house_id": st.just(books.house.pk),
        "gaming_day": st.just(DAY),
        "actor_id": st.sampled_from([None, books.nora.pk]),
    }


def strangers(books: Books) -> dict[str, st.SearchStrategy]:
    return {
        "house_id": st.sampled_from([books.other.pk, uuid4()]),
        "gaming_day": st.dates() | st.datetimes(),
        "actor_id": st.uuids(),
        "reason": st.sampled_from(["", "\0", "x" * 501]),
    }


@st.composite
def balanced(draw: st.DrawFn, books: Books) -> list[Leg]:
    account, amount = st.sampled_from(books.accounts), st.integers(-50, 50).filter(bool)
    legs = draw(st.lists(st.builds(Leg, account, amount, st.sampled_from(["", "box 3"])), min_size=1, max_size=3))
    total = sum(leg.amount_minor for leg in legs)
    return [*legs, Leg(draw(account), -total)] if total else legs


def bad_legs(books: Books) -> st.SearchStrategy:
    account = st.sampled_from([*books.accounts, books.foreign, 10**9]) | anything
    amount = st.sampled_from([0, 1, -1, AMOUNT_MAX_MINOR, -AMOUNT_MAX_MINOR, AMOUNT_MAX_MINOR + 1]) | anything
    leg = st.builds(Leg, account, amount, st.sampled_from(["", "x" * 61]) | anything)
    return st.lists(leg, max_size=4) | st.just([Leg(books.accounts[0], 10**15), Leg(books.accounts[1], -(10**15))])


@st.composite
def postings(draw: st.DrawFn, books: Books) -> Posting:
    good = {
        "key": st.uuids().map(str),
        "kind": st.just("x"),
        "legs": balanced(books),
        "subject_kind": st.sampled_from(["", "round"]),
        "subject_id": st.none() | st.uuids(),
        "reason": st.sampled_from(["", "counted twice"]),
        "reverses_id": st.none(),
    }
    bad = {
        "key": st.sampled_from([*books.keys, "", "the same"]),
        "legs": bad_legs(books),
        "reverses_id": st.sampled_from([*books.transfers[0], *books.transfers[1]]),
    }
    return Posting(**draw(spoiled(good, bad)))


@given(data=st.data())
def test_any_transfers(books: Books, data: st.DataObject) -> None:
    good = {**parties(books), "postings": st.lists(postings(books), min_size=1, max_size=3)}
    values = data.draw(spoiled(good, strangers(books)))
    done_or_refused(books, lambda: transfers_post(**values))


@given(data=st.data())
def test_any_reversal(books: Books, data: st.DataObject) -> None:
    mine, theirs = books.transfers
    good = {**parties(books), "transfer_id": st.sampled_from(mine), "reason": st.just("counted twice")}
    bad = {**strangers(books), "transfer_id": st.sampled_from(theirs)}
    values = data.draw(spoiled(good, bad))
    done_or_refused(books, lambda: transfer_reverse(**values))
    instead = {"instead": st.lists(postings(books), max_size=2)}
    replaced = data.draw(spoiled(good | instead, bad))
    done_or_refused(books, lambda: transfer_replace(**replaced))


@given(data=st.data())
def test_any_accounts(books: Books, data: st.DataObject) -> None:
    kind = st.sampled_from(list(CHART.values()))
    good = kind.flatmap(
        lambda kind: st.builds(AccountKey, st.just(kind.code), st.uuids(), st.uuids() if kind.detail else st.none())
    )
    bad = st.builds(
        AccountKey, kind.map(lambda kind: kind.code) | anything, st.uuids() | anything, st.none() | anything
    )
    house = {"house_id": st.just(books.house.pk)}
    values = data.draw(spoiled(house, strangers(books))) | {
        "keys": data.draw(st.lists(good, max_size=4) | st.lists(good | bad, max_size=4))
    }

    def command() -> None:
        opened = accounts_open(**values)
        assert set(opened) == set(values["keys"])
        assert all(Account.objects.get(pk=pk).side == CHART[key.kind].side for key, pk in opened.items())

    done_or_refused(books, command)


@st.composite
def lines(draw: st.DrawFn, *, sane: bool) -> list[Line]:
    kind, amount = (
        st.sampled_from([kind for kind in CHART if CHART[kind].side == "any"]),
        st.integers(-50, 50).filter(bool),
    )
    note, table, epoch = st.sampled_from(["", "box 3"]), st.sampled_from(["", "other"]), st.just("")
    if not sane:
        kind, amount, note = st.sampled_from(list(CHART)) | anything, amount | anything, note | anything
        table, epoch = table | anything, st.sampled_from(["", "old"]) | anything
    drawn = draw(st.lists(st.builds(Line, kind, amount, note, table, epoch), min_size=int(sane), max_size=3))
    amounts = [line.amount_minor for line in drawn]
    total = sum(amounts) if all(type(amount) is int for amount in amounts) else 0
    return [*drawn, Line("circulation", -total)] if total else drawn


@given(data=st.data())
def test_any_recipe(books: Books, data: st.DataObject) -> None:
    owners = owners_of(books.house)
    good = {
        **parties(books),
        "lines": lines(sane=True),
        "owners": st.just(owners),
        "key": st.uuids().map(str),
        "kind": st.just("x"),
        "reason": st.sampled_from(["", "counted twice"]),
        "subject_id": st.none() | st.uuids(),
    }
    fewer = st.sets(st.sampled_from(sorted(owners)), min_size=1).map(
        lambda missing: {name: owner for name, owner in owners.items() if name not in missing}
    )
    bad = {
        **strangers(books),
        "lines": lines(sane=False),
        "owners": fewer | st.dictionaries(st.sampled_from(sorted(owners)), anything),
        "key": st.sampled_from(books.keys),
    }
    values = data.draw(spoiled(good, bad))
    done_or_refused(books, lambda: recipe_post(**values))
