"""Money moves here and nowhere else: one call of `ledger_post_v1` for all transfers of a
command."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

import orjson
from django.db import connection

from payouts.db.constraints import refusing, require_transaction
from payouts.db.fast_calls import call
from payouts.errors import Refused, mark
from payouts.models import House, Transfer
from payouts.rules.ledger.chart import CHART
from payouts.rules.ledger.postings import (
    AMOUNT_MAX_MINOR,
    AccountOverdrawn,
    AccountUnknown,
    AmountRefused,
    HouseUnknown,
    Leg,
    LegRefused,
    NotTheMirror,
    Posting,
    PostingEmpty,
    TransferKeyUsed,
    TransferReversed,
    TransferUnknown,
    check_actor,
    check_day,
    check_house,
    check_postings,
    check_transfer,
    reversal_of,
)
from payouts.rules.ledger.recipes import Line
from payouts.rules.plain import check_text
from payouts.services.event import Subject, event_record

_POST = (
    "SELECT array_to_json(ledger_post_v1("
    "$1::uuid, $2::uuid, $3::date, $4::jsonb, $5::int[], $6::bigint[], $7::bigint[], $8::text[]))"
)


@dataclass(frozen=True, slots=True)
class AccountKey:
    """What an account is found by: kind of the chart, owner (house, table or jackpot id), detail
    (id of an epoch or stay) or none.
    """

    kind: str
    owner_id: UUID
    detail_id: UUID | None = None


def transfers_post(
    *, house_id: UUID, gaming_day: date, postings: Iterable[Posting], actor_id: UUID | None = None
) -> list[int]:
    """Write the transfers of one command in one round trip; give their ids in order.

    Locks the accounts in the order of their ids, writes transfers, entries and balances. Raises the
    refusals of `payouts.rules.ledger.postings`; whoever opened the transaction then rolls it back.
    """
    require_transaction()
    check_house(house_id)
    check_actor(actor_id)
    check_day(gaming_day)
    checked = check_postings(postings)
    legs = [leg for posting in checked for leg in posting.legs]
    headers, *numbers = _arguments(checked)
    notes = _texts(leg.note for leg in legs) if any(leg.note for leg in legs) else None
    values = [house_id, actor_id, gaming_day, orjson.dumps(headers).decode(), *numbers, notes]
    with refusing(_refusals(), Transfer):
        ids: list[int] = orjson.loads(call(_POST, values)[0])
    return ids


def posting_arguments(
    postings: Iterable[Posting],
) -> tuple[list[dict[str, str | int | None]], str, str, str]:
    """What `ledger_post_v1` takes: headers, and for all legs their transfer's place, account and
    amount as PostgreSQL arrays.

    For functions of upper floors that post within one call. Raises what `check_postings` refuses.
    """
    return _arguments(check_postings(postings))


def _arguments(
    postings: Sequence[Posting],
) -> tuple[list[dict[str, str | int | None]], str, str, str]:
    legs = [(place, leg) for place, posting in enumerate(postings, 1) for leg in posting.legs]
    return (
        [_header(posting) for posting in postings],
        _numbers(place for place, _ in legs),
        _numbers(leg.account_id for _, leg in legs),
        _numbers(leg.amount_minor for _, leg in legs),
    )


def _header(posting: Posting) -> dict[str, str | int | None]:
    return {
        "key": posting.key,
        "kind": posting.kind,
        "subject_kind": posting.subject_kind,
        "subject_id": str(posting.subject_id) if posting.subject_id else None,
        "reason": posting.reason,
        "reverses": posting.reverses_id,
    }


def _numbers(numbers: Iterable[int]) -> str:
    """A PostgreSQL array of numbers as text."""
    return f"{{{','.join(map(str, numbers))}}}"


def _texts(texts: Iterable[str]) -> str:
    """A PostgreSQL array of texts as text."""
    quoted = ('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in texts)
    return f"{{{','.join(quoted)}}}"


def _refusals() -> dict[str, Refused]:
    return {
        "entry_account_of_house": AccountUnknown(),
        "account_on_its_side": AccountOverdrawn(),
        "meter_bears_its_base": AccountOverdrawn(),
        "entry_amount_sane": AmountRefused(
            amount="", why=mark("too large"), most_minor=AMOUNT_MAX_MINOR
        ),
        "transfer_key_once": TransferKeyUsed(),
        "transfer_mirrors": NotTheMirror(),
        "transfer_reverses_once": TransferReversed(),
        "transfer_reverses_of_house": TransferUnknown(),
        "transfer_of_known_house": HouseUnknown(),
    }


def transfer_post(
    *, house_id: UUID, gaming_day: date, posting: Posting, actor_id: UUID | None = None
) -> int:
    """Write one transfer; give its id. As `transfers_post`."""
    return transfers_post(
        house_id=house_id, gaming_day=gaming_day, postings=[posting], actor_id=actor_id
    )[0]


def transfer_reverse(
    *, house_id: UUID, transfer_id: int, gaming_day: date, reason: str, actor_id: UUID | None = None
) -> int:
    """Take a transfer back by its mirror image and record who and why; give the reversal's id.

    Raises TransferUnknown, TransferReversed (done before, or itself a reversal), TextRefused (no
    reason), AccountOverdrawn.
    """
    return transfer_replace(
        house_id=house_id,
        transfer_id=transfer_id,
        gaming_day=gaming_day,
        reason=reason,
        actor_id=actor_id,
    )[0]


def transfer_replace(
    *,
    house_id: UUID,
    transfer_id: int,
    gaming_day: date,
    reason: str,
    actor_id: UUID | None = None,
    instead: Sequence[Posting] = (),
) -> list[int]:
    """As `transfer_reverse`, and post others at once, so that an account has to bear only all of
    them together; give the ids in order, the reversal's first.
    """
    require_transaction()
    if not isinstance(instead, Sequence):
        raise PostingEmpty(legs=0)
    check_house(house_id)
    check_actor(actor_id)
    check_text(reason, "reason", least=3, most=500)
    check_transfer(transfer_id)
    first = Transfer.objects.filter(house_id=house_id, id=transfer_id).first()
    if first is None:
        raise TransferUnknown
    if first.reverses_id is not None:
        raise TransferReversed
    legs = [
        Leg(*row)
        for row in first.entries.order_by("id").values_list("account_id", "amount_minor", "note")
    ]
    posting = Posting(first.key, first.kind, legs, first.subject_kind, first.subject_id)
    ids = transfers_post(
        house_id=house_id,
        gaming_day=gaming_day,
        postings=[reversal_of(posting, first.pk, reason=reason), *instead],
        actor_id=actor_id,
    )
    event_record(
        "transfer.reversed",
        Subject("transfer", first.pk),
        house_id=house_id,
        actor_id=actor_id,
        after={"reversal": ids[0]},
        reason=reason,
    )
    return ids


def accounts_open(*, house_id: UUID, keys: Iterable[AccountKey]) -> dict[AccountKey, int]:
    """Give the ids of these accounts, opening those that do not exist yet (two may do so at once).

    Raises AccountUnknown for a kind that the chart does not have, or with a detail where the chart
    has none (and the other way round), HouseUnknown.
    """
    require_transaction()
    check_house(house_id)
    wanted = list(dict.fromkeys(map(_checked, keys)))
    found = _accounts_found(house_id, wanted)
    missing = [key for key in wanted if key not in found]
    if not missing:
        return found
    currency = House.objects.filter(pk=house_id).values_list("currency", flat=True).first()
    if currency is None:
        raise HouseUnknown
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO payouts_account (house_id, currency, kind, owner_id, detail_id, side)"
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            [
                (house_id, currency, key.kind, key.owner_id, key.detail_id, CHART[key.kind].side)
                for key in missing
            ],
        )
    return _accounts_found(house_id, wanted)


def _checked(key: AccountKey) -> AccountKey:
    ids = (key.owner_id,) if key.detail_id is None else (key.owner_id, key.detail_id)
    if not (isinstance(key.kind, str) and all(isinstance(number, UUID) for number in ids)):
        raise AccountUnknown
    if key.kind not in CHART or bool(CHART[key.kind].detail) != (len(ids) == 2):
        raise AccountUnknown
    return key


def _accounts_found(house_id: UUID, wanted: Sequence[AccountKey]) -> dict[AccountKey, int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.kind, a.owner_id, a.detail_id, a.id FROM payouts_account a JOIN"
            " unnest(%s::text[], %s::uuid[], %s::uuid[]) AS w (kind, owner_id, detail_id) ON a.kind"
            " = w.kind AND a.owner_id = w.owner_id AND a.detail_id IS NOT DISTINCT FROM w.detail_id"
            " WHERE a.house_id = %s",
            [
                [k.kind for k in wanted],
                [k.owner_id for k in wanted],
                [k.detail_id for k in wanted],
                house_id,
            ],
        )
        return {
            AccountKey(kind, owner, detail): account
            for kind, owner, detail, account in cursor.fetchall()
        }


def recipe_posting(
    *,
    house_id: UUID,
    key: str,
    kind: str,
    lines: Sequence[Line],
    owners: Mapping[str, UUID],
    reason: str = "",
    subject_kind: str = "",
    subject_id: UUID | None = None,
) -> Posting:
    """What `recipe_post` posts, its accounts open, for a command that posts several at once."""
    if not isinstance(lines, Sequence):
        raise PostingEmpty(legs=0)
    try:
        keys = [_account_key(line, owners) for line in lines]
    except (KeyError, TypeError) as error:  # no such owner; a kind that is no text
        raise AccountUnknown from error
    accounts = accounts_open(house_id=house_id, keys=keys)
    legs = [
        Leg(accounts[at], line.amount_minor, line.note)
        for at, line in zip(keys, lines, strict=True)
    ]
    return Posting(key, kind, legs, subject_kind=subject_kind, subject_id=subject_id, reason=reason)


def recipe_post(
    *,
    house_id: UUID,
    gaming_day: date,
    key: str,
    kind: str,
    lines: Sequence[Line],
    owners: Mapping[str, UUID],
    actor_id: UUID | None = None,
    reason: str = "",
    subject_kind: str = "",
    subject_id: UUID | None = None,
) -> int:
    """Post a recipe's lines (`payouts.rules.ledger.recipes`) as one transfer; give its id.

    `owners` names what is at hand: `house`, `table`, `jackpot`, `epoch`, `stay`, and for awards
    `old` (the epoch that ends) and each `Line.table` by its name. A kind that belongs to a place
    takes the table if there is one, else the house. Raises AccountUnknown when an owner is missing,
    and whatever `transfers_post` raises.
    """
    posting = recipe_posting(
        house_id=house_id,
        key=key,
        kind=kind,
        lines=lines,
        owners=owners,
        reason=reason,
        subject_kind=subject_kind,
        subject_id=subject_id,
    )
    return transfer_post(
        house_id=house_id, gaming_day=gaming_day, posting=posting, actor_id=actor_id
    )


def _account_key(line: Line, owners: Mapping[str, UUID]) -> AccountKey:
    if type(line) is not Line:
        raise LegRefused
    kind = CHART[line.kind]
    owner = line.table or kind.owner
    if owner == "place":
        owner = "table" if "table" in owners else "house"
    return AccountKey(
        line.kind, owners[owner], owners[line.detail or kind.detail] if kind.detail else None
    )
