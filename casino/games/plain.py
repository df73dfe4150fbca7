"""A game that has no screens of its own: its result is entered on the round's page and told there,
as it would be sent.
"""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.games.form import PLAIN
from casino.people.pages.fields import Text
from payouts.rules.plain import Json
from tables.games import BankGame, Game, ResultWrong, Rules
from tables.games.base import AN_OBJECT
from tables.models import Round
from tables.selectors.sessions import RoundParts

PLAY = TABLET = ""
FORM = "games/_result_plain.html"
RESULT = "games/_told_plain.html"


class PlainForm(forms.Form):
    """The one field: the result as JSON."""

    widget = forms.Textarea(PLAIN | {"rows": 6, "maxlength": 10_000})
    result = Text(label=_("Result, as a tablet would send it"), required=True, widget=widget)


def surface(game: Game, rules: Rules) -> dict[str, Json]:
    """The limits of the main stake."""
    if not isinstance(game, BankGame):
        return {}
    limits = game.limits(rules, game.main[1])
    return {
        "limits": {game.main[1]: {"minimum": limits.minimum_minor, "maximum": limits.maximum_minor}}
    }


def tablet_texts() -> dict[str, str]:
    """None: its rounds are not entered on a tablet."""
    return {}


def form(round_: Round, parts: RoundParts, at: str, words: Mapping[str, str]) -> PlainForm:
    """As it was typed, else what counts."""
    counts = next((one for one in reversed(parts.results) if one.revision == round_.revision), None)
    entered = words or {"result": _text(counts.result) if counts else "{}"}
    return PlainForm(initial=dict(entered), auto_id=f"{at}-%s", label_suffix="")


def form_result(round_: Round, words: Mapping[str, str]) -> dict[str, Json]:
    """The object that was typed. Raises ResultWrong."""
    try:
        read = json.loads(words.get("result", ""))
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise ResultWrong(field="result", expected=AN_OBJECT)
    return read


def form_placed(round_: Round, words: Mapping[str, str]) -> None:
    """Its stakes after the lock are put right where they are entered."""


def result_description(result: Mapping[str, Any]) -> str:
    """The result as it was sent."""
    return _text(result)


def outcomes(result: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """None: nothing is known of what it says."""
    return {}


def _text(result: Mapping[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False, indent=2)
