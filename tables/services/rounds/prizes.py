"""Prizes of a result that wait for an approval, and the accounts that few tables ever need."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from jackpot.services import Owed, envy_of_link, prizes_wait
from payouts.rules.lines import StakeLine
from payouts.services import AccountKey, accounts_open
from tables.games import Ended
from tables.services.parts import rules_of, took_part

Owing = Sequence[tuple[int, StakeLine]]  # lines with their places


def waiting(record: Mapping[str, Any], ended: Ended) -> Owing:
    """The lines whose prize waits for an approval: from the house's threshold up, at a table linked
    to a jackpot.
    """
    if not record["jackpot_id"]:
        return []
    least = rules_of(record["versions"]).jackpot.prize_approval_from_minor
    lines = enumerate(ended.lines, 1)
    return (
        []
        if least is None
        else [(place, line) for place, line in lines if line.prize_minor >= least]
    )


def pays_elsewhere(record: Mapping[str, Any], ended: Ended) -> bool:
    """Whether a royal flush of the result pays Envy to coins of other linked tables (PRG-6)."""
    return bool(ended.paying) and envy_goes_out(record)


def envy_goes_out(record: Mapping[str, Any]) -> bool:
    """Whether the house posts that a royal flush at this round's table pays Envy at all linked
    tables.
    """
    progressive = rules_of(record["versions"]).progressive if record["jackpot_id"] else None
    return progressive is not None and progressive.envy_of_link


def house_bears(ended: Ended) -> Ended:
    """A result whose prizes the house pays, because the meter that would have was paid out since
    (PRG-5).
    """
    return ended._replace(lines=tuple(line._replace(paid_by="house") for line in ended.lines))


def keep_waiting(record: Mapping[str, Any], ended: Ended, person_id: UUID) -> None:
    """Have people asked for the prizes that wait; after its claims, so that the round's own hit is
    there to go with.
    """
    progressive = (
        rules_of(record["versions"]).progressive if pays_elsewhere(record, ended) else None
    )
    if progressive is not None:
        envy_of_link(
            jackpot_id=UUID(record["jackpot_id"]),
            source_id=UUID(record["id"]),
            revision=record["revision"] + 1,
            royals=len(ended.paying),
            amount_minor=progressive.envy_minor,
            of_meter=progressive.paid_by == "meter",
            dealers=took_part(record),
            actor_id=person_id,
        )
    owed = waiting(record, ended)
    if owed:
        prizes_wait(
            house_id=UUID(record["house_id"]),
            jackpot_id=UUID(record["jackpot_id"]),
            round_id=UUID(record["id"]),
            table_id=UUID(record["table_id"]),
            revision=record["revision"] + 1,
            owed=[
                Owed(place, line.box, UUID(line.guest), line.kind, line.prize_minor)
                for place, line in owed
            ],
            dealers=took_part(record),
        )


def accounts_for(record: Mapping[str, Any], ended: Ended, owed: Owing) -> Mapping[str, int]:
    """The table's accounts; those that few tables ever need are opened when they are."""
    accounts: dict[str, int] = record["accounts"]
    table, epoch = (
        UUID(record["table_id"]),
        (UUID(record["epoch_id"]) if record["epoch_id"] else None),
    )
    wanted = [AccountKey("prizes_waiting", table)] if owed else []
    if any(line.prize_minor and line.paid_by == "meter" for line in ended.lines):
        wanted.append(AccountKey("meter_prizes", table, epoch))
    missing = [key for key in wanted if key.kind not in accounts]
    if not missing:
        return accounts
    opened = accounts_open(house_id=UUID(record["house_id"]), keys=missing)
    return accounts | {key.kind: account for key, account in opened.items()}
