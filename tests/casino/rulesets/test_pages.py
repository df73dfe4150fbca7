"""Pages of posted tables: who may do what, one effect for a double click, refusals in words, few queries, true figures."""

import re
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.demo.rulesets import DEMO_TABLES
from casino.people.models import Person
from casino.people.tries_model import Tries
from casino.rulesets.odds import figures
from casino.text import ruleset_fields
from jackpot.rules.progressive_odds import coin_odds
from payouts.models import Event, House, PostedTable
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.services import posted_tables_seed
from tables.kinds import KINDS
from tests.casino.people import people
from tests.casino.pit.differences import signed_lines
from tests.cast import make_house
from tests.turns import each
from tests.worlds import world

NEW_HAND = {"f.lines.3.odds": "9:1"}


class Desk:
    """A house with its first tables and a browser for each of those who come."""

    def __init__(self) -> None:
        self.house = make_house()
        with transaction.atomic():
            posted_tables_seed(house_id=self.house.pk, tables=DEMO_TABLES)
        self.people = {
            name: people.make(self.house, f"{name}.muster", role, language="en")
            for name, role in (
                ("tim", "technician"),
                ("tina", "technician"),
                ("mara", "manager"),
                ("anna", "auditor"),
                ("cora", "croupier"),
                ("sven", "surveillance"),
            )
        }
        self.clients = {name: people.signed_in(person) for name, person in self.people.items()}

    def get(self, who: str, path: str = "", status: int = 200) -> str:
        response = self.clients[who].get(f"/posted-tables/{path}", headers={"accept-language": "en"})
        assert response.status_code == status, path
        return response.content.decode()

    def post(self, who: str, path: str, status: int = 302, **fields: str) -> str:
        data = {"key": str(uuid4())} | {name.replace("__", "."): value for name, value in fields.items()}
        response = self.clients[who].post(f"/posted-tables/{path}", data, headers={"accept-language": "en"})
        assert response.status_code == status, response.content.decode()
        return response.content.decode() or response["Location"]

    def table(self, kind: str = "trips", **where: object) -> PostedTable:
        return PostedTable.objects.filter(kind=kind, **where).latest("version")

    def form(self, path: str, **changes: str) -> dict[str, str]:
        """The fields of a form as the page gives them, with changes."""
        page = self.get("tim", path)
        values = dict(re.findall(r'<input type="text" name="(f\.[^"]*)" value="([^"]*)"', page))
        for select, options in re.findall(r'(?s)<select name="(f\.[^"]*)"[^>]*>(.*?)</select>', page):
            chosen = re.search(r'value="([^"]*)" selected', options)
            values[select] = chosen[1] if chosen else ""
        name = re.search(r'name="name"(?: value="([^"]*)")?', page)[1] or ""
        return values | {"name": name, "note": "a note"} | changes

    def draft(self, **changes: str) -> PostedTable:
        path = f"{self.table(version=1).pk}/copy/"
        self.post("tim", path, **self.form(path, **(NEW_HAND | changes)))
        return self.table()

    def request(self, table: PostedTable, status: int = 302, **fields: str) -> str:
        day = re.search(r'class="day"[^>]*value="([^"]*)"', self.get("tim", f"{table.pk}/"))[1]
        return self.post("tim", f"{table.pk}/request/", status, **({"in_force_from": day} | fields))

    def sign(self, who: str, table: PostedTable, status: int = 302, **fields: str) -> str:
        table.refresh_from_db()
        seen = bytes(table.approval.payload_hash).hex()
        values = {"seen": seen, "secret": people.code(self.people[who])}
        return self.post(who, f"{table.pk}/sign/", status, **(values | fields))


pytestmark = world(Desk)


def test_from_draft_to_force(desk):
    table = desk.draft()
    assert (table.version, table.state, table.note) == (2, "draft", "a note")
    assert table.data["lines"][3] == {"hand": "full_house", "odds": "9:1"}
    desk.request(table)
    desk.sign("mara", table)
    assert "1 of 2 signatures are there" in desk.get("anna", f"{table.pk}/")
    desk.sign("anna", table)
    table.refresh_from_db()
    assert table.state == "approved"
    page = desk.get("tina", f"{table.pk}/")
    assert "Name mara.muster" in page
    assert "put in force" in page
    assert Event.objects.get(name="posted_table.released").actor_id == desk.people["anna"].pk


def test_roles(desk):
    table = desk.draft()
    pages = {
        "": {"tim", "tina", "mara", "anna", "sven"},
        f"{table.pk}/": {"tim", "tina", "mara", "anna", "sven"},
        f"{table.pk}/compare/{desk.table(version=1).pk}/": {"tim", "tina", "mara", "anna", "sven"},
        f"{table.pk}/edit/": {"tim", "tina"},
        f"{table.pk}/copy/": {"tim", "tina"},
        "new/rake/": {"tim", "tina"},
    }
    for path, readers in pages.items():
        for who in desk.people:
            desk.get(who, path, 200 if who in readers else 403)
    for step in ("request", "withdraw", "edit", "copy"):
        for who in ("mara", "anna", "sven", "cora"):
            desk.post(who, f"{table.pk}/{step}/", 403)
    desk.request(table)
    assert "two others look at it and sign" in desk.get("tim", f"{table.pk}/")
    desk.sign("tim", table, 403)
    desk.sign("sven", table, 403)
    desk.sign("cora", table, 403)
    watch = people.next_code(desk.people["sven"])
    desk.post("sven", f"{table.pk}/reject/", 403, reason="because I say so", secret=watch)
    refused = desk.post("mara", f"{table.pk}/reject/", 422, reason="too dear")
    assert "code is wrong" in refused
    desk.post("mara", f"{table.pk}/reject/", reason="too dear", secret=people.code(desk.people["mara"]))
    assert "too dear" in desk.get("tim", f"{table.pk}/")


def test_who_is_of_no_house_reads_it_and_is_offered_no_step(desk):
    table = desk.draft()
    desk.request(table)
    desk.people["una"] = people.make(None, "una.muster", "manager", language="en")
    desk.clients["una"] = people.signed_in(desk.people["una"])
    for who, offered in (("mara", True), ("una", False)):
        page = desk.get(who, f"{table.pk}/")
        steps = [f'action="/posted-tables/{table.pk}/{step}/"' in page for step in ("sign", "reject")]
        assert steps == [offered, offered], who
    said = desk.sign("una", table, 403)
    assert "belong to no house" in said
    desk.post("una", f"{table.pk}/reject/", 403, reason="too dear")


def test_a_name_that_somebody_typed_stands_as_typed(desk):
    """Words of ours begin large in a cell; a name written small does not."""
    page = desk.clients["tim"].get("/posted-tables/").content.decode()
    rows = page.count('<th class="own" scope="row">')
    assert rows == page.count('<th class="own"') == page.count('scope="row"') > 0
    style = (settings.BASE_DIR / "casino/static/casino/css/posted.css").read_text()
    assert [line for line in style.splitlines() if "::first-letter" in line and "td):not(.own)" not in line] == []


def test_another_house_sees_nothing_of_it(desk):
    stranger = people.signed_in(people.make(make_house("Other"), "x.fremd", "technician"))
    pk = desk.table().pk
    for path in ("", "edit/", "copy/", f"compare/{pk}/"):
        assert stranger.get(f"/posted-tables/{pk}/{path}").status_code == 404
    assert "UTH Trips" not in stranger.get("/posted-tables/").content.decode()
    assert stranger.post(f"/posted-tables/{pk}/withdraw/", {"key": str(uuid4())}).status_code == 404


def test_double_click_does_it_once(desk):
    key, path = str(uuid4()), f"{desk.table().pk}/copy/"
    fields = desk.form(path, **NEW_HAND)
    assert desk.post("tim", path, key=key, **fields) == desk.post("tim", path, key=key, **fields)
    assert PostedTable.objects.filter(kind="trips").count() == 2
    desk.post("tim", path, 422, key=key, **(fields | {"note": "another"}))
    desk.post("tim", path, 400, key="", **fields)
    table = desk.table()
    desk.request(table)
    code = people.code(desk.people["mara"])
    for _click in range(2):
        desk.sign("mara", table, key=key, secret=code)
    assert table.approval.signatures.count() == 1


def wrong_codes(person: Person) -> int:
    return sum(Tries.objects.filter(person=person, kind="code").values_list("failures", flat=True))


def test_wrong_code_is_refused_and_counted(desk):
    table = desk.draft()
    desk.request(table)
    mara = desk.people["mara"]
    wrong = people.wrong(mara)
    page = desk.sign("mara", table, 422, secret=wrong)
    assert "This code is wrong" in page
    assert f'value="{wrong}"' not in page
    mara.refresh_from_db()
    assert wrong_codes(mara) == 1
    for _try in range(4):
        desk.sign("mara", table, 422, secret=people.wrong(mara))
    assert "locked" in desk.sign("mara", table, 422)
    assert table.approval.signatures.count() == 0


def test_right_code_for_a_refused_command_is_used_up_and_counts_as_no_wrong_try(desk):
    table = desk.draft()
    desk.request(table)
    anna = desk.people["anna"]
    code = people.code(anna)
    desk.sign("anna", table, 409, seen="0" * 64, secret=code)
    anna.refresh_from_db()
    assert wrong_codes(anna) == 0
    assert "This code is wrong" in desk.sign("anna", table, 422, secret=code)
    anna.refresh_from_db()
    assert wrong_codes(anna) == 1
    assert table.approval.signatures.count() == 0


@each(
    ("changes", "said"),
    [
        ({"f.lines.0.odds": "3"}, "Lines · 1 · Pays"),
        ({"f.lines.0.odds": ""}, "Lines · 1 · Pays"),
        ({"f.lines.0.hand": "four_aces"}, "Lines · 1 · Hand"),
        ({"f.lines.1.hand": "three_of_a_kind"}, "each only once"),
        ({"f.lines.7.hand": "high_card"}, "Lines · 8 · Pays"),
        ({"name": "x"}, "name"),
        ({"name": "a\u202eb"}, "cannot be shown"),
    ],
)
def test_what_a_form_refuses_is_said_beside_what_was_typed(desk, changes, said):
    path = f"{desk.table().pk}/copy/"
    fields = desk.form(path, **changes)
    page = desk.post("tim", path, 400 if "name" in changes else 422, **fields)
    assert said in page
    assert 'value="7:1"' in page
    assert PostedTable.objects.filter(kind="trips").count() == 1


def test_every_kind_goes_through_its_form_unchanged(desk):
    for code, kind in KINDS.items():
        path = f"new/{code}/"
        desk.post("tim", path, **desk.form(path, name=f"New {code}"))
        table = PostedTable.objects.get(kind=code, name=f"New {code}")
        assert table.data == kind.start.to_data()
        desk.get("tim", f"{table.pk}/")
        path = f"{table.pk}/edit/"
        desk.post("tim", path, **desk.form(path, note="edited"))
        table.refresh_from_db()
        assert (table.data, table.note) == (kind.start.to_data(), "edited")
    desk.get("tim", "new/nothing/", 404)
    desk.get("tim", f"{desk.table(state='approved').pk}/edit/", 404)


@each(
    ("text", "data"),
    [("5", 500), ("5.5", 550), ("1’284.50", 128_450), ("1 000,05", 100_005), ("5.005", "5.005"), ("-5", -500),
     ("", ""), ("1.000.00", "1.000.00"), ("٣", "٣"), ("9" * 16, "9" * 16)],
)  # fmt: skip
def test_amounts_are_read_as_people_write_them(text, data):
    house = House(currency="CHF")
    assert ruleset_fields.data_of(type(KINDS["time_charge"].start), {"half_hour_minor": text}, house) == {
        "kind": "time_charge",
        "schema": 1,
        "half_hour_minor": data,
    }


def test_mistake_is_shown_and_needs_a_reason(desk):
    table = desk.draft(**{"f.lines.0.odds": "30:1"})
    page = desk.get("tim", f"{table.pk}/")
    assert "The house loses: its edge is" in page
    assert "A straight pays less than a three of a kind." in page
    assert "looks like a mistake" in desk.request(table, 422)
    desk.request(table, reason="a promotion")
    assert "a promotion" in desk.get("anna", f"{table.pk}/")
    assert ["Withdraw<" in desk.get(who, f"{table.pk}/") for who in ("tim", "tina")] == [True, False]


def test_chips_that_cannot_pay_what_is_posted_need_a_reason(desk):
    """CHP-3: a chip set without 2.50, beside 3:2 on stakes of 5."""
    path = f"{desk.table('chip_set').pk}/copy/"
    gone = {f"f.denominations.0.{name}": "" for name in ("value_minor", "colour", "shape", "stack")}
    desk.post("tim", path, **desk.form(path, **gone))
    table = desk.table("chip_set")
    assert [chip["value_minor"] for chip in table.data["denominations"]][:2] == [500, 1000]
    page = desk.get("tim", f"{table.pk}/")
    assert "A stake of CHF\u00a05.00 wins CHF\u00a07.50, which the house&#x27;s chips cannot pay." in page
    assert "looks like a mistake" in desk.request(table, 422)
    desk.request(table, reason="stakes go up in tens")


@each("day", ["", "2020-01-01", "2026-02-30", "soon"])
def test_day_that_cannot_be_is_refused(desk, day):
    table = desk.draft()
    assert "In force from:" in desk.request(table, 422, in_force_from=day)
    desk.post("tim", f"{table.pk}/withdraw/")
    assert "withdrawn" in desk.get("tim", f"{table.pk}/")


def test_comparison_says_what_a_change_does_to_the_edge(desk):
    table, before = desk.draft(), desk.table(version=1)
    page = desk.get("anna", f"{table.pk}/compare/{before.pk}/")
    assert "The house edge falls from 3.4979\u00a0% to 0.9018\u00a0%, by 2.5961 percentage points." in page
    assert "<td>8:1</td><td><strong>9:1</strong></td>" in page
    back = desk.get("anna", f"{before.pk}/compare/{table.pk}/")
    assert "The house edge rises from 0.9018\u00a0% to 3.4979\u00a0%, by 2.5961 percentage points." in back
    assert "Nothing: both say the same." in desk.get("anna", f"{before.pk}/compare/{before.pk}/")
    blind = desk.table("blind")
    assert "depends on how the guest plays" in desk.get("anna", f"{blind.pk}/compare/{blind.pk}/")
    desk.get("anna", f"{blind.pk}/compare/{before.pk}/", 404)


def test_comparison_of_a_progressive(desk):
    before = desk.table("progressive")
    path = f"{before.pk}/copy/"
    desk.post("tim", path, **desk.form(path, **{"f.prizes.4.amount_minor": "60.00"}))
    page = desk.get("anna", f"{desk.table('progressive').pk}/compare/{before.pk}/")
    assert "CHF\u00a050.00" in page
    assert "CHF\u00a060.00" in page
    assert "Prizes · 5, full house · Prize" in page
    assert "The house edge falls from" in page


def test_comparison_of_a_funding_says_what_it_does_to_the_edge_under_the_house_s_prizes(desk):
    before = desk.table("funding")
    path = f"{before.pk}/copy/"
    desk.post("tim", path, **desk.form(path, **{"f.meter_minor": "1.50", "f.house_minor": "3.25"}))
    page = desk.get("anna", f"{desk.table('funding').pk}/compare/{before.pk}/")
    # Half a franc of five goes to the guests instead: ten points, whatever prizes and seed take.
    assert "The house edge falls from 22.5668\u00a0% to 12.5668\u00a0%, by 10.0000 percentage points." in page
    assert "House edge in the long run" in desk.get("anna", f"{before.pk}/")


def test_figures_on_the_pages(desk):
    trips = desk.get("anna", f"{desk.table().pk}/")
    for figure in ("3.4979\u00a0%", "House edge", "Hit rate", "Variance per unit staked", "Returned of each stake"):
        assert figure in trips
    coin = desk.get("anna", f"{desk.table('progressive').pk}/")
    for figure in ("CHF\u00a02.5638 of each coin of CHF\u00a05.00", "1 in 32’487", "CHF\u00a079’143.40"):
        assert figure in coin, figure
    blind = desk.get("anna", f"{desk.table('blind').pk}/")
    assert "depends on how the guest plays" in blind
    assert "3.0255\u00a0%" in blind


def test_hours_are_those_of_the_house(desk):
    page = desk.get("anna", f"{desk.table('calendar').pk}/")
    assert "<td>06:00</td><td>06:00 (+1)</td><td>06:00 (+1)</td><td>with the doors</td>" in page


def test_table_that_nobody_approved_yet_may_begin_today(desk):
    path = "new/time_charge/"
    desk.post("tim", path, **desk.form(path, name="Omaha", **{"f.half_hour_minor": "7.50"}))
    table = desk.table("time_charge", name="Omaha")
    assert table.data["half_hour_minor"] == 750
    desk.request(table)
    desk.sign("mara", table)
    desk.sign("tina", table)
    table.refresh_from_db()
    assert (table.state, table.in_force_from) == ("approved", desk.table("trips").in_force_from)


def test_variance_of_a_coin_by_another_way():
    """Against a sum over all outcomes, the losing one included."""
    rules, house = KINDS["progressive"].start, House(currency="CHF", locale="de-CH")
    _name, shown = figures(KINDS["progressive"], rules, house, [FundingSchedule()]).facts[-1]
    outcomes = [(line.probability, (line.prize.amount_minor or 1_000_000) / 500 - 1) for line in coin_odds(rules).lines]
    outcomes.append((1 - sum(chance for chance, _gain in outcomes), -1))
    mean = sum(chance * gain for chance, gain in outcomes)
    variance = sum(float(chance) * (gain - float(mean)) ** 2 for chance, gain in outcomes)
    assert float(shown) == pytest.approx(variance, abs=0.01)


def test_queries_do_not_grow_with_the_versions(desk):
    counts = []
    for _more in range(2):
        table = desk.table(version=1)
        found = []
        for path in ("", f"{table.pk}/", f"{table.pk}/compare/{table.pk}/"):
            with CaptureQueriesContext(connection) as count:
                desk.get("anna", path)
            found.append(len(count))
        counts.append(found)
        desk.draft()
        desk.draft()
    assert counts[0] == counts[1]
    assert max(counts[0]) <= 16


def test_form_without_its_token_is_refused(desk):
    client = Client(enforce_csrf_checks=True)
    client.cookies = desk.clients["tim"].cookies
    assert client.post(f"/posted-tables/{desk.table().pk}/withdraw/", {"key": str(uuid4())}).status_code == 403


def test_times_of_opening_are_read_as_pages_show_them():
    """Issue 44.10: what the page of the calendar writes, and what people do; anything else stays for the rules to refuse."""
    house = House(currency="CHF", locale="de-CH")
    typed = ("20:30", "30:00", "06:00 (+1)", "20.30 Uhr", "20h30", "20.30", "25:00 (+1)", "x20:30")
    calendar = type(KINDS["calendar"].start)
    opens = [ruleset_fields.data_of(calendar, {"week.0.opens": text}, house)["week"][0]["opens"] for text in typed]
    assert opens == [1230, 1800, 1800, 1230, 1230, "20.30", "25:00 (+1)", "x20:30"]
    assert ruleset_fields.show_value("opens", 1800, house) == "06:00 (+1)"


@each("kind", ("trips", FundingSchedule.KIND))
def test_signer_reads_first_what_a_version_changes(desk: Desk, kind: str) -> None:
    """Amounts in the house's money, a paytable line by line; what it says as a whole is folded below the key."""
    path = f"{desk.table(kind, version=1).pk}/copy/"
    change = NEW_HAND if kind == "trips" else {"f.seed_minor": "12000"}
    lines = ["Full house: 8:1 → 9:1"] if kind == "trips" else ["Seed of a new meter: CHF 10’000.00 → CHF 12’000.00"]
    desk.post("tim", path, **desk.form(path, **change))
    drafted = desk.table(kind)
    fields = {} if drafted.starts == "day" else {"in_force_from": ""}
    if kind == "trips":
        desk.request(drafted)
    else:
        desk.post("tim", f"{drafted.pk}/request/", **fields)
    page = desk.get("mara", f"{drafted.pk}/")
    assert signed_lines(page) == lines
    order = [page.index(text) for text in ('class="differences"', ">Sign</button>", "What it says", "History of this")]
    assert order == sorted(order)
    assert "Changes against version 1" in page
