"""Each alert by its real cause: raised when its patience is over and not before, acknowledged by a person, over when the cause is.

The conditions run as they stand, on a database whose clock the test sets on (`later`): nothing waits, and nothing is patched.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any, ClassVar
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone, translation

from casino.devices.kinds import TABLETS
from casino.devices.refusals import DeviceSignInRefused
from casino.devices.services import device_revoke
from casino.devices.signin import device_sign_in
from casino.ops import heartbeats
from casino.ops.models import AuditRun
from casino.people.models import Person
from casino.people.pins import pin_set
from casino.people.refusals import PinSlowed
from casino.people.resting import credential_request, credential_sign
from casino.people.services import password_reset
from casino.people.tries import SLOWED_MOST_S
from casino.pit.alert_rules import (
    AUDIT_S,
    CONDITIONS,
    DISPLAY_CONFIRMS_S,
    DISPLAY_SILENT_S,
    DRAINING_S,
    EXPIRED_S,
    FAILURES,
    PACE_S,
    TABLET_SILENT_S,
    WITHDRAWN_S,
)
from casino.pit.alerts import AlertOwn, alert_acknowledge, alerts_derive, current_alerts, data_now
from casino.pit.board.read import live_tables, panels
from casino.pit.jackpots.displays import table_displays
from casino.pit.jackpots.steps import Reader
from casino.pit.labels import alert_text
from casino.pit.models import Alert
from casino.pit.poker_alerts import STANDS_S
from jackpot import services as jackpots
from jackpot.models import Claim, DisplaySession, Gate, Hit, Standstill
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.services import jackpot_steps_do
from jackpot.services.standing import ADJUST
from payouts.models import Account, Approval, Event
from payouts.rules.ledger import recipes
from payouts.rules.rulesets.funding import FundingSchedule
from payouts.rules.rulesets.schema import Posted
from payouts.services import approval_reject
from tables import services
from tables.errors import CroupierWrong
from tables.models import Difference, TableSession
from tables.selectors.rounds import round_record
from tables.services.cash.kinds import BUY_IN
from tables.services.cash.refused import entry_refused
from tables.services.rounds.doubts import doubt_record
from tables.services.rounds.much_won import much_record
from tests.casino.devices import devices
from tests.casino.people import people
from tests.casino.pit.clocks import CLOCKS, later
from tests.casino.pit.floor.floor_desk import words
from tests.casino.pit.room import Poor, Room
from tests.cast import post
from tests.counts import counted_twice, explain
from tests.databases import superuser
from tests.floor import done, taps
from tests.jackpot.linked import CHECKLIST, Linked, dull, royal
from tests.jackpot.lived import four_of_a_kind
from tests.payouts.test_audit import BACK, FREE
from tests.screens import Shown
from tests.worlds import world

LIT = "lit"  # what a display shows that never goes out


def derived(seconds: int = 0, since: datetime | None = None) -> list[str]:
    """The alerts that stand after so many seconds, from now or from that moment on."""
    with later(seconds, since):
        return standing()


def standing() -> list[str]:
    DisplaySession.objects.filter(shown=LIT).update(seen_at=Now())
    alerts_derive()
    return sorted(Alert.objects.filter(over_at=None).values_list("kind", flat=True))


def lit(floor: Linked) -> Linked:
    """The floor, with displays that are heard of whenever alerts are derived."""
    for display in floor.displays:
        floor.heard(display)
    DisplaySession.objects.update(shown=LIT)
    return floor


def acknowledged(floor: Linked, kind: str, title: str) -> None:
    """The pit boss finds the alert on his board under these words, and acknowledges it: who and when stand there."""
    person = people.make(floor.house, f"boss.{kind}", "pit_boss")
    Person.objects.filter(pk=person.pk).update(full_name="Laura Bernasconi")
    boss = people.signed_in(person)
    alert = Alert.objects.get(house=floor.house, kind=kind, over_at=None)
    english = {"accept-language": "en"}
    rail = words(boss.get("/pit/", headers=english).content.decode())
    assert title in rail
    assert "Laura Bernasconi" not in rail.partition(title)[2].partition("Acknowledge")[0]
    assert boss.post(f"/pit/alerts/{alert.pk}/acknowledge/", headers=english).status_code == 200
    alert.refresh_from_db()
    assert (alert.acknowledged_by, alert.over_at) == (person, None)
    seen = boss.get("/pit/", headers=english).content.decode().partition('id="seen"')[2]
    assert title in words(seen)
    assert "Laura Bernasconi" in seen
    told = Event.objects.get(name="alert.acknowledged", subject_id=str(alert.pk))
    assert (told.actor_id, told.house_id) == (person.pk, floor.house.pk)
    assert (told.after["kind"], told.after["subject"]) == (kind, alert.subject)


def over(floor: Linked, kind: str) -> None:
    """The cause is gone: the alert is over, and since it was acknowledged, it is on no board any more."""
    alert = Alert.objects.filter(house=floor.house, kind=kind).latest("pk")
    assert alert.over_at is not None
    boss = people.signed_in(people.make(floor.house, f"next.{kind}", "pit_boss"))
    assert f'id="alert-{alert.pk}"' not in boss.get("/pit/").content.decode()


@world(Linked, displays=0)
def test_tablet_whose_heartbeat_stops(floor: Linked) -> None:
    device, token = devices.enrol(floor.tables[0], floor.tim)
    tablet = Client()
    tablet.cookies[TABLETS.cookie(device.pk)] = token
    tablet.get(f"/tablet/{device.pk}/")
    device.refresh_from_db()
    assert derived(TABLET_SILENT_S - 1, device.last_seen_at) == []
    assert derived(TABLET_SILENT_S + 1, device.last_seen_at) == ["tablet_offline"]
    acknowledged(floor, "tablet_offline", "UTH 1: Tablet offline")
    with later(TABLET_SILENT_S + 1):
        tablet.get(f"/tablet/{device.pk}/")  # it is plugged in again
    device.refresh_from_db()
    assert derived(0, device.last_seen_at) == []
    over(floor, "tablet_offline")


@world(Linked, displays=0)
def test_tablet_that_is_revoked_while_its_table_is_open(floor: Linked) -> None:
    """The table has none any more, and goes on: that is told until another one stands there, or the table closes."""
    device, _token = devices.enrol(floor.tables[0], floor.tim)
    boss = people.make(floor.house, "boss.revokes", "pit_boss")
    done(device_revoke, device_id=device.pk, reason="stolen", by=boss)
    device.refresh_from_db()
    assert derived(TABLET_SILENT_S - 1, device.revoked_at) == []
    assert derived(TABLET_SILENT_S + 1, device.revoked_at) == ["tablet_offline"]
    acknowledged(floor, "tablet_offline", "UTH 1: Tablet offline")
    text = alert_text("tablet_offline", Alert.objects.get().data, floor.house)
    assert text.startswith("Its tablet was revoked ")
    done(services.table_close, house_id=floor.house.pk, table_id=floor.tables[0].pk, actor_id=floor.reto.pk)
    done(
        services.table_open,
        house_id=floor.house.pk,
        table_id=floor.tables[0].pk,
        croupier_id=floor.croupiers[0].pk,
        actor_id=floor.reto.pk,
    )
    assert derived(TABLET_SILENT_S + 1) == []  # it was opened without
    over(floor, "tablet_offline")


@world(Linked, displays=0)
def test_tablet_whose_page_is_not_stored(floor: Linked) -> None:
    """Issue 44-2: until it is stored, or its table closes; of one that does not know yet nothing is told."""
    device, token = devices.enrol(floor.tables[0], floor.tim)
    tablet = devices.browser_of(device, token)
    alerts = {"? 0": [], "no 0": ["tablet_unstored"], "yes 0": []}
    for report, kinds in alerts.items():
        tablet.get(devices.address(device, "here/"), headers={"X-Saalchef-Stored": report})
        assert derived() == kinds
        if kinds:
            acknowledged(floor, "tablet_unstored", "UTH 1: Tablet not ready for an outage")
            alert = Alert.objects.get(kind="tablet_unstored")
            assert alert.data == {"table": str(floor.tables[0].pk), "name": "Tablet"}
            assert alert_text(alert.kind, alert.data, floor.house).startswith("“Tablet” has not stored its page: ")
    over(floor, "tablet_unstored")
    tablet.get(devices.address(device, "here/"), headers={"X-Saalchef-Stored": "no 0"})
    done(services.table_close, house_id=floor.house.pk, table_id=floor.tables[0].pk, actor_id=floor.reto.pk)
    assert derived() == []


@world(Linked, displays=0, count=1)
def test_request_that_nobody_signed_in_time(floor: Linked) -> None:
    round_id = floor.start(0, coins=0)
    floor.end(0, round_id, dull())
    prepared = services.round_evaluate(
        house_id=floor.house.pk,
        round_id=round_id,
        result=taps(b1={"play": 4, "result": "lose"}, b2={"result": "fold"}),
        state="settled",
    )
    done(services.round_correction_request, prepared=prepared, person_id=floor.reto.pk, reason="seen on camera")
    asked = Approval.objects.get(house=floor.house, state="open")
    life = int((asked.expires_at - asked.requested_at).total_seconds())
    assert "request_expired" not in derived(life - 1, asked.requested_at)
    assert "request_expired" in derived(life + 1, asked.requested_at)
    acknowledged(floor, "request_expired", "UTH 1: Request expired unsigned")
    alert = Alert.objects.get(kind="request_expired")
    assert alert_text(alert.kind, alert.data, floor.house).startswith("Correction of a round, asked for ")
    assert (alert.data["round"], alert.data["table"]) == (str(round_id), str(floor.tables[0].pk))
    assert "request_expired" not in derived(life + EXPIRED_S + 1)
    over(floor, "request_expired")


@world(Linked, displays=0)
def test_lock_that_had_come_and_was_withdrawn(floor: Linked) -> None:
    """One that never came is not told: no stake was on the table's books."""
    where = {"house_id": floor.house.pk, "table_id": floor.tables[0].pk, "person_id": floor.croupiers[0].pk}
    done(services.round_withdraw, **where, round_id=uuid4())
    assert derived() == []
    round_id = floor.start(0, coins=0)
    done(services.round_withdraw, **where, round_id=round_id)
    assert derived() == ["lock_withdrawn"]
    acknowledged(floor, "lock_withdrawn", "UTH 1: Lock withdrawn")
    alert = Alert.objects.get(kind="lock_withdrawn")
    told = {"table": str(floor.tables[0].pk), "round": str(round_id), "number": 1, "seconds": alert.data["seconds"]}
    assert (alert.data, alert.data["seconds"] <= 30) == (told, True)
    assert alert_text(alert.kind, alert.data, floor.house).startswith("Round 1 was taken back ")
    assert "lock_withdrawn" not in derived(WITHDRAWN_S + 31)
    over(floor, "lock_withdrawn")


@world(Linked, displays=0)
def test_stake_that_is_doubted(floor: Linked) -> None:
    """Told for twelve hours with what speaks against it; `tests/tables/test_fed.py` has what raises it."""
    round_id = floor.start(0, coins=0)
    record = {"id": str(round_id), "house_id": str(floor.house.pk)}
    doubt_record(record, floor.croupiers[0].pk, why="blackjack.no_ace")
    assert derived() == ["stake_doubted"]
    acknowledged(floor, "stake_doubted", "UTH 1: Round doubted")
    alert = Alert.objects.get(kind="stake_doubted")
    assert alert_text(alert.kind, alert.data, floor.house).startswith("Round 1: insurance lies there")
    seated = alert.data | {"why": "owner_away", "box": 2, "guest": 7}
    assert alert_text(alert.kind, seated, floor.house).startswith(
        "Round 1, box 2: another guest decided, since Guest 7"
    )
    left = alert.data | {"why": "owner_left", "box": 2, "guest": 7}
    assert alert_text(alert.kind, left, floor.house).endswith("at the lock, has left it. Ask at the table.")
    fed = alert.data | {"why": "feed_denies", "revision": 1}
    assert alert_text(alert.kind, fed, floor.house).startswith("Round 1: the card feed has read cards after the")
    assert "stake_doubted" not in derived(WITHDRAWN_S + 31)
    over(floor, "stake_doubted")


@world(Linked, displays=0)
def test_win_that_one_person_has_entered(floor: Linked) -> None:
    """Until another one has looked: who entered or dealt it acknowledges nothing, in the database either."""
    round_id = floor.start(0, coins=0)
    dealer = floor.croupiers[0]
    record = round_record(house_id=floor.house.pk, round_id=round_id)
    lines = [SimpleNamespace(box=1, guest="a guest", won_minor=60_000, prize_minor=0)]
    ended: Any = SimpleNamespace(lines=lines, claims=())
    much_record(record, ended, dealer.pk)
    assert derived() == ["win_unseen"]
    alert = Alert.objects.get(kind="win_unseen")
    with pytest.raises(AlertOwn):
        done(alert_acknowledge, house_id=floor.house.pk, alert_id=alert.pk, person_id=dealer.pk)
    with pytest.raises(IntegrityError, match="UPDATE refused"), transaction.atomic():
        Alert.objects.filter(pk=alert.pk).update(acknowledged_at=Now(), acknowledged_by=dealer)
    assert "win_unseen" in derived(WITHDRAWN_S + 31)
    acknowledged(floor, "win_unseen", "UTH 1: Large win to be looked at")
    assert alert_text(alert.kind, alert.data, floor.house).startswith("Round 1, CHF\xa0600.00 won")
    assert "win_unseen" not in derived()
    over(floor, "win_unseen")


@world(Linked)
def test_royal_that_nobody_has_looked_at(floor: Linked) -> None:
    """Told with where and by whom, and its table stands out, until somebody has looked at the claim; the result of a round that
    was called names the box.
    """
    names = dict(zip(floor.croupiers, ("Martina Frei", "Nora Egli"), strict=True))
    for croupier, name in names.items():
        Person.objects.filter(pk=croupier.pk).update(full_name=name)
    first, second = floor.start(0), floor.start(1)
    floor.call(0, first)
    assert derived() == ["jackpot_claimed"]
    assert said(floor) == ["Called by Martina Frei, the box comes with the result"]
    floor.end(0, first, royal())
    floor.end(1, second, royal("d"))
    assert derived() == ["jackpot_claimed", "jackpot_claimed"]
    assert said(floor) == ["Box 1, Guest 1, dealt by Martina Frei", "Box 1, Guest 1, dealt by Nora Egli"]
    manager = people.signed_in(people.make(floor.house, "manager.claimed", "manager"))
    listed = words(manager.get("/admin/casino/alert/", headers={"accept-language": "en"}).content.decode())
    assert "Box 1, Guest 1, dealt by Martina Frei: go to the table" in listed
    boss = people.signed_in(people.make(floor.house, "boss.claimed", "pit_boss"))
    board = boss.get("/pit/board/", headers={"accept-language": "en"}).content.decode()
    panel = words(board.partition(f'id="jackpot-{floor.jackpot.pk}"')[2].partition("</section>")[0])
    assert (
        "2 claims are to be looked at. UTH 1, Box 1 · Guest 1 · Martina Frei UTH 2, Box 1 · Guest 1 · Nora Egli"
        in panel
    )
    assert board.count('class="tile blocked marked alarm"') == 2
    assert board.count('class="one alarm"') == 2
    floor.advance()
    floor.verify(Claim.objects.get(table_id=floor.tables[0].pk))
    assert derived() == ["jackpot_claimed"]
    acknowledged(floor, "jackpot_claimed", "UTH 2: Jackpot claimed")
    floor.verify_all()
    assert derived() == []
    over(floor, "jackpot_claimed")


def said(floor: Linked) -> list[str]:
    """What the alerts on the board say, up to what is to be done."""
    with translation.override("en"):
        shown = current_alerts(house_id=floor.house.pk).waiting
        return [alert_text(one.kind, data_now(one), floor.house).partition(":")[0] for one in shown]


@world(Linked)
def test_draining_table_that_is_silent(floor: Linked) -> None:
    floor = lit(floor)
    first, second = floor.start(0), floor.start(1)
    floor.end(0, first, royal())
    assert floor.now().phase == "draining"
    begun_at = Hit.objects.get().begun_at
    assert derived(DRAINING_S - 1, begun_at) == ["jackpot_claimed"]
    assert derived(DRAINING_S + 1, begun_at) == ["draining_silent", "jackpot_claimed"]
    acknowledged(floor, "draining_silent", "UTH 2: Round holds the jackpot up")
    floor.void(second)
    assert derived(DRAINING_S + 1) == ["jackpot_claimed"]
    over(floor, "draining_silent")


@world(Shown, screens=2)
def test_display_that_does_not_confirm(floor: Shown, own_database: str) -> None:
    for screen in floor.screens:
        screen.alive()
    floor.won(0)
    assert floor.screens[0].confirm().status_code == 200
    DisplaySession.objects.update(shown=LIT)
    made_at = Gate.objects.get(state="open").made_at
    assert derived(DISPLAY_CONFIRMS_S - 1, made_at) == []
    assert derived(DISPLAY_CONFIRMS_S + 1, made_at) == ["display_unconfirmed"]
    acknowledged(floor, "display_unconfirmed", "Progressive: Display does not confirm")
    assert Alert.objects.get().data["name"] == "Anzeige 2"
    floor.screens[1].alive()
    assert floor.screens[1].confirm().status_code == 200
    DisplaySession.objects.update(shown=LIT)
    assert derived(DISPLAY_CONFIRMS_S + 1) == []
    over(floor, "display_unconfirmed")


@world(Shown)
def test_display_that_goes_dark(floor: Shown) -> None:
    floor.screens[0].alive()
    seen_at = DisplaySession.objects.get().seen_at
    assert derived(DISPLAY_SILENT_S - 1, seen_at) == []
    assert derived(DISPLAY_SILENT_S + 1, seen_at) == ["display_offline"]
    acknowledged(floor, "display_offline", "Progressive: Display dark")
    with later(DISPLAY_SILENT_S + 1):
        floor.screens[0].alive()
    assert derived(0, DisplaySession.objects.get().seen_at) == []
    over(floor, "display_offline")


@world(Shown, count=1)
def test_what_was_heard_before_the_clock_was_set_back_is_no_sign_of_life(floor: Shown) -> None:
    """What lies ahead is of another clock: nobody waits until this one has caught up."""
    device, token = devices.enrol(floor.tables[0], floor.tim)
    tablet = Client()
    tablet.cookies[TABLETS.cookie(device.pk)] = token

    def stands() -> tuple[list[str], bool, list[str], bool | None]:
        [display] = table_displays(Reader(floor.now(), floor.tim), None, [])
        panel = panels(house_id=floor.house.pk)[floor.jackpot.pk]
        table = live_tables(house_id=floor.house.pk)[floor.tables[0].pk]
        return standing(), display.dark, panel.dark, table.silent

    def speak() -> None:
        floor.screens[0].alive()
        tablet.get(f"/tablet/{device.pk}/")

    with later(3600):
        speak()
    with later(0):
        assert stands() == (["display_offline", "tablet_offline"], True, ["Anzeige 1"], True)
    moments = [datetime.fromisoformat(one.data["since"]) for one in Alert.objects.all()]
    assert max(moments) <= timezone.now()
    with later(0, timezone.now()):
        speak()
        assert stands() == ([], False, [], False)


@world(Linked, displays=0, count=1)
def test_table_where_guests_wait_and_nothing_is_played(floor: Linked) -> None:
    opened_at = TableSession.objects.get().opened_at
    assert derived(PACE_S - 1, opened_at) == []
    assert derived(PACE_S + 1) == ["pace_off"]
    acknowledged(floor, "pace_off", "UTH 1: Unusual pace")
    for guest in floor.guests[0]:
        done(services.guest_leave, house_id=floor.house.pk, guest_id=guest.pk, actor_id=floor.reto.pk)
    assert derived(PACE_S + 1) == []
    over(floor, "pace_off")


@world(Linked, displays=0, count=1)
def test_table_that_plays_faster_than_cards_are_dealt(floor: Linked) -> None:
    for number in range(46):  # in half an hour
        assert derived() == [], number
        floor.end(0, floor.start(0, coins=0, boxes=1), dull(1))
    assert derived() == ["pace_off"]
    acknowledged(floor, "pace_off", "UTH 1: Unusual pace")
    assert Alert.objects.get().data["an_hour"] == 92
    ids = {"house_id": floor.house.pk, "table_id": floor.tables[0].pk, "actor_id": floor.reto.pk}
    done(services.table_close, **ids)
    assert derived() == []
    over(floor, "pace_off")


class Capped(Linked):
    """Its meter, which stands at 10 000, may show 10 528 at most: 95 per cent of that are 10 001.60."""

    posted: ClassVar[dict[str, Posted]] = {"funding": replace(FundingSchedule(), cap_minor=1_052_800)}


@world(Capped, displays=1)
def test_meter_that_comes_near_its_cap(floor: Capped) -> None:
    lit(floor)
    floor.end(0, floor.start(0), dull())
    assert derived() == []
    floor.end(0, floor.start(0), dull())
    assert derived() == ["cap_near"]
    acknowledged(floor, "cap_near", "Progressive: Meter near its cap")
    assert floor.win(0) == "open"
    lit(floor)
    assert derived() == []
    over(floor, "cap_near")


@world(Linked, displays=1)
def test_jackpot_whose_step_fails_again_and_again(floor: Linked) -> None:
    lit(floor)
    floor.end(0, floor.start(0), royal("h"))
    jackpot_steps_do(floor.jackpot.pk)
    for claim in Claim.objects.all():
        floor.verify(claim)
    with superuser() as link:
        link.execute("ALTER TABLE jackpot_split ADD CONSTRAINT broken CHECK (false) NOT VALID")
    for failures in range(1, FAILURES + 1):
        assert derived() == []
        with pytest.raises(IntegrityError):
            jackpot_steps_do(floor.jackpot.pk)
        assert Standstill.objects.get().failures == failures
    assert derived() == ["jackpot_stands"]
    assert "violates check constraint" in Alert.objects.get().data["error"]
    acknowledged(floor, "jackpot_stands", "Progressive: Jackpot does not move on")
    with superuser() as link:
        link.execute("ALTER TABLE jackpot_split DROP CONSTRAINT broken")
    assert derived() == ["jackpot_stands"]  # until it moves
    assert jackpot_steps_do(floor.jackpot.pk)
    assert derived() == []
    over(floor, "jackpot_stands")
    floor.approve()
    assert floor.confirm_all() == "open"


@world(Linked)
def test_payment_that_is_rejected_twice_in_a_row(floor: Linked) -> None:
    """One "no" is a decision, the second an alarm; what somebody takes back themselves is neither."""
    room = Room(lit(floor))
    floor = room.linked
    floor.end(0, floor.start(0), royal())
    floor.advance()
    for reason in ("the camera shows a jack", "and once more"):
        assert "rejected_again" not in derived()
        floor.verify(Claim.objects.get())
        floor.advance()
        room.turn_down(floor.asked(), reason)
    assert "rejected_again" in derived()
    acknowledged(floor, "rejected_again", "Progressive: Rejected twice in a row")
    alert = Alert.objects.get(kind="rejected_again")
    name = Person.objects.get(pk=floor.bea.pk).full_name
    sentence = f"Payment of the jackpot: rejected by {name}, asked for again and rejected by {name}."
    assert alert_text(alert.kind, alert.data, floor.house).startswith(sentence)
    floor.verify(Claim.objects.get())
    floor.advance()
    floor.approve()
    assert "rejected_again" not in derived()
    over(floor, "rejected_again")


@world(Linked)
def test_payment_that_begins_anew_twice_in_a_row(floor: Linked) -> None:
    """Whoever decides a claim again, so that what others have signed ends, says no as well."""
    floor = Room(lit(floor)).linked
    floor.end(0, floor.start(0), royal())
    floor.advance()
    floor.verify(Claim.objects.get())
    floor.advance()
    ids = {"house_id": floor.house.pk, "claim_id": Claim.objects.get().pk, "person_id": floor.reto.pk}
    for note in ("by Reto", "by Reto, on the camera"):
        assert "rejected_again" not in derived()
        floor.sign(floor.asked(), floor.bea)
        done(jackpots.claim_verify, **ids, checklist=dict.fromkeys(CHECKLIST, note))
        floor.advance()
    assert "rejected_again" in derived()
    floor.approve()
    assert "rejected_again" not in derived()


@world(Linked)
def test_what_is_taken_back_twice_is_no_rejection(floor: Linked) -> None:
    lit(floor)
    asks = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "action": "jackpot.suspend"}
    for _time in range(2):
        approval = done(jackpots.jackpot_request, **asks, payload={"reason": "its cable"}, person_id=floor.reto.pk)
        by = {"approval_id": approval.pk, "house_id": floor.house.pk, "person_id": floor.reto.pk}
        done(approval_reject, **by, person_roles=floor.reto.roles, reason="it holds")
    assert "rejected_again" not in derived()


@world(Linked)
def test_hit_that_waits_for_people_who_were_asked_nothing(floor: Linked) -> None:
    """A false alarm: told until its rejection is asked for, again when that is turned down; and a true one that is not paid."""
    room = Room(lit(floor))
    floor = room.linked
    called = floor.start(0)
    floor.call(0, called)
    floor.end(0, called, dull())
    assert derived() == []  # nobody can reject it before its rounds have ended
    floor.advance()
    assert derived() == ["hit_waits"]
    assert said(floor) == ["No claim is true"]
    acknowledged(floor, "hit_waits", "Progressive: Hit waits for the pit")
    assert derived() == ["hit_waits"]
    ids = {"house_id": floor.house.pk, "person_id": floor.reto.pk}
    hit = Hit.objects.get()
    asked = done(jackpots.hit_reject_request, **ids, hit_id=hit.pk, reason="a misread card")
    assert derived() == []
    over(floor, "hit_waits")
    room.turn_down(asked, "it was a royal")
    assert derived() == ["hit_waits"]
    done(jackpots.hit_reject_request, **ids, hit_id=hit.pk, reason="a misread card")
    floor.sign(floor.asked("jackpot.reject"), floor.bea)
    floor.advance()
    assert floor.confirm_all() == "open"
    lit(floor)
    assert derived() == []
    floor.end(0, floor.start(0), royal())
    floor.advance()
    floor.verify_all()
    assert derived() == []
    room.turn_down(floor.asked(), "the camera shows a jack")
    assert derived() == ["hit_waits"]
    assert said(floor)[0] == "The payment was rejected"
    floor.verify(Claim.objects.get(state="verified"))
    floor.advance()
    assert derived() == []  # the payment is asked for again


@world(Poor, displays=1)
def test_hit_whose_meter_is_below_zero_waits_for_people(floor: Poor) -> None:
    floor = lit(floor)
    first, second = floor.start(0), floor.start(1)
    floor.end(0, first, royal())
    floor.end(1, second, four_of_a_kind())
    floor.advance()
    floor.verify_all()
    assert derived() == ["hit_waits", "win_unseen"]
    assert "The meter is below zero" in said(floor)
    ids = {"house_id": floor.house.pk, "jackpot_id": floor.jackpot.pk, "person_id": floor.reto.pk}
    payload = {"amount_minor": 50_000, "reason": "a wrong prize"}
    done(jackpots.jackpot_request, **ids, action=ADJUST, payload=payload)
    assert derived() == ["win_unseen"]


@world(Linked, displays=0)
def test_books_that_an_audit_finds_wrong(floor: Linked, own_database: str) -> None:
    heartbeats.audit_store()
    assert derived() == []
    account = Account.objects.filter(house=floor.house).exclude(balance_minor=0).earliest("pk")
    shifted("+ 1", account)
    with later(31):
        heartbeats.audit_store()
    assert derived() == ["audit_failing"]
    acknowledged(floor, "audit_failing", "The books do not agree")
    assert Alert.objects.get().data["audits"]
    shifted("- 1", account)
    with later(62):
        heartbeats.audit_store()
    assert derived() == []
    over(floor, "audit_failing")


def shifted(by: str, account: Account) -> None:
    """Somebody who owns the server, and forges."""
    with superuser() as link:
        link.execute(FREE)
        link.execute(f"UPDATE payouts_account SET balance_minor = balance_minor {by} WHERE id = %s", [account.pk])
        link.execute(BACK)


@world(Linked, displays=0)
def test_books_that_nobody_checks_any_more(floor: Linked, own_database: str) -> None:
    heartbeats.audit_store()
    checked_at = AuditRun.objects.get().at
    assert derived(AUDIT_S - 1, checked_at) == []
    assert derived(AUDIT_S + 1, checked_at) == ["audit_failing"]
    acknowledged(floor, "audit_failing", "The books do not agree")
    assert Alert.objects.get().data["audits"] == []
    with later(31):
        heartbeats.audit_store()  # the worker is there again
    assert derived() == []
    over(floor, "audit_failing")


class Guarded(Linked):
    """No table plays more than one round with coins in an hour, it was posted."""

    posted: ClassVar[dict[str, Posted]] = {"jackpot_rules": replace(JackpotRules(), rounds_an_hour_most=1)}


@world(Guarded)
def test_more_contributions_than_a_table_can_play(floor: Guarded) -> None:
    floor = lit(floor)
    for number in (1, 2, 3):  # an hour may begin between two of them, and two fall into one still
        floor.end(0, floor.start(0), dull())
        assert derived() == [] or number > 1
    assert set(derived()) == {"too_many_coins"}
    acknowledged(floor, "too_many_coins", "UTH 1: Too many rounds with coins")
    assert derived(7_200) == ["pace_off"] * 2  # of the hour before the last one nobody is told any more
    over(floor, "too_many_coins")


@world(Linked, displays=0)
def test_sign_in_that_another_person_has_set(floor: Linked) -> None:
    floor.start(0, coins=0)
    anna = people.make(floor.house, "anna.sets", "manager")
    boss = people.make(floor.house, "boris.rests", "pit_boss")
    password_reset(person=boss, by=anna)
    assert derived() == ["sign_in_anew"]
    acknowledged(floor, "sign_in_anew", "Sign-in set anew")
    request = done(credential_request, person=boss)
    assert request is not None
    ids = {"approval_id": request.pk, "house_id": floor.house.pk, "payload_hash": bytes(request.payload_hash)}
    signer = {"signer_id": floor.ines.pk, "signer_roles": floor.ines.roles, "method": request.method}
    done(credential_sign, **ids, **signer)
    assert derived() == []
    over(floor, "sign_in_anew")


@world(Linked, displays=0)
def test_buy_in_of_a_tablet_that_was_not_booked(floor: Linked) -> None:
    """Told for twelve hours, or until it is booked after all; who entered it does not look at it alone."""
    entry_id = uuid4()
    table = floor.tables[0]
    of_entry = {"kind": BUY_IN, "house_id": floor.house.pk, "table_id": table.pk, "entry_id": entry_id}
    for _turn in range(2):
        done(entry_refused, **of_entry, amount=200_00, actor_id=floor.reto.pk, refused=CroupierWrong())
        assert derived() == ["entry_unbooked"]
    alert = Alert.objects.get(kind="entry_unbooked")
    with pytest.raises(AlertOwn):
        done(alert_acknowledge, house_id=floor.house.pk, alert_id=alert.pk, person_id=floor.reto.pk)
    acknowledged(floor, "entry_unbooked", "UTH 1: Buy-in or tip not booked")
    assert "entry_unbooked" not in derived(STANDS_S + 31)
    by = {"house_id": floor.house.pk, "table_id": table.pk, "actor_id": floor.reto.pk, "supervisor": True}
    done(services.buyin_enter, **by, buyin_id=entry_id, amount_minor=200_00)
    assert derived() == []
    over(floor, "entry_unbooked")


@world(Linked, displays=0)
def test_difference_of_a_count(floor: Linked) -> None:
    """Told until it is explained; who counted or witnessed does not look at it alone."""
    table = counted_twice(floor)
    assert derived() == ["difference_open"]
    alert = Alert.objects.get(kind="difference_open")
    with pytest.raises(AlertOwn):
        done(alert_acknowledge, house_id=floor.house.pk, alert_id=alert.pk, person_id=floor.reto.pk)
    acknowledged(floor, "difference_open", "UTH 8: Difference to be explained")
    explain(floor, Difference.objects.get(table=table), floor.ines, floor.bea)
    assert derived() == []
    over(floor, "difference_open")


@world(Linked, displays=0)
def test_tray_below_nothing(floor: Linked) -> None:
    """Of a table that is counted; told until a fill is entered."""
    counted = counted_twice(floor)
    explain(floor, Difference.objects.get(table=counted), floor.ines, floor.bea)
    for table in (counted, floor.tables[0]):
        owners = {"house": floor.house.pk, "table": table.pk}
        post(floor.house, "credit", recipes.credit(20_000_000), owners=owners, key=f"credit:{table.pk}")
    assert derived() == ["tray_short"]
    acknowledged(floor, "tray_short", "UTH 8: Fill not entered")
    owners = {"house": floor.house.pk, "table": counted.pk}
    post(floor.house, "fill", recipes.fill(20_000_000), owners=owners, key=f"fill:{counted.pk}")
    assert derived() == []
    over(floor, "tray_short")


@world(Linked, displays=0)
def test_card_feed_that_was_enrolled(floor: Linked) -> None:
    """Told for twelve hours, or until it is revoked without having read a card."""
    device, _token = devices.feed(floor.tables[0], floor.reto, "Shoe 2")
    assert derived() == ["feed_enrolled"]
    alert = Alert.objects.get(kind="feed_enrolled")
    with pytest.raises(AlertOwn):
        done(alert_acknowledge, house_id=floor.house.pk, alert_id=alert.pk, person_id=floor.reto.pk)
    acknowledged(floor, "feed_enrolled", "UTH 1: New card feed")
    assert (alert.subject, alert.data["table"]) == (str(device.pk), str(floor.tables[0].pk))
    assert alert_text(alert.kind, alert.data, floor.house).startswith(f"“Shoe 2”, by {floor.reto.full_name} since ")
    assert "feed_enrolled" not in derived(WITHDRAWN_S + 31)
    device_revoke(device_id=device.pk, reason="not ours", by=floor.reto)
    assert derived() == []
    over(floor, "feed_enrolled")
    fleeting, _token = devices.feed(floor.tables[0], floor.reto, "Shoe 3")
    read = {"board": "Ah Ad Kh 7c 2d", "dealer": "3c 4c", "boxes": {}}
    feed = {"house_id": floor.house.pk, "round_id": floor.start(0, coins=0), "device_id": fleeting.pk, "cards": read}
    done(services.card_feed_record, **feed)
    device_revoke(device_id=fleeting.pk, reason="not ours", by=floor.reto)
    assert derived() == ["feed_enrolled"]


@world(Linked, displays=0)
def test_wrong_pins_at_a_tablet_that_its_croupier_attends(floor: Linked) -> None:
    """Once for the tablet, under whatever names; over half an hour after the last of them."""
    floor.start(0, coins=0)
    device, _token = devices.enrol(floor.tables[0], floor.reto)
    croupier = floor.croupiers[0]
    pin_set(person=croupier, pin=devices.PIN)
    device_sign_in(device=device, pin=devices.PIN, username=croupier.username)
    stood = []
    for number in range(10):
        with pytest.raises((DeviceSignInRefused, PinSlowed)):
            device_sign_in(device=device, pin="000001", username=("n.obody", floor.reto.username)[number % 2])
        stood.append("pins_slowed" in derived())
    assert stood == [False] * 8 + [True] * 2
    alert = Alert.objects.get(kind="pins_slowed")
    with translation.override("en"):
        assert alert_text(alert.kind, alert.data, floor.house).startswith("“Tablet”, again and again since ")
    with pytest.raises(AlertOwn):  # who had the table
        done(alert_acknowledge, house_id=floor.house.pk, alert_id=alert.pk, person_id=croupier.pk)
    acknowledged(floor, "pins_slowed", "UTH 1: Wrong PINs at a tablet")
    assert "pins_slowed" not in derived(2 * SLOWED_MOST_S + 1)
    over(floor, "pins_slowed")


def test_every_alert_has_its_cause() -> None:
    """Here, or where poker's are."""
    from tests.casino.pit import test_poker_board  # it needs what stands here

    tests = globals() | vars(test_poker_board)
    causes: list[Callable[..., None]] = [value for name, value in tests.items() if name.startswith("test_")]
    told = {kind for cause in causes for kind in CONDITIONS if kind in cause.__code__.co_consts}
    assert told == set(CONDITIONS)


def test_clock_that_is_set_on_is_the_one_that_conditions_ask(db: None) -> None:
    with later(3_600), connection.cursor() as cursor:
        for clock in CLOCKS:
            cursor.execute(f"SELECT {clock}() - pg_catalog.{clock}() > interval '59 minutes'")
            assert cursor.fetchone() == (True,)
    timeless = (
        "jackpot_claimed",
        "cap_near",
        "jackpot_stands",
        "sign_in_anew",
        "tablet_unstored",
        "difference_open",
        "tray_short",
    )
    assert all("clock_timestamp()" in sql for kind, sql in CONDITIONS.items() if kind not in timeless)
