"""What of a round or hand that came can be read as one of its table's game, whatever is posted or
lies there. What cannot is of no use to the pit.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from payouts.errors import Refused
from tables.errors import NoStacks, StakesWrong
from tables.games import bank_game, game_of
from tables.models import Table, TableVersion
from tables.services.hands.clarify import HAND_END, check_hand_form
from tables.services.later.placements import read_placements
from tables.services.rounds.lock import read_stakes


def check_form(table: Table, kind: str, payload: Mapping[str, Any]) -> None:
    """Raise the refusal of what is no message of this kind at the table: of no box, no cards, no
    amount, or of another game.
    """
    if kind == HAND_END:
        game = game_of(table.game)
        if game.plays != "hand":
            raise NoStacks(game=game.title)
        check_hand_form(payload)
        return
    form = bank_game(table.game).form
    # whichever of its versions it was played under
    boxes = TableVersion.objects.filter(table=table).aggregate(most=Max("boxes"))["most"]
    if kind in ("lock", "queued"):
        stakes = read_stakes(payload.get("stakes"))
        if not stakes:
            raise StakesWrong(place=0, field="stakes")
        for stake in stakes:
            form.stake(stake, boxes)
    if kind == "queued":
        for placement in read_placements(payload.get("placed", [])):
            form.placement(placement, boxes)
    if kind in ("queued", "settle"):
        form.result(payload.get("result"), boxes)


def has_form(table: Table, kind: str, payload: object) -> bool:
    """Whether `check_form` refuses nothing."""
    try:
        check_form(table, kind, payload if isinstance(payload, dict) else {})
    except Refused:
        return False
    return True
