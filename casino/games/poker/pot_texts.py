"""The words of a hand whose pots are entered on a tablet; `{…}` are put in by the script."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def pots_texts() -> dict[str, str]:
    """By name what the page says, in the language of its reader."""
    return _streets() | _winners() | _result() | _help()


def _streets() -> dict[str, str]:
    return {
        "pots": _("Pots"),
        "main_pot": _("Main pot"),
        "side_pot": _("Side pot {number}"),
        "seats": _("Seats {list}"),
        "stack": pgettext("chips before a guest", "stack"),
        "button": pgettext("of a dealer at poker", "Button"),
        "button_mark": pgettext("the button, on a seat", "D"),
        "button_help": _("Which seat has the button in this hand?"),
        "bet_to": pgettext("an amount on a street", "to match"),
        "bet_title": _("What is to be matched on this street?"),
        "bet_help": _("The whole amount of the street, with blinds; antes are no part of it."),
        "all_in_key": _("All-in"),
        "all_in": pgettext("a guest on a street", "all-in"),
        "tap_seat": _("tap the seat"),
        "calls": pgettext("a guest on a street", "in"),
        "folds": pgettext("a guest on a street", "Fold"),
        "folds_at": _("Seat {seat} folds: {street}"),
        "stays_in": _("Seat {seat} stays in: {street}"),
        "all_pass": pgettext("a hand that nobody opens", "All pass"),
        "all_pass_sub": _("antes go into the next pot"),
        "carried_in": pgettext("in a pot, from hands before", "with {amount} carried"),
        "carried_on": _("{amount} of antes go into the next pot."),
        "street_sub": _("next street"),
        "hint_pots": _("The first hand begins with the green key."),
    }


def _winners() -> dict[str, str]:
    return {
        "who_wins": _("who wins?"),
        "who_wins_high": _("whose high hand wins?"),
        "who_wins_low": _("whose low hand wins?"),
        "wins": pgettext("a guest at a pot", "wins"),
        "wins_pot": _("Winner: seat {list}"),
        "not_in_pot": _("not in this pot"),
        "opener_asked": pgettext("a hand that nobody has bet in", "Who opens?"),
        "opener_asked_sub": _("Enter the bet, or that all pass"),
        "winner_asked": _("Winner?"),
        "winner_asked_sub": _("the last pot first; the last tap ends the hand"),
        "split": pgettext("a pot with several winners", "Split"),
        "split_sub": _("several winners"),
        "split_done": pgettext("a pot with several winners", "Split it"),
        "no_low": _("No low hand"),
        "cards_show": _("Show the cards"),
        "cards_show_sub": _("the cards decide"),
        "showdown": pgettext("at poker", "Showdown"),
        "board": _("Board"),
        "cards_of": _("Cards are missing: {whose}"),
        "cards_none": _("Tap the cards that are shown"),
        "cards_count": _("The cards count"),
        "street_before": _("put this street right"),
        "does_not_add": _("This cannot be"),
        "does_not_add_sub": _("More is to be matched than lies there, or who folded was all-in."),
    }


def _result() -> dict[str, str]:
    return {
        "pot_column": pgettext("a column", "Pot"),
        "pot_in": pgettext("a column: chips in a pot", "in it"),
        "pot_gets": pgettext("a column: who gets it", "to"),
        "pot_each": pgettext("a column: how much each gets", "each"),
        "pot_why": pgettext("a column", "why"),
        "pot_sum": pgettext("a row of a table", "Sum"),
        "seat_whole": _("Seat {seat}"),
        "seat_high": _("Seat {seat}, high"),
        "seat_low": _("Seat {seat}, low"),
        "goes_back": _("{amount} goes back to seat {seat}: nobody matched it."),
        "odd_chip": _("The odd chip goes to seat {list}, the first winner left of the button."),
        "odd_chip_dealer": _(
            "The odd chip goes to seat {list}, the first winner left of the dealer."
        ),
        "odd_half": _("The odd chip of the two halves goes to the high hand: seat {seat}."),
        "odd_chips": _("Odd chips go to seats {list}, in this order."),
        "equal_parts": _("Shared in equal parts."),
        "alone_in_pot": _("Nobody else is left in this pot."),
        "side_pot_why": _("Only seats {list} paid so much."),
    }


def _help() -> dict[str, str]:
    return {
        "help_streets": _("Streets"),
        "help_streets_words": _(
            "Tap what is to be matched: all who are left are in for it, as far as their chips go."
            " A tap on a cell folds the seat there; another tap takes what it had in to the next"
            " smaller amount. The green key goes on to the next street."
        ),
        "help_winners": _("Winners"),
        "help_winners_words": _(
            "The pot that was made last is asked for first. Split takes several winners. The last"
            " winner, or a fold that leaves one guest, ends the hand; Undo takes it back."
        ),
    }
