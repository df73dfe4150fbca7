"""Records of the audit desk: what each page says, how it is found, that looking is recorded, that nothing grows with the rows."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.audit import lists, records
from casino.audit import parts as audit_parts
from casino.people.roles import CODES
from jackpot.models import Award, Slip
from payouts.models import Account, Entry, Event, PostedTable, Transfer
from tables.models import Round
from tests.casino.audit.desk import ENGLISH, Desk
from tests.casino.people import people
from tests.cast import make_house
from tests.turns import each

STATEMENTS = {  # with the session, the person, the verdict and what is kept of the look
    "": 30,
    "round": 46,
    "hit": 46,
    "account": 22,
    "transfer": 22,
    "person": 24,
    "device": 22,
    "posted": 30,
    "verify": 16,
    "calculator": 16,
}


def pages(desk: Desk) -> dict[str, str]:
    """A page of each kind."""
    account = Account.objects.filter(house=desk.house, kind="circulation").order_by("-version")[0]
    return {
        "": "",
        "round": f"rounds/{desk.corrected.pk}/",
        "hit": f"hits/{desk.paid.pk}/",
        "account": f"accounts/{account.pk}/",
        "transfer": f"transfers/{Transfer.objects.filter(house=desk.house, kind='award').get().pk}/",
        "person": f"people/{desk.lived.reto.pk}/",
        "device": f"devices/{desk.tablet.pk}/",
        "posted": f"posted/{PostedTable.objects.filter(house=desk.house, kind='uth_rules')[0].pk}/",
        "verify": "verify/",
        "calculator": "calculator/",
    }


def test_no_page_asks_more_the_more_there_is(desk: Desk) -> None:
    for name, path in pages(desk).items():
        desk.page(path)
        with CaptureQueriesContext(connection) as asked:
            desk.page(path)
        assert len(asked) <= STATEMENTS[name], (name, len(asked))


# Rounds
def test_corrected_round_shows_what_was_struck_beside_what_counts(desk: Desk) -> None:
    page = desk.page(f"rounds/{desk.corrected.pk}/")
    said = desk.said(f"rounds/{desk.corrected.pk}/")
    for text in (
        "UTH 3, round",
        "settled corrected",
        "Ante wins: higher than the dealer, paid 1:1. UTH-4",
        "Revision 2 counts · from taps · Reto",
        "Revision 1 no longer counts · from taps",
        "box 1 had won",
        "Correction of a round",
        f"signed: {desk.lived.ines.full_name}",
        "Rules and limits of Ultimate Texas Hold’em",
        "Reversal",
        "Round: corrected",
    ):
        assert text in said, text
    assert "<del>CHF 0.00</del>" in page.replace("\xa0", " ")
    for transfer in Transfer.objects.filter(subject_id=desk.corrected.pk):
        assert f'href="/audit/transfers/{transfer.pk}/"' in page
    assert f'href="/audit/people/{desk.corrected.croupier_id}/"' in page


def test_round_of_a_hit_leads_to_it_and_shows_what_it_fed(desk: Desk) -> None:
    claim = desk.paid.claims.order_by("number")[0]
    page, said = desk.page(f"rounds/{claim.round_id}/"), desk.said(f"rounds/{claim.round_id}/")
    assert f'href="/audit/hits/{desk.paid.pk}/"' in page
    assert "Fed into the jackpot Epoch Coins Meter Reserve House 1 1 CHF 1.00 CHF 0.25 CHF 3.75" in said
    assert 'class="card heart"' in page


# Hits
def test_hit_that_was_paid_shows_everything_of_its_life(desk: Desk) -> None:
    """PRG-8, PRG-10, PRG-12."""
    page, said = desk.page(f"hits/{desk.paid.pk}/"), desk.said(f"hits/{desk.paid.pk}/")
    for text in (
        "Progressive, hit 1",
        "Claim 1: UTH 1, Box 1",
        "Claim 2: UTH 2, Box 1",
        "Slip 1",
        "Display 1",
        "shows it",
    ):
        assert text in said, text
    assert "signed: Reto" in said.replace(" :", ":")
    for award in Award.objects.filter(hit=desk.paid):
        assert f'href="/audit/rounds/{award.round_id}/"' in page
        assert f'href="/audit/transfers/{award.transfer_id}/"' in page
    assert "CHF 10’003.00" in said  # seed and three coins, as it was shown
    course = desk.client.get(f"/audit/hits/{desk.paid.pk}/meter/").json()
    assert course["shown"][-1] == 1_000_300


def test_hit_that_was_none_says_why(desk: Desk) -> None:
    assert "a misread card" in desk.said(f"hits/{desk.rejected.pk}/")


# The ledger
def test_transfer_and_accounts_lead_to_one_another_and_sum_to_zero(desk: Desk) -> None:
    for row in Transfer.objects.filter(house=desk.house).exclude(reverses=None):
        page = desk.page(f"transfers/{row.pk}/")
        assert f'href="/audit/transfers/{row.reverses_id}/"' in page
        assert f'href="/audit/transfers/{row.pk}/"' in desk.page(f"transfers/{row.reverses_id}/")
        assert "Together CHF 0.00" in desk.said(f"transfers/{row.pk}/")
        for entry in row.entries.all():
            assert f'href="/audit/accounts/{entry.account_id}/"' in page


def test_account_is_paged_by_its_versions(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "PAGE", 3)
    account = Account.objects.filter(house=desk.house, kind="circulation").order_by("-version")[0]
    path, seen, before = f"accounts/{account.pk}/", [], ""
    while True:
        page = desk.page(path, **({"before": before} if before else {}))
        seen += [int(number) for number in re.findall(r'<tr><th scope="row">(\d+)</th>', page)]
        more = re.search(r'rel="next" href="\?before=(\d+)"', page)
        if more is None:
            break
        before = more[1]
    assert seen == list(range(account.version, 0, -1))
    assert Entry.objects.filter(account=account).count() == account.version


# People, devices, versions
def test_person_shows_acts_signatures_and_requests(desk: Desk) -> None:
    said = desk.said(f"people/{desk.lived.reto.pk}/")
    for text in (
        "Approval: signed",
        "Round: corrected",
        "Payment of the jackpot",
        "Correction of a round",
    ):
        assert text in said, text


def test_device_shows_who_enrolled_it(desk: Desk) -> None:
    said = desk.said(f"devices/{desk.tablet.pk}/")
    assert "Device: enrolled" in said
    assert "UTH 1" in said


def test_version_shows_its_history(desk: Desk) -> None:
    row = PostedTable.objects.filter(house=desk.house, kind="uth_rules")[0]
    said = desk.said(f"posted/{row.pk}/")
    assert "set up with the house" in said
    assert bytes(row.data_hash).hex() in said
    assert "Where it was in force" in said


# What is found
def test_search_finds_by_number_table_person_amount_and_name(desk: Desk) -> None:
    slip = Slip.objects.order_by("number")[0]
    rounds = desk.found(q=f"UTH 3 {desk.corrected.number}")["rounds"]
    assert rounds == [f"UTH 3, round {desk.corrected.number}"]
    amount = f"CHF {slip.award.amount_minor / 100:.2f}"
    assert "Slip 1" in desk.found(q=amount)["slips"]
    assert desk.found(q=amount)["hits"] == ["Progressive, hit 1"]
    assert desk.found(q="Caminada")["people"] == ["Vera Caminada"]
    assert set(desk.found(q="Progressive")["posted"]) == {"Bad Ragaz Progressive, version 1"}
    dealt = desk.found(kind="rounds", person=str(desk.lived.croupiers[0].pk))["rounds"]
    assert len(dealt) == Round.objects.filter(croupier=desk.lived.croupiers[0]).count()
    local = desk.corrected.locked_at.astimezone(ZoneInfo(desk.house.time_zone))
    assert f"UTH 3, round {desk.corrected.number}" in desk.found(q=f"UTH 3 {local:%H:%M}")["rounds"]


def test_an_id_leads_to_its_record(desk: Desk) -> None:
    for pk, place in (
        (desk.corrected.pk, "rounds"),
        (desk.paid.pk, "hits"),
        (desk.tablet.pk, "devices"),
        (desk.lived.reto.pk, "people"),
    ):
        assert desk.client.get("/audit/", {"q": str(pk)})["Location"] == f"/audit/{place}/{pk}/"


@each("kind", ["rounds", "hits", "slips", "transfers", "accounts", "acts", "people", "posted"])
def test_pages_of_a_list_hold_each_row_once(desk: Desk, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = desk.found(kind=kind)[kind]
    monkeypatch.setattr(lists, "PAGE", 2)
    seen: list[str] = []
    after = ""
    for _step in range(60):
        response = desk.client.get("/audit/", {"kind": kind, "after": after}, headers=ENGLISH)
        [listed] = response.context["lists"]
        seen += [row.href for row in listed.rows]
        after = listed.after
        if not after:
            break
    assert len(seen) >= len(whole) > 0
    if kind != "acts":
        assert len(set(seen)) == len(seen)


def test_what_cannot_be_searched_for_is_refused_in_its_place(desk: Desk) -> None:
    said = desk.said(from_="2026-03-02", to="2026-03-01", status=422)
    assert "The range ends before it begins." in said
    assert "Give the first gaming day, then the last one." in said
    assert "nothing in this house to be filtered by in “nonsense”" in desk.said(status=422, kind="nonsense")
    desk.page(status=404, kind="rounds", after="nonsense")
    desk.page(f"accounts/{Account.objects.all()[0].pk}/", status=404, before="x")
    assert "Nothing was found." in desk.said(q="<script>alert(1)</script>")
    assert "<script>alert(1)" not in desk.page(q="<script>alert(1)</script>")
    assert "Rounds" in desk.said(q="\0")


# Looking is recorded
def looks(desk: Desk) -> list[tuple[str, str, str]]:
    rows = Event.objects.filter(actor=desk.auditor, name__startswith="audit.").order_by("id")
    return list(rows.values_list("name", "subject_kind", "subject_id"))


def test_who_looked_at_what_is_recorded_once_a_minute(desk: Desk) -> None:
    """R-13: one event for each look; the same record within a minute by the same person is one look."""
    path = f"rounds/{desk.corrected.pk}/"
    for _time in range(3):
        desk.page(path)
    desk.page(f"hits/{desk.paid.pk}/")
    desk.page(q="Caminada")
    desk.page()  # the desk without a question shows nothing that was looked for
    assert looks(desk) == [
        ("audit.viewed", "round", str(desk.corrected.pk)),
        ("audit.viewed", "hit", str(desk.paid.pk)),
        ("audit.searched", "search", "Caminada"),
    ]
    other = people.signed_in(people.make(desk.house, "zweite.r", "manager"))
    other.get(f"/audit/{path}")
    assert Event.objects.filter(name="audit.viewed", subject_id=str(desk.corrected.pk)).count() == 2


def test_a_look_again_after_a_minute_is_another_one(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_parts, "APART", timedelta(0))
    for _time in range(2):
        desk.page(f"rounds/{desk.corrected.pk}/")
    assert len(looks(desk)) == 2


def test_looking_changes_no_other_page(desk: Desk) -> None:
    """The history of a posted version is of what became of it, not of who read it."""
    row = PostedTable.objects.filter(house=desk.house, kind="uth_rules")[0]
    before = desk.client.get(f"/posted-tables/{row.pk}/", headers=ENGLISH).context["history"]
    desk.page(f"posted/{row.pk}/")
    assert desk.client.get(f"/posted-tables/{row.pk}/", headers=ENGLISH).context["history"] == before


# Who may
def test_only_auditor_and_manager_come_in(desk: Desk) -> None:
    clients = {role: people.signed_in(people.make(desk.house, f"r.{role.replace('_', '')}", role)) for role in CODES}
    for path in pages(desk).values():
        opened = {role for role, client in clients.items() if client.get(f"/audit/{path}").status_code == 200}
        assert opened == {"auditor", "manager"}, path
    assert Client().get("/audit/").status_code == 302


def test_accounts_and_transfers_of_another_house_are_not_there(desk: Desk) -> None:
    stranger = people.signed_in(people.make(make_house("Casino Elsewhere"), "f.remd", "auditor"))
    for path in pages(desk).values():
        if "/" in path and path not in ("verify/", "calculator/"):
            assert stranger.get(f"/audit/{path}").status_code == 404, path
    assert "Nothing was found" in stranger.get("/audit/", {"q": "UTH 1"}, headers=ENGLISH).content.decode()
