"""The words of the tablet's sheets. `{…}` are put in by the script."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.tablet.cash_texts import cash_texts
from tables.selectors.calls import CALL_REASONS


def sheet_texts() -> dict[str, str]:
    """By name what the sheets say, in the language of who is signed in."""
    return _sheets() | cash_texts() | _help()


def _sheets() -> dict[str, str]:
    return {
        "delete": _("Delete"),
        "take_amount": _("Take the amount"),
        "played_blind_by": _("Played blind with {play}× by the guest of box {box}."),
        "guest_sits": _("Guest {number} plays this box."),
        "guest_comes": _("A guest is being registered."),
        **_beside(),
        "one_guest": _("Nobody else may stake on it: a box has one guest."),
        "new_guest": _("Another guest sits down"),
        "guest_goes": _("The guest leaves"),
        "own_guest": _("Guest {number} plays it themselves"),
        "box_paid": _("Box {box}: what is paid"),
        "stake": _("Stake"),
        "laid": pgettext("an amount on the table", "Placed"),
        "paid_out": pgettext("an amount handed to the guest", "Paid out"),
        "gets": pgettext("what a guest has more or less than was laid", "Gets"),
        "together": _("Together"),
        "waits_help": _(
            "A prize that waits is no part of it: the cage pays it when it is approved."
        ),
        "taken_before": _(
            "The coin went into the jackpot when bets were locked, and is not counted again."
        ),
        "because": _("Because"),
        "dispute": _("Dispute"),
        "dispute_help": _(
            "In a dispute the cards of the board, the dealer and every box in play are entered;"
            " then the cards decide."
        ),
        "dispute_all": _("Enter all cards"),
        "dispute_over": _("No dispute"),
        "cards_enter": _("Enter the cards needed"),
        "cards_hint": _("Tap the cards in the order of the slots; tap a slot to replace its card."),
        "as_tapped": _("– as tapped"),
        "was_tapped": _("– {hand} was tapped"),
        "wins_prize": _("· jackpot prize {amount}"),
        "royal_help": _(
            "Somebody shows a royal flush: bets are blocked at all linked tables until it is"
            " decided. Running rounds are played to their end."
        ),
        "royal_do": _("Royal: freeze all tables"),
        "royal_whose": _("Which box has the royal flush? Its cards are entered next."),
        "royal_cards_say": _("The cards that are entered say which box has the royal flush."),
        "false_alarm_help": _(
            "No box has one? Then it was a false alarm: the call is dropped when the round is"
            " finished."
        ),
        "void_help": _("All stakes and coins of this round go back. Why is it void?"),
        "void_misdeal": _("Misdeal"),
        "void_cards_exposed": _("Cards exposed"),
        "void_deck_wrong": _("Deck incomplete"),
        "void_technical": _("Technical fault"),
        **_calls(),
        **_irregular(),
    }


def _calls() -> dict[str, str]:
    return {
        "call_floor": _("Call floor"),
        "floor_called": _("Floor called"),
        "floor_called_for": _("The floor is called: {reason}. Another reason can be chosen."),
        "call_help": _(
            "The pit sees the call, with its reason, until somebody says that it is seen to."
        ),
        "call_taken": _("{name} is coming"),
        "call_done": _("Seen to"),
        **{f"call_{code}": _(reason) for code, reason in CALL_REASONS.items()},
    }


def _irregular() -> dict[str, str]:
    return {
        "irregular": _("Irregularity"),
        "irregular_do": _("Record an irregularity"),
        "irregular_help": _(
            "What went wrong is recorded with what was decided about it; the pit and the auditor"
            " see it."
        ),
        "irregular_later": _("This round is not with the server yet: tell the floor."),
        "irregular_where": _("Where did it happen?"),
        "irregular_decided": _("What was decided?"),
        "irregular_card": _("Which card?"),
        "card_unknown": _("Not known"),
        "no_box_of_it": _("No box"),
        "recorded": _("Recorded."),
    }


def _beside() -> dict[str, str]:
    """Of a box that several guests stake on."""
    return {
        "no_owner": _("Nobody owns this box."),
        "beside": _("Who stakes on it too"),
        "sits_at": _("sits at box {box}"),
        "stands_at": _("stands, place {place} from the shoe"),
        "stake_off": _("Stake of guest {number} off"),
        "guest_goes_named": _("Guest {number} leaves"),
        "joins": _("Who is at the table stakes on it too"),
        "comes_beside": _("Somebody comes, stands and stakes on it: place from the shoe"),
        "box_full": _("More than {count} guests may not stake on a box."),
        "stakes_back": _("Chips go back before the round:"),
        "owner": _("Owner {number}"),
        "nothing_to_do": _("Nothing to choose here at the moment."),
        "stake_back": _("Box {box}, guest {number}: {amount} ({rule})."),
    }


def _help() -> dict[str, str]:
    return {
        "help_bets": _("Before the round"),
        "help_bets_words": _(
            "Tap an empty box to seat a guest. Tap a stake, then its amount below. Stakes stay for"
            " the next round."
        ),
        "help_lock": _("No more bets"),
        "help_lock_words": _(
            "Count the coins: the blue key says how many. Tapped too early? Open again, for a few"
            " seconds."
        ),
        "help_result": _("Result"),
        "help_result_words": _(
            "One tap for each box: how often Play was placed, and whether it loses (−) or wins (+)."
            " Equal hands: then Push, below."
        ),
        "help_hand": pgettext("what a box has made", "Hand"),
        "help_hand_words": _(
            "Tap a hand below only if it pays something. It belongs to the box with the light"
            " frame."
        ),
        "help_cards": _("Cards"),
        "help_cards_words": _(
            "High hands with a coin ask for cards: first the board, then those of the box."
        ),
        "help_finish": _("Finish round"),
        "help_finish_words": _(
            "Pay what stands under each box; a tap on it says why. Then finish."
        ),
        "help_mistake": _("Mistake"),
        "help_mistake_words": _(
            "Undo takes back one step and names it. After the round it can be put right for some"
            " seconds; later the pit does it."
        ),
        "help_jackpot": _("Jackpot"),
        "help_jackpot_words": _(
            "Somebody shows a royal flush: tap Royal, then which box has it. Running rounds are"
            " played to their end; bets open again by themselves."
        ),
        "help_offline": _("Offline"),
        "help_offline_words": _(
            "What you enter is stored here, and sent when the connection is back."
        ),
        "help_count": _("Count the tray"),
        "help_count_words": _(
            "In the menu, between two rounds. Enter the pieces of each value, 0 too, and sign with"
            " your PIN; a pit boss or manager compares them and signs too."
        ),
        "help_floor": _("Call floor"),
        "help_floor_words": _(
            "With a reason; the pit sees it at once. In a dispute: Cards / dispute, and enter all"
            " cards."
        ),
    }
