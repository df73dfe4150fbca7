"""What a filter leaves of a report: the rows of the whole report that are of it, found in Python, and no others."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, time
from typing import Any
from uuid import UUID, uuid4

from django.utils import translation

from casino.audit.reports import filters
from casino.audit.reports.kinds import KINDS
from jackpot.models import Award, Claim, Epoch, Hit
from payouts.models import Approval, House, PostedTable
from tables.models import Hand, Round
from tests.casino.audit.reports.asked import Line, lines, query
from tests.casino.audit.reports.evening import Evening
from tests.casino.audit.reports.second import Books, said
from tests.casino.audit.reports.second_counts import results
from tests.casino.audit.reports.second_poker import rake
from tests.databases import superuser
from tests.turns import each

MADE_AGAIN = {"results": results, "rake": rake}
Keeps = Callable[[Line, UUID, Books], bool]
ROWS = [(kind, field) for kind in KINDS for field in sorted(KINDS[kind].takes - {"by", "least", "game"})]


def _played(line: Line, books: Books) -> Round | Hand | None:
    if "hand_id" in line:
        return Hand.objects.filter(pk=line["hand_id"]).first()
    return books.rounds.get(UUID(line["round_id"])) if line["round_id"] else None


def of_croupier(line: Line, chosen: UUID, books: Books) -> bool:
    of = _played(line, books)
    return of is not None and of.croupier_id == chosen


def of_version(line: Line, chosen: UUID, books: Books) -> bool:
    of = _played(line, books)
    return of is not None and str(chosen) in versions_of(of, books).values()


def of_hit(line: Line, test: Callable[[Claim | Award], bool]) -> bool:
    """Hits are told whole: of a table or a croupier one of whose rounds has a claim or an award."""
    hit = hit_of(line)
    return any(test(one) for one in (*Claim.objects.filter(hit=hit), *Award.objects.filter(hit=hit)))


def hit_of(line: Line) -> Hit:
    return Hit.objects.get(number=line["hit"], jackpot__name=line["jackpot"])


def of_epoch(line: Line, chosen: UUID, books: Books) -> bool:
    epoch = Epoch.objects.get(number=line["epoch"], jackpot__name=line["jackpot"])
    return chosen in (epoch.funding_id, epoch.progressive_id, epoch.rules_id)


def asked_or_signed(line: Line, chosen: UUID, books: Books) -> bool:
    one = next(one for one in Approval.objects.all() if said(one.requested_at) == line["at"])
    return chosen == one.requester_id or chosen in {mark.signer_id for mark in books.signed[one.pk]}


def is_version(line: Line, chosen: UUID, books: Books) -> bool:
    one = PostedTable.objects.get(pk=chosen)
    return (line["kind"], line["name"], line["version"]) == (one.kind, one.name, one.version)


KEEPS: dict[tuple[str, str], Keeps] = {
    ("jackpot-statement", "table"): lambda line, pk, books: (
        line["line"] == "epoch" or line["table"] == books.tables[pk]
    ),
    ("jackpot-statement", "version"): of_epoch,
    ("hits", "table"): lambda line, pk, books: of_hit(line, lambda one: one.table_id == pk),
    ("hits", "croupier"): lambda line, pk, books: of_hit(
        line, lambda one: books.rounds[one.round_id].croupier_id == pk
    ),
    ("hits", "version"): lambda line, pk, books: of_epoch(line | {"epoch": hit_of(line).epoch.number}, pk, books),
    ("approvals", "person"): asked_or_signed,
    ("parameters", "version"): is_version,
    ("access", "person"): lambda line, pk, books: books.people[pk] in (line["person"], line["by"]),
    ("looks", "person"): lambda line, pk, books: books.people[pk] == line["person"],
    ("day-protocol", "croupier"): lambda line, pk, books: (
        of_croupier(line, pk, books) or books.people[pk] == line["person"]
    ),
}
USUAL: dict[str, Keeps] = {
    "table": lambda line, pk, books: line["table"] == books.tables[pk],
    "croupier": of_croupier,
    "version": of_version,
}


def filtered(evening: Evening, kind: str, field: str, chosen: UUID, books: Books, whole: list[Line]) -> list[Line]:
    """What the report should hold. Sums of rounds and hands cannot be parted again: they are made again of those alone."""
    if kind not in MADE_AGAIN or field not in ("croupier", "version"):
        keeps = KEEPS.get((kind, field)) or USUAL[field]
        return [line for line in whole if keeps(line, chosen, books)]
    books.counts = lambda one: chosen == one.croupier_id or str(chosen) in versions_of(one, books).values()
    made = [dict(zip(whole[0], [said(value) for value in row], strict=True)) for row in MADE_AGAIN[kind](books)]
    books.counts = None
    return [line for line in made if line.get("rounds") or line["rake"] or kind == "rake"]


def versions_of(played: Round | Hand, books: Books) -> dict[str, str]:
    """What was posted when it was played: of a round its own, of a hand those of its session."""
    if isinstance(played, Round):
        return played.versions or {}
    return books.sessions[played.session_id].versions


@each(("kind", "field"), ROWS)
def test_a_filter_leaves_the_rows_that_are_of_it(evening: Evening, kind: str, field: str) -> None:
    least: dict[str, Any] = {"least": 0} if "least" in KINDS[kind].takes else {}
    books, whole, left = Books(evening), lines(evening, kind, **least), []
    for choice in filters.choices(KINDS[kind], evening.house)[field]:
        told = lines(evening, kind, **least, **{field: choice.value})
        assert told == filtered(evening, kind, field, UUID(choice.value), books, whole), choice.name
        left.append(len(told))
    assert min(left) < len(whole), "a filter that leaves everything proves nothing"
    assert max(left) > 0


def test_versions_are_offered_and_told_in_the_words_of_the_reader(evening: Evening) -> None:
    blind = PostedTable.objects.get(house=evening.house, kind="blind", state="approved")
    said = {}
    for language in ("de", "en", "fr", "it"):
        with translation.override(language):
            offered = {one.value: one.name for one in filters.choices(KINDS["results"], evening.house)["version"]}
            said[language] = offered[str(blind.pk)]
            assert filters.names(query(evening, "results", version=str(blind.pk))) == {"version": said[language]}
    assert said == {
        "de": "Auszahlungstabelle Blind: UTH Blind, Version 1",
        "en": "Blind paytable: UTH Blind, version 1",
        "fr": "Tableau des gains Blind\u202f: UTH Blind, version 1",
        "it": "Tabella dei pagamenti Blind: UTH Blind, versione 1",
    }


@each("kind", [kind for kind in KINDS if "game" in KINDS[kind].takes])
def test_a_game_leaves_what_was_at_its_tables(evening: Evening, kind: str) -> None:
    """At two of the three tables another game is played: whoever switches the guards off makes it so."""
    least: dict[str, Any] = {"least": 0} if "least" in KINDS[kind].takes else {}
    mine = [evening.tables[0].name]
    with superuser() as link, link.transaction(force_rollback=True):
        link.execute("ALTER TABLE tables_table DISABLE TRIGGER USER")
        link.execute("UPDATE tables_table SET game = 'black_jack' WHERE id <> %s", [evening.tables[0].pk])
        columns = [column.code for column in KINDS[kind].columns]
        told = {}
        for game in (None, "uth", "black_jack"):
            bound = replace(query(evening, kind, **least), game=game).bound()
            rows = link.execute(KINDS[kind].sql, bound).fetchall()
            told[game] = [line for line in (dict(zip(columns, row, strict=True)) for row in rows) if line["table"]]
    assert told["uth"] == [line for line in told[None] if line["table"] in mine]
    assert told["black_jack"] == [line for line in told[None] if line["table"] not in mine]
    assert told["uth"] != [] != told["black_jack"]


@each("least", ["0", "1", "150", "5001.50", "5001.51", "999999"])
def test_an_amount_leaves_what_is_as_much_or_more(evening: Evening, least: str) -> None:
    whole = lines(evening, "payouts", least=0)
    minor = round(float(least) * 100)
    assert lines(evening, "payouts", least=least) == [line for line in whole if line["amount"] >= minor]


def test_hours_and_months_are_the_days_parted_and_put_together(evening: Evening) -> None:
    days, hours, months = (lines(evening, "results", by=by) for by in ("day", "hour", "month"))
    summed = [column.code for column in KINDS["results"].columns if column.total]
    for whole in days:
        parts = [line for line in hours if (line["day"], line["table"]) == (whole["day"], whole["table"])]
        together = {code: sum(line[code] for line in parts) for code in summed}
        assert {**parts[0], "hour": None} | together == whole | {"hold": parts[0]["hold"]}
    assert months == [{**line, "day": f"{line['day'][:8]}01"} for line in days]


def test_games_are_their_tables_put_together_with_the_hold_of_the_sums(evening: Evening) -> None:
    """One table of another game than the others: whoever switches the guards off makes it so."""
    with superuser() as link, link.transaction(force_rollback=True):
        link.execute("ALTER TABLE tables_table DISABLE TRIGGER USER")
        link.execute("UPDATE tables_table SET game = 'blackjack' WHERE id = %s", [evening.tables[0].pk])
        columns = KINDS["results"].columns
        codes = [column.code for column in columns]
        days, games = (
            [
                dict(zip(codes, row, strict=True))
                for row in link.execute(KINDS["results"].sql, query(evening, "results", by=by).bound()).fetchall()
            ]
            for by in ("day", "game")
        )
    assert [(line["day"], line["table"], line["game"]) for line in games] == [
        (None, "", "poker"),
        (None, "", "blackjack"),
        (None, "", "uth"),
    ]
    for line in games:
        parts = [one for one in days if one["game"] == line["game"]]
        together = {column.code: sum(one[column.code] or 0 for one in parts) for column in columns if column.total}
        assert {code: line[code] for code in together} == together
        holds = together["drop"] and line["rounds"]
        assert line["hold"] == (together["result"] * 1000 // together["drop"] if holds else None)
    assert any(line["drop"] for line in games)


def test_every_filter_that_a_report_takes_is_tried_here() -> None:
    assert {field for kind in KINDS.values() for field in kind.takes} == set(filters.FIELDS)


def test_days_of_a_report_are_gaming_days() -> None:
    """HSE-1: from the change of the first day to the change after the last; an hour comes twice in between."""
    house = House(id=uuid4(), time_zone="Europe/Zurich", gaming_day_change=time(6), currency="CHF")
    for kind in KINDS.values():
        asked = filters.query_of(kind, house, {"from": "2026-10-24", "to": "2026-10-25"}, date(2026, 11, 1))
        span = (asked.since.isoformat(), asked.until.isoformat())
        assert span == ("2026-10-24T06:00:00+02:00", "2026-10-26T06:00:00+01:00"), kind.code
