"""Hits, claims, awards and slips as the API shows them, in as many queries for a long list as for a short one."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from casino.api.show import approval, id_of, time_of
from jackpot.models import Award, Claim, Gate, Hit, ListedRound, RunningRound, Share, Slip, Split
from jackpot.rules.jackpot_rules import JackpotRules
from jackpot.selectors.controller import ControllerMeters
from jackpot.services.slips import cash_amount
from payouts.models import Approval, House
from payouts.rules.plain import Json
from tables.models import Table


def hit_row(row: Hit) -> dict[str, Json]:
    """A hit as lists show it."""
    return {
        "id": str(row.pk),
        "house": str(row.house_id),
        "jackpot": str(row.jackpot_id),
        "number": row.number,
        "state": row.state,
        "shown_minor": row.shown_minor,
        "begun_at": time_of(row.begun_at),
        "drained_at": time_of(row.drained_at),
        "ended_at": time_of(row.ended_at),
        "reason": row.reason,
    }


def hit_whole(row: Hit) -> dict[str, Json]:
    """A hit with its whole life; read with its epoch's rules and its house.

    It goes on while it is read. So what follows from something is read before that: no signature is asked for a split that is
    not shown, and nothing is awarded that nobody was asked about.
    """
    gate = _gate(row)
    awards = list(Award.objects.filter(hit=row).select_related("slip").order_by("slip__number"))
    asked = Approval.objects.filter(house_id=row.house_id, subject_kind="hit", subject_id=str(row.pk))
    approvals = list(asked.order_by("requested_at", "pk").prefetch_related("signatures"))
    splits = _splits(row)
    claims = list(Claim.objects.filter(hit=row).order_by("number"))
    return hit_row(row) | {
        "checklist": list(_rules(row).checklist()),
        "rounds": _rounds(row),
        "claims": [claim(one) for one in claims],
        "splits": splits,
        "approvals": [approval(one, one.signatures.all()) for one in approvals],
        "awards": [award(one, row.house) for one in awards],
        "gate": gate,
    }


def claim(row: Claim) -> dict[str, Json]:
    """A claim with what was noted and decided about it; `dealers` sign nothing about its hit."""
    return {
        "id": str(row.pk),
        "hit": str(row.hit_id),
        "number": row.number,
        "round": str(row.round_id),
        "table": str(row.table_id),
        "box": row.box,
        "guest": id_of(row.guest_id),
        "origin": row.origin,
        "state": row.state,
        "dealers": [str(one) for one in row.dealers],
        "checklist": row.checklist,
        "made_by": id_of(row.made_by_id),
        "made_at": time_of(row.made_at),
        "decided_by": id_of(row.decided_by_id),
        "decided_at": time_of(row.decided_at),
        "reason": row.reason,
    }


def award(row: Award, house: House) -> dict[str, Json]:
    """What a guest is owed, with its slip."""
    return _award(row) | {"slip": _slip(row.slip, row.amount_minor, house)}


def slip(row: Slip) -> dict[str, Json]:
    """A slip with its award; read with both its award and its house."""
    return _slip(row, row.award.amount_minor, row.house) | {"award": _award(row.award)}


def meters(figures: ControllerMeters, unreasonable: Iterable[Mapping[str, Any]]) -> dict[str, Json]:
    """Controller meters, with the hours in which tables fed more than they can."""
    names = ("coins", "coins_in_minor", "hits", "hits_paid", "won_minor", "overflow_minor", "reserve_minor")
    last = [one | {at: time_of(one[at]) for at in ("begun_at", "ended_at")} for one in figures.last_hits]
    hours: list[Json] = [
        {"table": str(one["table"]), "hour": time_of(one["hour"]), "rounds": one["rounds"], "coins": one["coins"]}
        for one in unreasonable
    ]
    return {name: getattr(figures, name) for name in names} | {"last_hits": last, "unreasonable": hours}


def _award(row: Award) -> dict[str, Json]:
    return {
        "id": str(row.pk),
        "jackpot": str(row.jackpot_id),
        "hit": id_of(row.hit_id),
        "claim": id_of(row.claim_id),
        "prize": id_of(row.prize_id),
        "kind": row.kind,
        "amount_minor": row.amount_minor,
        "round": str(row.round_id),
        "table": str(row.table_id),
        "box": row.box,
        "guest": str(row.guest_id),
        "reason": row.reason,
        "at": time_of(row.at),
    }


def _slip(row: Slip, amount_minor: int, house: House) -> dict[str, Json]:
    """`written` is the number as it stands on paper; `to_pay_minor` the amount in coins that exist; `cash_minor` what was paid."""
    return {
        "id": str(row.pk),
        "house": str(row.house_id),
        "number": row.number,
        "incarnation": row.incarnation,
        "written": row.written,
        "state": row.state,
        "to_pay_minor": cash_amount(amount_minor, house.currency),
        "due_on": str(row.due_on),
        "made_at": time_of(row.made_at),
        "paid_at": time_of(row.paid_at),
        "paid_by": id_of(row.paid_by_id),
        "cash_minor": row.cash_minor,
        "cancelled_at": time_of(row.cancelled_at),
        "cancelled_as": row.cancelled_as,
        "reason": row.reason,
    }


def _rules(row: Hit) -> JackpotRules:
    """What the house posted for the epoch of the hit."""
    posted = row.epoch.rules
    return JackpotRules() if posted is None else JackpotRules.from_data(posted.data)


def _rounds(row: Hit) -> list[Json]:
    """The rounds that ran when the hit began, each with what it still owes: while one is running, the hit waits."""
    listed = list(ListedRound.objects.filter(hit=row).order_by("table_id"))
    names = dict(Table.objects.filter(pk__in=[one.table_id for one in listed]).values_list("pk", "name"))
    ran: dict[UUID, RunningRound] = RunningRound.objects.in_bulk([one.round_id for one in listed])
    shown: list[Json] = []
    for one in sorted(listed, key=lambda listed: names.get(listed.table_id, "")):
        run = ran.get(one.round_id)
        shown.append(
            {
                "round": str(one.round_id),
                "table": str(one.table_id),
                "name": names.get(one.table_id, ""),
                "running": run is not None and run.ended_at is None,
                "ended_as": run.ended_as if run else "",
                "ended_at": time_of(run.ended_at) if run else None,
            }
        )
    return shown


def _splits(row: Hit) -> list[Json]:
    """Every revision; the newest counts."""
    splits = list(Split.objects.filter(hit=row).order_by("revision"))
    shares: dict[int, list[Json]] = {one.pk: [] for one in splits}
    for share in Share.objects.filter(split__in=splits).order_by("claim__number"):
        shares[share.split_id].append({"claim": str(share.claim_id), "share_minor": share.share_minor})
    amounts = ("sum", "won", "unit", "remainder", "carried", "overflow", "shortfall")
    return [
        {
            "revision": one.revision,
            **{f"{name}_minor": getattr(one, f"{name}_minor") for name in amounts},
            "shares": shares[one.pk],
            "at": time_of(one.at),
        }
        for one in splits
    ]


def _gate(row: Hit) -> dict[str, Json] | None:
    """The newest gate after this hit, and which displays have shown its value."""
    gate = Gate.objects.filter(jackpot=row.jackpot_id, hit=row).order_by("-number").first()
    if gate is None:
        return None
    displays: Iterable[Json] = (
        {
            "display": str(one.display_id),
            "name": one.name,
            "state": one.state,
            "at": time_of(one.at),
            "shown": one.shown,
            "reason": one.reason,
        }
        for one in gate.displays.order_by("name", "pk")
    )
    return {
        "number": gate.number,
        "state": gate.state,
        "version": gate.version,
        "amount_minor": gate.amount_minor,
        "made_at": time_of(gate.made_at),
        "ended_at": time_of(gate.ended_at),
        "displays": list(displays),
    }
