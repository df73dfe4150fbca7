"""The words of a count on the tablet. `{…}` are put in by the script."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def count_texts() -> dict[str, str]:
    """By name what the page of a count says, in the language of the croupier."""
    return _counting() | _signing()


def _counting() -> dict[str, str]:
    return {
        "count_tray": _("Count the tray"),
        "count_unseen": _("without the books until both have signed"),
        "count_what_for": _("What is counted for?"),
        "count_what_for_help": _(
            "From then on nothing moves this tray until the count is signed or given up."
        ),
        "count_opener_help": _(
            "The table is closed: its opener is counted, and somebody else looks at it and signs."
        ),
        "count_lines": _("Pieces by denomination"),
        "count_pad": _("Number pad"),
        "count_stacks": _("{stacks} stacks + {pieces}"),
        "count_one_stack": _("1 stack + {pieces}"),
        "count_whole_stacks": _("{stacks} stacks"),
        "count_whole_stack": _("1 stack"),
        "count_pieces": _("{pieces} pieces"),
        "count_empty": _("not counted yet"),
        "count_stack": _("Stack"),
        "count_stack_of": _("× {count}"),
        "count_next": pgettext("the next denomination", "Next"),
        "count_done": pgettext("a count of chips", "Done"),
        "count_left_one": _("1 value left: {values}"),
        "count_left_many": _("{count} values left: {values}"),
        "count_so_far": _("Counted so far · {count} of {all} values"),
        "count_again": _("Count again."),
        "count_again_help": _("Both have signed, and the house wants a second count. It stands."),
        "count_anew": _("The witness has not signed."),
        "count_anew_help": _("Count anew together, and enter it."),
        "count_not_yours": _("{name} counts this tray, or who has the table."),
        "count_give_up": _("Give the count up"),
        "count_give_up_sure": _("Give up: tap again"),
        "count_to_table": _("To the table"),
        "count_offline": _("Counting needs the server. What is entered stays on this tablet."),
    }


def _signing() -> dict[str, str]:
    return {
        "count_sign": _("{name} signs what was counted"),
        "count_sum": _("Counted"),
        "count_back": _("Back to the pieces"),
        "count_witness": _("Who looks at it and signs?"),
        "count_witness_help": _("Pit boss or manager. Compare the pieces with what lies there."),
        "count_right": pgettext("what was counted", "Right"),
        "count_wrong": pgettext("what was counted", "Not right"),
        "count_right_by": _("{name} signs: right"),
        "count_wrong_by": _("{name} signs: not right"),
        "count_somebody": _("Somebody else"),
        "count_username": _("Sign-in name"),
        "count_cancel": _("Back"),
        "count_signed": _("Signed"),
        "count_signed_help": _("Both have signed: the table plays on."),
        "count_signed_opener": _("Both have signed: the pit opens the table."),
        "count_signed_closer": _("Both have signed: the pit closes the table."),
        "count_given_up": _("The count was given up."),
    }
