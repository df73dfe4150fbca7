"""What a tablet needs to know of a poker table, and its words.

The tablet works out pots, fee and shares of a hand and what is owed for time itself; what counts is
what the server books (`tests/browser/tablet/test_poker_money.py` holds both to the same figures).
"""

from typing import cast

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.games.hand_texts import hand_texts
from casino.games.poker.pot_texts import pots_texts
from payouts.rules.plain import Json
from payouts.rules.rulesets import rake
from payouts.rules.rulesets.hand_rules import HandRules
from payouts.rules.rulesets.rake import RakeReason, RakeSchedule, TimeCharge
from tables.games import Rules
from tables.games.poker.entered import may_pass
from tables.games.poker.irregular import HAND_CASES
from tables.games.poker.rules import PokerGame, PokerRules
from tables.games.poker.streets import posted_minor
from tables.games.poker.variants import VARIANTS, Variant
from tables.models.stays import GIVEN


def poker_data(rules: Rules) -> dict[str, Json]:
    """What is posted at one table as plain JSON, amounts in minor units."""
    game = cast(PokerGame, rules.posted["poker_game"])
    house = cast(PokerRules, rules.posted["poker_rules"])
    hands = cast(HandRules, rules.posted["hand_rules"])
    schedule = rules.posted.get("rake")
    charge = rules.posted.get("time_charge")
    return {
        "variants": [
            {
                "code": code,
                "title": _(VARIANTS[code].title),
                "streets": [*_streets(VARIANTS[code])],
                "doors": VARIANTS[code].doors,
                "passes": may_pass(house, code),
                **variant_data(game, code, passes=may_pass(house, code)),
            }
            for code in game.variants
        ],
        "rotate_hands": game.rotate_hands,
        "seats": game.seats,
        "chip": game.chip_minor,
        "ante": game.ante_minor,
        "least": game.buy_in_least_minor,
        "most": game.buy_in_most_minor,
        "fee": game.fee,
        "rake": rake_data(schedule) if isinstance(schedule, RakeSchedule) else None,
        "half_hour": charge.half_hour_minor if isinstance(charge, TimeCharge) else None,
        "time_from": house.time_from,
        "limit": game.limit,
        "small_blind": game.small_blind_minor,
        "big_blind": game.big_blind_minor,
        "bring_in": game.bring_in_minor,
        "bet": game.bet_minor,
        "small_bet": game.small_bet_minor,
        "big_bet": game.big_bet_minor,
        "big_from": game.big_from_round,
        "least_bet": game.least_minor,
        "odd_chips": house.odd_chips,
        "qualifier": hands.low_qualifier,
        "draw_low": house.draw_low,
        "button_posts_small": house.button_posts_small,
        "given": [means for means in GIVEN if house.tips_from_stack or means != "stack"],
        "reasons": _reasons(),
        "case_rules": {code: _(case.words) for code, case in HAND_CASES.items()},
    }


def _streets(variant: Variant) -> tuple[str, ...]:
    if variant.board:
        return (
            pgettext("a street of poker", "Preflop"),
            pgettext("a street of poker", "Flop"),
            pgettext("a street of poker", "Turn"),
            pgettext("a street of poker", "River"),
        )
    if not variant.doors:
        return (
            pgettext("a street of poker", "Before the draw"),
            pgettext("a street of poker", "After the draw"),
        )
    cards = range(variant.hole - variant.rounds + 1, variant.hole + 1)
    return tuple(pgettext("a street of poker", "Card {number}").format(number=n) for n in cards)


def variant_data(game: PokerGame, code: str, *, passes: bool = False) -> dict[str, Json]:
    """What the tablet works out a hand's course from; `posted`: before anybody acts, in minor
    units, as of `posted_minor`.
    """
    variant = VARIANTS[code]
    return {
        "rounds": variant.rounds,
        "board": variant.board > 0,
        "low": variant.low == "half",
        "cards": {"hole": variant.hole, "board": variant.board, "low": variant.low},
        "posted": posted_minor(game, code, passes=passes),
    }


def rake_data(schedule: RakeSchedule) -> dict[str, Json]:
    """A schedule as the tablet works with it."""
    return {
        "tiers": [
            {
                "players_from": tier.players_from,
                "pot_from": tier.pot_from_minor,
                "percent_bp": tier.percent_bp,
                "fixed": tier.fixed_minor,
                "cap": tier.cap_minor,
            }
            for tier in schedule.tiers
        ],
        "step": schedule.step_minor,
        "no_flop_no_drop": schedule.no_flop_no_drop,
        "no_flop": schedule.no_flop_minor,
        "minimum_pot": schedule.minimum_pot_minor,
    }


def _reasons() -> dict[str, Json]:
    """By code, the rule and the sentence of every fee; `%(name)s` are put in by the script."""
    reasons = [reason for reason in vars(rake).values() if isinstance(reason, RakeReason)]
    return {reason.code: {"rule": reason.rule, "words": _(reason.sentence)} for reason in reasons}


def tablet_texts() -> dict[str, str]:
    """By name what the page says of this game and of hands; `{…}` are put in by the script."""
    return hand_texts() | _rake() | _chips() | _time() | _goes() | pots_texts() | _help()


def _rake() -> dict[str, str]:
    return {
        "rake": _("Rake"),
        "rake_out_of": _("out of the pot"),
        "rake_asked": _("Rake?"),
        "rake_asked_sub": _("It ends the hand"),
        "rake_of": _("Rake {amount}"),
        "rake_most": pgettext("a rake on a key", "most"),
        "rake_take": _("Take {amount}"),
        "no_flop": pgettext("a hand on a narrow key", "no flop"),
        "walk": pgettext("a hand on a narrow key", "walk"),
        "pot": pgettext("of a hand, on a narrow key", "pot"),
        "pot_of": _("pot {amount}"),
        "pot_title": _("How large is the pot?"),
        "pot_help": _(
            "What nobody called goes back first. The posted rake for {count} players is worked out."
        ),
        "hint_first": _("The first hand begins with the green key."),
        "hint_time": _("No rake: the house takes a time charge. The green key counts each hand."),
        "hint_free": _("No rake at this table. The green key counts each hand."),
        "variant": _("Variant"),
        "variant_help": _("Which one is dealt from this hand on?"),
        "variant_turn": pgettext("a variant of poker in its turn", "Hand {number} of {count}"),
        "variant_then": pgettext("a variant of poker after this one", "then {title}"),
    }


def _chips() -> dict[str, str]:
    return {
        "buy_in": _("Buy-in"),
        "buy_range": _("{low} to {high}, in chips of {step} (POK-2)"),
        "buy_from": _("From {low}, in chips of {step} (POK-2)"),
        "top_up": _("Top up"),
        "top_up_range": _(
            "At most {high}, in chips of {step}; to no more than {high} on the table (POK-2)"
        ),
        "top_up_from": _("In chips of {step}; to {low} at least on the table (POK-2)"),
        "means": _("Where the chips come from"),
        "means_cash": _("Cash"),
        "means_chips": _("Chips from the pocket"),
        "means_stack": _("Chips on the table"),
        "by_cash": pgettext("100 …", "in cash"),
        "by_chips": pgettext("100 …", "in chips"),
        "from_cash": _("Cash in the drop box; the tray gives {amount} in chips"),
        "from_chips": _("The guest puts {amount} in chips on the table"),
        "from_stack": _("{amount} from the guest's chips on the table"),
        "how_much": _("How much?"),
        "tip": _("Tip"),
        "tip_of": _("Tip {amount}"),
        "tip_help": _("For the tronc, in chips of {step}"),
        "no_stack": _(
            "How much lies before the guest is not known here: at rake only, hands move chips that"
            " nobody enters. Table stakes are the dealer's eye."
        ),
    }


def _time() -> dict[str, str]:
    return {
        "at_table": _("at the table"),
        "sits_since": _("Sits since"),
        "time_charge": _("Time charge"),
        "time_due": pgettext("time charge of a seat", "due"),
        "time_paid": pgettext("time charge of a seat", "paid until"),
        "time_paid_up": pgettext("time charge of a seat", "paid"),
        "time_owes": _("{amount} due"),
        "time_owed_one": _("Seat {list} owes {amount}."),
        "time_owed_many": _("Seats {list} owe {amount} together."),
        "time_take": _("Take {amount}"),
        "time_take_pocket": _("Take {amount} from the pocket"),
        "time_is_paid": _("It is paid"),
    }


def _goes() -> dict[str, str]:
    return {
        "move": _("Move"),
        "move_help": _("Which free seat? Chips and time paid go along."),
        "move_none": _("No seat of this table is free."),
        "move_where": _("Which seat?"),
        "move_to": _("To seat {seat}"),
        "move_sub": _("with all chips"),
        "move_table": _("Which table?"),
        "move_here": pgettext("a poker table", "this table"),
        "move_free": pgettext("seats of a poker table", "{count} free"),
        "move_count": _("All chips before the guest are counted, and go along."),
        "move_with": pgettext("a guest goes to another table", "with {amount}"),
        "leave": _("Leave"),
        "leave_help": _("All chips before the guest are counted, after what is owed."),
        "leave_count": _("Count the chips"),
        "leave_with": _("Leaves with {amount}"),
        "leave_sub": _("The cage redeems the chips"),
        "leave_owes_one": _("1 half hour is owed: {amount}"),
        "leave_owes_many": _("{count} half hours are owed: {amount}"),
        "waived_house": _("Waived: courtesy of the house"),
        "waived_table": _("Waived: the table broke"),
        "waived_slip": _("Waived: charged by mistake"),
    }


def _help() -> dict[str, str]:
    return {
        "help_hand_in": _("Who plays"),
        "help_hand_in_words": _(
            "Everybody who sits and does not pause is dealt in. A tap on the head of a seat takes"
            " the guest out of this hand, or in."
        ),
        "help_rake": _("Rake"),
        "help_rake_words": _(
            "Two taps a hand: the rake that was dropped, then Next hand. No key has it? Other asks"
            " for the pot and works it out."
        ),
        "help_next": _("Next hand"),
        "help_next_words": _("One tap a hand: it ends this one and begins the next."),
        "help_seat": _("Seat"),
        "help_seat_words": _(
            "Tap a seat to buy in, top up, tip, pause, move or leave. For who is dealt in it is"
            " done when the hand has ended."
        ),
        "help_time": _("Time charge"),
        "help_time_words": _(
            "Each half hour in advance. A bar says whose is due; one tap takes it from all."
        ),
    }
