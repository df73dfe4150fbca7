"""Texts of reports that hold names of data, in the reader's words: rows keep the names, so all
languages have one hash.
"""

import json
import re

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from casino.records.descriptions import named, note, plainly, refusal, refusal_alone
from casino.text.floor import colon, say
from casino.text.vocabulary import ACTIONS, CHECKLIST, DECISIONS, IRREGULARITIES
from payouts.models import House

_FACT = re.compile(r"(?:^|(?<=; ))([A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*): ")
_NOTED = re.compile(rf"(?:^|(?<=; )|(?<=, ))({'|'.join(CHECKLIST)}): ")
_IRREGULAR = re.compile(r"irregularity\.([a-z_]+)\.([a-z_]+)")
_REFUSED = re.compile(r"([a-z_]+\.[a-z_]+) (?=\{)")
_REVISION = re.compile(r"rev ([0-9]+)")
ARROW = " → "


def facts(text: str, house: House) -> str:
    """`name: value; name: before → after` by name: what changed, was before, was asked for."""
    parts = _FACT.split(text)
    said = [parts[0]] if parts[0] else []
    for path, values in zip(parts[1::2], parts[2::2], strict=True):
        became = (plainly(path, value, house) for value in values.removesuffix("; ").split(ARROW))
        said.append(colon(named(path), ARROW.join(became)))
    return "; ".join(said)


def hit_note(text: str, house: House) -> str:
    """What stands beside a fact of a hit: what was to be signed, which split, what was noted about
    a claim, somebody's words.
    """
    if revision := _REVISION.fullmatch(text):
        return _("revision %(number)s") % {"number": revision[1]}
    if text in ACTIONS:
        return capfirst(_(ACTIONS[text]))
    return note(_NOTED.sub(lambda found: colon(capfirst(_(CHECKLIST[found[1]])), ""), text))


def reason(text: str, house: House) -> str:
    """Why something was done; of an entry to be clarified why it was refused (a code, and behind it
    the data of the refusal), and then what somebody said to it; of an irregularity what happened
    and what was decided.
    """
    if coded := _REFUSED.match(text):
        try:
            data, end = json.JSONDecoder().raw_decode(text, coded.end())
        except ValueError:  # what somebody typed only looks like it
            return note(text)
        sentence = refusal(coded[1], data, house)
        if sentence != coded[1]:
            return f"{sentence} {text[end:].removeprefix(': ')}".rstrip()
    code, _colon, words = text.partition(": ")
    if irregular := _IRREGULAR.fullmatch(code):
        kind, decision = say(IRREGULARITIES, irregular[1]), say(DECISIONS, irregular[2])
        return f"{colon(kind, decision)}. {note(words)}"
    refused = refusal_alone(code)
    return f"{refused} {words}".rstrip() if refused else note(text)
