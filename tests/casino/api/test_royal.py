"""A double royal through the API, from the locks to the slip that the cage pays; what else people do to a jackpot, once each."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.devices.models import Device
from casino.people.models import Person
from jackpot.models import Claim, Hit, Jackpot, Slip
from jackpot.services import jackpot_advance, jackpots_restored
from payouts.audit import run_audits
from payouts.models import Approval
from tables import services
from tables.models import Guest, Table
from tests.casino.api import royals
from tests.casino.api.callers import Caller, Callers
from tests.casino.api.test_evening import ok
from tests.casino.devices import devices
from tests.casino.people import people
from tests.databases import superuser
from tests.floor import Floor, done, stakes_for
from tests.jackpot.linked import CHECKLIST, dull, royal


class Evening:
    """Two linked tables with their tablets, a display that they wait for, and two people who sign."""

    def __init__(self, callers: Callers) -> None:
        self.callers, floor = callers, callers.floor
        self.house, self.jackpot = floor.house, floor.jackpot
        where = {"house_id": self.house.pk, "actor_id": floor.tim.pk}
        done(services.table_link, **where, table_id=floor.other.pk, jackpot_id=self.jackpot.pk)
        self.tables: list[Table] = [floor.table, floor.other]
        self.guests: list[list[Guest]] = [floor.open(), floor.open(floor.other, floor.nora)]
        self.tablets = [callers.tablet, callers.at_tablet(floor.other, floor.nora, "Tablet of UTH 2")]
        self.display: Device = royals.display_of(self.jackpot, floor.reto, "Entrance")
        self.signers = [self.signer("pit_boss"), self.signer("manager")]

    def signer(self, role: str) -> tuple[Caller, Person]:
        person = people.make(self.house, f"s.{role.replace('_', '')}", role)
        return Caller(people.signed_in(person)), person

    def path(self, rest: str = "") -> str:
        return f"jackpots/{self.jackpot.pk}/{rest}"

    def start(self, table: int) -> str:
        round_id = str(uuid4())
        body = {"stakes": stakes_for(self.guests[table][:2], coins=1)}
        ok(self.tablets[table].post(f"tables/{self.tables[table].pk}/rounds/{round_id}/lock/", body))
        return round_id

    def end(self, table: int, round_id: str, result: dict[str, Any]) -> dict[str, Any]:
        return ok(self.tablets[table].post(f"rounds/{round_id}/settle/", {"result": result}))

    def sign(self, asked: dict[str, Any], caller: Caller, person: Person) -> dict[str, Any]:
        """Signed by a code of the person's authenticator."""
        body = {"payload_hash": asked["payload_hash"], "secret": people.code(person)}
        return ok(caller.post(f"approvals/{asked['id']}/sign/", body))

    def asked(self, action: str) -> dict[str, Any]:
        listed = self.callers.boss.get("approvals/")[1]["results"]
        return next(one for one in listed if one["action"] == action)

    def advance(self) -> dict[str, Any]:
        """What a worker does; gives the jackpot as it is then."""
        jackpot_advance(jackpot_id=self.jackpot.pk)
        return self.callers.boss.get(self.path())[1]


@pytest.fixture
def evening(own_database: str) -> Evening:
    return Evening(Callers(Floor(displays=0)))


def test_a_double_royal_from_the_locks_to_the_paid_slip(evening: Evening) -> None:
    boss, cage = evening.callers.boss, evening.callers.offices["cage"]
    first, second = evening.start(0), evening.start(1)
    called = ok(evening.tablets[0].post(f"rounds/{first}/call/"))
    assert called["state"] == "locked"
    now = boss.get(evening.path())[1]
    assert (now["phase"], now["hit"]["state"], now["gate"]) == ("draining", "draining", None)
    hit = f"hits/{now['hit']['id']}/"
    status, problem = evening.tablets[0].post(
        f"tables/{evening.tables[0].pk}/rounds/{uuid4()}/lock/", {"stakes": stakes_for(evening.guests[0][:1])}
    )
    assert (status, problem["code"]) == (409, "table.round_running")
    evening.end(0, first, royal("h"))
    life = boss.get(hit)[1]
    assert [(one["name"], one["running"]) for one in life["rounds"]] == [("UTH 1", False), ("UTH 2", True)]
    status, problem = evening.tablets[0].post(
        f"tables/{evening.tables[0].pk}/rounds/{uuid4()}/lock/", {"stakes": stakes_for(evening.guests[0][:1])}
    )
    assert (status, problem["code"], problem["rule"]) == (409, "jackpot.not_open", "PRG-9")
    evening.end(1, second, royal("d"))
    assert evening.advance()["phase"] == "verifying"

    life = boss.get(hit)[1]
    assert [(one["origin"], one["state"], one["box"]) for one in life["claims"]] == [
        ("called", "open", 1),
        ("settled", "open", 1),
    ]
    assert life["checklist"] == list(CHECKLIST)
    for claim in life["claims"]:
        seen = ok(boss.post(f"claims/{claim['id']}/verify/", {"checklist": CHECKLIST}))
        assert (seen["state"], seen["checklist"], bool(seen["decided_at"])) == ("verified", CHECKLIST, True)
    evening.advance()
    split = boss.get(hit)[1]["splits"][0]
    assert [one["share_minor"] for one in split["shares"]] == [500_100, 500_100]
    asked = evening.asked("jackpot.award")
    for caller, person in evening.signers:
        signed = evening.sign(asked, caller, person)
    assert len(signed["signed_by"]) == 2

    now = evening.advance()
    assert (now["phase"], now["epoch"], now["shown_minor"], now["hit"]) == ("showing", 2, 1_000_000, None)
    assert (now["gate"]["state"], "nonce" in now["gate"]) == ("open", False)
    assert royals.confirmed(evening.jackpot.pk, evening.display.pk) == "open"
    life = boss.get(hit)[1]
    assert (life["state"], life["gate"]["state"]) == ("paid", "passed")
    assert [one["state"] for one in life["gate"]["displays"]] == ["confirmed"]
    assert [(one["amount_minor"], one["slip"]["number"]) for one in life["awards"]] == [(500_100, 1), (500_100, 2)]

    slip, proof = cage.get("slips/", number=1)[1]["results"][0], {"secret": devices.PIN}
    assert slip["award"]["amount_minor"] == slip["to_pay_minor"] == 500_100
    paid = ok(cage.post(f"slips/{slip['id']}/pay/", proof | {"cash_minor": 500_100}))
    assert (paid["state"], paid["cash_minor"], bool(paid["paid_at"])) == ("paid", 500_100, True)
    back = ok(cage.post(f"slips/{slip['id']}/take-back/", proof | {"reason": "the other guest's slip"}))
    assert (back["state"], back["cash_minor"], back["paid_at"]) == ("open", None, None)
    paid = ok(cage.post(f"slips/{slip['id']}/pay/", proof | {"cash_minor": 500_100}))
    assert [one["number"] for one in cage.get("slips/", state="open")[1]["results"]] == [2]
    assert cage.get(f"slips/{slip['id']}/")[1] == paid
    evening.end(0, evening.start(0), dull())
    meters = evening.callers.auditor.get(evening.path("meters/"))[1]
    assert (meters["coins"], meters["hits"], meters["hits_paid"], meters["won_minor"]) == (3, 1, 1, 1_000_200)
    assert [(one["number"], one["won_minor"]) for one in meters["last_hits"]] == [(1, 1_000_200)]
    assert meters["unreasonable"] == []
    assert [one["number"] for one in boss.get("hits/", jackpot=evening.jackpot.pk)[1]["results"]] == [1]
    assert not [one for one in run_audits() if one.breaches]


def test_a_hit_is_read_in_as_many_queries_for_two_claims_as_for_one(evening: Evening) -> None:
    asked = []
    for winners in ((0,), (0, 1)):
        rounds = {table: evening.start(table) for table in (0, 1)}
        for table, round_id in rounds.items():
            evening.end(table, round_id, royal("hd"[table]) if table in winners else dull())
        evening.advance()
        hit = Hit.objects.order_by("-number")[0]
        for claim in Claim.objects.filter(hit=hit):
            ok(evening.callers.boss.post(f"claims/{claim.pk}/verify/", {"checklist": CHECKLIST}))
        evening.advance()
        royals.signed(Approval.objects.get(state="open"), *(person for _caller, person in evening.signers))
        evening.advance()
        assert royals.confirmed(evening.jackpot.pk, evening.display.pk) == "open"
        with CaptureQueriesContext(connection) as caught:
            whole = ok(evening.callers.auditor.get(f"hits/{hit.pk}/"))
        assert (len(whole["claims"]), len(whole["awards"])) == (len(winners), len(winners))
        asked.append(len(caught))
        # What follows is read before what it follows from: a hit that goes on meanwhile never shows signatures without a split.
        tables = [found[1] for one in caught if (found := re.search(r'FROM "(\w+)"', one["sql"]))]
        life = [
            "jackpot_gate",
            "jackpot_award",
            "payouts_approval",
            "jackpot_split",
            "jackpot_claim",
            "jackpot_listedround",
        ]
        assert list(dict.fromkeys(one for one in tables if one in life)) == life
    assert asked[0] == asked[1] <= 22, asked


def test_a_claim_is_refused_and_the_hit_rejected(evening: Evening) -> None:
    boss = evening.callers.boss
    evening.end(0, evening.start(0), royal("h"))
    hit = evening.advance()["hit"]
    claim = Claim.objects.get()
    refused = ok(boss.post(f"claims/{claim.pk}/refuse/", {"reason": "the ten was of clubs"}))
    assert (refused["state"], refused["reason"]) == ("refused", "the ten was of clubs")
    asked = ok(boss.post(f"hits/{hit['id']}/reject-request/", {"reason": "a misread card"}))
    evening.sign(asked, *evening.signers[1])
    now = evening.advance()
    assert (now["phase"], now["epoch"], now["gate"]["amount_minor"]) == ("showing", 1, 1_000_100)
    assert boss.get(f"hits/{hit['id']}/")[1]["state"] == "rejected"
    assert royals.confirmed(evening.jackpot.pk, evening.display.pk) == "open"


def test_a_payment_that_is_rejected_is_not_carried_out(evening: Evening) -> None:
    boss = evening.callers.boss
    evening.end(0, evening.start(0), royal("h"))
    evening.advance()
    ok(boss.post(f"claims/{Claim.objects.get().pk}/verify/", {"checklist": CHECKLIST}))
    evening.advance()
    asked = evening.asked("jackpot.award")
    path, reason = f"approvals/{asked['id']}/reject/", {"reason": "the camera shows another card"}
    status, problem = boss.post(path, reason)
    assert (status, problem["code"]) == (422, "approval.proof_refused")
    assert problem["data"] == {"method": "totp"}
    person = Person.objects.get(username="o.pitboss")
    status, problem = boss.post(path, reason | {"secret": people.wrong(person)})
    assert (status, problem["code"]) == (422, "proof.refused")
    rejected = ok(boss.post(path, reason | {"secret": people.code(person)}))
    assert rejected["state"] == "rejected"
    assert evening.advance()["phase"] == "verifying"
    assert not Slip.objects.exists()


def test_a_round_that_claims_is_voided_by_an_approval(evening: Evening) -> None:
    boss = evening.callers.boss
    round_id = evening.start(0)
    ok(evening.tablets[0].post(f"rounds/{round_id}/call/"))
    status, problem = boss.post(f"rounds/{round_id}/void/", {"reason": "cards exposed"})
    assert (status, problem["code"], problem["rule"]) == (409, "jackpot.round_claims", "PRG-8")
    asked = ok(boss.post(f"rounds/{round_id}/void-request/", {"reason": "cards exposed"}))
    evening.sign(asked, *evening.signers[1])
    voided = ok(boss.post(f"rounds/{round_id}/void/", {"reason": "cards exposed", "approval": asked["id"]}))
    assert voided["state"] == "voided"
    assert Claim.objects.get().state == "dropped"


def test_suspended_resumed_and_put_right_by_two_people(evening: Evening) -> None:
    boss, technician = evening.callers.boss, evening.callers.technician
    other = evening.signers[1]
    asked = ok(technician.post(evening.path("suspend-request/"), {"reason": "a shuffler is examined"}))
    evening.sign(asked, *other)
    now = boss.get(evening.path())[1]
    assert (now["phase"], now["kept_phase"]) == ("suspended", "open")
    more = evening.signers[0]
    evening.sign(ok(boss.post(evening.path("resume-request/"), {"reason": "in order"})), *more)
    assert boss.get(evening.path())[1]["phase"] == "showing"
    body = {"amount_minor": 1_500, "reason": "three coins were not entered"}
    asked = ok(boss.post(evening.path("adjust-request/"), body))
    royals.signed(Approval.objects.get(pk=asked["id"]), evening.callers.floor.ines)
    assert evening.advance()["shown_minor"] == 1_001_500
    assert royals.confirmed(evening.jackpot.pk, evening.display.pk) == "open"


def test_closed_reopened_and_retired(evening: Evening) -> None:
    boss, manager = evening.callers.boss, evening.callers.manager
    assert ok(boss.post(evening.path("close/"), {"reason": "end of the tournament"}))["phase"] == "closed"
    assert ok(boss.post(evening.path("reopen/")))["phase"] == "showing"
    assert royals.confirmed(evening.jackpot.pk, evening.display.pk) == "open"
    ok(boss.post(evening.path("close/"), {"reason": "end of the tournament"}))
    named = {"name": "Second", "progressive": "Bad Ragaz Progressive", "funding": "Bad Ragaz Progressive"}
    heir = ok(evening.callers.technician.post("jackpots/", named))
    asked = ok(manager.post(evening.path("retire-request/"), {"to": heir["id"], "reason": "replaced"}))
    evening.sign(asked, *evening.signers[0])
    assert boss.get(evening.path())[1]["phase"] == "retired"
    assert boss.get(f"jackpots/{heir['id']}/")[1]["shown_minor"] == 2_000_000
    assert not [one for one in run_audits() if one.breaches]


def test_displays_required_added_and_taken_out(evening: Evening) -> None:
    boss, technician = evening.callers.boss, evening.callers.technician
    bar = royals.display_of(evening.jackpot, evening.callers.floor.reto, "Bar", required=False)
    added = ok(technician.post(evening.path("displays/"), {"display": str(bar.pk)}))
    assert (added["display"], added["name"]) == (str(bar.pk), "Bar")
    listed = boss.get(evening.path("displays/"))[1]["results"]
    assert [(one["name"], bool(one["required_since"]), one["gate"]) for one in listed] == [
        ("Entrance", True, None),
        ("Bar", True, None),
    ]
    evening.end(0, evening.start(0), royal("h"))
    evening.advance()
    ok(boss.post(f"claims/{Claim.objects.get().pk}/verify/", {"checklist": CHECKLIST}))
    evening.advance()
    royals.signed(Approval.objects.get(state="open"), *(person for _caller, person in evening.signers))
    evening.advance()
    assert {one["gate"] for one in boss.get(evening.path("displays/"))[1]["results"]} == {"waiting"}
    out = ok(boss.post(evening.path(f"displays/{bar.pk}/out-request/"), {"reason": "dark since ten"}))
    evening.sign(out, *evening.signers[1])
    listed = boss.get(evening.path("displays/"))[1]["results"]
    assert [(one["name"], bool(one["required_since"]), one["gate"]) for one in listed] == [
        ("Entrance", True, "waiting"),
        ("Bar", False, "out"),
    ]
    terrace = royals.display_of(evening.jackpot, evening.callers.floor.reto, "Terrace", required=False)
    more = ok(technician.post(evening.path(f"displays/{terrace.pk}/add-request/")))
    evening.sign(more, *evening.signers[0])
    states = {one["name"]: one["gate"] for one in boss.get(evening.path("displays/"))[1]["results"]}
    assert states == {"Entrance": "waiting", "Bar": None, "Terrace": "waiting"}


def test_a_royal_that_was_overlooked_is_paid_by_the_house_and_its_slip_cancelled(evening: Evening) -> None:
    boss, floor = evening.callers.boss, evening.callers.floor
    overlooked = evening.start(1)
    evening.end(1, overlooked, dull())
    evening.end(0, evening.start(0), royal("h"))
    evening.advance()
    ok(boss.post(f"claims/{Claim.objects.get().pk}/verify/", {"checklist": CHECKLIST}))
    evening.advance()
    royals.signed(Approval.objects.get(state="open"), floor.reto, floor.ines)
    evening.advance()
    right = {"result": royal("d"), "reason": "seen on camera"}
    asked = ok(boss.post(f"rounds/{overlooked}/correction-request/", right))
    signer = evening.callers.at_tablet(floor.table, floor.reto, "Tablet of the pit boss")
    ok(signer.post(f"approvals/{asked['id']}/sign/", {"payload_hash": asked["payload_hash"], "secret": devices.PIN}))
    ok(boss.post(f"rounds/{overlooked}/correct/", right | {"approval": asked["id"]}))
    body = {"box": 1, "amount_minor": 500_100, "reason": "half of what was paid"}
    done(jackpots_restored)
    late = ok(boss.post(f"rounds/{overlooked}/late-award-request/", body))
    evening.sign(late, *evening.signers[1])
    cage, books = evening.callers.offices["cage"], Jackpot.objects.get(pk=evening.jackpot.pk).incarnation
    assert cage.get("slips/", number=2)[1]["results"] == []  # on paper that is another one, printed before the restore
    slip = cage.get("slips/", number=f"2-{books:x}")[1]["results"][0]
    assert (slip["number"], slip["incarnation"], slip["written"]) == (2, books, f"2-{books:X}")
    assert (slip["award"]["kind"], slip["award"]["amount_minor"], slip["state"]) == ("late", 500_100, "open")
    assert cage.get("slips/", number="2-")[0] == 400
    wrong = ok(boss.post(f"slips/{slip['id']}/cancel-request/", {"how": "unpaid", "reason": "the wrong guest"}))
    evening.sign(wrong, *evening.signers[0])
    gone = boss.get(f"slips/{slip['id']}/")[1]
    assert (gone["state"], gone["cancelled_as"], gone["reason"]) == ("cancelled", "unpaid", "the wrong guest")
    assert not [one for one in run_audits() if one.breaches]


def test_an_approval_that_has_expired_is_signed_no_more(evening: Evening) -> None:
    """By the database's clock: its own time is moved by a superuser, with the guard off."""
    asked = ok(evening.callers.technician.post(evening.path("suspend-request/"), {"reason": "a shuffler is examined"}))
    with superuser() as link:
        link.execute("ALTER TABLE payouts_approval DISABLE TRIGGER approval_guard")
        link.execute("UPDATE payouts_approval SET expires_at = clock_timestamp() - interval '1 ms'")
        link.execute("ALTER TABLE payouts_approval ENABLE ALWAYS TRIGGER approval_guard")
    caller, person = evening.signers[1]
    body = {"payload_hash": asked["payload_hash"], "secret": people.code(person)}
    status, problem = caller.post(f"approvals/{asked['id']}/sign/", body)
    assert (status, problem["code"]) == (409, "approval.expired")
    assert evening.callers.boss.get(evening.path())[1]["phase"] == "open"
