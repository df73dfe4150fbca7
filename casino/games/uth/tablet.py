"""What a tablet needs to know of Ultimate Texas Hold'em to show a round: limits, odds, prizes, and
the words of every outcome.

The tablet works the payouts out itself, because it shows them before any chip moves and also
without a network. What counts is what the server books; `tests/browser/tablet/test_pays.py` holds
both to the same lines.
"""

from typing import cast

from django.utils.translation import gettext

from casino.games.chips import chips
from casino.text.rulesets import CHOICES
from jackpot.models.states import FROZEN
from jackpot.rules import progressive
from payouts.rules.lines import Reason
from payouts.rules.plain import Json
from payouts.rules.rulesets.paytable import BY_NAME, WORDS, Paytable
from tables.games import Rules
from tables.games.uth.game import UTH
from tables.games.uth.rules import UthRules


def uth_data(rules: Rules) -> dict[str, Json]:
    """The rules of one round as plain JSON, amounts in minor units."""
    posted = cast(UthRules, rules.posted["uth_rules"])
    return {
        "limits": {kind: _limits(posted, kind) for kind in ("ante", "trips")},
        "plays": [*sorted(posted.play_multiples, reverse=True)],
        "no_play": posted.no_play,
        "survive": posted.side_bets_survive_fold,
        "round_to": posted.odds_round_to,
        "round_up": posted.odds_round == "up",
        "blind": _odds(rules.posted["blind"]),
        "trips": _odds(rules.posted["trips"]),
        "progressive": _progressive(rules),
        "cards_from": rules.floor.cards_from.name.lower(),
        "hands": {name: gettext(CHOICES[name]) for name in BY_NAME},
        "hands_within": {name: gettext(WORDS[hand]) for name, hand in BY_NAME.items()},
        "reasons": reasons(),
    }


def tablet_texts() -> dict[str, str]:
    """By name what the page says of this game alone; `{…}` are put in by the script."""
    return {
        "no_pair": gettext("Dealer: no pair"),
        "no_pair_sub": gettext("Ante goes back"),
        "ante": gettext("Ante"),
        "ante_is_blind": gettext("Ante = Blind"),
        "ante_played_blind": gettext("Ante · blind {play}×"),
        "trips": gettext("Trips"),
        "blind_further_help": gettext(
            "A guest may play boxes where nobody sits, too: blind, with the Play placed now."
        ),
        "blind_further": gettext("Also box {box}, blind"),
        "blind_further_times": gettext("Also box {box}, blind with {play}×"),
        "blind_for": gettext("Blind, for the guest of box {box}"),
        "blind_for_times": gettext("Blind with {play}×, for the guest of box {box}"),
        "blind_short": gettext("blind {play}×"),
        "line_ante": gettext("Ante"),
        "line_blind": gettext("Blind"),
        "line_play": gettext("Play"),
        "line_trips": gettext("Trips"),
    }


def reasons() -> dict[str, Json]:
    """By code, the rule and the sentence of every outcome, in the language of the page; `%(name)s`
    are put in by the script.
    """
    of_coins = [one for one in vars(progressive).values() if isinstance(one, Reason)]
    return {
        one.code: {"rule": one.rule, "words": gettext(one.sentence)}
        for one in (*UTH.reasons.values(), *of_coins)
    }


def _limits(posted: UthRules, kind: str) -> dict[str, Json]:
    low, high = getattr(posted, f"{kind}_minimum_minor"), getattr(posted, f"{kind}_maximum_minor")
    return {
        "minimum": low,
        "maximum": high,
        "step": posted.stake_step,
        "chips": [*chips(low, high, posted.stake_step)],
    }


def _odds(table: object) -> dict[str, Json]:
    return {hand.name.lower(): list(odds) for hand, odds in cast(Paytable, table).odds().items()}


def _progressive(rules: Rules) -> dict[str, Json] | None:
    posted = rules.progressive
    if posted is None:
        return None
    prizes: list[Json] = [
        {"hand": one.hand.name.lower(), "amount": one.amount_minor, "hole": one.hole_card_required}
        for one in posted.prizes
    ]
    return {
        "coin": posted.coin_minor,
        "prizes": prizes,
        "shared": posted.community_royal == "shared",
        "unit": posted.payout_unit,
        "paid_by": posted.paid_by,
        "envy": posted.envy_minor,
        "envy_box": posted.envy_excludes == "winner_box",
        "envy_board": posted.envy_on_community_royal,
        "waits_from": rules.jackpot.prize_approval_from_minor,
        "coins_alone_blocked_at": [*FROZEN] if rules.jackpot.blocked_after_hit == "coins" else [],
    }
