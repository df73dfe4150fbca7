"""What the floor records of what went wrong at a poker table: in a hand, or between two."""

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from django.db.models import Model
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.people.pages.fields import Choice, Reason, Text, Whole
from casino.people.pages.steps import Step
from casino.people.permissions import RUN_FLOOR
from casino.text import floor
from casino.text.vocabulary import DECISIONS, IRREGULARITIES
from payouts.errors import Refused, mark
from payouts.rules.plain import Json
from tables.errors import SeatOutside
from tables.games.poker.irregular import HAND_CASES, HAND_DECISIONS
from tables.games.poker.variants import SEATS_MOST
from tables.models import Hand, HandIrregularity, Table
from tables.services import hand_irregular

Subject = TypeVar("Subject", bound=Model)


class HandIrregularityRow(NamedTuple):
    """What went wrong, in words, and what the rule says of it."""

    row: HandIrregularity
    title: str
    decision: str
    rule: str
    cards: list[floor.DrawnCard]


def irregularity_rows(rows: Iterable[HandIrregularity]) -> list[HandIrregularityRow]:
    """These in words."""
    return [
        HandIrregularityRow(
            row,
            floor.say(IRREGULARITIES, row.kind),
            floor.say(DECISIONS, row.decision),
            gettext(HAND_CASES[row.kind].words) if row.kind in HAND_CASES else "",
            floor.drawn_cards(row.card),
        )
        for row in rows
    ]


def _no_seat(given: str) -> Refused:
    return SeatOutside(layout=SEATS_MOST, seat=given)


class _IrregularStep(Step[Subject]):
    """Record what went wrong; what happened and its decision are one choice."""

    step, command, permission = "irregularity", "floor.hand-irregularity", RUN_FLOOR
    done = mark("Recorded.")
    what = Choice(label=_("What happened, and what is decided"), required=True)
    seat = Whole(_no_seat, nothing=None, label=_("Seat, if it was at one"))
    card = Text(label=_("Card, such as “Ah”"), max_length=2)
    otherwise = Choice(label=_("Decided otherwise than the rule"))
    reason = Reason(500, label=_("Reason"))

    def offer(self) -> None:
        """The list, and all decisions for the floor's own."""
        cases = [
            (
                gettext(case.title),
                [(f"{code}:{way}", gettext(HAND_DECISIONS[way])) for way in case.decisions],
            )
            for code, case in HAND_CASES.items()
        ]
        self.options("what", cases)
        ways = [(code, gettext(word)) for code, word in HAND_DECISIONS.items()]
        self.options("otherwise", [("", gettext("no")), *ways])

    @property
    def where(self) -> dict[str, Any]:
        """Table and hand."""
        raise NotImplementedError

    def carry_out(self) -> Json:
        """Raises what `hand_irregular` refuses."""
        kind, _colon, decision = self.values["what"].partition(":")
        otherwise = self.values["otherwise"]
        recorded = hand_irregular(
            **self.where,
            kind=kind,
            decision=otherwise or decision,
            override=bool(otherwise),
            **{name: self.values[name] for name in ("seat", "card", "reason")},
            person_id=self.person.pk,
            supervisor=True,
        )
        return recorded.pk


class IrregularHand(_IrregularStep[Hand]):
    """In a hand."""

    subject = "hand"

    @property
    def where(self) -> dict[str, Any]:
        """Table and hand."""
        ids = {"house_id": self.row.house_id, "table_id": self.row.table_id}
        return ids | {"hand_id": self.row.pk}


class IrregularTable(_IrregularStep[Table]):
    """Between two hands."""

    subject = "table"

    @property
    def where(self) -> dict[str, Any]:
        """The table."""
        return {"house_id": self.row.house_id, "table_id": self.row.pk}
