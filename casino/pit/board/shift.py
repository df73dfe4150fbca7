"""What is open when a shift passes on: as the page shows it, and as the same page hands it back
when the shift is taken over.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.core import signing
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.pit import labels
from casino.pit.alerts import alerts_acknowledged, data_now, is_about
from casino.pit.board import read
from casino.pit.board.show import Board, JackpotPanel
from casino.pit.board.waiting import ShiftEntry, Waiting
from casino.pit.models import Alert
from casino.pit.shifts import ShiftSeenLongAgo
from casino.text.alerts import ALERTS
from casino.text.floor import colon, say
from casino.text.formats import format_money
from casino.text.vocabulary import ACTIONS
from jackpot.models import Award, Phase
from payouts.models import House

SALT = "casino.shift"
ACKNOWLEDGED = 50  # alerts of the shift on the page
SEEN_S = 300  # what was shown longer ago than this is looked at again
_Row = tuple[datetime, str, str, ShiftEntry | None]  # since when, code, place


class OpenThing(NamedTuple):
    """Something that is open, or was at a hand-over, in the language of the page; by `code` and
    `kept` in any other. `over`: when it ended, "" while it has not.
    """

    what: str
    place: str
    since: str
    code: str = ""
    kept: ShiftEntry | None = None
    over: str = ""


class Acknowledged(NamedTuple):
    """An alert that was acknowledged in the shift, by whom, and when it was over."""

    at: str
    title: str
    text: str
    who: str
    over: str


def open_now(shown: Board) -> list[OpenThing]:
    """What is open, each with its place and since when: shown to who takes the shift over, and kept
    with it as plain data.

    An alert that somebody has acknowledged is open as long as it is still so: the next shift has
    not seen it. One statement.
    """
    rail = shown.waiting
    waiting = [(row.code, row) for row in (*rail.alarms, *rail.approvals, *rail.clarify)]
    waiting += [("seen", row) for row in rail.seen]
    found: list[_Row] = [(one.since, code, _title(one), _stored_data(one)) for code, one in waiting]
    found += [
        (
            one.panel.phase_at,
            "jackpot",
            colon(one.row.name, one.phase),
            {"phases": _phases(one), "at": one.row.name, "by": ""},
        )
        for one in shown.jackpots
        if one.row.phase not in (Phase.OPEN, Phase.RETIRED)
    ]
    found += [
        (one.drawn.since, "round", one.drawn.name, None)
        for group in shown.groups
        for one in group.tiles
        if one.tile.late and one.drawn.since
    ]
    found += _slips(shown.house)
    return [
        OpenThing(_(labels.OPEN[code]), place, since.isoformat(), code, kept)
        for since, code, place, kept in sorted(found, key=lambda one: one[:3])
    ]


def over_now(board: Board) -> list[OpenThing]:
    """Alerts that are over and that nobody has acknowledged, the oldest first, as they are kept."""
    return [
        OpenThing(
            what=_(labels.OPEN["over"]),
            place=_title(alert),
            since=alert.since.isoformat(),
            code="over",
            kept=_stored_data(alert),
            over=alert.over.isoformat() if alert.over else "",
        )
        for alert in sorted(board.waiting.past, key=lambda alert: alert.since)
    ]


def over_of_others(board: Board, person_id: UUID) -> list[str]:
    """The ids of those alerts that this person may acknowledge."""
    return [
        alert.ref
        for alert in board.waiting.past
        if not (alert.kept and is_about(alert.kept["data"], person_id))
    ]


def was_open(rows: Sequence[Mapping[str, Any]], house: House) -> list[OpenThing]:
    """What was open at a hand-over; as it was shown where only words are kept of it."""
    return [
        OpenThing(
            (_(labels.OPEN[one["code"]]) if one.get("code") in labels.OPEN else one["what"]),
            _description(one["kept"], house, is_over=bool(one.get("over")))
            if one.get("kept")
            else one["place"],
            one["since"],
            over=one.get("over", ""),
        )
        for one in rows
    ]


def _stored_data(one: Waiting) -> ShiftEntry | None:
    """What a row that waits leaves, so that the next shift reads it in its own language."""
    if one.kept is None:
        return None
    entry: ShiftEntry = {**one.kept, "by": one.seen_by}
    return {**entry, "until": one.until.isoformat()} if one.until else entry


def _phases(one: JackpotPanel) -> list[str]:
    inner = one.panel.kept_phase
    return [one.row.phase, *([inner] if inner not in ("", Phase.OPEN) else [])]


def _description(kept: ShiftEntry, house: House, *, is_over: bool) -> str:
    if "phases" in kept:
        return colon(kept["at"], " · ".join(labels.phase(one) for one in kept["phases"]))
    if "action" in kept:
        title, text = f"{kept['at']} · {capfirst(say(ACTIONS, kept['action']))}", ""
    else:
        title = _(ALERTS[kept["alert"]].title)
        title = colon(kept["at"], title) if kept["at"] else title
        text = labels.alert_text(kept["alert"], kept["data"], house, is_over=is_over)
    until = (
        labels.moment_text("until", datetime.fromisoformat(kept["until"]))
        if "until" in kept
        else ""
    )
    told = " · ".join(part for part in (text, until, kept["by"]) if part)
    return colon(title, told) if told else title


def acknowledged(shown: Board) -> tuple[list[Acknowledged], bool]:
    """The alerts that were acknowledged in this shift, the newest first, each with who and when;
    and whether there are more.

    Before the first hand-over it is all of them. One statement.
    """
    house, shift = shown.house, shown.shift
    found = alerts_acknowledged(
        house_id=house.pk, since=shift.at if shift else None, most=ACKNOWLEDGED + 1
    )
    names = {str(one.drawn.id): one.drawn.name for group in shown.groups for one in group.tiles}
    names |= {str(one.row.id): one.row.name for one in shown.jackpots}
    return [_acknowledged(one, names, house) for one in found[:ACKNOWLEDGED]], len(
        found
    ) > ACKNOWLEDGED


def _acknowledged(one: Alert, names: Mapping[str, str], house: House) -> Acknowledged:
    title = _(ALERTS[one.kind].title)
    place = names.get(one.data.get("table") or one.data.get("jackpot", ""), "")
    return Acknowledged(
        one.acknowledged_at.isoformat() if one.acknowledged_at else "",
        colon(place, title) if place else title,
        labels.alert_text(one.kind, data_now(one), house, is_over=one.over_at is not None),
        one.acknowledged_by.full_name if one.acknowledged_by else "",
        one.over_at.isoformat() if one.over_at else "",
    )


def seal(house: House, number: int, rows: list[OpenThing]) -> str:
    """What the page shows, to be sent back with the form: signed, so that nobody changes it on the
    way.
    """
    return signing.dumps(
        [str(house.pk), number, [one._asdict() for one in rows]], salt=SALT, compress=True
    )


def unseal(house: House, number: int, sealed: str) -> list[Mapping[str, Any]]:
    """The rows that a page showed. Raises ShiftSeenLongAgo for another page's, an old one's or
    none.
    """
    try:
        house_id, shown_number, rows = signing.loads(sealed, salt=SALT, max_age=SEEN_S)
    except signing.BadSignature as error:
        raise ShiftSeenLongAgo from error
    if (house_id, shown_number) != (str(house.pk), number):
        raise ShiftSeenLongAgo
    return list(rows)


def _title(one: Waiting) -> str:
    parts = [one.text]
    if one.until:
        parts.append(labels.moment_text("until", one.until))
    if one.seen_by:
        parts.append(one.seen_by)
    told = " · ".join(part for part in parts if part)
    return colon(one.title, told) if told else str(one.title)


def _slips(house: House) -> list[_Row]:
    """Slips that nobody has paid yet: one line for each jackpot, with the oldest one's time."""
    of: dict[str, list[Award]] = {}
    for award in read.slips_open(house_id=house.pk):
        of.setdefault(award.jackpot.name, []).append(award)
    found: list[_Row] = []
    for name, awards in of.items():
        amount = format_money(sum(one.amount_minor for one in awards), house.currency, house.locale)
        text = ngettext("%(count)s slip, %(amount)s", "%(count)s slips, %(amount)s", len(awards))
        found.append(
            (
                awards[0].slip.made_at,
                "slip",
                colon(name, text % {"count": len(awards), "amount": amount}),
                None,
            )
        )
    return found
