"""Records lead to one another both ways: whoever reads one finds the other, from either side."""

from datetime import timedelta

from django.utils import timezone

from casino.devices.models import Device, DeviceSession
from jackpot.models import Award, GateDisplay, Slip, WaitingPrize
from payouts.models import Approval, ApprovalSignature, Entry, PostedTable, Transfer
from tables import services
from tables.models import CardFeed, Round
from tests.casino.audit.desk import Desk
from tests.casino.devices import devices
from tests.floor import done, taps


def leads(desk: Desk, here: str, *there: str) -> None:
    page = desk.page(here)
    for one in there:
        assert f'href="/audit/{one}"' in page, (here, one)


def both(desk: Desk, one: str, other: str) -> None:
    leads(desk, one, other)
    leads(desk, other, one)


def test_round_hit_slip_transfer_account_and_person(desk: Desk) -> None:
    hit = f"hits/{desk.paid.pk}/"
    award = Award.objects.filter(hit=desk.paid, slip__state="paid").select_related("slip__paid_by")[0]
    round_ = f"rounds/{award.round_id}/"
    both(desk, round_, hit)
    row = Round.objects.get(pk=award.round_id)
    payer = award.slip.paid_by
    assert payer is not None
    moved = Transfer.objects.filter(subject_kind="award", subject_id=award.pk)
    assert {one.kind for one in moved} >= {"slip_paid"}
    for page in (round_, hit):  # the slip stands on both
        assert f'id="slip-{award.slip.number}"' in desk.page(page)
        leads(desk, page, f"people/{payer.pk}/", f"people/{row.croupier_id}/", f"transfers/{award.transfer_id}/")
        leads(desk, page, *(f"transfers/{one.pk}/" for one in moved))
    for one in moved:
        leads(desk, f"transfers/{one.pk}/", f"hits/{desk.paid.pk}/#slip-{award.slip.number}")
        account = Entry.objects.filter(transfer=one)[0].account_id
        both(desk, f"transfers/{one.pk}/", f"accounts/{account}/")
    entry = Entry.objects.filter(transfer__actor=payer).order_by("-account__version")[0]
    leads(desk, f"accounts/{entry.account_id}/", f"people/{payer.pk}/")
    mine = desk.page(f"people/{payer.pk}/").replace("&amp;", "&")
    for kind in ("rounds", "hits", "slips", "transfers", "acts", "devices", "posted"):
        assert f'href="/audit/?kind={kind}&person={payer.pk}"' in mine
    assert f"#slip-{award.slip.number}" in desk.page(kind="slips", person=str(payer.pk))


def test_slip_without_a_hit_stands_with_its_round_and_a_prize_leads_to_its_round(desk: Desk) -> None:
    award = Award.objects.filter(hit=None).select_related("slip").first()
    if award is None:
        award = Award.objects.filter(kind="prize").select_related("slip")[0]
    assert f'id="slip-{award.slip.number}"' in desk.page(f"rounds/{award.round_id}/")
    for one in Transfer.objects.filter(house=desk.house, subject_kind="prize"):
        leads(desk, f"transfers/{one.pk}/", f"rounds/{WaitingPrize.objects.get(pk=one.subject_id).source_id}/")


def test_signatures_lead_to_what_was_signed_and_back(desk: Desk) -> None:
    asked = Approval.objects.get(subject_kind="round", subject_id=str(desk.corrected.pk))
    for signer in (desk.lived.ines.pk, asked.requester_id):
        both(desk, f"people/{signer}/", f"rounds/{desk.corrected.pk}/")


def test_signed_prizes_and_slips_lead_to_where_they_stand(desk: Desk) -> None:
    """Neither has a page of its own: a prize is owed by its round, a slip stands with its hit or round."""
    asked = Approval.objects.filter(subject_kind="prize", state="open").first()
    assert asked is not None
    desk.lived.sign(asked, desk.lived.ines)
    prize = WaitingPrize.objects.get(pk=asked.subject_id)
    leads(desk, f"people/{desk.lived.ines.pk}/", f"rounds/{prize.source_id}/")
    signed = ApprovalSignature.objects.filter(approval__subject_kind="slip").select_related("approval")[0]
    slip = Slip.objects.get(pk=signed.approval.subject_id)
    assert f"#slip-{slip.number}" in desk.page(f"people/{signed.signer_id}/")


def test_the_tablet_that_locked_and_ended_a_round_is_named(desk: Desk) -> None:
    lived, now = desk.lived, timezone.now()
    dealer = lived.croupiers[0]
    DeviceSession.objects.create(device=desk.tablet, person=dealer, expires_at=now + timedelta(hours=8))
    other = devices.enrol(lived.tables[0], desk.tablet.enrolled_by, "Second")[0]
    DeviceSession.objects.create(device=other, person=lived.croupiers[1], expires_at=now + timedelta(hours=8))
    pk = lived.start(0, coins=0, boxes=1)
    device, round_ = f"devices/{desk.tablet.pk}/", f"rounds/{pk}/"
    both(desk, device, round_)
    said = desk.said(round_)
    assert f"Tablet {dealer.full_name} · locked it here" in said
    assert said.count("it here") == 1
    lost = taps(b1={"play": 4, "result": "lose"})
    prepared = services.round_evaluate(house_id=desk.house.pk, round_id=pk, result=lost)
    done(services.round_settle, prepared=prepared, person_id=dealer.pk)
    said = desk.said(round_)
    assert f"Tablet {dealer.full_name} · locked and ended it here" in said
    assert said.count("it here") == 1
    leads(desk, round_, f"devices/{other.pk}/")  # somebody was signed in there, too
    assert f'href="/audit/{round_}"' not in desk.page(f"devices/{other.pk}/")
    both(desk, device, f"people/{dealer.pk}/")


def test_feed_and_displays(desk: Desk) -> None:
    feed = devices.feed(desk.lived.tables[2], desk.tablet.enrolled_by)[0]
    CardFeed.objects.create(house=desk.house, round=desk.corrected, device_id=feed.pk, cards={"board": []})
    leads(desk, f"rounds/{desk.corrected.pk}/", f"devices/{feed.pk}/")
    shown = GateDisplay.objects.filter(gate__hit=desk.paid).values_list("display_id", flat=True)
    for display in Device.objects.filter(pk__in=shown):
        both(desk, f"devices/{display.pk}/", f"hits/{desk.paid.pk}/")


def test_version_leads_to_where_it_counted_and_back(desk: Desk) -> None:
    epoch = desk.paid.epoch
    both(desk, f"posted/{epoch.funding_id}/", f"hits/{desk.paid.pk}/")
    rules = PostedTable.objects.get(pk=(desk.corrected.versions or {})["uth_rules"])
    leads(desk, f"rounds/{desk.corrected.pk}/", f"posted/{rules.pk}/")
    day = desk.corrected.session.gaming_day if desk.corrected.session else None
    page = desk.page(f"posted/{rules.pk}/").replace("&amp;", "&")
    search = f"?kind=rounds&table={desk.corrected.table_id}&from={day}&to={day}"
    assert f'href="/audit/{search}"' in page
    assert f"/audit/rounds/{desk.corrected.pk}/" in desk.page(search)


def test_what_a_search_finds_leads_to_records_and_people(desk: Desk) -> None:
    page = desk.page(kind="rounds", q="UTH 3")
    assert f'href="/audit/rounds/{desk.corrected.pk}/"' in page
    assert f'href="/audit/people/{desk.corrected.croupier_id}/"' in page
