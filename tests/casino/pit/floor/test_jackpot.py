"""A jackpot's page: what its hit waits for, claims, signatures, displays, slips; void of a claiming round; who may do what."""

import re
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from casino.pit.jackpots.claims import played_at
from casino.text import floor
from jackpot.models import Claim, Jackpot, Slip
from jackpot.rules.jackpot_rules import CHECKS
from payouts.audit import run_audits
from payouts.models import Approval
from tables.models import Round
from tables.services import table_hand_over
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import REFUSED, FloorDesk, words
from tests.floor import done
from tests.jackpot.linked import CHECKLIST, Linked, dull, royal
from tests.jackpot.test_claims import correct
from tests.worlds import world


class HitDesk(FloorDesk, Linked):
    """Two linked tables, a display, and a browser for the cage too."""

    def __init__(self, **changes: Any) -> None:
        super().__init__(**changes)
        self.people["cage"] = people.make(self.house, "cage.floor", "cage", language="en")
        self.clients["cage"] = people.signed_in(self.people["cage"])

    @property
    def path(self) -> str:
        return f"jackpots/{self.jackpot.pk}/"

    def said(self, who: str = "boss") -> str:
        return words(self.get(who, self.path))

    def step(self, who: str, step: str, status: int | tuple[int, ...] = 302, **fields: object) -> str:
        return words(self.post(who, f"{self.path}{step}/", status, **fields))

    def sign_as(self, who: str, approval: Approval, status: int | tuple[int, ...] = 302, **fields: object) -> str:
        seen = bytes(approval.payload_hash).hex()
        code = people.code(self.people[who])
        return self.step(who, "sign", status, **({"approval": approval.pk, "seen": seen, "secret": code} | fields))

    def hit(self, *, winners: int = 1) -> tuple[str, str]:
        """A hit that waits for people: a claim of box 1 at the first table, or at both."""
        rounds = [self.start(table) for table in (0, 1)]
        self.end(0, rounds[0], royal())
        self.end(1, rounds[1], royal("d") if winners > 1 else dull())
        self.advance()
        return str(rounds[0]), str(rounds[1])


pytestmark = [world(HitDesk), pytest.mark.usefixtures("own_database")]


def sound() -> None:
    assert [result for result in run_audits() if result.breaches] == []


def test_a_hit_from_the_call_to_the_slip_and_everything_that_the_page_says(desk: HitDesk) -> None:
    first, second = desk.start(0), desk.start(1)
    assert "Nothing: bets are open at its tables." in desk.said()
    desk.post("boss", f"rounds/{first}/call/")
    assert "Rounds that still run: UTH 1, UTH 2." in desk.said("watch")
    assert "Progressive: ending its rounds" in words(desk.get("boss"))
    assert "This round claims the jackpot" in words(desk.get("boss", f"rounds/{first}/"))
    desk.end(0, first, royal())
    desk.end(1, second, dull())
    assert desk.advance() == "verifying"

    assert "1 claim is to be looked at." in desk.said()
    claim = Claim.objects.get()
    desk.step("boss", "verify", REFUSED, claim=claim.pk, **CHECKLIST)  # who called it looks at it no more
    desk.step("second", "verify", claim=claim.pk, **CHECKLIST)
    assert desk.advance() == "verifying"
    said = desk.said("second")
    for text in (
        "Payment of the jackpot: 0 of 2 signatures.",
        "Cards seen seen by R. Caduff",
        "Won CHF 10’002.00",
    ):
        assert text in said, text
    asked = desk.asked()
    desk.sign_as("boss", asked, REFUSED)
    desk.sign_as("second", asked)
    assert "You have signed: now another person looks and signs." in desk.said("second")
    desk.sign_as("manager", asked)
    assert desk.advance() == "showing"

    assert "Displays that do not show the new value yet: Display 1." in desk.said()
    assert desk.confirm_all() == "open"
    slip = Slip.objects.get()
    said = desk.said("cage")
    assert "Slip 1 · CHF 10’002.00" in said
    assert "Claim" not in said
    assert "Displays" not in said
    desk.post("cage", f"slips/{slip.pk}/pay/", cash_minor=1_000_200, secret=desk.pin("cage"))
    assert "slip paid" in desk.said("cage")
    slip.refresh_from_db()
    assert (slip.state, slip.paid_by, slip.cash_minor) == ("paid", desk.people["cage"], 1_000_200)
    sound()


def test_what_was_noted_short_is_said_in_its_form_and_kept(desk: HitDesk) -> None:
    desk.hit()
    claim = Claim.objects.get()
    said = desk.post("boss", f"{desk.path}verify/", REFUSED, claim=claim.pk, **(CHECKLIST | {"deck_counted": " "}))
    assert "The checklist is not complete: deck counted." in words(said)
    assert said.index('role="alert"') > said.index(f'id="claim-{claim.number}"')
    assert 'value="seen by R. Caduff"' in said
    desk.step("boss", "refuse", REFUSED, claim=claim.pk, reason="no")
    assert Claim.objects.get().state == "open"


def test_form_of_a_claim_says_what_to_write(desk: HitDesk) -> None:
    """Each point has its hint, the time is that of the claim, and the own cards stand apart from those of the board."""
    desk.hit()
    claim = Claim.objects.get()
    page = desk.get("boss", desk.path)
    form = page.partition(f'id="claim-{claim.number}"')[2].partition("</section>")[0]
    assert "Box 1 10 9 Board A K Q J 2" in words(re.sub(r'<span class="visually-hidden">[^<]*</span>', "", form))
    at = claim.made_at.astimezone(ZoneInfo(desk.house.time_zone)).strftime("%d.%m.%Y %H:%M:%S")
    fields = re.findall(r'name="(\w+)"(?: value="([^"]*)")?[^>]* aria-describedby="([^"]+)"', form)
    assert [(name, value) for name, value, _ in fields] == [
        (name, at if name == "camera_time" else "") for name in CHECKLIST
    ]
    with translation.override("en"):
        hints = [floor.say(floor.CHECK_HINTS, name) for name in CHECKLIST]
    assert [words(form.partition(f'id="{pk}">')[2].partition("</p>")[0]) for _, _, pk in fields] == hints
    assert set(floor.CHECK_HINTS) == set(CHECKS)
    desk.step("boss", "verify", claim=claim.pk, **CHECKLIST)
    assert CHECKLIST["camera_time"] in desk.get("second", desk.path)  # looked at again it is what was noted


def test_time_on_camera_is_that_of_the_round_where_a_correction_claims(desk: HitDesk) -> None:
    late, now = desk.start(0), desk.start(1)
    desk.end(0, late, dull())
    correct(desk, late, royal())
    desk.end(1, now, royal("d"))
    by_correction, settled = Claim.objects.order_by("number")
    moments = [Round.objects.get(pk=late).ended_at, settled.made_at]
    assert [at for _, at in played_at([by_correction, settled])] == moments
    assert by_correction.made_at > moments[0]


def test_new_hit_is_not_mixed_with_the_one_before(desk: HitDesk) -> None:
    """Nothing of the old gate, the old slips under a heading of their own, and the hit before opens whole."""
    desk.win(0)
    over = desk.get("boss", desk.path)
    assert ("Other slips" in over, 'id="hits"' in over) == (False, True)
    assert "was to be shown" in words(over)
    desk.hit()
    desk.verify_all()
    page = desk.get("boss", desk.path)
    assert "was to be shown" not in words(page)
    slips = words(page.partition("<h2>Other slips</h2>")[2].partition("</section>")[0])
    assert ("Slip 1 · " in slips, "Hit 1" in slips) == (True, True)
    assert "<h2>Slips</h2>" not in page
    (asked,) = re.findall(r'id="(asked-[^"]+)"', page)
    assert re.findall(r'href="(/pit/jackpots/[^"]+)"', page) == [f"/pit/{desk.path}?hit={number}" for number in (2, 1)]
    english = {"accept-language": "en"}
    before = desk.clients["boss"].get(f"/pit/{desk.path}?hit=1", headers=english).content.decode()
    assert "This is hit 1, which is over." in words(before)
    assert asked not in before


def test_a_hit_without_a_true_claim_is_rejected_by_another(desk: HitDesk) -> None:
    desk.hit()
    assert "Reject the hit" not in desk.said()
    desk.step("boss", "reject-hit", REFUSED, reason="nothing there")
    desk.step("boss", "refuse", claim=Claim.objects.get().pk, reason="the ten was of clubs")
    said = desk.said()
    assert "No claim is true" in said
    assert "the ten was of clubs" in said
    desk.step("boss", "reject-hit", reason="a misread card")
    asked = desk.asked("jackpot.reject")
    desk.sign_as("boss", asked, REFUSED)
    desk.sign_as("second", asked)
    assert desk.advance() == "showing"
    assert "was none" in desk.said()
    assert desk.confirm_all() == "open"
    sound()


def test_who_dealt_a_claiming_table_decides_and_signs_nothing(desk: HitDesk) -> None:
    boss = desk.people["boss"]
    ids = {"house_id": desk.house.pk, "table_id": desk.tables[0].pk, "actor_id": desk.reto.pk}
    done(table_hand_over, **ids, croupier_id=boss.pk)
    desk.croupiers[0] = boss
    desk.hit()
    claim = Claim.objects.get()
    part = "You dealt the round. You entered the result of the round."
    assert f"{part} Somebody else looks at the claim." in desk.said()
    assert "Verify the claim" not in desk.said()
    desk.step("boss", "verify", REFUSED, claim=claim.pk, **CHECKLIST)
    desk.step("second", "verify", claim=claim.pk, **CHECKLIST)
    desk.advance()
    assert f"{part} Somebody else looks at it and signs." in desk.said()
    desk.sign_as("boss", desk.asked(), REFUSED)
    assert not desk.asked().signatures.exists()


def test_turned_down_with_a_reason_the_hit_waits_on(desk: HitDesk) -> None:
    desk.hit()
    desk.verify_all()
    asked = desk.asked()
    reason = {"approval": asked.pk, "reason": "the camera shows another card"}
    for secret in ({}, {"secret": people.wrong(desk.people["boss"])}):
        assert "This code is wrong" in desk.step("boss", "turn-down", REFUSED, **reason, **secret)
    desk.step("boss", "turn-down", **reason, secret=people.code(desk.people["boss"]))
    asked.refresh_from_db()
    assert asked.state == "rejected"
    desk.sign_as("second", asked, REFUSED)


def test_a_wrong_code_or_another_payload_signs_nothing(desk: HitDesk) -> None:
    desk.hit()
    desk.verify_all()
    asked = desk.asked()
    assert 'role="alert"' in desk.post(
        "boss", f"{desk.path}sign/", REFUSED, approval=asked.pk, seen="0" * 64, secret="000000"
    )
    desk.sign_as("boss", asked, REFUSED, seen="0" * 64)
    assert not asked.signatures.exists()


def test_a_dead_display_is_taken_out_by_two_once_another_is_there(desk: HitDesk) -> None:
    desk.hit()
    desk.verify_all()
    desk.approve()
    dead = desk.displays[0]
    desk.step("boss", "out", display=dead, reason="its screen is black")
    asked = desk.asked("jackpot.display_out")
    said = desk.said("second")
    assert "Display Display 1 Reason its screen is black" in said
    desk.sign_as("boss", asked, REFUSED)
    refused = desk.sign_as("second", asked, REFUSED)
    assert "This is the last display that can open the tables." in refused


def test_the_signer_does_not_pay_and_the_cage_does_nothing_else(desk: HitDesk) -> None:
    desk.hit()
    desk.verify_all()
    desk.approve()
    slip = Slip.objects.get()
    desk.post("boss", f"slips/{slip.pk}/pay/", 403, cash_minor=1_000_200, secret=desk.pin("boss"))
    for step in ("verify", "refuse", "reject-hit", "out", "add", "sign", "turn-down"):
        desk.step("cage", step, 403)
    pin = desk.pin("cage")
    desk.post("cage", f"slips/{uuid4()}/pay/", 404, cash_minor=1, secret=pin)
    for wrong in ("1000195", "ten", "9" * 20):
        said = desk.post("cage", f"slips/{slip.pk}/pay/", REFUSED, cash_minor=wrong, secret=pin)
        assert "The slip is paid with CHF 10’002.00." in words(said)
    slip.refresh_from_db()
    assert slip.state == "open"


def test_a_claiming_round_is_voided_by_request_and_another_s_signature(desk: HitDesk) -> None:
    called, other = desk.start(0), desk.start(1)
    desk.post("boss", f"rounds/{called}/call/")
    page = desk.get("boss", f"rounds/{called}/")
    assert f"rounds/{called}/void/" not in page
    desk.post("boss", f"rounds/{called}/void/", REFUSED, reason="misdeal")
    desk.post("boss", f"rounds/{called}/call/", REFUSED)
    desk.post("boss", f"rounds/{called}/void-ask/", reason="a card was exposed")
    assert "To be signed (1)" in words(desk.get("second"))
    asked = Approval.objects.get(action="round.void_claimed")
    assert "Hit 1 Claim 1" in words(desk.get("second", f"rounds/{called}/"))
    fields = {"approval": asked.pk, "seen": bytes(asked.payload_hash).hex()}
    desk.post("boss", f"rounds/{called}/sign/", REFUSED, **fields, secret=people.code(desk.people["boss"]))
    desk.post("second", f"rounds/{called}/sign/", **fields, secret=people.code(desk.people["second"]))
    assert Round.objects.get(pk=called).state == "voided"
    assert Claim.objects.get().state == "dropped"
    desk.void(other)
    assert desk.advance() == "verifying"
    sound()


def test_nobody_reaches_another_house_or_another_jackpot(desk: HitDesk) -> None:
    desk.hit()
    other = Linked(suffix=".o")
    other.end(0, other.start(0), royal())
    other.advance()
    desk.get("boss", f"jackpots/{other.jackpot.pk}/", 404)
    foreign = Claim.objects.get(house=other.house)
    desk.step("boss", "verify", 404, claim=foreign.pk, **CHECKLIST)
    other.verify_all()
    desk.sign_as("boss", other.asked(), REFUSED)
    assert not other.asked().signatures.exists()
    desk.step("boss", "nothing", 404)
    desk.step("boss", "verify", 404, claim="x")


def test_the_only_jackpot_is_opened_at_once(desk: HitDesk) -> None:
    answer = desk.clients["cage"].get("/floor/jackpots/")
    assert answer["Location"] == f"/floor/{desk.path}"
    assert "/floor/jackpots/" in desk.clients["cage"].get("/home/cage/").content.decode()
    assert Jackpot.objects.count() == 1


def test_floor_counts_and_lists_what_is_to_be_signed_about_a_jackpot(desk: HitDesk) -> None:
    """A payment and a display are asked for: the floor says so, with the place where one signs; also while bets are open."""
    assert "To be signed 0" in words(desk.get("boss"))
    assert "Nothing waits for a decision." in words(desk.get("boss"))
    desk.step("boss", "out", display=desk.displays[0], reason="it is dark")
    page = desk.get("second")
    assert "To be signed 1" in words(page)
    assert "Nothing waits for a decision." not in words(page)
    desk.hit()
    desk.verify_all()
    page = desk.get("second")
    assert "To be signed 2" in words(page)
    titles = ("Progressive · Removal of a display", "Progressive · Payment of the jackpot")
    assert [title for title in titles if title not in words(page)] == []
    for asked in Approval.objects.filter(state="open"):
        assert f'href="/floor/{desk.path}#asked-{asked.pk}"' in page
        assert f'id="asked-{asked.pk}"' in desk.get("second", desk.path)


def test_more_winners_take_no_more_statements(desk: HitDesk) -> None:
    counted = []
    for winners in (1, 1, 2):  # from the second one on there is a gate on the page
        desk.hit(winners=winners)
        desk.verify_all()
        with CaptureQueriesContext(connection) as statements:
            assert "0 of 2 signatures" in desk.said()
        counted.append(len(statements))
        desk.reject()
        desk.confirm_all()
    assert counted[1] == counted[2]
