"""A round that was corrected after its award: what verification, hit and start page say of it, in the reader's language."""

from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection, transaction
from django.db.models.functions import Now
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.ops.heartbeats import audit_store
from casino.ops.models import VerifyRun
from casino.pit.board.read import slips_doubted
from jackpot.models import Slip
from tables.audit.replay import replay
from tests.casino.people import people
from tests.casino.people.hasher import plain_settings
from tests.casino.pit.floor.floor_desk import words
from tests.jackpot.linked import dull, royal
from tests.jackpot.test_late import Late, paid_late
from tests.jackpot.test_prizes import approved_correction
from tests.watched import watched
from tests.worlds import world


def verified(asked_by: Any) -> None:
    """Keep what the rounds, settled again, say."""
    checks = [
        {"name": one.name, "breaches": one.breaches, "count": one.count, "looked_at": one.looked_at}
        for one in replay(everything=True)
    ]
    run = VerifyRun.objects.filter(pk=VerifyRun.objects.create(asked_by=asked_by).pk)
    run.update(state="running", begun_at=Now())
    run.update(state="done", ended_at=Now(), ok=not any(one["count"] for one in checks), checks=checks)


def said(client: Client, path: str, language: str) -> str:
    return words(client.get(path, headers={"accept-language": language}).content.decode())


@world(paid_late)
def test_award_whose_round_was_corrected_is_told_with_slip_amount_and_links_and_not_as_a_balance(
    floor: Late, own_database: str, settings: Any
) -> None:
    plain_settings(settings)
    watched()
    vera = people.make(floor.house, "vera.c", "auditor", language="en")
    client = people.signed_in(vera)
    slip, round_id = Slip.objects.get(number=2), floor.rounds[1]
    approved_correction(floor, round_id, dull())
    verified(vera)
    audit_store(whole=True)
    page = client.get("/audit/verify/").content.decode()
    for way in (f"/audit/rounds/{round_id}/", f"/audit/hits/{slip.award.hit_id}/#slip-2"):
        assert f'href="{way}"' in page, way
    finding, check, waits = (
        "UTH 2, round 1 , Box 1 has an award that the result of the round does not give Slip 2 CHF 5’001.50 to be paid",
        "Does not hold: Every award is of a round that claims the jackpot. The ",
        "A check has found something Does not hold: Every award is of a round that claims the jackpot. The ",
    )
    verify, home = said(client, "/audit/verify/", "en"), said(client, "/home/auditor/", "en")
    assert (finding in verify, check in verify, waits in home) == (True, True, True)
    assert ("awards_are_of" in home, "difference CHF 0.00" in verify, "do not agree" in home) == (False, False, False)
    for language, text in (
        ("de", "hat eine Auszahlung, die das Ergebnis der Runde nicht ergibt"),
        ("fr", "a une attribution que le résultat de la manche ne donne pas"),
        ("it", "ha un’assegnazione che il risultato della mano non dà"),
    ):
        assert text in said(client, "/audit/verify/", language), language
    approved_correction(floor, round_id, royal("d"))
    assert "Slip 2 CHF 5’001.50 to be paid · given by the round again" in said(client, "/audit/verify/", "en")


@world(paid_late)
def test_what_was_found_of_awards_is_gone_from_start_page_and_verdict_once_it_is_put_right(
    floor: Late, own_database: str, settings: Any
) -> None:
    """Without another verification: the round corrected back, the slip cancelled; all else is said as of the verification."""
    plain_settings(settings)
    watched()
    vera = people.make(floor.house, "vera.c", "auditor", language="en")
    client = people.signed_in(vera)
    slip, round_id = Slip.objects.get(number=2), floor.rounds[1]
    approved_correction(floor, round_id, dull())
    verified(vera)
    audit_store(whole=True)

    def told() -> tuple[bool, bool, bool]:
        home, desk = said(client, "/home/auditor/", "en"), said(client, "/audit/", "en")
        told = "A check has found something", "Something is not as it was", "Not everything is proved yet"
        return told[0] in home, told[1] in desk, told[2] in desk

    ended = timezone.localtime(VerifyRun.objects.get().ended_at, ZoneInfo(floor.house.time_zone))
    assert f"accounts agree. As of {ended:%d.%m.%Y %H:%M:%S}." in said(client, "/home/auditor/", "en")
    found, put_right = (True, True, False), (False, False, True)
    assert told() == found
    approved_correction(floor, round_id, royal("d"))
    assert told() == put_right
    approved_correction(floor, round_id, dull())
    assert told() == found
    floor.cancel(slip, "unpaid")
    assert told() == put_right


@world(paid_late)
def test_doubted_awards_are_found_by_their_own_index(floor: Late) -> None:
    """However many prizes were awarded besides, of which none is doubted so."""
    with CaptureQueriesContext(connection) as queries:
        assert slips_doubted(house_id=floor.house.pk) == []
    [asked] = queries.captured_queries
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {asked['sql']}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Index Scan using award_of_meter on jackpot_award" in plan, plan


@world(paid_late)
def test_hit_says_what_was_entered_and_that_its_round_was_corrected_since(floor: Late, settings: Any) -> None:
    plain_settings(settings)
    client = people.signed_in(people.make(floor.house, "vera.c", "auditor", language="en"))
    hit = f"/audit/hits/{Slip.objects.get(number=2).award.hit_id}/"
    before = said(client, hit, "en")
    assert (before.count("claims the meter"), before.count("Its cards were not entered.")) == (2, 0)
    checklist = before.partition("Checklist")[2].partition("Split")[0]
    approved_correction(floor, floor.rounds[1], dull())
    after = said(client, hit, "en")
    assert after.partition("Checklist")[2].partition("Split")[0] == checklist
    told = "claimed the meter, and does not by its newest result"
    assert (after.count("claims the meter"), after.count(told)) == (1, 1)
