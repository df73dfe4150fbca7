"""The floor's pages: a table from opening to closing, what each tile says, who may what, few queries, refusals in words."""

import re
from dataclasses import replace
from unittest.mock import patch
from uuid import uuid4

from django.db import connection, transaction
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from casino.pit.floor import show
from casino.pit.floor.views import SHOWN
from payouts.models import Event
from tables.errors import RoundRunning
from tables.models import Guest, Pit, ReviewItem, Round, Table, TableSession
from tables.selectors.floor import floor_tables
from tables.services import review_item_record, table_create
from tables.services.review import entries
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.cast import make_house
from tests.floor import POSTED, Floor, done, stakes_for, taps
from tests.turns import each
from tests.worlds import world

READERS = {"boss", "second", "manager", "tech", "auditor", "watch"}


pytestmark = world(FloorDesk)


def tile(page: str, name: str) -> str:
    """What the tile of one table says."""
    found = [part for part in page.split('<li class="tile ')[1:] if f">{name}</a>" in part]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", found[0].partition("</li>")[0]))


# The floor
def test_closed_floor_says_nothing_that_nobody_entered(desk):
    page = desk.get("boss")
    assert page.index(">UTH 1</a>") < page.index(">UTH 2</a>")
    said = tile(page, "UTH 1")
    assert "Closed" in said
    assert "Result" not in said
    assert "5–50" in said
    said = words(page)
    assert "Progressive CHF 10’000.00 open for stakes UTH 1" in said
    assert "Nothing waits for a decision." in said


def test_tile_of_a_table_that_plays(desk):
    guests = desk.open()[:3]
    desk.lock(stakes_for(guests[:2], coins=1))
    page = desk.get("auditor")
    said = tile(page, "UTH 1")
    assert "Round running 0:0" in said
    assert "Martina · Fast" in said
    assert "7 of 7 boxes occupied, coin on: 1" in said
    assert "Rounds 0 Result –" in said
    assert page.count('class="dot coin" aria-hidden') == 1
    assert page.count('class="dot occupied" aria-hidden') == 6


def test_result_is_what_the_rounds_say_and_moves_with_a_correction(desk):
    guests = desk.open()[:1]
    locked = desk.lock(stakes_for(guests))
    desk.settle(locked["id"], taps(b1={"play": 4, "result": "lose", "hand": "high_card"}))
    assert "Rounds 1 Result CHF 90.00" in tile(desk.get("boss"), "UTH 1")
    desk.correct(locked["id"], taps(b1={"play": 4, "result": "tie"}))
    assert "Rounds 1 Result CHF 0.00" in tile(desk.get("boss"), "UTH 1")
    voided = desk.lock(stakes_for(guests))
    desk.post("boss", f"rounds/{voided['id']}/void/", reason="misdeal")
    assert "Rounds 1 Result CHF 0.00" in tile(desk.get("boss"), "UTH 1")


def test_rounds_of_coins_alone_say_no_result(desk):
    guests = desk.open(entry_level="jackpot_only")[:1]
    coin = [{"box": 1, "guest": str(guests[0].pk), "kind": "coin", "amount_minor": 500}]
    desk.settle(desk.lock(coin)["id"], {"boxes": {}})
    assert "Rounds 1 Result –" in tile(desk.get("boss"), "UTH 1")
    desk.post("boss", f"tables/{desk.table.pk}/level/", entry_level="fast")
    desk.settle(desk.lock(stakes_for(guests))["id"], taps(b1={"result": "fold"}))
    assert "Result CHF 30.00 from 1 of 2 rounds" in tile(desk.get("boss"), "UTH 1")


def test_round_that_takes_long_is_marked_with_a_word(desk):
    """Three times what half of the day's rounds took, from the fifth on."""
    guests = desk.open()[:1]
    known = []
    for _ in range(6):
        known.append(floor_tables(house_id=desk.house.pk, table_id=desk.table.pk)[0].long_s)
        desk.settle(desk.lock(stakes_for(guests))["id"], taps(b1={"result": "fold"}))
    assert known == [None] * 5 + [0]
    desk.lock(stakes_for(guests))
    here = floor_tables(house_id=desk.house.pk, table_id=desk.table.pk)[0]
    for seconds, limit, late in ((180, 180, False), (181, 180, True), (9999, None, False)):
        row = replace(here, running_s=seconds, long_s=limit)
        shown = show.tiles(desk.house, [row], {})[0]
        assert shown.late is late
        with translation.override("en"):
            state = render_to_string("pit/floor/_state.html", {"state": shown.state, "word": "", "late": shown.late})
        assert ("takes long" in state) is late


def test_floor_says_what_waits_and_at_which_table(desk):
    for _ in range(SHOWN + 3):
        _clarify(desk)
    page = desk.get("boss")
    assert f"{SHOWN + 3} to be clarified" in tile(page, "UTH 2")
    assert "to be clarified" not in tile(page, "UTH 1")
    assert page.count("Look and decide") == SHOWN
    assert "3 more come after these." in words(page)
    assert "Nothing waits" not in page


def test_form_from_elsewhere_does_nothing(desk):
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = desk.clients["boss"].cookies
    values = {"key": str(uuid4()), "croupier": str(desk.martina.pk), "entry_level": "fast"}
    assert browser.post(f"/floor/tables/{desk.table.pk}/open/", values).status_code == 403
    assert not TableSession.objects.exists()


@world(None)
def test_floor_without_tables_says_who_sets_it_up(db, settings):
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    boss = people.signed_in(people.make(make_house(), "b.allein", "pit_boss", language="en"))
    assert "There is no table yet" in boss.get("/floor/", headers={"accept-language": "en"}).content.decode()


# Few queries
def counted(desk: FloorDesk, who: str, path: str = "") -> int:
    desk.get(who, path)
    with CaptureQueriesContext(connection) as queries:
        desk.get(who, path)
    return len(queries)


def test_queries_do_not_grow_with_tables_boxes_or_entries(desk):
    desk.open()
    first = counted(desk, "boss")
    for number in range(3, 9):
        made = done(
            table_create,
            house_id=desk.house.pk,
            pit_id=desk.pit.pk,
            game="uth",
            boxes=7,
            posted=POSTED,
            name=f"UTH {number}",
        )
        guests = desk.open(made)
        desk.lock(stakes_for(guests[:3]), table_id=made.pk)
        _clarify(desk, made)
    assert counted(desk, "boss") == first
    assert first <= 13


def test_queries_of_a_table_and_a_round_do_not_grow(desk):
    guests = desk.open()
    one = desk.lock(stakes_for(guests[:1], coins=1))
    desk.settle(one["id"], taps(b1={"play": 4, "result": "lose"}))
    table, round_ = f"tables/{desk.table.pk}/", f"rounds/{one['id']}/"
    before = counted(desk, "boss", table), counted(desk, "boss", round_)
    for _ in range(5):
        many = desk.lock(stakes_for(guests, coins=5, trips=500))
        lost = {f"b{n}": {"play": 1, "result": "lose", "hand": "flush"} for n in range(1, 8)}
        desk.settle(many["id"], taps(**lost))
        desk.correct(many["id"], taps(**lost | {"b1": {"play": 1, "result": "win", "hand": "flush"}}))
    after = counted(desk, "boss", table), counted(desk, "boss", f"rounds/{many['id']}/")
    assert after == before
    assert max(before) <= 18


# A table
def test_table_from_opening_to_closing(desk):
    path = f"tables/{desk.table.pk}/"
    desk.post("boss", f"{path}open/", croupier=desk.martina.pk, entry_level="fast")
    desk.post("boss", f"{path}hand-over/", croupier=desk.nora.pk)
    desk.post("boss", f"{path}level/", entry_level="full_cards")
    desk.post("boss", f"{path}arrive/", box=2, seated=1)
    desk.post("boss", f"{path}arrive/", box=3, seated="", distance=2)
    desk.post("boss", f"{path}arrive/", box="", seated="", distance=4)
    said = words(desk.get("boss", path))
    for text in ("Nora.F", "Full cards", "Guest 1 sits at box 2", "Guest 2 stands, owns box 3 · place 2 from the shoe"):
        assert text in said
    third = Guest.objects.get(number=3)
    desk.post("boss", f"{path}move/", guest=third.pk, box=5, seated=1, distance=0)
    desk.post("boss", f"{path}leave/", guest=Guest.objects.get(number=1).pk)
    assert set(Guest.objects.filter(left_at=None).values_list("number", "box", "seated")) == {
        (2, 3, False),
        (3, 5, True),
    }
    desk.post("boss", f"{path}close/")
    session = TableSession.objects.get()
    assert (session.closed_by, session.croupier) == (desk.people["boss"], desk.nora)
    names = Event.objects.filter(actor=desk.people["boss"]).values_list("name", flat=True)
    assert {"table.opened", "table.handed_over", "table.entry_level_set", "guest.arrived", "table.closed"} <= set(names)


@each(
    ("step", "fields", "said"),
    [
        ("open", {"croupier": "", "entry_level": "fast"}, "There is no such croupier"),
        ("open", {"croupier": "x" * 400, "entry_level": "fast"}, "There is no such croupier"),
        ("open", {"croupier": str(uuid4()), "entry_level": "fast"}, "There is no such croupier"),
        ("open", {"entry_level": "nonsense"}, "“nonsense” is not an entry level"),
        ("open", {}, "is not an entry level"),
        ("close", {}, "The table is closed"),
        ("hand-over", {}, "The table is closed"),
        ("level", {"entry_level": "fast"}, "The table is closed"),
        ("arrive", {"box": "1", "seated": "1"}, "The table is closed"),
        ("arrive", {"box": "1", "distance": "-1"}, "A seated guest has a box"),
        ("arrive", {"box": "one"}, "A seated guest has a box"),
        ("arrive", {"box": "9" * 400}, "A seated guest has a box"),
        ("move", {"guest": str(uuid4()), "box": "1"}, "There is no such guest"),
        ("move", {"guest": "nobody"}, "There is no such guest"),
        ("leave", {}, "There is no such guest"),
    ],
)
def test_refused_in_words_beside_the_form_and_nothing_written(desk, step, fields, said):
    fields = {"croupier": desk.martina.pk} | fields if step in ("open", "hand-over") else fields
    before = Event.objects.count()
    page = desk.post("boss", f"tables/{desk.table.pk}/{step}/", REFUSED, **fields)
    assert said in words(page)
    assert Event.objects.count() == before


def test_refused_form_keeps_what_was_chosen(desk):
    other = Table.objects.get(name="UTH 2")  # not linked, so it cannot be entered by coins alone
    page = desk.post("boss", f"tables/{other.pk}/open/", REFUSED, croupier=desk.nora.pk, entry_level="jackpot_only")
    form = page.partition("/open/")[2].partition("</form>")[0]
    assert 'role="alert"' in form
    assert f'value="{desk.nora.pk}" selected' in form
    assert 'value="jackpot_only" selected' in form


def test_a_new_jackpot_goes_by_the_houses_own_rules_unless_others_are_chosen(desk):
    page = desk.get("tech", "set-up/")
    chosen = page.partition('name="rules"')[2].partition("</select>")[0]
    assert '<option value="Bad Ragaz Progressive" selected>' in chosen
    refused = desk.post("tech", "set-up/jackpot/", REFUSED, name="", rules="", offline_linked="stop")
    chosen = refused.partition('name="rules"')[2].partition("</select>")[0]
    assert '<option value="" selected>' in chosen


def test_guest_of_another_table_is_not_moved_from_here(desk):
    guest = desk.open(desk.other)[0]
    desk.post("boss", f"tables/{desk.table.pk}/leave/", REFUSED, guest=guest.pk)
    guest.refresh_from_db()
    assert guest.left_at is None


def test_table_does_not_close_over_a_running_round(desk):
    desk.lock(stakes_for(desk.open()[:1]))
    page = desk.post("boss", f"tables/{desk.table.pk}/close/", REFUSED)
    assert RoundRunning.sentence in page


def test_double_click_seats_one_guest(desk):
    desk.open()
    desk.post("boss", f"tables/{desk.table.pk}/leave/", guest=Guest.objects.get(box=4).pk)
    key = str(uuid4())
    for _click in range(2):
        desk.post("boss", f"tables/{desk.table.pk}/arrive/", key=key, box=4, seated=1)
    assert Guest.objects.filter(box=4, left_at=None).count() == 1
    desk.post("boss", f"tables/{desk.table.pk}/arrive/", REFUSED, key=key, box="", seated="")
    desk.post("boss", f"tables/{desk.table.pk}/arrive/", REFUSED, key="", box="", seated="")


def test_rounds_of_a_session_page_by_page(desk):
    guests = desk.open()[:1]
    for _ in range(23):
        desk.settle(desk.lock(stakes_for(guests))["id"], taps(b1={"result": "fold"}))
    path = f"tables/{desk.table.pk}/"
    page = desk.get("watch", path)
    numbers = re.findall(r'class="round" href="/floor/rounds/[^"]*">(\d+)<', page)
    assert numbers == [str(number) for number in range(23, 3, -1)]
    older = re.search(r'href="(\?[^"]*before=4)"', page)[1].replace("&amp;", "&")
    page = desk.get("watch", path + older)
    assert re.findall(r'class="round" href="/floor/rounds/[^"]*">(\d+)<', page) == ["3", "2", "1"]
    desk.get("watch", f"{path}?session={uuid4()}", 404)
    desk.get("watch", f"{path}?before={'9' * 30}")
    desk.get("watch", f"{path}?before=x")
    desk.post("boss", f"{path}close/")
    desk.post("boss", f"{path}open/", croupier=desk.nora.pk, entry_level="fast")
    page = desk.get("watch", path)
    assert "No round yet." in page
    assert "Other sessions of this table" in page
    first = TableSession.objects.earliest("opened_at")
    assert "closed" in words(desk.get("watch", f"{path}?session={first.pk}"))


# To be clarified
def _clarify(desk: Floor, table: Table | None = None, kind: str = "queued", **payload) -> ReviewItem:
    """An entry, perhaps of what cannot be read, as such were kept once."""
    with patch.object(entries, "check_form"), transaction.atomic():
        return review_item_record(
            house_id=desk.house.pk,
            table_id=(table or desk.other).pk,
            round_id=uuid4(),
            kind=kind,
            payload=payload,
            refused=RoundRunning(),
            person_id=desk.martina.pk,
        )


def test_entry_is_shown_with_what_came_and_taken(desk):
    guests = desk.open(desk.other)[:1]
    entry = _clarify(desk, stakes=stakes_for(guests), result={"board": "Ah", **taps(b1={"result": "fold"})})
    page = desk.get("boss")
    assert "UTH 2: round played offline" in page
    assert "A round is running at this table." in page
    said = words(desk.get("watch", f"to-clarify/{entry.pk}/"))
    for text in ("Ante", "CHF 15.00", "Ace of hearts", "folds", "Martina", "A round is running at this table."):
        assert text in said
    assert "Take" not in said
    desk.post("boss", f"to-clarify/{entry.pk}/take/", REFUSED, reason="")
    said = words(desk.get("boss", f"to-clarify/{entry.pk}/"))
    assert "This cannot be taken:" in said  # half a board is no board
    page = desk.post("boss", f"to-clarify/{entry.pk}/take/", REFUSED, reason="played it out")
    assert 'role="alert"' in page
    page = desk.post("boss", f"to-clarify/{entry.pk}/dismiss/", REFUSED, reason="no")
    assert 'value="no"' in page
    assert not Round.objects.exists()


def test_entry_is_taken_once(desk):
    guests = desk.open(desk.other)[:1]
    entry = _clarify(desk, stakes=stakes_for(guests), result=taps(b1={"result": "fold"}))
    assert (
        desk.post("boss", f"to-clarify/{entry.pk}/take/", reason="seen on camera") == f"/floor/rounds/{entry.round_id}/"
    )
    assert Round.objects.get(pk=entry.round_id).state == "settled"
    desk.post("second", f"to-clarify/{entry.pk}/dismiss/", REFUSED, reason="seen on camera")
    assert "seen on camera" in desk.get("boss", f"to-clarify/{entry.pk}/")
    assert "To be clarified (" not in words(desk.get("boss"))


def test_entry_shows_who_staked_and_what_the_tablet_paid_and_goes_unbooked_only_as_never_played(desk):
    """Issue 44-1."""
    [guest] = desk.open(desk.other)[:1]
    paid = [{"box": 1, "paid_minor": 45_00}, {"box": 2, "paid_minor": "much"}]
    entry = _clarify(desk, stakes=stakes_for([guest]), result=taps(b1={"result": "fold"}), reckoned=paid)
    page = words(desk.get("watch", f"to-clarify/{entry.pk}/"))
    for text in (
        f"1 Guest {guest.number} Ante CHF 15.00",
        "Total CHF 30.00",
        "Paid, as the tablet reckoned it Box Paid 1 CHF 45.00 2 much Total CHF 45.00",
    ):
        assert text in page
    dismiss = f"to-clarify/{entry.pk}/dismiss/"
    refused = words(desk.post("boss", dismiss, REFUSED, reason="the chips went back"))
    assert "The books do not hold this, and would take it as it came." in refused
    desk.post("boss", dismiss, reason="the chips went back", never_played="1")
    entry.refresh_from_db()
    assert (entry.state, entry.reason) == ("dismissed", "the chips went back")


def test_entry_is_dismissed_with_a_reason(desk):
    entry = _clarify(desk, kind="lock", stakes="nonsense", result=7)
    desk.get("boss", f"to-clarify/{entry.pk}/")
    desk.post("boss", f"to-clarify/{entry.pk}/dismiss/", reason="a test of the tablet")
    entry.refresh_from_db()
    assert (entry.state, entry.closed_by) == ("dismissed", desk.people["boss"])
    desk.post("boss", f"to-clarify/{entry.pk}/nothing/", 404, reason="a test of the tablet")


def test_entries_that_change_nothing_are_closed_together(desk):
    """From the page of each of them, and not from that of another one."""
    others = [_clarify(desk, kind="lock", stakes="nonsense") for _ in range(2)]
    guests = desk.open(desk.other)[:1]
    played = _clarify(desk, stakes=stakes_for(guests), result=taps(b1={"result": "fold"}))
    assert "Close together" not in words(desk.get("boss", f"to-clarify/{played.pk}/"))
    close = f"to-clarify/{others[0].pk}/close/"
    assert "All entries of this table that change nothing in the books." in words(
        desk.get("boss", f"to-clarify/{others[0].pk}/")
    )
    desk.post("watch", close, 403, reason="cannot be read")
    desk.post("boss", close, REFUSED, reason=" ")
    assert desk.post("boss", close, reason="cannot be read") == "/floor/"
    assert "2 entries closed." in desk.get("boss")
    for entry in (*others, played):
        entry.refresh_from_db()
    closed = ("dismissed", "cannot be read")
    assert [(entry.state, entry.reason) for entry in (*others, played)] == [closed, closed, ("open", "")]


# Who
def test_roles(desk):
    entry = _clarify(desk)
    locked = desk.lock(stakes_for(desk.open()[:1]))
    pages = ("", f"tables/{desk.table.pk}/", f"rounds/{locked['id']}/", f"to-clarify/{entry.pk}/")
    for path in pages:
        for who in desk.people:
            desk.get(who, path, 200 if who in READERS else 403)
    steps = (
        f"tables/{desk.table.pk}/close/",
        f"rounds/{locked['id']}/void/",
        f"to-clarify/{entry.pk}/dismiss/",
    )
    for path in steps:
        for who in desk.people.keys() - {"boss", "second"}:
            desk.post(who, path, 403)
    for who in desk.people:
        desk.get(who, "set-up/", 200 if who == "tech" else 403)
        if who != "tech":
            desk.post(who, "set-up/pit/", 403)
    assert "<form" not in desk.get("watch", f"tables/{desk.table.pk}/").partition("<main")[2].partition("</main>")[0]
    assert Round.objects.get().state == "locked"


def test_another_house_sees_nothing_of_it(desk):
    entry = _clarify(desk)
    locked = desk.lock(stakes_for(desk.open()[:1]))
    stranger = people.signed_in(people.make(make_house("Other"), "x.fremd", "pit_boss", "technician", "manager"))
    assert "UTH 1" not in stranger.get("/floor/").content.decode()
    key = {"key": str(uuid4()), "reason": "none of mine"}
    for path in (f"tables/{desk.table.pk}", f"rounds/{locked['id']}", f"to-clarify/{entry.pk}"):
        assert stranger.get(f"/floor/{path}/").status_code == 404
    for path in (
        f"tables/{desk.table.pk}/close",
        f"rounds/{locked['id']}/void",
        f"rounds/{locked['id']}/correct",
        f"rounds/{locked['id']}/sign",
        f"rounds/{locked['id']}/reject",
        f"to-clarify/{entry.pk}/dismiss",
    ):
        assert stranger.post(f"/floor/{path}/", key).status_code == 404
    link = {"key": str(uuid4()), "linked": str(desk.other.pk), "jackpot": str(desk.jackpot.pk)}
    assert stranger.post("/floor/set-up/link/", link).status_code in REFUSED
    desk.other.refresh_from_db()
    assert desk.other.jackpot_id is None
    assert Pit.objects.filter(house=desk.house).count() == 1
