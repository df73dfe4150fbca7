"""The approval matrix on its pages: read line by line, another line asked for, signed by two others, in force; who may, who not."""

import re
from uuid import uuid4

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.demo.rulesets import DEMO_TABLES
from payouts.models import Approval, ApprovalRule, Event
from payouts.rules.approval import DEFAULT_MATRIX
from payouts.services import posted_tables_seed
from tests.casino.people import people
from tests.casino.pit.differences import signed_lines
from tests.casino.pit.floor.floor_desk import words
from tests.cast import make_house
from tests.turns import each
from tests.worlds import world

ENGLISH = {"accept-language": "en"}
ACTION = "round.correct"
WANTED = {"signers": "2", "roles": ["pit_boss", "manager"], "method": "totp", "lifetime_s": "1800", "reason": "agreed"}


class Desk:
    """A house with its first tables and a browser for each of those who come."""

    def __init__(self) -> None:
        self.house = make_house()
        with transaction.atomic():
            posted_tables_seed(house_id=self.house.pk, tables=DEMO_TABLES)
        cast = {"mara": "manager", "max": "manager", "anna": "auditor", "tim": "technician", "sven": "surveillance"}
        self.people = {
            name: people.make(self.house, f"{name}.muster", role, language="en") for name, role in cast.items()
        }
        self.clients = {name: people.signed_in(person) for name, person in self.people.items()}

    def get(self, who: str, path: str = "") -> str:
        response = self.clients[who].get(f"/approval-rules/{path}", headers=ENGLISH)
        assert response.status_code == 200, path
        return response.content.decode()

    def ask(self, who: str = "mara", status: int = 302, **changes: object) -> str:
        fields = {"key": str(uuid4())} | WANTED | changes
        response = self.clients[who].post(f"/approval-rules/{ACTION}/", fields, headers=ENGLISH)
        assert response.status_code == status, response.content.decode()
        return words(response.content.decode()) or response["Location"]

    def asked(self) -> Approval:
        return Approval.objects.get(action="approval_rule.change", state="open")

    def sign(self, who: str, status: int = 302, **changes: str) -> str:
        asked = Approval.objects.latest("requested_at")
        form = {"key": str(uuid4()), "seen": bytes(asked.payload_hash).hex(), "secret": people.code(self.people[who])}
        path = f"/approval-rules/asked/{asked.pk}/sign/"
        response = self.clients[who].post(path, form | changes, headers=ENGLISH)
        assert response.status_code == status, response.content.decode()
        return words(response.content.decode())


pytestmark = world(Desk)


def rows(page: str) -> dict[str, str]:
    """By action what its row says."""
    return {action: words(text).strip() for action, text in re.findall(r'<tr id="([^"]+)">(.*?)</tr>', page, re.DOTALL)}


def test_matrix_is_read_line_by_line(desk: Desk) -> None:
    for who in ("mara", "anna", "sven"):
        page = desk.get(who)
        found = rows(page)
        assert list(found) == list(DEFAULT_MATRIX)
        assert found[ACTION].startswith("Correction of a round 1 Pit boss, Manager PIN CHF 500.00 1 hour 1, since "), (
            found[ACTION]
        )
        assert found["posted_table.release"].startswith(
            "Release of a posted table 2 Technician, Manager, Auditor authenticator code always 24 hours 1, since "
        ), found["posted_table.release"]
        assert ("Change : Correction of a round" in words(page)) == (who == "mara")
        tables = desk.clients[who].get("/posted-tables/").content.decode()
        assert 'href="/approval-rules/"' in tables
    assert 'href="/approval-rules/"' not in desk.clients["tim"].get("/posted-tables/").content.decode()


def test_line_is_asked_for_and_signed_by_two_others(desk: Desk) -> None:
    assert desk.ask() == f"/approval-rules/asked/{desk.asked().pk}/"
    page = desk.get("anna", f"asked/{desk.asked().pk}/")
    assert signed_lines(page) == [
        "Signatures of others: 1 → 2",
        "Proof: PIN → authenticator code",
        "Time allowed: 1 hour → 30 minutes",
    ]
    assert "<q>agreed</q>" in page
    assert "You asked for this" in desk.get("mara", f"asked/{desk.asked().pk}/")
    home = desk.clients["anna"].get("/home/auditor/", headers=ENGLISH).content.decode()
    assert f'href="/approval-rules/asked/{desk.asked().pk}/"' in home
    assert "Change of an approval rule Correction of a round" in words(home), words(home)
    assert f'href="/approval-rules/asked/{desk.asked().pk}/"' in desk.get("sven")

    assert "You may not sign this: you asked for it." in desk.sign("mara", 403)
    assert "You may not sign this: it needs another role." in desk.sign("tim", 403)
    assert "code" in desk.sign("anna", 422, secret=people.wrong(desk.people["anna"]))
    desk.sign("anna")
    assert "You have signed this." in desk.get("anna", f"asked/{desk.asked().pk}/")
    desk.sign("max")
    line = ApprovalRule.objects.filter(house=desk.house, action=ACTION).latest("version")
    assert (line.version, line.signers, line.roles, line.method, line.lifetime_s) == (
        2,
        2,
        ["pit_boss", "manager"],
        "totp",
        1_800,
    )
    assert Event.objects.get(name="approval_rule.added", subject_id=str(line.pk)).actor == desk.people["max"]
    assert "authenticator code CHF 500.00 30 minutes 2, since " in rows(desk.get("sven"))[ACTION]


def test_line_that_is_turned_down_stays_as_it_was(desk: Desk) -> None:
    desk.ask()
    path = f"/approval-rules/asked/{desk.asked().pk}/reject/"
    form = {"reason": "too many", "secret": people.code(desk.people["anna"])}
    answer = desk.clients["anna"].post(path, form | {"key": str(uuid4())}, headers=ENGLISH)
    assert (answer.status_code, Approval.objects.get().state) == (302, "rejected")
    assert ApprovalRule.objects.filter(house=desk.house, action=ACTION).count() == 1


REFUSED = {
    "nothing else": (
        {"signers": "1", "method": "pin", "lifetime_s": "3600"},
        422,
        "The approval rule says this already.",
    ),
    "no role": ({"roles": []}, 422, "Approval rule: roles is not allowed."),
    "a role that opens no page to sign on": ({"roles": ["cage"]}, 422, "Approval rule: roles is not allowed."),
    "no number": ({"signers": "many"}, 422, "Approval rule: number of signatures is not allowed."),
    "no such proof": ({"method": "word"}, 422, "Approval rule: kind of proof is not allowed."),
    "a day and more": ({"lifetime_s": "86401"}, 422, "Approval rule: lifetime is not allowed."),
    "no reason": ({"reason": ""}, 400, "Reason: too short, 0 of at least 3 characters."),
}


@each("change", REFUSED)
def test_what_makes_no_sense_is_refused_in_words(desk: Desk, change: str) -> None:
    fields, status, sentence = REFUSED[change]
    told = desk.ask(status=status, **fields)
    assert sentence in told, told
    assert not Approval.objects.exists()


def test_refused_form_gives_back_every_role_that_was_ticked(desk: Desk) -> None:
    fields = {"key": str(uuid4())} | WANTED | {"reason": ""}
    page = desk.clients["mara"].post(f"/approval-rules/{ACTION}/", fields, headers=ENGLISH).content.decode()
    assert re.findall(r'name="roles" value="([^"]+)"[^>]* checked', page) == WANTED["roles"]


def test_auditor_is_no_signer_of_a_reversal_and_nobody_asks_for_it(desk: Desk) -> None:
    page = desk.get("mara", "transfer.reverse/")
    assert re.findall(r'name="roles" value="([^"]+)"', page) == ["pit_boss", "manager"]
    fields = {"key": str(uuid4())} | WANTED | {"roles": ["auditor"]}
    assert desk.clients["mara"].post("/approval-rules/transfer.reverse/", fields).status_code == 422


def test_click_twice_asks_once_and_who_is_of_no_house_asks_nothing(desk: Desk) -> None:
    key = str(uuid4())
    assert desk.ask(key=key) == desk.ask(key=key)
    chief = people.signed_in(people.make(None, "chief", "manager"))
    assert chief.get("/approval-rules/").status_code == 200
    assert 'name="roles"' not in chief.get(f"/approval-rules/{ACTION}/").content.decode()
    assert chief.post(f"/approval-rules/{ACTION}/", {"key": str(uuid4())} | WANTED).status_code in (400, 403, 422)
    assert Approval.objects.count() == 1


def test_page_warns_of_a_line_by_which_too_few_could_sign(desk: Desk) -> None:
    desk.ask(signers="5", roles=["auditor"])
    said = words(desk.get("anna", f"asked/{desk.asked().pk}/"))
    assert "Too few can sign: correction of a round. 6 people are needed for it." in said


def test_matrix_asks_no_more_the_more_is_asked_for(desk: Desk) -> None:
    desk.ask()
    with CaptureQueriesContext(connection) as asked:
        desk.get("mara")
    assert len(asked) <= 10, [one["sql"] for one in asked]
