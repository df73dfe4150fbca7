"""Differences of counts: opened, settled by what came later, explained (RES-4, RES-5)."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import connection

from payouts.db.constraints import require_transaction
from payouts.models import Approval, Count, CountSignature
from payouts.rules.approval import ApprovalUnknown
from payouts.rules.plain import Json, check_text
from payouts.rules.rulesets.cage import CageRules
from payouts.selectors import gaming_day_at
from payouts.services import (
    approval_request,
    approval_sign,
    approval_signed,
    approval_use,
    event_record,
)
from tables.errors.differences import (
    DifferenceClassUnknown,
    DifferenceClosed,
    DifferenceUnknown,
)
from tables.models import (
    Difference,
    Explanation,
    ExplanationWords,
    HandOver,
    Table,
    TableSession,
)
from tables.rules.pairs import CLASSES
from tables.services.counts.boxes import boxed_croupiers
from tables.services.counts.parts import CountedTable, cage_rules_of

EXPLAIN = "difference.explain"
THEFT = "theft"


class Explained(NamedTuple):
    """What became of an explanation: it stands, or waits for a second person."""

    explanation: Explanation | None
    approval: Approval | None


def difference_open(
    count: Count, left_minor: int, rules: CageRules, *, actor_id: UUID | None
) -> Difference | None:
    """Open the difference of a count that was signed just now, where it is as large as the house
    wants explained.
    """
    if abs(left_minor) < rules.explain_from_minor:
        return None
    opened = Difference.objects.create(
        id=uuid4(),
        house_id=count.house_id,
        table_id=count.place_id,
        count=count,
        gaming_day=count.gaming_day,
        explain_from_minor=rules.explain_from_minor,
        report_from_minor=rules.report_from_minor,
    )
    after = {"count": str(count.pk), "amount_minor": left_minor}
    event_record("difference.opened", opened, actor_id=actor_id, after=after)
    return opened


def difference_follow(count: Count, *, actor_id: UUID | None, untold: bool = False) -> None:
    """Open, settle or open again what is left of a count that something has set back; of one that
    was a result (`untold`) there is none to open (CNT-7).
    """
    left = left_minor(count.pk)
    difference = Difference.objects.select_for_update().filter(count=count).first()
    if difference is None:
        if not untold:
            difference_open(count, left, rules_of_count(count), actor_id=actor_id)
        return
    is_large = abs(left) >= difference.explain_from_minor
    state = difference.state
    if state == Difference.State.OPEN and not is_large:
        state = Difference.State.SETTLED
    elif state != Difference.State.OPEN and is_large and not _is_explained(difference, left):
        state = Difference.State.OPEN
    if state == difference.state:
        return
    difference.state = state
    difference.save(update_fields=["state"])
    name = "difference.settled" if state == Difference.State.SETTLED else "difference.opened"
    after = {"count": str(count.pk), "amount_minor": left}
    event_record(name, difference, actor_id=actor_id, after=after)


def difference_explain(
    *, house_id: UUID, difference_id: UUID, code: str, words: str, person_id: UUID
) -> Explained:
    """Explain what is left of a difference. From the house's limit up, and by who dealt, counted or
    witnessed there, it waits for a second person who did not.

    Raises DifferenceUnknown, DifferenceClosed, DifferenceClassUnknown, TextRefused, and as
    `approval_request`.
    """
    require_transaction()
    if code not in CLASSES:
        raise DifferenceClassUnknown(name=str(code)[:40])
    check_text(words, "words", least=3, most=500)
    difference = _locked(house_id, difference_id)
    left = left_minor(difference.count_id)
    people = took_part(difference)
    written = _words_write(difference, code, words)
    if abs(left) < difference.report_from_minor and person_id not in people:
        return Explained(_explain(difference, written, code, left, person_id), None)
    approval = approval_request(
        house_id=house_id,
        action=EXPLAIN,
        subject_kind="difference",
        subject_id=difference.pk,
        payload=_payload(difference, written, code, left),
        requester_id=person_id,
        excluded=people,
    )
    return Explained(None, approval)


def difference_explain_sign(
    *,
    approval_id: UUID,
    house_id: UUID,
    payload_hash: bytes,
    signer_id: UUID,
    signer_roles: Iterable[str],
    method: str,
) -> Approval:
    """Sign an explanation; the last signature explains in the same transaction.

    Raises ApprovalUnknown (also of another action), DifferenceClosed, and as `approval_sign` and
    `approval_use`: ApprovalChanged also where the difference is another by now.
    """
    require_transaction()
    request = Approval.objects.filter(pk=approval_id, house_id=house_id, action=EXPLAIN).first()
    if request is None or request.requester_id is None:
        raise ApprovalUnknown
    difference = _locked(house_id, UUID(request.subject_id))  # before the approval, as all do
    approval = approval_sign(
        approval_id=approval_id,
        house_id=house_id,
        payload_hash=payload_hash,
        signer_id=signer_id,
        signer_roles=signer_roles,
        method=method,
    )
    if approval_signed(approval) < approval.signers:
        return approval
    payload: Mapping[str, Any] = approval.payload
    written = ExplanationWords.objects.get(pk=payload["explanation"])
    left = left_minor(difference.count_id)
    used = approval_use(
        approval_id=approval.pk,
        house_id=house_id,
        action=EXPLAIN,
        subject_kind="difference",
        subject_id=difference.pk,
        payload=_payload(difference, written, payload["class"], left),
        actor_id=signer_id,
    )
    _explain(difference, written, payload["class"], left, request.requester_id, approval=used)
    return used


def words_erase(*, house_id: UUID) -> int:
    """Erase the words of thefts whose time is over; give how many."""
    require_transaction()
    today = gaming_day_at(house_id=house_id)
    return ExplanationWords.objects.filter(house_id=house_id, gone_from__lte=today).delete()[0]


def took_part(difference: Difference) -> set[UUID]:
    """Who counted or witnessed it or the count before it there, and who dealt in its session."""
    count = difference.count
    before = CountSignature.objects.filter(
        count__place_id=count.place_id, count__place_kind=count.place_kind, stands=True
    )
    signed = before.filter(signed_at__lte=before.get(count=count).signed_at)
    people = {
        person
        for pair in signed.order_by("-signed_at").values_list("counter_id", "witness_id")[:2]
        for person in pair
    }
    if count.place_kind == Count.Place.DROP:
        return people | boxed_croupiers(count)
    if count.session_id is None:
        return people
    croupiers = TableSession.objects.filter(pk=count.session_id).values_list("croupier_id")
    handed = HandOver.objects.filter(session_id=count.session_id)
    return people.union(*croupiers, *handed.values_list("from_croupier_id", "to_croupier_id"))


def left_minor(count_id: UUID) -> int:
    """What is left of a signed count's difference, in minor units."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count_left_v1(%s)", [count_id])
        [(left,)] = cursor.fetchall()
    return int(left)


def rules_of_count(count: Count) -> CageRules:
    """What the house posted about counts on the day of a count in a session, or of a drop box; the
    rules' own where its table names nothing.
    """
    if count.place_kind == Count.Place.DROP:
        table = Table.objects.get(pk=count.place_id)
        return CountedTable(table, count.gaming_day).rules() or CageRules()
    sessions = TableSession.objects.filter(pk__in=filter(None, [count.session_id]))
    rules = [cage_rules_of(session.versions) for session in sessions]
    return next(filter(None, rules), CageRules())


def _locked(house_id: UUID, difference_id: UUID) -> Difference:
    rows = Difference.objects.select_for_update(of=("self",)).select_related("count")
    difference = rows.filter(pk=difference_id, house_id=house_id).first()
    if difference is None:
        raise DifferenceUnknown
    if difference.state != Difference.State.OPEN:
        raise DifferenceClosed
    return difference


def _words_write(difference: Difference, code: str, words: str) -> ExplanationWords:
    gone_from = None
    if code == THEFT:
        days = rules_of_count(difference.count).theft_kept_days
        gone_from = gaming_day_at(house_id=difference.house_id) + timedelta(days=days)
    return ExplanationWords.objects.create(
        id=uuid4(),
        house_id=difference.house_id,
        difference=difference,
        words=words,
        gone_from=gone_from,
    )


def _payload(
    difference: Difference, written: ExplanationWords, code: str, left: int
) -> dict[str, Json]:
    """What is signed: the words by their hash, for those of a theft go one day."""
    table = Table.objects.get(pk=difference.table_id)
    return {
        "difference": str(difference.pk),
        "table": table.name,
        "gaming_day": difference.gaming_day.isoformat(),
        "amount_minor": left,
        "class": code,
        "explanation": str(written.pk),
        "words_sha256": _hash(written.words).hex(),
    }


def _explain(
    difference: Difference,
    written: ExplanationWords,
    code: str,
    left: int,
    person_id: UUID,
    *,
    approval: Approval | None = None,
) -> Explanation:
    explanation = Explanation.objects.create(
        id=written.pk,
        house_id=difference.house_id,
        difference=difference,
        code=code,
        amount_minor=left,
        words_hash=_hash(written.words),
        explained_by_id=person_id,
        approval=approval,
    )
    difference.state = Difference.State.EXPLAINED
    difference.save(update_fields=["state"])
    after = {"explanation": str(explanation.pk), "class": code, "amount_minor": left}
    event_record("difference.explained", difference, actor_id=person_id, after=after)
    return explanation


def _is_explained(difference: Difference, left: int) -> bool:
    newest = Explanation.objects.filter(difference=difference).order_by("-at").first()
    return newest is not None and newest.amount_minor == left


def _hash(words: str) -> bytes:
    return hashlib.sha256(words.encode()).digest()
