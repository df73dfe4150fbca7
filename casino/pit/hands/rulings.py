"""What the pit asks for of a hand whose pots are entered: other winners of its pots, and what
management pays a guest once these cannot be got back (POK-9).
"""

from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.people.pages.fields import Choice, Text, Tick
from casino.pit.hands.pots import seat_word
from casino.pit.hands.show import player
from casino.pit.hands.steps import HandRequestStep
from casino.pit.jackpots.standing import AMOUNT
from casino.text.floor import HALVES, HAND_CORRECTIONS, say, uuid_or_none
from casino.text.typed import minor_typed
from payouts.rules.plain import Json
from tables.errors import HandStakeless
from tables.games.poker.entered import pots_entry
from tables.games.poker.raking import Pot
from tables.games.poker.settle import PotWinners
from tables.games.poker.showdown import TableCards
from tables.games.poker.variants import VARIANTS
from tables.models import Hand, HandPot
from tables.services import hand_correction_request, hand_override_request
from tables.services.hands.entry import PlayedHand


class PotTicks(NamedTuple):
    """The boxes to tick of a pot or of a half of it, by who can win it."""

    number: int
    half: str
    fields: list[forms.BoundField]


class PotsCorrection(HandRequestStep):
    """Ask for other winners; streets and folds stay as they were entered."""

    step, command = "correct-pots", "hand.correction_request"
    correction = Choice(label=_("What is put right"), required=True)

    def __init__(self, row: Hand, *args: Any, **options: Any) -> None:
        super().__init__(row, *args, **options)
        pots = row.pots.filter(revision=row.revision).order_by("number")
        self.pots: list[HandPot] = [*pots]
        variant = VARIANTS.get(row.variant)
        self.halves = ("high", "low") if variant and variant.low == "half" else ("high",)
        for pot in self.pots:
            for half in self.halves if len(pot.seats) > 1 else ():
                for seat in pot.seats:
                    field = Tick(label=seat_word(seat), widget=forms.CheckboxInput)
                    self.fields[_tick(pot.number, half, seat)] = field

    def offer(self) -> None:
        """Both kinds."""
        self.options(
            "correction", [(kind, say(HAND_CORRECTIONS, kind)) for kind in HAND_CORRECTIONS]
        )

    @property
    def ticks(self) -> list[PotTicks]:
        """The boxes of each pot that several can win, the main pot first."""
        return [
            PotTicks(
                pot.number,
                say(HALVES, half) if len(self.halves) > 1 else "",
                [self[_tick(pot.number, half, seat)] for seat in pot.seats],
            )
            for pot in self.pots
            if len(pot.seats) > 1
            for half in self.halves
        ]

    def carry_out(self) -> Json:
        """Raises what `hand_correction_request` refuses."""
        last = self.row.results.get(revision=self.row.revision)
        entry = pots_entry(last.entered)
        winners = [
            PotWinners(*(self._ticked(pot, half) for half in self.halves)) for pot in self.pots
        ]
        won = winners_now(self.row)
        # what was entered of cards says who won, and is wrong where others did
        differs = any(
            {*ticked} != {*won.get((pot.number, half), ())}
            for pot, ticks in zip(self.pots, winners, strict=True)
            for half, ticked in zip(("high", "low"), ticks, strict=True)
            if len(pot.seats) > 1
        )
        cards = TableCards() if differs else entry.cards
        stays = dict(self.row.seats.filter(revision=last.revision).values_list("seat", "stay_id"))
        approval = hand_correction_request(
            **self.subject_values,
            entry=PlayedHand(
                [stays[seat] for seat in entry.seats],
                Pot(),
                pots=entry._replace(winners=tuple(winners), cards=cards),
            ),
            correction=self.values["correction"],
        )
        return str(approval.pk)

    def _ticked(self, pot: HandPot, half: str) -> tuple[int, ...]:
        return tuple(seat for seat in pot.seats if self.values.get(_tick(pot.number, half, seat)))


class PayForFault(HandRequestStep):
    """Ask to pay a guest for a pot that went to another seat."""

    step, command = "override", "hand.override_request"
    stay = Choice(label=_("Seat and guest"), required=True)
    amount = Text(required=True, widget=forms.TextInput(AMOUNT))
    field_order = ("stay", "amount", "reason")

    def offer(self) -> None:
        """Who was dealt in."""
        self.fields["amount"].label = gettext("Paid besides (%(currency)s)") % {
            "currency": self.row.house.currency
        }
        seats = self.row.seats.filter(revision=self.row.revision).select_related("stay__guest")
        self.options(
            "stay", [(seat.stay_id, player(seat.stay.guest)) for seat in seats.order_by("seat")]
        )

    def carry_out(self) -> Json:
        """Raises HandStakeless, AmountRefused, and what `hand_override_request` refuses."""
        stay_id = uuid_or_none(self.values["stay"])
        if stay_id is None:
            raise HandStakeless(number=self.row.number)
        figure = minor_typed(self.values["amount"], self.row.house, least=1)
        approval = hand_override_request(
            **self.subject_values, stay_id=stay_id, amount_minor=figure
        )
        return str(approval.pk)


def winners_now(row: Hand) -> dict[tuple[int, str], list[int]]:
    """Who wins by the last entry: seats by pot and half, `high` of what is not halved."""
    won: dict[tuple[int, str], list[int]] = {}
    shares = row.shares.filter(revision=row.revision).order_by("number", "seat")
    for number, half, seat in shares.values_list("number", "half", "seat"):
        won.setdefault((number, "low" if half == "low" else "high"), []).append(seat)
    return won


def ticked_now(row: Hand) -> dict[str, bool]:
    """The same as boxes that are ticked."""
    return {
        _tick(number, half, seat): True
        for (number, half), seats in winners_now(row).items()
        for seat in seats
    }


def _tick(number: int, half: str, seat: int) -> str:
    return f"won.{number}.{half}.{seat}"
