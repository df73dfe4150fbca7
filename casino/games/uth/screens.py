"""Ultimate Texas Hold'em on the screens."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from casino.games.uth import tablet
from casino.games.uth.form import ResultForm, result_entered, result_of_form
from casino.games.uth.result import ResultSheet, readable_result
from casino.text.differences import card_row
from casino.text.wording import guest_name
from payouts.rules.plain import Json
from tables.games import Game, Rules
from tables.games.uth.settle import OutcomeMissing
from tables.models import Guest, Round, RoundStake
from tables.selectors.sessions import RoundParts
from tables.services.parts import rules_of

PLAY = "round/play"
TABLET = "uth/game"
FORM = "games/_result.html"
RESULT = "games/uth/_told.html"
tablet_texts = tablet.tablet_texts


def surface(game: Game, rules: Rules) -> dict[str, Json]:
    """As `tablet.uth_data`."""
    return tablet.uth_data(rules)


def form(round_: Round, parts: RoundParts, at: str, words: Mapping[str, str]) -> ResultForm:
    """Fields for each box with stakes; where coins alone are entered, also for a royal flush on one
    without.
    """
    placed = [one for one in parts.stakes if one.revision == 0 and one.accepted_minor]
    boxes = []
    for box in sorted({one.box for one in placed}):
        here = [one for one in placed if one.box == box]
        guests = dict.fromkeys(guest_name(one.guest.number) for one in here)
        boxes.append((box, ", ".join(guests), any(one.kind == "coin" for one in here)))
    posted = rules_of(round_.versions or {}).posted.get("uth_rules")
    plays: tuple[int, ...] = getattr(posted, "play_multiples", ())
    free: list[int] = []
    others: list[tuple[str, str]] = []
    if round_.entry_level == "jackpot_only" and placed:
        there = Guest.objects.filter(session_id=round_.session_id).order_by("number")
        free = sorted({*range(1, round_.table.boxes + 1)} - {one.box for one in placed})
        others = [(str(one.pk), guest_name(one.number)) for one in there]
    counts = next((one for one in reversed(parts.results) if one.revision == round_.revision), None)
    entered = words or (result_entered(counts.result, free) if counts else {})
    return ResultForm(
        at, entered, round_.entry_level, boxes, sorted(plays, reverse=True), free, others
    )


def form_result(round_: Round, words: Mapping[str, str]) -> dict[str, Json]:
    """Raises OutcomeMissing for an empty form, where the game would ask for cards that nobody
    needs.
    """
    stakes = RoundStake.objects.filter(round=round_, revision=0, accepted_minor__gt=0)
    boxes = sorted(set(stakes.values_list("box", flat=True)))
    result = result_of_form(words, boxes)
    if (
        round_.entry_level == "fast"
        and not result["boxes"]
        and not {"board", "feed"} & set(result)
        and boxes
    ):
        raise OutcomeMissing(box=boxes[0])
    return result


def form_placed(round_: Round, words: Mapping[str, str]) -> None:
    """Nothing is placed after the lock by itself: Play is part of the result."""


def result_description(result: Mapping[str, Any]) -> ResultSheet:
    """As `readable_result`."""
    return readable_result(result)


def outcomes(result: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The play, the result, the hand and the cards of each box; the cards of all, and whether the
    dealer has no pair.
    """
    sheet = readable_result(result)
    no_pair = gettext("without a pair") if sheet.dealer_without_pair else ""
    dispute = gettext("Dispute") if sheet.dispute else ""
    bank = (card_row(sheet.board), card_row(sheet.dealer), no_pair, dispute)
    words: dict[str, tuple[str, ...]] = {"": bank}
    for box in sheet.boxes:
        words[box.box] = (box.play, box.result, box.hand, card_row(box.cards))
    return words
