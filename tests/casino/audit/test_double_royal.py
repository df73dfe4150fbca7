"""A new auditor, who was not there, proves from /audit/ alone that a double royal was paid right and nothing was changed since."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.test import Client

from casino.audit.runs import verify_next
from casino.ops.heartbeats import audit_store
from casino.ops.seals import seals_take
from jackpot import services as jackpots
from jackpot.models import Slip
from payouts import seal_keys
from tests.casino.audit.desk import ENGLISH
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.casino.pit.floor.floor_desk import words
from tests.databases import module_database, superuser
from tests.floor import done
from tests.jackpot.linked import Linked, royal

HARM = """UPDATE jackpot_award SET amount_minor = amount_minor + 5
    WHERE id = (SELECT award_id FROM jackpot_slip WHERE number = 2) RETURNING id::text"""


class Won(Linked):
    """Two royal flushes at the same time, at two tables; both slips were paid."""

    def __init__(self) -> None:
        super().__init__(count=2, displays=1)
        rounds = [self.start(table) for table in range(2)]
        for table, suit in enumerate("hd"):
            self.end(table, rounds[table], royal(suit))
        self.advance()
        self.verify_all()
        self.approve()
        self.confirm_all()
        for slip in Slip.objects.select_related("award").order_by("number"):
            cash = (slip.award.amount_minor + 2) // 5 * 5
            ids = {"house_id": self.house.pk, "slip_id": slip.pk, "actor_id": self.cage.pk}
            done(jackpots.slip_pay, **ids, cash_minor=cash)


class Anchors(HTMLParser):
    """The links of a page: what they say, and where they lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._open: tuple[str, list[str]] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get("href")
        if tag == "a" and address:
            self._open = (address, [])

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._open:
            self.found.append((" ".join("".join(self._open[1]).split()), self._open[0]))
            self._open = None


class Reader:
    """Somebody who reads pages and follows links, and knows no address but /audit/."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.go("/audit/")

    def go(self, address: str) -> str:
        response = self.client.get(address, headers=ENGLISH, follow=True)
        assert response.status_code == 200, address
        self.at = response.redirect_chain[-1][0] if response.redirect_chain else address
        self.page = response.content.decode()
        self.text = words(self.page)
        return self.text

    def links(self, pattern: str) -> list[str]:
        return [urljoin(self.at, to) for said, to in Anchors(self.page).found if re.search(pattern, said)]

    def follow(self, pattern: str, place: int = 0) -> str:
        found = self.links(pattern)
        assert found, f"{self.at} has no link that says {pattern}"
        return self.go(found[place])

    def verify(self) -> str:
        """Ask for a verification by the page's own form, and read what it found."""
        self.go("/audit/")
        self.follow("^Verify$")
        assert self.client.post(self.at, headers=ENGLISH).status_code == 302
        assert verify_next()
        return self.go(self.at)


@pytest.fixture
def reader(django_db_setup: None, django_db_blocker: object, settings, tmp_path: Path, monkeypatch) -> Iterator[Reader]:
    plain_settings(settings)
    settings.SEAL_KEY_PATH, settings.SEAL_HEADS = tmp_path / "key.pem", str(tmp_path / "heads")
    monkeypatch.setenv("SEAL_KEY_PATH", str(settings.SEAL_KEY_PATH))
    monkeypatch.setenv("SEAL_HEADS", settings.SEAL_HEADS)
    seal_keys.make(settings.SEAL_KEY_PATH)
    with django_db_blocker.unblock(), module_database("double_royal"):
        won = Won()
        seals_take()
        audit_store()
        yield Reader(people.signed_in(people.make(won.house, "vera.c", "auditor", language="en")))


def amounts(text: str) -> list[int]:
    """The amounts in what a page says, in minor units."""
    return [int(re.sub(r"\D", "", one)) for one in re.findall(r"CHF (-?[\d’]+\.\d\d)", text)]


def rows(page: str) -> list[dict[str, str]]:
    """The lines of a report by the titles of their columns."""
    lines = [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.DOTALL)
        for line in re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    ]
    cells = [[" ".join(re.sub(r"<[^>]+>", "", cell).split()) for cell in line] for line in lines]
    titles = next(line for line in cells if "Difference" in line)
    return [dict(zip(titles, line, strict=True)) for line in cells if len(line) == len(titles) and line != titles]


def test_the_desk_alone_proves_that_a_double_royal_was_paid_right(reader: Reader) -> None:
    assert "All is as it was, up to seal 1." in reader.verify()
    assert "All is as it was" in reader.go("/audit/")
    won = reads_the_hit(reader)
    pays_two_halves(reader, won)
    reads_the_statement(reader, won)
    with superuser() as link:
        link.execute("SET session_replication_role = replica")
        link.execute("ALTER TABLE jackpot_award DISABLE TRIGGER USER")
        [(changed,)] = link.execute(HARM).fetchall()
    assert f"{changed} (jackpot_award {changed}) seal 1 was changed" in reader.verify()
    assert "Something is not as it was" in reader.go("/audit/")
    assert "All is as it was" not in reader.text


def reads_the_hit(reader: Reader) -> int:
    """Both claims, each of a royal flush, looked at by who did not deal it; the split is the whole meter in equal parts."""
    hit = reader.follow(", hit 1$")
    at = reader.at
    claims = [rf"Claim {number}: UTH {number}, Box 1 · Guest 1" for number in (1, 2)]
    assert re.search(rf"{claims[0]} by the result .*{claims[1]} by the result", hit)
    assert re.search(rf"{claims[0]} verified \S+ · Reto .*{claims[1]} verified \S+ · Reto", hit)
    meter, won, *shares = amounts(hit[hit.index("In the meter") :])[:4]
    assert meter == won == sum(shares)
    assert shares[0] == shares[1] > 0
    assert re.search(r"Payment of the jackpot .*signed: Reto .*signed: Bea.L .*carried out", hit)
    for table in ("UTH 1", "UTH 2"):
        assert "royal flush" in reader.follow(rf"^{table}, round 1$").lower()
        reader.go(at)
    return won


def pays_two_halves(reader: Reader, won: int) -> None:
    """Each slip was paid, once; every transfer of the hit sums to nothing."""
    for slip in (1, 2):
        assert re.search(rf"Slip {slip} · CHF [\d’.]+ UTH {slip}, Box 1 · .{{0,60}} slip paid", reader.text)
    told = [reader.go(transfer) for transfer in reader.links(r"^\d+$")]
    assert [re.search("What (.*?) Gaming day", one)[1] for one in told] == [
        "Payment of the jackpot",
        *["Slip paid"] * 2,
    ]
    assert [amounts(one[one.index("Together") :]) for one in told] == [[0]] * 3
    assert [won // 2 in amounts(one) for one in told[1:]] == [True, True]


def reads_the_statement(reader: Reader, won: int) -> None:
    """Of the epoch: what it began with and what came in is what was awarded; nothing is left over or missing."""
    reader.follow("^Reports$")
    reader.follow("^Jackpot statement$")
    epochs = [row for row in rows(reader.page) if row["Line"] == "whole epoch"]
    assert [row["Difference"] for row in epochs] == ["0.00", "0.00"]
    assert re.sub(r"\D", "", epochs[0]["Awarded"]) == str(won)
