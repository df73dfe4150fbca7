"""The witness signs what was counted, or has it entered anew (CNT-2, CNT-6).

Statements of a signature, whatever the denominations: the table's row; the count; its newest entry;
the accounts; the one call that writes (and around them the key's claim and the answer).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db import IntegrityError
from django.db.models import Exists, QuerySet

from payouts.commands import start_again
from payouts.db.constraints import constraint_of, require_transaction
from payouts.db.fast_calls import call
from payouts.models import Account, Count, CountEntry, CountSignature
from payouts.rules.ledger import recipes
from payouts.rules.ledger.postings import Posting
from payouts.rules.rulesets.cage import CageRules
from payouts.services import AccountKey, accounts_open, event_record, posting_arguments
from tables.errors import CountChanged, SamePerson
from tables.models import Round, TableSession
from tables.services.counts.differences import difference_open
from tables.services.counts.parts import CountedTable, check_running, count_locked
from tables.services.parts import legs_of

_SIGN = "SELECT count_sign_v1($1::jsonb, $2::int[], $3::bigint[], $4::bigint[])"
_KINDS = ("tray", "circulation", "chips_outside", "count_difference", "untold_win")


@dataclass(frozen=True, slots=True)
class WitnessedCount:
    """A count after its witness has spoken, in minor units; None where no entry stands: until then
    nobody hears what the books have.
    """

    count: Count
    value_minor: int | None = None
    recorded_minor: int | None = None
    difference_minor: int | None = None


class _NewestEntry(NamedTuple):
    """As it is signed. `again`: one of its count was signed before, and does not stand; `untold`:
    rounds of the session told no results.
    """

    pk: int
    number: int
    counter_id: UUID
    value_minor: int
    again: bool
    untold: bool


def count_witness(
    *, house_id: UUID, count_id: UUID, entry: int, ok: bool, witness_id: UUID
) -> WitnessedCount:
    """Sign the newest entry of a count, of number `entry` as the witness saw it; where it is not
    `ok`, it is entered anew. The first that is far from the books is counted again, and nobody
    hears how far; one that stands moves them to what was counted.

    Raises CountUnknown, CountSigned, CountChanged, SamePerson, PostedMissing.
    """
    require_transaction()
    count, at = count_locked(house_id, count_id)
    check_running(count)
    newest = _newest(count, at)
    if newest is None or count.state != Count.State.ENTERED or newest.number != entry:
        raise CountChanged
    if newest.counter_id == witness_id:
        raise SamePerson
    if not ok:
        return _entered_anew(count, at, newest, witness_id)
    return _sign(count, at, newest, witness_id)


def _newest(count: Count, at: CountedTable) -> _NewestEntry | None:
    entries = CountEntry.objects.filter(count=count).annotate(
        again=Exists(CountSignature.objects.filter(count=count)), untold=Exists(_untold(count, at))
    )
    row = entries.order_by("-number").values_list(*_NewestEntry._fields).first()
    return None if row is None else _NewestEntry(*row)


def _untold(count: Count, at: CountedTable) -> QuerySet[Round]:
    """Rounds without told results before a count: of its session; before an opener of the last one,
    if that has no closer.
    """
    rounds = Round.objects.filter(state=Round.State.SETTLED, entry_level="jackpot_only")
    if count.session_id is not None:
        return rounds.filter(session=count.session_id)
    last = TableSession.objects.filter(table=at.table).order_by("-opened_at")[:1]
    sessions = TableSession.objects.filter(pk__in=last.values("pk"), closer=None)
    return rounds.filter(session__in=sessions)


def _entered_anew(
    count: Count, at: CountedTable, entry: _NewestEntry, witness_id: UUID
) -> WitnessedCount:
    count.state = Count.State.BEGUN
    count.save(update_fields=["state"])
    after = {"table": str(at.table.pk), "number": entry.number}
    event_record("count.refused", count, actor_id=witness_id, after=after)
    return WitnessedCount(count)


def _sign(count: Count, at: CountedTable, entry: _NewestEntry, witness_id: UUID) -> WitnessedCount:
    accounts, recorded_minor = _books(at)
    difference_minor = entry.value_minor - recorded_minor
    rules = at.rules()
    stands = entry.again or rules is None or abs(difference_minor) < rules.count_again_from_minor
    after = {"table": str(at.table.pk), "number": entry.number, "counter": str(entry.counter_id)}
    figures = {
        "value_minor": entry.value_minor,
        "recorded_minor": recorded_minor,
        "difference_minor": difference_minor,
    }
    data: dict[str, Any] = {
        "count": {
            "id": str(count.pk),
            "house": str(count.house_id),
            "gaming_day": count.gaming_day.isoformat(),
            "entry": entry.pk,
            "counter": str(entry.counter_id),
            "witness": str(witness_id),
            "stands": stands,
            **figures,
        },
        "after": after | (figures if stands else {}),
    }
    legs = ["{}", "{}", "{}"]
    if stands and difference_minor:
        posting = _posting(count, entry, recorded_minor, accounts)
        data["transfers"], *legs = posting_arguments([posting])
    _write(data, legs)
    count.state = Count.State.SIGNED if stands else Count.State.AGAIN
    if stands and not entry.untold:  # what rounds do not tell is a result (CNT-7)
        difference_open(count, difference_minor, rules or CageRules(), actor_id=witness_id)
    return WitnessedCount(count, **figures) if stands else WitnessedCount(count)


def _books(at: CountedTable) -> tuple[dict[str, int], int]:
    """The table's accounts by kind, and what the books have in its tray (minor units). A table that
    was made before there were counts is given those that it lacks.
    """
    rows = Account.objects.filter(owner_id=at.table.pk, detail_id=None, kind__in=_KINDS)
    by_kind = {account.kind: account for account in rows}
    accounts = {kind: account.pk for kind, account in by_kind.items()}
    if missing := {*_KINDS} - accounts.keys():
        keys = [AccountKey(kind, at.table.pk) for kind in missing]
        opened = accounts_open(house_id=at.table.house_id, keys=keys)
        accounts |= {key.kind: pk for key, pk in opened.items()}
    return accounts, by_kind["tray"].balance_minor


def _posting(
    count: Count, entry: _NewestEntry, recorded_minor: int, accounts: dict[str, int]
) -> Posting:
    """What moves the books to what was counted (CNT-7)."""
    recipe = recipes.tray_result if entry.untold else recipes.tray_count
    lines = recipe(recorded_minor, counted=entry.value_minor)
    return Posting(
        f"count:{count.pk}",
        "tray_result" if entry.untold else "tray_count",
        legs_of(lines, accounts),
        subject_kind="count",
        subject_id=count.pk,
    )


def _write(data: dict[str, Any], legs: list[str]) -> None:
    try:
        call(_SIGN, [orjson.dumps(data).decode(), *legs])
    except IntegrityError as error:
        # a correction from the office came between: the next try reads the books with it
        if constraint_of(error) == "count_still_so":
            start_again()
        raise
