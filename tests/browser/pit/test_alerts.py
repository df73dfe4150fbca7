"""Every kind of alert on the board: its words, the way to where it is mended, and that it stays until somebody has seen it.

They stand as `casino.pit.alerts.alerts_derive` would have raised them
(by its cause each is raised in tests/casino/pit/test_causes.py); the meter that comes near its cap does so here too.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from casino.pit.alert_rules import CONDITIONS
from casino.pit.alerts import alerts_derive
from casino.pit.models import Alert
from casino.text.alerts import ALERTS
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.schema import Posted
from tests.browser.hit_house import HitHouse
from tests.browser.people import be
from tests.jackpot.linked import dull, royal

pytestmark = pytest.mark.browser
NewPage = Callable[..., Page]
SINCE = {"since": "2026-11-21T12:14:05+00:00"}  # the same day in every zone that the tests' houses may have


class Case(NamedTuple):
    """How an alert of a kind looks on the board, and where its link leads: an address, or a heading of the panel."""

    title: str
    text: str
    link: str
    sees: str


CASES = {
    "jackpot_claimed": Case("UTH 1: Jackpotgewinn gemeldet", "Box 4, Gast 7", "#step-claimed", "UTH 1, Box 1"),
    "tablet_offline": Case("UTH 1: Tablet offline", "seit dem 21.11., ", "/floor/tables/", "UTH 1"),
    "tablet_unstored": Case(
        "UTH 1: Tablet nicht bereit für einen Ausfall", "«Tablet» hat seine Seite nicht", "/floor/tables/", "UTH 1"
    ),
    "draining_silent": Case("UTH 2: Runde hält den Jackpot auf", "Ein Gewinn wartet seit", "/floor/rounds/", "UTH 2"),
    "display_unconfirmed": Case("Progressive: Anzeige bestätigt nicht", "«Eingang»", "#step-gated", "Anzeigen"),
    "jackpot_stands": Case("Progressive: Jackpot kommt nicht weiter", "ValueError", "#room-head", "Progressive"),
    "hit_waits": Case(
        "Progressive: Treffer wartet auf die Aufsicht", "Keine Gewinnmeldung", "#step-verified", "Ablehn"
    ),
    "display_offline": Case(
        "Progressive: Anzeige dunkel", "«Eingang»", "#room-displays", "Anzeigen, auf die die Tische warten"
    ),
    "pace_off": Case("UTH 1: Ungewöhnliches Tempo", "3 pro Stunde", "/floor/tables/", "UTH 1"),
    "cap_near": Case(
        "Progressive: Jackpotstand nahe der Obergrenze", "CHF 10’500.00", "#course", "Der Jackpotstand in dieser Epoche"
    ),
    "audit_failing": Case("Die Bücher stimmen nicht", "balance", "", ""),
    "too_many_coins": Case("UTH 1: Zu viele Runden mit Jackpot-Einsatz", "151", "/floor/tables/", "UTH 1"),
    "lock_withdrawn": Case("UTH 1: «Nichts geht mehr» zurückgezogen", "12 s", "/floor/rounds/", "UTH 1"),
    "rejected_again": Case(
        "Progressive: Zweimal nacheinander abgelehnt", "Reto Caduff", "#step-approved", "Auszahlung"
    ),
    "sign_in_anew": Case("Anmeldung neu gesetzt", "Reto Caduff, von Laura Bernasconi", "", ""),
    "rake_below": Case("UTH 1: Taxe unter dem Aushang", "CHF 5.00", "/floor/tables/", "UTH 1"),
    "entry_unbooked": Case("UTH 1: Buy-in oder Trinkgeld nicht gebucht", "CHF 200.00", "/floor/tables/", "UTH 1"),
    "difference_open": Case("UTH 1: Differenz zu klären", "CHF −30.00", "/floor/tables/", "UTH 1"),
    "tray_short": Case("UTH 1: Nachlage nicht eingetragen", "mehr Jetons", "/floor/tables/", "UTH 1"),
    "stacks_off": Case("UTH 1: Stack-Differenz", "CHF 8.00", "/floor/tables/", "UTH 1"),
    "chips_amiss": Case("UTH 1: Jetons gehen nicht auf", "CHF 8.00", "/floor/tables/", "UTH 1"),
    "win_unseen": Case("UTH 1: Grosser Gewinn zu prüfen", "CHF 600.00", "/floor/rounds/", "UTH 1"),
    "stake_doubted": Case("UTH 1: Runde zweifelhaft", "Runde 3: ", "/floor/rounds/", "UTH 1"),
    "feed_enrolled": Case("UTH 1: Neue Kartenquelle", "«Schlitten 2», von Reto Caduff", "/floor/tables/", "UTH 1"),
    "pins_slowed": Case("UTH 1: Falsche PINs an einem Tablet", "«Tablet»", "/floor/tables/", "UTH 1"),
    "request_expired": Case(
        "UTH 1: Antrag ohne Unterschrift abgelaufen", "Korrektur einer Runde", "/floor/rounds/", "UTH 1"
    ),
}


def raised(house: HitHouse, kind: str) -> Alert:
    """An alert of this kind as the system would have raised it in this house."""
    table, jackpot = {"table": str(house.tables[0].pk)}, {"jackpot": str(house.jackpot.pk)}
    data: dict[str, Any] = (
        {
            "tablet_offline": table | SINCE,
            "tablet_unstored": table | {"name": "Tablet"},
            "jackpot_stands": jackpot | {"error": "ValueError: no"} | SINCE,
            "hit_waits": jackpot | {"why": "untrue"} | SINCE,
            "display_unconfirmed": jackpot | {"name": "Eingang"} | SINCE,
            "display_offline": jackpot | {"name": "Eingang"} | SINCE,
            "jackpot_claimed": table
            | jackpot
            | {"box": 4, "guest": 7, "croupier": "Martina Frei", "by": "Martina Frei"},
            "pace_off": table | {"an_hour": 3, "least": 10, "most": 90},
            "cap_near": jackpot | {"cap_minor": 1_050_000},
            "audit_failing": {"audits": ["balance"]} | SINCE,
            "too_many_coins": table | jackpot | {"rounds": 151, "most": 150},
            "lock_withdrawn": table | {"number": 3, "seconds": 12},
            "rejected_again": jackpot | {"action": "jackpot.award", "before": "Laura Bernasconi", "by": "Reto Caduff"},
            "sign_in_anew": {"name": "Reto Caduff", "by": "Laura Bernasconi"} | SINCE,
            "rake_below": table | {"number": 3, "rake_minor": 500, "posted_minor": 1000},
            "chips_amiss": table | {"missing_minor": 800} | SINCE,
            "entry_unbooked": table | {"amount_minor": 200_00, "by": "Martina"} | SINCE,
            "difference_open": table | {"difference_minor": -30_00} | SINCE,
            "tray_short": table,
            "stacks_off": table | {"missing_minor": 800} | SINCE,
            "win_unseen": table | {"number": 3, "won_minor": 60_000, "people": []},
            "feed_enrolled": table | {"name": "Schlitten 2", "by": "Reto Caduff"} | SINCE,
            "pins_slowed": table | {"name": "Tablet", "people": []} | SINCE,
            "stake_doubted": table | {"number": 3, "why": "blackjack.no_ace"},
            "request_expired": table | {"action": "round.correct", "asked": SINCE["since"]},
        }[kind]
        if kind != "draining_silent"
        else {"table": str(house.tables[1].pk)} | SINCE
    )
    if kind in ("display_unconfirmed", "rejected_again"):
        house.hit(winners=1)
        house.verify_all()
    if kind == "display_unconfirmed":
        house.approve()
    elif kind == "hit_waits":
        house.false_alarm()
    elif kind == "jackpot_claimed":
        house.end(0, house.running()[0], royal())
    elif kind in ("draining_silent", "lock_withdrawn", "win_unseen", "stake_doubted", "request_expired"):
        first, second = house.running()
        data["round"] = str(second if kind == "draining_silent" else first)
    return Alert.objects.create(house=house.house, kind=kind, subject=kind, data=data)


def board(page: Page, house: HitHouse, who: str = "boss") -> None:
    be(page, getattr(house, who))
    page.goto("/pit/")
    expect(page.locator("[data-stale]")).to_be_hidden()


def one_of(page: Page, alert: Alert) -> Locator:
    return page.locator(f"#alert-{alert.pk}")


def follow(page: Page, link: Locator, case: Case) -> None:
    """The link opens the place itself: the panel of the table or round, or the control room at the part that is meant."""
    link.click()
    if case.link.startswith("/floor/"):
        panel = page.get_by_role("dialog")
        expect(panel.locator("#panel-body")).to_contain_text(case.sees)
        page.keyboard.press("Escape")
    else:
        page.wait_for_url(f"**/pit/jackpots/**{case.link}")
        place = page.locator(case.link)
        expect(place).to_be_in_viewport()
        expect(place).to_contain_text(case.sees)
        page.go_back()
        page.wait_for_url("**/pit/")


@pytest.mark.parametrize("kind", CONDITIONS)
def test_alert_is_told_leads_to_its_place_and_stays_until_it_is_acknowledged(
    new_floor_page: NewPage, kind: str
) -> None:
    house, case = HitHouse(), CASES[kind]
    alert = raised(house, kind)
    page = new_floor_page(width=1440, height=900)
    board(page, house)
    shown = one_of(page, alert)
    expect(shown).to_contain_text(case.title)
    expect(shown).to_contain_text(case.text)
    expect(shown).to_have_class(re.compile(ALERTS[kind].severity))
    link = shown.get_by_role("link")
    if case.link:
        assert case.link in (link.get_attribute("href") or "")
        follow(page, link, case)
    else:
        expect(link).to_have_count(0)  # nothing for a pit boss to mend: its words say whom to tell
    page.reload()
    expect(shown).to_be_visible()  # looked at is not acknowledged
    shown.get_by_role("button").click()
    expect(shown).to_have_count(0)
    expect(page.locator(f"#seen-{alert.pk}")).to_contain_text(case.title)
    expect(page.locator(f"#seen-{alert.pk}")).to_contain_text("Laura Bernasconi")
    alert.refresh_from_db()
    assert alert.acknowledged_by == house.boss
    assert alert.acknowledged_at is not None
    assert alert.acknowledged_at > alert.raised_at


class Capped(HitHouse):
    """Its meter, which stands at 10 000, may show 10 528 at most: 95 per cent of that are 10 001.60."""

    posted: ClassVar[dict[str, Posted]] = {"funding": replace(FundingSchedule(), cap_minor=1_052_800)}


def test_meter_that_comes_near_its_cap_is_told_by_itself(new_floor_page: NewPage) -> None:
    """From the coins on, through the system's own look at what is so, to the board of a pit boss who has it open."""
    house = Capped()
    page = new_floor_page(width=1440, height=900)
    board(page, house)
    for _ in range(2):
        house.end(0, house.start(0), dull())
    mine = page.locator("#alerts .one", has_text="Jackpotstand nahe der Obergrenze")
    expect(mine).to_have_count(0)
    alerts_derive()
    expect(mine).to_contain_text("CHF 10’528.00")
    mine.get_by_role("button").click()
    expect(page.locator("#seen")).to_contain_text("Laura Bernasconi")
    alert = Alert.objects.get(house=house.house, kind="cap_near")
    assert (alert.acknowledged_by, alert.over_at) == (house.boss, None)


def test_books_that_do_not_agree_lead_the_manager_to_the_audit_desk(new_floor_page: NewPage) -> None:
    house = HitHouse()
    alert = raised(house, "audit_failing")
    page = new_floor_page(width=1440, height=900)
    board(page, house, "manager")
    expect(one_of(page, alert).get_by_role("button")).to_have_count(0)  # the pit boss acknowledges
    one_of(page, alert).get_by_role("link").click()
    page.wait_for_url("**/audit/")


def test_alerts_are_acknowledged_by_keys_alone(new_floor_page: NewPage) -> None:
    """M goes to the first one, the worst; Enter acknowledges it; M is then at the next."""
    house = HitHouse()
    mild, bad = raised(house, "pace_off"), raised(house, "too_many_coins")
    page = new_floor_page(width=1440, height=900)
    board(page, house)
    for alert in (bad, mild):
        page.keyboard.press("m")
        expect(one_of(page, alert).get_by_role("button")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(f"#seen-{alert.pk}")).to_contain_text("Laura Bernasconi")
        expect(one_of(page, alert)).to_have_count(0)
        alert.refresh_from_db()
        assert alert.acknowledged_by == house.boss
