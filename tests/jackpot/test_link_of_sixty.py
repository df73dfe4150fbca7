"""Sixty linked tables, two royal flushes at once, Envy for every coin: 826 prizes go through to paid and reopened (PRG-6)."""

import json
from uuid import uuid4

import pytest
from django.db.models.functions import Now

from jackpot.models import Award, RunningRound, WaitingPrize
from jackpot.services.split import award_payload, split_newest, split_now
from payouts.models import Approval, ApprovalList
from payouts.rules.plain import DATA_MAX_BYTES, DataRefused, canonical, fingerprint
from payouts.sealed import forms
from payouts.services import approval_request, lists_of, whole_payload
from tests.floor import done
from tests.jackpot.linked import Linked, royal
from tests.jackpot.test_prizes import Envious, held
from tests.tables.audits import breached
from tests.worlds import world

BOXES, TABLES = 7, 60
PRIZES = 2 * (TABLES - 1) * BOXES


def running(floor: Linked, count: int) -> None:
    """So many more linked tables, each with a round that runs and a coin at every box: written at once."""
    now = floor.now()
    of = {"house_id": floor.house.pk, "jackpot": now, "epoch_id": now.epoch_id}
    coins = [{str(box): str(uuid4()) for box in range(1, BOXES + 1)} for _ in range(count)]
    RunningRound.objects.bulk_create(RunningRound(round_id=uuid4(), table_id=uuid4(), coins=one, **of) for one in coins)


@world(Envious)
def test_prg6_two_royals_with_envy_of_sixty_tables_are_paid_and_the_tables_reopen(
    floor: Envious, own_database: str
) -> None:
    rounds = [floor.start(table, coins=BOXES, boxes=BOXES) for table in (0, 1)]
    running(floor, TABLES - 2)
    for table, round_id in enumerate(rounds):
        floor.end(table, round_id, royal("cs"[table], boxes=BOXES))
    RunningRound.objects.filter(ended_at=None).update(ended_at=Now(), ended_as="settled")
    assert WaitingPrize.objects.count() == PRIZES == 826
    floor.advance()
    assert floor.verify_all() == "verifying"
    asked = floor.asked()
    assert len(canonical(asked.payload)) < DATA_MAX_BYTES // 50
    prizes = lists_of(asked)["prizes"]
    assert len(canonical(prizes)) > DATA_MAX_BYTES
    assert asked.payload["lists"]["prizes"] == {"count": PRIZES, "sha256": fingerprint(prizes).hex()}
    assert {name: len(lines) for name, lines in lists_of(asked).items()} == {
        "shares": 2,
        "refused": 0,
        "prizes": PRIZES,
    }
    assert "payouts_approvallist" in forms()
    floor.approve()
    assert list(Award.objects.filter(kind="prize").values_list("amount_minor").distinct()) == [(50_000,)]
    assert Award.objects.filter(kind="prize").count() == PRIZES
    assert (held("prizes_waiting"), floor.confirm_all()) == (0, "open")
    assert "lists_are_what_was_signed" not in breached()


@world(Linked)
def test_what_is_signed_with_its_lists_reads_as_before(floor: Linked, own_database: str) -> None:
    floor.end(0, floor.start(0), royal("h"))
    floor.advance()
    floor.verify_all()
    asked, hit = floor.asked(), floor.now().hit
    kept = {one.name: json.loads(one.text) for one in ApprovalList.objects.filter(approval=asked)}
    assert set(kept) == {"shares", "refused", "prizes"}
    assert whole_payload(asked) == {name: one for name, one in asked.payload.items() if name != "lists"} | kept
    split = split_newest(hit)
    assert split is not None
    again = award_payload(hit, split, split_now(floor.now(), hit))
    assert (again.payload, again.lists) == (
        asked.payload,
        {one.name: one.text for one in ApprovalList.objects.filter(approval=asked)},
    )


@world(Linked)
def test_a_persons_request_is_bounded_as_ever(floor: Linked, own_database: str) -> None:
    ids = {"house_id": floor.house.pk, "action": "jackpot.suspend", "subject_kind": "jackpot", "subject_id": uuid4()}
    with pytest.raises(DataRefused):
        done(approval_request, **ids, payload={"reason": "x" * DATA_MAX_BYTES}, requester_id=floor.reto.pk)
    assert not Approval.objects.filter(action="jackpot.suspend").exists()
