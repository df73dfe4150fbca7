"""The words of a table of hands on a tablet, whichever game is dealt; some stand for those of a
round. `{…}` are put in by the script.
"""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def hand_texts() -> dict[str, str]:
    """What the page says, by name, in the language of its reader."""
    return _hand() | _seats() | _notices() | _help()


def _hand() -> dict[str, str]:
    return {
        "keys": _("Keys of the hand"),
        "hand_number": _("Hand {number}"),
        "hand_before": _("No hand yet"),
        "hand_runs": _("Hand runs"),
        "hand_over": _("Hand ended"),
        "hand_next": _("Next hand"),
        "hand_first": _("First hand"),
        "players": _("{count} players"),
        "correct_hand": _("Correct hand {number}"),
        "too_few": _("Two play at least."),
        "too_few_help": _("Tap the head of a seat to deal the guest in."),
        "offline_one": _("Offline · 1 hand stored"),
        "offline_many": _("Offline · {count} hands stored"),
        "hands_stored": _(
            "Hands and chips are stored here in their order and sent when the connection is back."
        ),
    }


def _seats() -> dict[str, str]:
    return {
        "seat": _("Seat {seat}"),
        "fill_seat": pgettext("a free seat of a poker table", "Seat a guest"),
        "seat_turn": _("Seat {seat}: in or out of this hand"),
        "seat_open": _("Seat {seat}: chips, pause, leave"),
        "guest_comes_short": pgettext("without a number yet", "Guest –"),
        "bought": pgettext("chips of a guest", "bought"),
        "dealt_in": pgettext("a guest in a hand", "dealt in"),
        "dealt_out": pgettext("a guest in a hand", "sits out"),
        "pause": _("Pause"),
        "plays_on": _("Plays on"),
        "after_hand": _("after this hand"),
        "waiting_one": _("1 thing waits for the end of the hand:"),
        "waiting_many": _("{count} things wait for the end of the hand, the last of them:"),
        "waiting_forget": _("Not after all"),
        "waits_top_up": _("top-up"),
        "waits_tip": pgettext("chips for the tronc", "tip"),
        "waits_time": _("time charge"),
        "waits_away": pgettext("of a guest", "pause"),
        "waits_move": pgettext("of a guest", "another seat"),
        "waits_leave": pgettext("of a guest", "leaves"),
        "waits_irregular": pgettext("to be recorded after the hand", "irregularity"),
        "between_hands": _("Between two hands"),
        "no_seat_of_it": _("No seat"),
    }


def _notices() -> dict[str, str]:
    return {
        "hand_refused": _("Hand {number} was refused."),
        "hand_to_clarify": _("A stored hand was refused and waits for the pit."),
        "hand_differs": _("Hand {number}: the house booked another rake than was shown."),
        "hand_not_corrected": _("The correction of hand {number} was refused."),
        "hand_not_recorded": _("An irregularity was not recorded."),
        "not_begin": _("The buy-in was not booked."),
        "not_top_up": _("The top-up was not booked."),
        "not_tip": _("The tip was not booked."),
        "not_time": _("The time charge was not booked."),
        "not_away": _("The pause was not noted."),
        "not_back": _("That the guest plays on was not noted."),
        "not_move": _("The guest was not moved."),
        "not_leave": _("That the guest left was not booked."),
    }


def _help() -> dict[str, str]:
    return {
        "help_hand_mistake": _("Mistake"),
        "help_hand_mistake_words": _(
            "For four seconds Undo takes the hand back whole. Then it can be corrected for some"
            " seconds; later the pit does it."
        ),
        "help_hand_floor": _("Call floor"),
        "help_hand_floor_words": _("With a reason; the pit sees it at once."),
    }
