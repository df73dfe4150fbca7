"""The rows of the reports of people, parameters and the day a second time, as `second`."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from jackpot.models import Jackpot
from payouts.models import Approval, ApprovalRule, Entry, Event, House, PostedTable
from tables.models import Pit
from tests.casino.audit.reports.second import Books

PEOPLE = ("sign_in", "sign_out", "password", "pin", "person", "device")
LOOKS = ("report", "audit", "verify")
SET = ("house.created", "pit.created", "table.created", "table.linked", "table.entry_level_set", "jackpot.created")
SET += ("jackpot.parameters_set", "display.required", "display.out", "table.version_made", "table.changed")


def _amount(data: Any) -> int | None:
    """The amount that a payload names, if it is one."""
    amount = data.get("amount_minor") if isinstance(data, dict) else None
    return amount if type(amount) is int else None


def approvals(books: Books) -> list[list[Any]]:
    rows = []
    for one in sorted(Approval.objects.all(), key=lambda one: (one.requested_at, one.pk)):
        marks, of = books.signed[one.pk], None
        if one.subject_kind == "round":
            of = next((known for known in books.rounds.values() if str(known.pk) == one.subject_id), None)
        subject = [books.tables[of.table_id], str(of.number)] if of else ["", one.subject_kind]
        who = [one.subject_id, books.people[one.requester_id], one.signers, len(marks), books.signers(one.pk)]
        became = [marks[-1].signed_at if marks else None, one.state, one.closed_at, one.method]
        told = [_amount(one.payload), one.payload.get("reason") or ""]
        rows.append([one.requested_at, one.action, *subject, *who, *became, *told])
    return rows


def events(prefixes: tuple[str, ...], *, but: bool = False) -> list[Event]:
    """Events whose names begin so, or do not, in the order of the clock."""
    found = [one for one in Event.objects.all() if (one.name.split(".")[0] in prefixes) is not but]
    return sorted(found, key=lambda one: (one.at, one.pk))


def pairs(data: Any) -> str:
    """`name: value` one after another, by name; what is nothing is left out."""
    if not isinstance(data, dict):
        return ""
    return "; ".join(f"{name}: {_text(data[name])}" for name in sorted(data) if data[name] is not None)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def access(books: Books) -> list[list[Any]]:
    names = {str(pk): name for pk, name in books.people.items()}
    rows = []
    for one in events(PEOPLE):
        person = names.get(one.subject_id, "") if one.subject_kind == "person" else ""
        changed = [pairs(one.before), pairs(one.after), one.reason, one.request_id]
        rows.append([one.at, one.name, person, books.people[one.actor_id], *changed])
    return rows


def looks(books: Books) -> list[list[Any]]:
    rows = []
    for one in events(LOOKS):
        after = one.after if isinstance(one.after, dict) else {}
        asked = after["asked"] or {} if "asked" in after else after
        count = after.get("lines") if type(after.get("lines")) is int else None
        taken = [pairs(asked), after.get("format") or "", count, after.get("number") or "", after.get("sha256") or ""]
        rows.append([one.at, books.people[one.actor_id], one.name, one.subject_kind, one.subject_id, *taken])
    return rows


# Parameters
def parameters(books: Books) -> list[list[Any]]:
    rows = [*_versions(books), *_matrix(books), *_settings(books)]
    return sorted(rows, key=lambda row: (row[0], row[1], row[2], row[3] or 10**9))


def _versions(books: Books) -> Iterator[list[Any]]:
    tables = list(PostedTable.objects.all())
    for one in tables:
        series = [
            other for other in tables if (other.kind, other.name, other.state) == (one.kind, one.name, "approved")
        ]
        before = max(
            (other for other in series if other.version < one.version), key=lambda other: other.version, default=None
        )
        first = last = None
        if one.state == "approved":
            begins = {other.pk: other.in_force_from or books.day(other.released_at) for other in series}
            first = begins[one.pk]
            later = [(begins[other.pk], other.version) for other in series]
            nexts = sorted(at for at in later if at > (first, one.version))
            last = type(first).fromordinal(nexts[0][0].toordinal() - 1) if nexts else None
        told = [one.released_at or one.created_at, one.kind, one.name, one.version, one.state, first, last]
        who = [books.people[one.drafted_by_id], books.signers(one.approval_id)]
        yield [*told, *who, changed(before.data if before else None, one.data), one.note]


def _matrix(books: Books) -> Iterator[list[Any]]:
    def data(rule: ApprovalRule) -> dict[str, Any]:
        return {name: getattr(rule, name) for name in ("signers", "roles", "method", "lifetime_s")}

    rules = {(one.action, one.version): one for one in ApprovalRule.objects.all()}
    for (action, version), one in rules.items():
        before = rules.get((action, version - 1))
        told = [one.created_at, "approval_rule", action, version, "approved", books.day(one.created_at), None, ""]
        yield [*told, books.signers(one.approval_id), changed(before and data(before), data(one)), ""]


def _settings(books: Books) -> Iterator[list[Any]]:
    names = {str(pk): name for pk, name in books.tables.items()}
    for model in (Jackpot, House, Pit):
        names |= {str(one.pk): one.name for one in model.objects.all()}
    for one in Event.objects.filter(name__in=SET):
        name = names[one.subject_id]
        told = [one.at, one.name, name, None, "", None, None, books.people[one.actor_id], ""]
        yield [*told, changed(one.before, one.after), one.reason]


def changed(before: Any, after: Any) -> str:
    """What is not as it was, by its path; all of it where nothing was before."""
    old, new = flat(before), flat(after)
    told = []
    for path in sorted({*old, *new}):
        if old.get(path) != new.get(path):
            became = new.get(path, "–")
            told.append(f"{path}: {old.get(path, '–')} → {became}" if old else f"{path}: {became}")
    return "; ".join(told)


def flat(value: Any) -> dict[str, str]:
    """Every single value by its path, lists counted from 1."""
    if isinstance(value, list):
        value = {str(place): part for place, part in enumerate(value, 1)}
    if not isinstance(value, dict):
        return (
            {} if value is None else {"": {True: "true", False: "false"}[value] if type(value) is bool else str(value)}
        )
    return {
        ".".join(filter(None, (name, path))): text for name, part in value.items() for path, text in flat(part).items()
    }


# The day
BESIDE = ("guest", *LOOKS, *PEOPLE, "approval")
WHERE_CHIPS_LIE = {"chip_stock", "cage_chips", "tray", "chips_outside"}
OF_TABLES = ("tray", "drop", "tronc", "rake", "stack", "in_play", "pot_carried")


def protocol(books: Books) -> list[list[Any]]:
    """Each row is made with its turn among those of one moment before it; what was posted for another day is of that one."""
    rows = [*_events(books), *_moved(books), *_closed(books)]
    rows.sort(key=lambda row: (row[1], row[2], row[0], row[3]))
    return [row[1:] for row in rows if row[1] == books.only]


def _events(books: Books) -> Iterator[list[Any]]:
    rounds = {str(pk): pk for pk in books.rounds}
    tables = {str(pk): pk for pk in books.tables}
    for one in events(BESIDE, but=True):
        if one.house_id is None or (one.name.split(".")[0] in ("stay", "chips") and not one.reason):
            continue
        if one.name.startswith(("buyin.", "tip.")) and not one.name.endswith(".refused"):
            continue
        of = rounds.get(one.subject_id) if one.subject_kind == "round" else None
        played = of or (UUID(one.subject_id) if one.subject_kind == "hand" else None)
        after = one.after if isinstance(one.after, dict) else {}
        named = {"table": one.subject_id, "stay": after.get("table"), "count": after.get("table")}.get(one.subject_kind)
        table = tables.get(named) or books.table_of(played)
        where = [books.tables[table], books.number(of), of, books.people[one.actor_id]]
        yield [one.pk, books.day(one.at), one.at, one.name, *where, _amount(one.after), one.reason]


def _moved(books: Books) -> Iterator[list[Any]]:
    legs = list(Entry.objects.select_related("account"))
    for one in books.transfers.values():
        if one.subject_kind in ("round", "hand", "prize"):
            continue
        own = [leg for leg in legs if leg.transfer_id == one.pk]
        table = min((leg.account.owner_id for leg in own if leg.account.kind in OF_TABLES), default=None)
        chips = sum(max(0, leg.amount_minor) for leg in own if leg.account.kind in WHERE_CHIPS_LIE)
        values = sum(max(0, leg.amount_minor) for leg in own if leg.account.kind not in WHERE_CHIPS_LIE)
        amount = max(chips, values)
        where = [books.tables.get(table, ""), None, None, books.people[one.actor_id]]
        yield [one.pk, one.gaming_day, one.posted_at, one.kind, *where, amount, one.reason]


def _closed(books: Books) -> Iterator[list[Any]]:
    """What a closed table took by its rounds, from the lines that count, by its hands and for time."""
    for session in books.sessions.values():
        if session.closed_at is None:
            continue
        won = sum(
            line.stake_minor - line.returned_minor - line.won_minor
            for one, _, lines in books.settled()
            for line in lines
            if one.session_id == session.pk and line.kind != "coin"
        )
        won += sum(result.rake_minor for hand, result in books.ended() if hand.session_id == session.pk)
        won += sum(minor for at, minor in books.paid_time() if at.pk == session.pk)
        where = [books.tables[session.table_id], None, None, books.people[session.closed_by_id]]
        yield [0, session.gaming_day, session.closed_at, "session.result", *where, won, ""]
