"""Whoever entered, called, sent or corrected a result is its author: he looks at no claim of it and signs nothing that it pays."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction

from jackpot import services as jackpots
from jackpot.errors import DealerDecides, SlipPartPays
from jackpot.models import Claim, Slip, WaitingPrize
from jackpot.services.slips import cash_amount
from payouts.models import Approval
from payouts.rules.approval import SignerRefused
from payouts.services import approval_reject
from tables import services
from tables.errors import CroupierWrong
from tests.databases import superuser
from tests.floor import done
from tests.jackpot.linked import CHECKLIST, Linked, dull, once, royal
from tests.jackpot.lived import four_of_a_kind
from tests.jackpot.test_late import Late, paid_late
from tests.jackpot.test_prizes import Careful, approved_correction
from tests.tables.audits import breached_here
from tests.worlds import world


def settled_for_him(floor: Linked, round_id: UUID, result: dict[str, Any]) -> None:
    """The croupier is away: the pit boss enters the result."""
    prepared = services.round_evaluate(house_id=floor.house.pk, round_id=round_id, result=result)
    once(services.round_settle, prepared=prepared, person_id=floor.reto.pk, supervisor=True)


def called_for_him(floor: Linked, round_id: UUID, result: dict[str, Any]) -> None:
    ids = {"house_id": floor.house.pk, "round_id": round_id, "person_id": floor.reto.pk}
    done(services.round_call, **ids, supervisor=True)
    floor.end(0, round_id, result)


def corrected(floor: Linked, round_id: UUID, result: dict[str, Any]) -> None:
    floor.end(0, round_id, dull())
    approved_correction(floor, round_id, result)


def taken_late(floor: Linked, round_id: UUID, result: dict[str, Any]) -> None:
    """Sent by who had handed the table over, and taken by the pit."""
    of = {"house_id": floor.house.pk, "table_id": floor.tables[0].pk, "round_id": round_id, "kind": "settle"}
    sent: dict[str, Any] = {"payload": {"result": result}, "refused": CroupierWrong(), "person_id": floor.nora.pk}
    entry = done(services.review_item_record, **of, **sent)
    take = {"house_id": floor.house.pk, "clarify_id": entry.pk, "actor_id": floor.reto.pk}
    once(services.review_item_take, **take, reason="seen on camera")


WAYS: dict[Callable[..., None], set[str]] = {
    settled_for_him: {"reto"},
    called_for_him: {"reto"},
    corrected: {"nora", "ines"},
    taken_late: {"nora", "reto"},
}


def test_an_author_of_a_result_signs_nothing_that_it_pays_and_looks_at_no_claim(db: None) -> None:
    for number, (enter, names) in enumerate(WAYS.items()):
        floor = Careful(suffix=f".{number}")
        authors = [getattr(floor, name) for name in sorted(names)]
        took_part = {floor.croupiers[0].pk, *(one.pk for one in authors)}
        prize = floor.start(0)
        enter(floor, prize, four_of_a_kind())
        floor.advance()
        if floor.now().phase == "verifying":  # the call is gone with the result, and the prize waits with its hit
            floor.reject()
            floor.confirm_all()
            for one in jackpots.prizes_unasked():
                jackpots.prize_ask_again(one)
        assert set(floor.asked("jackpot.prize").excluded) == took_part, enter.__name__
        enter(floor, floor.start(0), royal("h"))
        floor.advance()
        claim = Claim.objects.get(hit__jackpot=floor.jackpot, state="open")
        assert set(claim.dealers) == took_part, enter.__name__
        ids = {"house_id": floor.house.pk, "claim_id": claim.pk}
        for author in authors:
            with pytest.raises(DealerDecides):
                done(jackpots.claim_verify, **ids, person_id=author.pk, checklist=CHECKLIST)
            with pytest.raises(DealerDecides):
                done(jackpots.claim_refuse, **ids, person_id=author.pk, reason="a misread card")
        done(jackpots.claim_verify, **ids, person_id=floor.bea.pk, checklist=CHECKLIST)
        floor.advance()
        asked = floor.asked()
        assert set(asked.excluded) == took_part, enter.__name__
        for author in authors:
            with pytest.raises(SignerRefused):
                floor.sign(asked, author)
    assert breached_here() == {}


@world(paid_late)
def test_an_author_signs_no_late_award_and_no_void_of_a_round_that_he_called(floor: Late) -> None:
    approved_correction(floor, floor.rounds[2], royal("c"))
    values = {"house_id": floor.house.pk, "round_id": floor.rounds[2], "person_id": floor.reto.pk}
    late = done(services.late_award_request, **values, box=1, amount_minor=5, reason="overlooked at the table")
    assert set(late.excluded) == {floor.croupiers[2].pk, floor.nora.pk, floor.ines.pk}
    called = floor.start(0)
    ids = {"house_id": floor.house.pk, "round_id": called}
    for person in (
        floor.nora,
        floor.martina,
    ):  # the round's first croupier and the one between are no strangers to it either
        hand = {"house_id": floor.house.pk, "table_id": floor.tables[0].pk, "actor_id": floor.reto.pk}
        done(services.table_hand_over, **hand, croupier_id=person.pk)
    done(services.round_call, **ids, person_id=floor.ines.pk, supervisor=True)
    void: Approval = done(services.round_void_request, **ids, person_id=floor.reto.pk, reason="misdeal")
    dealt = {floor.croupiers[0].pk, floor.nora.pk, floor.martina.pk}
    assert (set(void.excluded), set(Claim.objects.get(state="called").dealers)) == (
        dealt | {floor.ines.pk},
        dealt | {floor.ines.pk},
    )


@world(Careful)
def test_the_database_knows_who_corrected_a_result(floor: Careful, own_database: str) -> None:
    """Whatever the service says about who took part, which it keeps with claim and prize."""
    prize, claimed = floor.start(0), floor.start(1)
    floor.end(1, claimed, dull())
    corrected(floor, prize, four_of_a_kind())
    approved_correction(floor, claimed, royal("h"))
    floor.advance()
    waits = WaitingPrize.objects.get(source_id=prize)
    claim = Claim.objects.get(round_id=claimed)
    with superuser(own_database) as link:
        link.execute("ALTER TABLE jackpot_claim DISABLE TRIGGER claim_guard")
        link.execute("UPDATE jackpot_claim SET dealers = '{}'")
    for author in (floor.nora, floor.ines):
        waits.pk, waits.place, waits.dealers = uuid4(), 99, [one for one in waits.dealers if one != author.pk]
        with pytest.raises(IntegrityError, match="does not name all authors"), transaction.atomic():
            waits.save(force_insert=True)
        with pytest.raises(IntegrityError, match="its decider"), transaction.atomic():
            Claim.objects.filter(pk=claim.pk).update(state="refused", decided_by=author, reason="a misread card")
        waits.dealers = [*waits.dealers, author.pk]


@world(Careful)
def test_who_took_part_in_an_award_does_not_pay_its_slip(floor: Careful, own_database: str) -> None:
    """Dealt its round, entered its result, looked at its claim, or asked for it, last or before others: neither by the
    service nor past it.
    """
    won = floor.start(0)
    settled_for_him(floor, won, royal("h"))
    floor.advance()
    ids = {"house_id": floor.house.pk, "claim_id": Claim.objects.get().pk}
    done(jackpots.claim_refuse, **ids, person_id=floor.tim.pk, reason="a misread card")
    done(jackpots.claim_verify, **ids, person_id=floor.nora.pk, checklist=CHECKLIST)
    floor.advance()
    floor.sign(floor.asked(), floor.ines, floor.bea)
    floor.advance()
    floor.confirm_all()
    prize = floor.start(1)
    floor.end(1, prize, four_of_a_kind())
    by = {"house_id": floor.house.pk, "person_id": floor.bea.pk, "person_roles": floor.bea.roles}
    done(approval_reject, **by, approval_id=floor.asked("jackpot.prize").pk, reason="a misread card")
    again = {"prize_id": WaitingPrize.objects.get(source_id=prize).pk, "reason": "seen on camera"}
    for person in (floor.ines, floor.nora):
        approval = done(jackpots.prize_request_again, house_id=floor.house.pk, person_id=person.pk, **again)
        if person == floor.ines:
            done(approval_reject, **by, approval_id=approval.pk, reason="a misread card")
    floor.sign(approval, floor.bea)
    took_part = {
        "share": (floor.croupiers[0], floor.reto, floor.tim, floor.nora),
        "prize": (floor.croupiers[1], floor.ines, floor.nora),
    }
    for kind, people in took_part.items():
        slip = Slip.objects.get(award__kind=kind)
        cash = cash_amount(slip.award.amount_minor, "CHF")
        pays = {"house_id": floor.house.pk, "slip_id": slip.pk, "cash_minor": cash}
        for person in people:
            with pytest.raises(SlipPartPays):
                done(jackpots.slip_pay, **pays, actor_id=person.pk)
            with pytest.raises(IntegrityError, match="took part in its award"), transaction.atomic():
                Slip.objects.filter(pk=slip.pk).update(state="paid", paid_by=person, cash_minor=cash)
        assert done(jackpots.slip_pay, **pays, actor_id=floor.cage.pk).state == "paid"
    assert breached_here() == {}


class EnteredForHim(Late):
    """The pit boss enters the result of the third round, whose croupier is away."""

    def end(self, table: int, round_id: UUID, result: dict[str, Any]) -> dict[str, Any]:
        if table < 2:
            return super().end(table, round_id, result)
        settled_for_him(self, round_id, result)
        return {}


@world(lambda: EnteredForHim().paid())
def test_who_dealt_a_round_that_is_paid_late_does_not_pay_its_slip(floor: Late, own_database: str) -> None:
    """Nor does the claim name them, for there is none."""
    approved_correction(floor, floor.rounds[2], royal("c"))
    floor.late(floor.rounds[2], 1, 333_433)
    slip = Slip.objects.get(award__kind="late")
    paid = {"state": "paid", "cash_minor": cash_amount(slip.award.amount_minor, "CHF")}
    with pytest.raises(IntegrityError, match="took part in its award"), transaction.atomic():
        Slip.objects.filter(pk=slip.pk).update(**paid, paid_by=floor.croupiers[2])
    Slip.objects.filter(pk=slip.pk).update(**paid, paid_by=floor.cage)
