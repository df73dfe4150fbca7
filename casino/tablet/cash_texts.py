"""The words of buy-ins and tips on the tablet. `{…}` are put in by the script."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def cash_texts() -> dict[str, str]:
    """By name what the tablet says of them, in the language of the croupier."""
    return {
        "cash": _("Buy-in / tronc"),
        "cash_buyin": pgettext("chips for cash at a table", "Buy-in"),
        "cash_tip": pgettext("tips at a table", "Tronc"),
        "cash_last": _("Entered last"),
        "cash_waiting": _("{count} still to be sent"),
        "cash_buyin_entered": _("Buy-in of {amount} entered."),
        "cash_tip_entered": _("Tip of {amount} entered."),
        "cash_buyin_back": _("Buy-in of {amount} taken back."),
        "cash_tip_back": _("Tip of {amount} taken back."),
        "cash_buyin_refused": _("The buy-in of {amount} was not booked."),
        "cash_tip_refused": _("The tip of {amount} was not booked."),
        "cash_still_there": _("It was not taken back."),
        "cash_take_back": pgettext("a buy-in or a tip", "Take back"),
        "cash_taken_back": pgettext("a buy-in or a tip", "taken back"),
        "cash_refused": pgettext("a buy-in or a tip", "not booked"),
        "cash_stored": _("Stored here, sent when the connection is back."),
        "cash_waits": pgettext("a buy-in or a tip", "still to be sent"),
        "cash_steps": _("In steps of {step}"),
        "help_cash": _("Buy-in / tronc"),
        "help_cash_words": _(
            "At the top: one tap on an amount books a buy-in for cash, or a tip for the tronc."
            " Tapped wrong? Take it back there; after some seconds the pit does."
        ),
    }
