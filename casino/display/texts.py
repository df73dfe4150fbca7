"""The words of a display's page, in the language of the house, as its script needs them."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.text.rulesets import CHOICES
from payouts.rules.rulesets.paytable import BY_NAME


def page_texts() -> dict[str, str]:
    """By name what the page says; `{…}` are put in by the script."""
    return {
        "open": _("Jackpot stakes open"),
        "draining": _("The win is being established"),
        "draining_one": _("The win is being established – 1 more table"),
        "draining_many": _("The win is being established – {count} more tables"),
        "verifying": _("Win being verified"),
        "verifying_at": _("Win being verified · {tables}"),
        "showing": _("New jackpot value – betting opens shortly"),
        "suspended": _("Jackpot interrupted – no jackpot stakes at present"),
        "closed": _("Jackpot closed"),
        "retired": _("This jackpot has ended"),
        "stale": _("Display interrupted – please ask our staff for the jackpot value"),
        "last": _("Last confirmed value {when}"),
        "stake": _("Stake {coin} per box"),
        "won_at": _("Jackpot won · {table} · Box {box}"),
        "won_by": _("Jackpot won · {count} winners"),
        "each": pgettext("before an amount that several win", "each"),
        "place": _("{table} · Box {box}"),
        "congratulations": _("Congratulations!"),
        "new_value": _("New jackpot value"),
        "soon": _("Betting opens shortly"),
        "elsewhere": _("This display runs elsewhere"),
        "elsewhere_do": _("Close the other window. If nobody knows of one, call the technician."),
        "envy": _("Envy bonus"),
    }


def hands() -> Mapping[str, str]:
    """What the lines of the ladder are called, by the hand's name; `board:` before it: a hand that
    lies on the board.
    """
    named = {name: _(CHOICES[name]) for name in BY_NAME}
    return named | {"board:royal_flush": pgettext("ladder of a display", "Community royal flush")}
