"""One thing that waits for somebody, as rails and start pages show it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from casino.text.alerts import ALARM, WARN

SEVERITIES = (ALARM, "appr", WARN, "")


class ShiftEntry(TypedDict, total=False):
    """What a hand-over keeps of something open, as JSON: an alert with its data, what is asked for,
    or a jackpot's phases; where, until when, and who sees to it.
    """

    alert: str
    data: Mapping[str, Any]
    action: str
    phases: list[str]
    at: str
    until: str
    by: str


class Waiting(NamedTuple):
    """One thing that waits for somebody, in the rail. `own`: the person who looks may not decide
    it. `code` names the kind.

    `quoted`: its text is what a person wrote. `kept`: what a hand-over keeps of it, to be told in
    any language (`casino/pit/board/shift.py`); None where its words are somebody's own.
    """

    code: str
    severity: str
    icon: str
    title: str
    text: str
    who: str
    since: datetime
    until: datetime | None
    href: str
    ref: str
    own: bool = False
    over: datetime | None = None
    seen_by: str = ""
    seen_at: datetime | None = None
    quoted: bool = False
    kept: ShiftEntry | None = None
