"""A shift is handed over: with what is open, as the page showed it, a moment ago."""

import html
import re
from datetime import timedelta
from uuid import uuid4

import time_machine
from django.db.models.functions import Now
from django.utils import timezone

from casino.people.models import Person
from casino.pit.board import shift
from casino.pit.board.shift import SEEN_S
from casino.pit.models import Alert, ShiftHandOver
from casino.text.formats import format_money
from jackpot.models import Award
from payouts.models import Event
from tests.casino.people import people
from tests.casino.pit.desk import PACE, get, since
from tests.casino.pit.floor.floor_desk import FloorDesk, words
from tests.cast import make_house
from tests.jackpot.linked import Linked
from tests.watched import watched
from tests.worlds import world

pytestmark = world(FloorDesk)


def take(desk: FloorDesk, who: str, seen: int, status: int = 302, note: str = "", shown: str | None = None):
    if shown is None:
        shown = sealed(get(desk, who, path="hand-over/"))
    data = {"key": str(uuid4()), "seen": str(seen), "note": note, "shown": shown}
    response = desk.clients[who].post("/pit/hand-over/take/", data, headers={"accept-language": "en"})
    assert response.status_code == status
    page = response.content.decode()
    assert 'name="seen"' not in page or f'name="seen" value="{ShiftHandOver.objects.count()}"' in page  # as it is now
    return words(page)


def test_shift_is_taken_over_with_what_is_open(desk):
    assert "Nothing is open." in words(get(desk, path="hand-over/").content.decode())
    take(desk, "boss", 0, note="quiet")
    Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=since(desk.table))
    assert "Somebody has just taken" in take(desk, "second", 0, 409)
    assert "You have the shift already." in take(desk, "boss", 1, 409)
    take(desk, "second", 1)
    newest = ShiftHandOver.objects.get(number=2)
    assert (newest.given_by, newest.taken_by) == (desk.people["boss"], desk.people["second"])
    assert [one["place"][:21] for one in newest.was_open] == ["UTH 1: Tablet offline"]
    page = words(get(desk, path="hand-over/").content.decode())
    assert "1 matter was handed over" in page
    assert f"from {desk.people['boss'].full_name}" in page
    assert "Take over" not in words(get(desk, "manager", path="hand-over/").content.decode())
    assert desk.clients["manager"].post("/pit/hand-over/take/").status_code == 403


def sealed(page) -> str:
    """What the form of the page hands back as shown."""
    found = re.search(r'name="shown" value="([^"]*)"', page.content.decode())
    return html.unescape(found[1]) if found else ""


def test_hand_over_keeps_what_was_shown_and_not_what_came_since(desk):
    Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=since(desk.table))
    shown = sealed(get(desk, path="hand-over/"))
    Alert.objects.create(house=desk.house, kind="pace_off", subject="x", data=since(desk.other) | PACE)
    take(desk, "boss", 0, shown=shown)
    kept = ShiftHandOver.objects.get().was_open
    assert [one["place"][:21] for one in kept] == ["UTH 1: Tablet offline"]
    assert "UTH 2: Unusual pace" in words(get(desk, path="hand-over/").content.decode())


def test_hand_over_takes_nothing_but_what_the_page_showed_a_moment_ago(desk):
    old = sealed(get(desk, path="hand-over/"))
    refused = "What you saw is too old"
    for wrong in ("", "x", old[:-1] + ("A" if old[-1] != "A" else "B")):
        assert refused in take(desk, "boss", 0, 409, shown=wrong)
    with time_machine.travel(timezone.now() + timedelta(seconds=SEEN_S + 1), tick=False):
        assert refused in take(desk, "boss", 0, 409, shown=old)
    take(desk, "boss", 0, shown=old)
    assert refused in take(desk, "second", 1, 409, shown=old)  # of the shift before
    assert ShiftHandOver.objects.count() == 1


@world(Linked, displays=1)
def test_hand_over_tells_what_was_acknowledged_and_is_still_so_and_what_is_to_be_paid(linked: Linked):
    watched()
    person = people.make(linked.house, "boss.linked", "pit_boss")
    Person.objects.filter(pk=person.pk).update(full_name="Laura Bernasconi")
    boss = people.signed_in(person)
    assert linked.win(0, 1) == "open"
    data = {"jackpot": str(linked.jackpot.pk), "name": "Entrance", "since": "2026-11-21T22:14:05+00:00"}
    dark = Alert.objects.create(house=linked.house, kind="display_offline", subject="x", data=data)
    assert boss.post(f"/pit/alerts/{dark.pk}/acknowledge/").status_code == 200
    page = words(boss.get("/pit/hand-over/", headers={"accept-language": "en"}).content.decode())
    assert re.search("Alert, acknowledged Progressive: Display dark: .*“Entrance” since .* · Laura Bernasconi", page)
    won = sum(Award.objects.filter(house=linked.house).values_list("amount_minor", flat=True))
    money = format_money(won, "CHF", linked.house.locale).replace("\xa0", " ")
    assert f"Slip to be paid Progressive: 2 slips, {money}" in page


def test_hand_over_lists_what_was_acknowledged_in_this_shift(desk):
    """Those of this shift alone, over or not, each with its words, who and when; of more than fifty it says so."""

    def seen_by_boss(subject: str) -> Alert:
        one = Alert.objects.create(house=desk.house, kind="tablet_offline", subject=subject, data=since(desk.table))
        assert desk.clients["boss"].post(f"/pit/alerts/{one.pk}/acknowledge/").status_code == 200
        return one

    before = seen_by_boss("before")
    Alert.objects.filter(pk=before.pk).update(over_at=Now())
    assert "Alerts acknowledged in this shift" in get(desk, path="hand-over/").content.decode()  # the first one's
    take(desk, "second", 0)
    assert "acknowledged in this shift" not in get(desk, path="hand-over/").content.decode()
    over = seen_by_boss("over")
    Alert.objects.filter(pk=over.pk).update(over_at=Now())
    seen_by_boss("stands")
    listed = words(get(desk, path="hand-over/").content.decode().partition('id="acknowledged"')[2])
    assert "2 alerts" in listed
    stands, past = "Nothing has been heard of it since ", "Nothing had been heard of it since "
    assert re.findall(f"UTH 1: Tablet offline ({stands}|{past})", listed) == [stands, past]  # the newest first
    name = desk.people["boss"].full_name
    assert listed.index(f"{name} · not over") < listed.index(f"{name} · over since ")
    assert "These are the last ones" not in listed
    for number in range(shift.ACKNOWLEDGED - 1):
        seen_by_boss(f"n{number}")
    listed = words(get(desk, path="hand-over/").content.decode().partition('id="acknowledged"')[2])
    assert f"{shift.ACKNOWLEDGED} alerts" in listed
    assert "These are the last ones" in listed


def test_earlier_hand_overs_are_read(desk):
    for number in range(12):
        Alert.objects.create(
            house=desk.house, kind="tablet_offline", subject=f"n{number}", data=since(desk.table)
        ) if number == 0 else None
        take(desk, ("boss", "second")[number % 2], number, note=f"night {number}")
    page = get(desk, path="hand-over/").content.decode()
    assert re.findall(r'id="hand-over-(\d+)"', page) == [str(number) for number in range(11, 1, -1)]
    assert "night 10" in page
    assert "UTH 1: Tablet offline" in page.partition('id="earlier"')[2]
    assert 'href="/pit/hand-over/?before=2"' in page
    page = get(desk, path="hand-over/?before=2").content.decode()
    assert re.findall(r'id="hand-over-(\d+)"', page) == ["1"]
    assert "Older ones" not in page
    get(desk, path="hand-over/?before=x", status=404)


def test_what_was_open_is_told_in_the_language_of_who_reads(desk):
    """An alert is kept as what it is, not as the words of who took over; what older hand-overs kept as words stays so."""
    data = since(desk.table) | {"since": "2026-11-21T12:14:05+00:00"}  # the same day wherever the house lies
    Alert.objects.create(house=desk.house, kind="tablet_offline", subject="x", data=data)
    take(desk, "boss", 0)
    read = desk.clients["boss"].get("/pit/hand-over/", headers={"accept-language": "fr"}).content.decode()
    listed = words(read[read.index("<details>") :])
    assert "Alerte · UTH 1 : Tablette hors ligne : Plus de nouvelles depuis le 21.11." in listed
    rows = [{"what": "Alert", "place": "UTH 1: as it was", "since": "2026-11-21T22:14:05+00:00"}]
    then = shift.OpenThing("Alert", "UTH 1: as it was", "2026-11-21T22:14:05+00:00")
    assert shift.was_open(rows, desk.house) == [then]


def ended(desk: FloorDesk, subject: str, kind: str = "tablet_offline", **data) -> Alert:
    """An alert about the first table that is over, which nobody has acknowledged."""
    of = since(desk.table) | {"since": "2026-11-21T12:14:05+00:00"} | data
    alert = Alert.objects.create(house=desk.house, kind=kind, subject=subject, data=of)
    Alert.objects.filter(pk=alert.pk).update(over_at=Now())
    alert.refresh_from_db()
    return alert


def listed_over(page: str) -> tuple[str, str]:
    """What the page lists as open and as over."""
    open_part, _, rest = page.partition('id="over"')
    return words(open_part), words(rest.partition("</section>")[0])


def acknowledge_listed(desk: FloorDesk, listed: str, status: int = 302, who: str = "boss", key: str = "") -> str:
    data = {"key": key or str(uuid4()), "alerts": listed}
    response = desk.clients[who].post("/pit/hand-over/acknowledge/", data, headers={"accept-language": "en"})
    assert response.status_code == status
    return words(response.content.decode())


def test_what_is_over_is_listed_as_over_with_its_end_and_in_the_past(desk):
    over = ended(desk, "x")
    is_open, is_over = listed_over(get(desk, path="hand-over/").content.decode())
    assert "Tablet offline" not in is_open
    assert "Nothing is open." in is_open
    assert re.search(
        r"\d\d:\d\d(:\d\d)? \d\d:\d\d(:\d\d)? UTH 1: Tablet offline: Nothing had been heard of it since 21\.11\., \S+ ",
        is_over,
    ), is_over
    take(desk, "boss", 0)
    (row,) = ShiftHandOver.objects.get().was_open
    assert (row["code"], row["over"]) == ("over", over.over_at.isoformat())
    read = desk.clients["second"].get("/pit/hand-over/", headers={"accept-language": "de"}).content.decode()
    (then,) = re.findall(r"\S+ – \S+ Meldung, vorbei · UTH 1: Tablet offline: [^.]+\.11\.[^.]+\.", words(read))
    assert then.endswith("nicht mehr gemeldet.")


def test_all_that_is_over_is_acknowledged_in_one_act_and_nothing_else(desk):
    first = ended(desk, "x")
    second = ended(desk, "y", "pace_off", **PACE)
    own = ended(desk, "z", "win_unseen", number=3, won_minor=60_000, people=[str(desk.people["boss"].pk)])
    page = get(desk, path="hand-over/").content.decode()
    (listed,) = re.findall(r'name="alerts" value="([^"]*)"', page)
    assert listed.split() == [str(first.pk), str(second.pk)]
    assert "another person acknowledges" in listed_over(page)[1]
    later = ended(desk, "since")  # while the page stood there
    before = Event.objects.filter(name="alert.acknowledged").count()
    key = str(uuid4())
    acknowledge_listed(desk, listed, key=key)
    acknowledge_listed(desk, listed, key=key)  # the same again
    acknowledge_listed(desk, listed, who="second")  # and who comes second changes nothing
    events = Event.objects.filter(name="alert.acknowledged").order_by("pk")[before:]
    boss = desk.people["boss"].pk
    assert [(event.subject_id, event.actor_id) for event in events] == [(str(first.pk), boss), (str(second.pk), boss)]
    waiting = Alert.objects.filter(acknowledged_at=None).values_list("pk", flat=True)
    assert sorted(waiting) == [own.pk, later.pk]
    assert 'name="alerts"' not in get(desk, "manager", path="hand-over/").content.decode()  # who acknowledges nothing


def test_none_is_acknowledged_where_one_may_not_be(desk):
    over = ended(desk, "x")
    own = ended(desk, "z", "win_unseen", number=3, won_minor=60_000, people=[str(desk.people["boss"].pk)])
    stands = Alert.objects.create(house=desk.house, kind="tablet_offline", subject="on", data=since(desk.table))
    abroad = Alert.objects.create(house=make_house("Elsewhere"), kind="tablet_offline", subject="x", data={})
    Alert.objects.filter(pk=abroad.pk).update(over_at=Now())
    unknown = "There is no such alert."
    for pk, sentence in (
        (own.pk, "You have entered or dealt what this alert is about."),
        (stands.pk, unknown),
        (abroad.pk, unknown),
        (2**63, unknown),
        ("x", unknown),
        ("²", unknown),
    ):
        assert sentence in acknowledge_listed(desk, f"{over.pk} {pk}", 403 if pk == own.pk else 404), pk
    assert not Alert.objects.exclude(acknowledged_at=None).exists()
    assert desk.clients["manager"].post("/pit/hand-over/acknowledge/").status_code == 403
