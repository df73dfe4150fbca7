"""The dashboard's pages: what a tile and the rail say, who may what, as many statements for twelve tables as for two."""

import html
import re
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.db import connection, transaction
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from casino.devices.models import Device
from casino.ops.models import AuditRun
from casino.people.models import Person
from casino.pit import labels as pit_labels
from casino.pit.alert_rules import AUDIT_S
from casino.pit.board import show
from casino.pit.labels import MARKS
from casino.pit.models import Alert
from casino.text.alerts import ALERTS
from jackpot.models import Claim, Hit, SignOfLife
from jackpot.services import claim_refuse, hit_reject_request
from payouts.models import Approval, Event
from payouts.services import approval_reject
from tables.selectors.floor import floor_tables
from tables.services import floor_call, table_create, table_link
from tests.casino.devices import devices
from tests.casino.people import people
from tests.casino.pit.clocks import later as time_set_on
from tests.casino.pit.desk import get, said, since, tile
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.casino.pit.room import Poor
from tests.floor import POSTED, done, stakes_for, taps
from tests.jackpot.linked import Linked, dull, royal
from tests.jackpot.lived import four_of_a_kind
from tests.turns import each
from tests.watched import watched
from tests.worlds import world

pytestmark = world(FloorDesk)


# Tiles
def test_tiles_say_how_each_table_stands(desk):
    assert tile(desk, "UTH 1")[0] == "closed"
    guests = desk.open()
    assert tile(desk, "UTH 1")[0] == "open"
    assert "Open" in tile(desk, "UTH 1")[1]
    locked = desk.lock(stakes_for(guests[:2], coins=1))
    classes, text = tile(desk, "UTH 1")
    assert classes == "running"
    assert "Round running" in text
    assert "7 of 7 boxes occupied, coin on: 1" in text
    desk.settle(locked["id"], taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"}))
    assert "+120" in tile(desk, "UTH 1")[1]


def test_result_of_a_table_follows_a_correction(desk):
    """What was read once is read again as soon as a round says something else (floor_results)."""
    guests = desk.open()
    results = lambda: [one.result_minor for one in floor_tables(house_id=desk.house.pk) if one.name == "UTH 1"]  # noqa: E731
    locked = desk.lock(stakes_for(guests[:1]))
    desk.settle(locked["id"], taps(b1={"play": 4, "result": "lose"}))
    lost = results()
    desk.correct(locked["id"], taps(b1={"result": "fold"}))
    folded = results()
    assert (lost[0] > folded[0] > 0, results()) == (True, folded)


def test_worst_mark_comes_first(desk):
    desk.open()
    tablet, _ = devices.enrol(desk.table, desk.tim)
    assert tile(desk, "UTH 1")[0] == "open"
    with transaction.atomic():
        Device.objects.filter(pk=tablet.pk).update(last_seen_at="2020-01-01T00:00Z")
    classes, text = tile(desk, "UTH 1")
    assert (classes, "Offline" in text) == ("open marked warn", True)
    done(floor_call, house_id=desk.house.pk, table_id=desk.table.pk, actor_id=desk.martina.pk, reason="dispute")
    classes, text = tile(desk, "UTH 1")
    assert classes == "open marked alarm"
    assert text.index("Dispute") < text.index("Offline")


def test_groups_by_pit_or_by_game_and_totals(desk):
    desk.open()
    page = words(get(desk).content.decode())
    assert "Pit 1 2 tables · 1 open" in page
    assert "Ultimate Texas Hold’em 2 tables" in words(get(desk, path="?by=game").content.decode())
    assert "Open tables 1 / 2" in said(get(desk).content.decode())


def test_board_is_not_sent_twice(desk):
    first = get(desk, path="board/")
    again = get(desk, path="board/", status=304, **{"if-none-match": first["ETag"]})
    assert again.content == b""
    assert again["X-Board-At"] > first["X-Board-At"]
    desk.open()
    get(desk, path="board/", **{"if-none-match": first["ETag"]})


def test_board_of_a_running_round_is_not_sent_twice(desk):
    """Its running time is the browser's own: what is sent says since when, and that does not move."""
    guests = desk.open()
    desk.lock(stakes_for(guests[:1]))
    first = get(desk, path="board/")
    get(desk, path="board/", status=304, **{"if-none-match": first["ETag"]})


def test_figures_of_the_day_come_with_every_board(desk):
    assert "Open tables 0 / 2 Rounds today 0 Result today –" in said(get(desk, path="board/").content.decode())
    guests = desk.open()
    locked = desk.lock(stakes_for(guests[:1]))
    desk.settle(locked["id"], taps(b1={"play": 4, "result": "lose"}))
    assert "Open tables 1 / 2 Rounds today 1 Result today CHF +90" in said(get(desk, path="board/").content.decode())


def test_a_tile_is_drawn_again_only_when_it_looks_otherwise(desk, monkeypatch):
    names: list[str] = []

    def draw(name: str, context: dict) -> str:
        names.append(context["one"].name)
        return render_to_string(name, context)

    monkeypatch.setattr(show, "render_to_string", draw)

    def shown(language: str = "en") -> str:
        with translation.override(language):
            groups = show.board(desk.house, desk.people["boss"]).groups
            return said("".join(one.html for group in groups for one in group.tiles))

    guests = desk.open()
    assert "Open" in shown()
    assert shown() == shown()
    assert names == ["UTH 1", "UTH 2"]
    assert "Offen" in shown("de")
    assert names == ["UTH 1", "UTH 2"] * 2
    desk.lock(stakes_for(guests[:1]))
    assert "Round running" in shown()
    assert names == ["UTH 1", "UTH 2"] * 2 + ["UTH 1"]


def test_result_of_a_round_is_read_from_the_books_once(desk):
    guests = desk.open()
    counted = []
    for _ in range(2):
        desk.settle(desk.lock(stakes_for(guests[:1]))["id"], taps(b1={"play": 4, "result": "lose"}))
        for _ in range(2):
            with CaptureQueriesContext(connection) as queries:
                results = [one.result_minor for one in floor_tables(house_id=desk.house.pk)]
            counted.append((len(queries), results))
    assert counted == [(2, [9000, None]), (1, [9000, None]), (2, [18000, None]), (1, [18000, None])]


def test_as_many_statements_for_twelve_tables_as_for_two(desk):
    counted = []
    for last in (2, 12):
        for number in range(3, last + 1):
            values = {"pit_id": desk.pit.pk, "game": "uth", "boxes": 7, "posted": POSTED, "position": number}
            table = done(table_create, house_id=desk.house.pk, **values, name=f"UTH {number}")
            done(
                table_link, house_id=desk.house.pk, table_id=table.pk, jackpot_id=desk.jackpot.pk, actor_id=desk.tim.pk
            )
            desk.open(table, people.make(desk.house, f"d.{number}", "croupier"))
            Alert.objects.create(house=desk.house, kind="tablet_offline", subject=str(table.pk), data=since(table))
        if last == 2:
            desk.open()
            desk.open(desk.other, desk.nora)
            Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=since(desk.table))
        with CaptureQueriesContext(connection) as queries:
            show.board(desk.house, desk.people["boss"])
        counted.append(len(queries))
    assert counted[0] == counted[1]
    assert counted[0] <= 20


@each("kind", MARKS)
def test_table_of_an_alert_stands_out_until_it_is_over(desk, kind):
    """“Exceptions only” shows no table that is not marked: who is told to stop a table must find it there."""
    desk.open()
    assert tile(desk, "UTH 1")[0] == "open"
    data = since(desk.table) | {"rounds": 151, "most": 150, "an_hour": 3, "least": 10, "number": 7, "seconds": 12}
    data |= {
        "action": "round.correct",
        "asked": data["since"],
        "by": "Tim",
        "before": "Tom",
        "won_minor": 60_000,
        "rake_minor": 500,
        "posted_minor": 1_000,
        "missing_minor": 800,
        "amount_minor": 200_00,
        "difference_minor": -30_00,
        "name": "Shoe 2",
    }
    alert = Alert.objects.create(house=desk.house, kind=kind, subject="x", data=data)
    classes, text = tile(desk, "UTH 1")
    assert (classes, MARKS[kind] in text) == (f"open marked {ALERTS[kind].severity}", True)
    desk.clients["boss"].post(f"/pit/alerts/{alert.pk}/acknowledge/")
    assert tile(desk, "UTH 1")[0] == f"open marked {ALERTS[kind].severity}"  # seen, and still so
    Alert.objects.filter(pk=alert.pk).update(over_at=Now())
    assert tile(desk, "UTH 1")[0] == "open"


def test_open_table_whose_only_tablet_was_revoked_stands_out(desk):
    desk.open()
    tablet, _ = devices.enrol(desk.table, desk.tim)
    revoked = {"revoked_by": desk.tim, "revoked_reason": "stolen"}
    Device.objects.filter(pk=tablet.pk).update(revoked_at=Now(), **revoked)
    assert tile(desk, "UTH 1")[0] == "open"  # there is a moment to put another one there
    with time_set_on(60):
        classes, text = tile(desk, "UTH 1")
    assert (classes, "Offline" in text) == ("open marked warn", True)


# What waits
def test_alert_is_acknowledged_by_the_pit_and_by_nobody_else(desk):
    alert = Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=since(desk.table))
    assert "UTH 1: Tablet offline" in words(get(desk).content.decode())
    for who in ("manager", "auditor", "watch", "tech"):
        assert "data-post" not in get(desk, who).content.decode()  # no act that he may not do
        assert desk.clients[who].post(f"/pit/alerts/{alert.pk}/acknowledge/").status_code == 403
    for _ in range(2):
        assert desk.clients["boss"].post(f"/pit/alerts/{alert.pk}/acknowledge/").status_code == 200
    assert desk.clients["second"].post(f"/pit/alerts/{alert.pk}/acknowledge/").status_code == 200
    alert.refresh_from_db()
    assert alert.acknowledged_by == desk.people["boss"]
    assert Event.objects.filter(name="alert.acknowledged").count() == 1
    page = words(get(desk).content.decode())
    assert "Acknowledged, still on 1" in page
    assert desk.clients["boss"].post("/pit/alerts/999999/acknowledge/").status_code == 404


def test_what_is_over_stands_below_what_is_so_and_waits_on_no_start_page(desk):
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])
    data = since(desk.table) | {"audits": ["entries_sum"]}
    past = Alert.objects.create(house=desk.house, kind="audit_failing", subject="x", data=data)  # the worse of the two
    Alert.objects.filter(pk=past.pk).update(over_at=Now())
    now = Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=data)
    page = get(desk, path="board/").content.decode()
    sections = re.findall(r'<section class="waits-group" id="(alerts|past)">(.*?)</section>', page, re.DOTALL)
    shown = [(name, re.findall(r'<article class="one (\w*)" id="alert-(\d+)"', text)) for name, text in sections]
    assert shown == [("alerts", [("warn", str(now.pk))]), ("past", [("", str(past.pk))])]
    assert "Over, not acknowledged 1 UTH 1: The books do not agree" in said(page)
    home = words(desk.clients["manager"].get("/home/manager/", headers={"accept-language": "en"}).content.decode())
    assert "What waits 1 As of" in home
    assert ("UTH 1: Tablet offline" in home, "The books do not agree" in home) == (True, False)


@each("kind", ALERTS)
def test_every_kind_of_alert_is_said_in_words(desk, kind):
    data = since(desk.table) | {"jackpot": str(desk.jackpot.pk), "name": "Entrance", "rounds": 151, "most": 150}
    data |= {"an_hour": 3, "least": 10, "cap_minor": 2_000_000, "won_minor": 60_000, "audits": ["entries_sum"]}
    data |= {"rake_minor": 500, "posted_minor": 1_000, "missing_minor": 800, "amount_minor": 200_00}
    data |= {"difference_minor": -30_00}
    data |= {"number": 7, "seconds": 12}
    data |= {"action": "round.correct", "asked": data["since"], "error": "ValueError: no", "by": "Tim", "before": "Tom"}
    if kind == "draining_silent":
        data["round"] = str(uuid4())
    Alert.objects.create(house=desk.house, kind=kind, subject="x", data=data)
    page = words(get(desk).content.decode())
    assert str(ALERTS[kind].title) in page
    assert "%(" not in page


def test_board_says_itself_that_nobody_raises_alerts(desk):
    """No alert can say that: who would raise it does not run (here: none has ever)."""
    assert "Nobody looks for alerts" not in words(get(desk).content.decode())
    watched(for_s=-44)
    first = get(desk, path="board/")
    watched(for_s=-46)
    late = get(desk, path="board/", **{"if-none-match": first["ETag"]}).content.decode()
    assert "Nobody looks for alerts" in said(late)
    assert "No alert." not in said(late)
    assert 'id="unwatched-alerts"' in late
    assert "data-post" not in late.partition('id="unwatched-alerts"')[2].partition("</article>")[0]
    assert "Nobody looks for alerts" in words(get(desk, path="hand-over/").content.decode())
    home = desk.clients["manager"].get("/home/manager/", headers={"accept-language": "en"})
    assert "Nobody looks for alerts" in words(home.content.decode())


@world(Linked)
def test_board_says_that_nobody_has_ever_raised_alerts(floor: Linked):
    boss = people.signed_in(people.make(floor.house, "boss.linked", "pit_boss"))
    assert not SignOfLife.objects.exists()
    assert "Nobody looks for alerts" in words(boss.get("/pit/", headers={"accept-language": "en"}).content.decode())


def test_check_of_the_books_does_not_stay_green_for_ever(desk):
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])
    assert re.search(r'<li class="ok">(?:(?!</li>).)*Books agree', get(desk).content.decode(), re.S)
    with time_set_on(AUDIT_S + 1):
        page = get(desk, path="board/").content.decode()
    assert re.search(r'<li class="warn">(?:(?!</li>).)*The books are not being checked; they agreed last', page, re.S)
    assert "Books agree" not in page


def correction_asked(desk):
    """A result that the boss wants put right, and somebody else has to sign."""
    guests = desk.open()[:1]
    locked = desk.lock(stakes_for(guests))
    desk.settle(locked["id"], taps(b1={"play": 4, "result": "lose"}))
    path = f"rounds/{locked['id']}/correct/"
    desk.post("boss", path, reason="Box 1 had won", play__1="4", result__1="win", hand__1="flush")


def test_request_says_until_when_it_can_be_signed(desk):
    correction_asked(desk)
    until = timezone.localtime(Approval.objects.get().expires_at, ZoneInfo(desk.house.time_zone))
    assert f"To be signed by {until:%H:%M}." in words(get(desk).content.decode())
    with timezone.override(ZoneInfo(desk.house.time_zone)):
        told = pit_labels.moment_text("until", until)  # with the day where it is another one
    assert told in words(get(desk, path="hand-over/").content.decode())


def test_audits_that_stand_still_say_so(desk):
    data = {"audits": [], "since": "2026-11-21T22:14:05+00:00"}
    Alert.objects.create(house=desk.house, kind="audit_failing", subject="audit", data=data)
    assert "was the last one: nobody checks the books" in words(get(desk).content.decode())


def test_call_of_a_table_is_seen_to(desk):
    desk.open()
    done(floor_call, house_id=desk.house.pk, table_id=desk.table.pk, actor_id=desk.martina.pk, reason="chips")
    assert "Floor called: Chips" in words(get(desk).content.decode())
    address = f"/pit/calls/{desk.table.pk}/seen-to/"
    assert desk.clients["manager"].post(address, {"key": str(uuid4())}).status_code == 403
    assert desk.clients["boss"].post(address, {"key": "x"}).status_code == 400
    assert desk.clients["boss"].post(address, {"key": str(uuid4())}).status_code == 200
    assert "Floor called" not in words(get(desk).content.decode())
    desk.post("boss", f"tables/{desk.table.pk}/close/")
    assert desk.clients["boss"].post(address, {"key": str(uuid4())}).status_code == 409


def test_who_takes_a_call_is_named_and_its_alarm_is_silent(desk):
    desk.open()
    done(floor_call, house_id=desk.house.pk, table_id=desk.table.pk, actor_id=desk.martina.pk, reason="chips")
    page = words(get(desk).content.decode())
    assert "I am coming" in page
    assert tile(desk, "UTH 1")[0] == "open marked alarm"
    address = f"/pit/calls/{desk.table.pk}/take/"
    assert desk.clients["manager"].post(address, {"key": str(uuid4())}).status_code == 403
    for who in ("boss", "second"):
        assert desk.clients[who].post(address, {"key": str(uuid4())}).status_code == 200
    page = words(get(desk).content.decode())
    assert "Name boss.floor is coming, " in page  # who came first
    assert "I am coming" not in page
    assert "Seen to" in page
    assert tile(desk, "UTH 1")[0] == "open marked warn"
    assert 'class="one warn" id="call-' in get(desk, path="board/").content.decode()  # what has no alarm makes no sound


def test_correction_waits_for_who_may_sign_it(desk):
    correction_asked(desk)
    mine, other = (words(get(desk, who).content.decode()) for who in ("boss", "second"))
    assert "Box 1 had won" in mine
    assert "Somebody else signs this." in mine
    assert "Somebody else signs this." not in other
    assert tile(desk, "UTH 1")[0] == "open marked appr"


@world(Linked, displays=2)
def test_jackpot_says_what_it_waits_for_and_whether_the_books_agree(linked: Linked):
    boss = people.signed_in(people.make(linked.house, "boss.linked", "pit_boss"))
    page = lambda: words(boss.get("/pit/", headers={"accept-language": "en"}).content.decode())  # noqa: E731
    assert "0 of 2 displays are lit Not started yet: Display 1, Display 2" in page()
    linked.heard(linked.displays[0])
    assert "1 of 2 displays are lit Not started yet: Display 2" in page()
    linked.heard(linked.displays[1])
    with time_set_on(60):
        assert "0 of 2 displays are lit: dark Display 1, Display 2" in page()
    assert "The books were not checked yet." in page()
    AuditRun.objects.create(seconds=1, ok=True, breaches=[])
    assert "Books agree" in page()
    first, second = linked.start(0), linked.start(1)
    linked.end(0, first, royal())
    assert "Rounds that still run: UTH 2." in page()
    linked.end(1, second, dull())
    linked.advance()
    assert "1 claim is to be looked at." in page()
    linked.verify_all()
    assert "Progressive · Payment of the jackpot" in page()
    linked.approve()
    assert "0 of 2 displays confirmed: waiting for Display 1, Display 2" in page()


@world(Poor, displays=1)
def test_jackpot_says_why_it_does_not_go_on(linked: Poor):
    """The same three sentences as in its control room: turned down, no true claim, below zero."""
    boss = people.signed_in(people.make(linked.house, "boss.linked", "pit_boss"))
    Person.objects.filter(pk=linked.bea.pk).update(full_name="Beatrice Zumstein")

    def stuck() -> list[str]:
        pages = [boss.get(path, headers={"accept-language": "en"}).content.decode() for path in ("/pit/", room)]
        told = re.findall(r'<li class="alarm">(.*?)</li>', pages[0])
        assert [one for one in told if said(one).strip() not in said(pages[1])] == []
        return [said(one).strip() for one in told]

    room = f"/pit/jackpots/{linked.jackpot.pk}/"
    first, second = linked.start(0), linked.start(1)
    linked.end(0, first, royal())
    linked.end(1, second, dull())
    linked.advance()
    linked.verify_all()
    assert stuck() == []
    values = {"approval_id": linked.asked().pk, "house_id": linked.house.pk, "person_id": linked.bea.pk}
    done(approval_reject, **values, person_roles=linked.bea.roles, reason="the camera shows a jack")
    assert stuck() == ["Beatrice Zumstein has rejected the payment: the camera shows a jack."]
    ids = {"house_id": linked.house.pk, "person_id": linked.reto.pk}
    done(claim_refuse, **ids, claim_id=Claim.objects.get().pk, reason="a misread card")
    untrue = "No claim is true: the hit is rejected by another person's signature, and the meter stays."
    assert [html.unescape(one) for one in stuck()] == [untrue]
    done(hit_reject_request, **ids, hit_id=Hit.objects.get().pk, reason="a misread card")
    assert stuck() == []


@world(Poor, displays=1)
def test_jackpot_below_zero_says_so(linked: Poor):
    boss = people.signed_in(people.make(linked.house, "boss.linked", "pit_boss"))
    first, second = linked.start(0), linked.start(1)
    linked.end(0, first, royal())
    linked.end(1, second, four_of_a_kind())
    linked.advance()
    page = words(boss.get("/pit/", headers={"accept-language": "en"}).content.decode())
    assert "The meter is CHF 398.00 below zero: it paid more prizes than it held, and cannot be split." in page


def test_a_number_that_no_alert_can_have_is_refused(desk):
    response = desk.clients["boss"].post(f"/pit/alerts/{2**63}/acknowledge/", {})
    assert (response.status_code, response.json()["code"]) == (400, "data.refused")
