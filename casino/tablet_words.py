"""The words of the round on a tablet, as its script needs them. `{…}` are put in by the script.

Trade words: box, push, coin. They are short because keys are small; `tests/browser/test_tablet_look.py` looks whether they fit.
"""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.floor_calls import REASONS


def round_words() -> dict[str, str]:
    """By name what the page says, in the language of who is signed in."""
    return _head() | _keys() | _game() | _jackpot() | _steps() | _said() | _sheets() | _help()


def _head() -> dict[str, str]:
    return {
        "keys": _("Keys of the round"),
        "round": _("Round {number}"),
        "jackpot": _("Jackpot"),
        "bets_open": _("Betting open"),
        "correcting": _("Correction"),
        "no_more_bets": _("No more bets"),
        "connected": _("Connected"),
        "slow": _("Connection slow"),
        "help": _("Help"),
        "clock_off": _("The tablet's clock is wrong."),
        "clock_off_help": _("Times come from the server; tell the technician."),
        "offline": _("Offline"),
        "offline_one": _("Offline · 1 round stored"),
        "offline_many": _("Offline · {count} rounds stored"),
        "sending": _("Sending {count}"),
        "close": _("Close"),
        "back": _("Back"),
    }


def _keys() -> dict[str, str]:
    return {
        "undo": _("Undo"),
        "reopen": _("Open again"),
        "take_back": _("Take back round {number}"),
        "leave_correction": _("Leave the correction"),
        "seconds": _("{count} s left"),
        "clear_box": _("Clear box {box}"),
        "cards_dispute": _("Cards / dispute"),
        "royal": _("Royal"),
        "royal_sub": _("freezes all tables"),
        "royal_called": _("called"),
        "void": _("Void the round"),
        "void_sub": _("all stakes go back"),
        "no_pair": _("Dealer: no pair"),
        "no_pair_sub": _("Ante goes back"),
        "no_answer": _("No answer"),
        "wait": _("Wait"),
        "no_cards_yet": _("No card yet: the server has not answered"),
        "withdraw": _("Take the bets back"),
        "booking": _("Being booked"),
        "stored_again": _("Stored here, sent again and again"),
        "stakes_shut": _("Bets blocked"),
        "boxes_one": _("1 box"),
        "boxes_many": _("{count} boxes"),
        "with_jackpot": _("{count} with jackpot"),
        "without_jackpot": _("without jackpot"),
        "boxes_left_one": _("1 box left"),
        "boxes_left_many": _("{count} boxes left"),
        "box_missing": _("Box {list} is missing"),
        "boxes_missing": _("Boxes {list} are missing"),
        "cards_missing": _("Cards missing"),
        "finish": _("Finish round"),
        "book_correction": _("Book the correction"),
        "house_net": _("House {amount}"),
        "jp_paid": _("jackpot prizes {amount}"),
        "claims_jackpot": _("claims the jackpot"),
        "last_card": _("Last card"),
        "clear_board": _("Clear the board"),
        "cards_later": _("Enter later"),
        "cards_later_sub": _("before the round ends"),
        "cards_left_one": _("1 card left"),
        "cards_left_many": _("{count} cards left"),
        "take_hand": _("Take {hand}"),
        "confirm_cards": _("Confirm cards"),
        "other": _("other"),
        "hint_tile": _("Tap a stake to change it"),
        "hint_seat": _("Tap a box to seat a guest"),
        "hint_box": _("Tap a box to enter its result"),
    }


def _game() -> dict[str, str]:
    return {
        "box": _("Box {box}"),
        "box_details": _("Box {box}: guest"),
        "box_current": _("Choose box {box}"),
        "guest": _("Guest {number}"),
        "guest_of": _("blind, box {box}"),
        "fill_box": _("Seat a guest"),
        "empty": pgettext("a box without a guest", "empty"),
        "open": pgettext("a box without a result", "open"),
        "changed": _("changed since the last round"),
        "off": pgettext("a side stake that is not placed", "off"),
        "shut": pgettext("coins that may not be placed now", "blocked"),
        "ante": _("Ante"),
        "ante_is_blind": _("Ante = Blind"),
        "ante_played_blind": _("Ante · blind {play}×"),
        "trips": _("Trips"),
        "coin": _("Coin"),
        "jp": pgettext("jackpot, in two letters", "JP"),
        "jp_amount": _("JP {amount}"),
        "blind_short": _("blind {play}×"),
        "loses": pgettext("a box against the dealer", "loses"),
        "wins": pgettext("a box against the dealer", "wins"),
        "times_wins": _("{play}× wins"),
        "times_loses": _("{play}× loses"),
        "fold": pgettext("a box that does not play", "Fold"),
        "tie": pgettext("a box against the dealer", "Push"),
        "hand": _("Hand"),
        "hand_or_result": _("Hand / result"),
        "board": _("Board"),
        "dealer": pgettext("of the table", "Dealer"),
        "own_cards": _("Box {box} – own cards"),
        "club": _("clubs"),
        "diamond": _("diamonds"),
        "heart": _("hearts"),
        "spade": _("spades"),
        "line_ante": _("Ante"),
        "line_blind": _("Blind"),
        "line_play": _("Play"),
        "line_trips": _("Trips"),
        "line_coin": _("Coin"),
        "line_envy": _("Envy"),
    }


def _jackpot() -> dict[str, str]:
    return {
        "jackpot_draining": _("The win is being established"),
        "jackpot_verifying": _("Win being verified"),
        "jackpot_showing": _("New jackpot value – betting opens shortly"),
        "jackpot_suspended": _("Jackpot interrupted – no jackpot stakes at present"),
        "jackpot_closed": _("Jackpot closed"),
        "jackpot_retired": _("This jackpot has ended"),
        "jackpot_unknown": _("Jackpot not heard of yet"),
        "waits_for": _("waits for: {list}"),
        "this_round": _("this round"),
        "the_pit": _("the check by the pit"),
        "signatures": _("signatures {have} of {need}"),
        "offline_since": _("Offline since {time}."),
        "offline_minutes": _("Offline for {minutes} minutes."),
        "offline_tell": _("Please tell the floor."),
        "offline_stop": _("This table stops"),
        "offline_stop_help": _("It is linked to the jackpot. End the running round, tell the floor."),
        "offline_no_coins": _("No jackpot stakes"),
        "offline_no_coins_help": _("Rounds are stored here and sent when the connection is back."),
    }


def _steps() -> dict[str, str]:
    return {
        "undo_seat": _("Box {box}: seated"),
        "undo_clear": _("Box {box}: cleared"),
        "undo_coin_on": _("Box {box}: coin on"),
        "undo_coin_off": _("Box {box}: coin off"),
        "undo_stake": _("Box {box}: {part} {from} → {to}"),
        "undo_blind": _("Box {box}: blind {play}× for box {owner}"),
        "undo_cell": _("Box {box}: {words}"),
        "undo_cards": _("Cards confirmed"),
    }


def _said() -> dict[str, str]:
    return {
        "at_most": _("At most {high}."),
        "at_least": _("At least {low}."),
        "in_steps": _("Only in steps of {step}."),
        "limits": _("{low} to {high}, in steps of {step}"),
        "steps_such_as": _("for example {list}"),
        "no_box": _("No box plays."),
        "no_box_help": _("Tap a box to seat a guest."),
        "seat_offline": _("No new guest while offline."),
        "seat_offline_help": _("Guests who are at the table can play on."),
        "to_clarify": _("A stored round was refused and waits for the pit."),
        "server_differs": _("Round {number}: the house booked other amounts than were shown."),
        "server_differs_help": _("Call the floor before chips move."),
        "elsewhere_locked": _("Round {number} was begun on another device."),
        "elsewhere_ended": _("Round {number} was ended on another device."),
        "elsewhere_help": _("This is how it stands now."),
        "mistyped": _("mistyped"),
        "ask_pit": _("Ask the pit"),
        "asked_pit": _("The pit has been asked."),
        "asked_pit_help": _("The correction is booked when it is signed."),
    }


def _sheets() -> dict[str, str]:
    return {
        "delete": _("Delete"),
        "take_amount": _("Take the amount"),
        "played_blind_by": _("Played blind with {play}× by the guest of box {box}."),
        "guest_sits": _("Guest {number} plays this box."),
        "guest_comes": _("A guest is being registered."),
        "new_guest": _("Another guest sits down"),
        "own_guest": _("Guest {number} plays it himself"),
        "blind_for": _("Blind, for the guest of box {box}"),
        "blind_for_times": _("Blind with {play}×, for the guest of box {box}"),
        "box_paid": _("Box {box}: what is paid"),
        "stake": _("Stake"),
        "laid": pgettext("an amount on the table", "Placed"),
        "paid_out": pgettext("an amount handed to the guest", "Paid out"),
        "because": _("Because"),
        "dispute": _("Dispute"),
        "dispute_help": _(
            "In a dispute the cards of the board, the dealer and every box in play are entered; then the cards decide."
        ),
        "dispute_all": _("Enter all cards"),
        "dispute_over": _("No dispute"),
        "cards_enter": _("Enter the cards needed"),
        "cards_hint": _("Tap the cards in the order of the slots; tap a slot to replace its card."),
        "was_tapped": _("– {hand} was tapped"),
        "wins_prize": _("· jackpot prize {amount}"),
        "royal_help": _(
            "Somebody shows a royal flush: bets are blocked at all linked tables until it is decided. "
            "Running rounds are played to their end."
        ),
        "royal_do": _("Royal: freeze all tables"),
        "void_help": _("All stakes and coins of this round go back. Why is it void?"),
        "void_misdeal": _("Misdeal"),
        "void_cards_exposed": _("Cards exposed"),
        "void_deck_wrong": _("Deck incomplete"),
        "void_technical": _("Technical fault"),
        "call_floor": _("Call floor"),
        "floor_called": _("Floor called"),
        "floor_called_for": _("The floor is called: {reason}. Another reason can be chosen."),
        "call_help": _("The pit sees the call, with its reason, until somebody says that it is seen to."),
        "call_done": _("Seen to"),
        **{f"call_{code}": _(reason) for code, reason in REASONS.items()},
    }


def _help() -> dict[str, str]:
    return {
        "help_bets": _("Before the round"),
        "help_bets_words": _(
            "Tap an empty box to seat a guest. Tap a stake, then its amount below. Stakes stay for the next round."
        ),
        "help_lock": _("No more bets"),
        "help_lock_words": _(
            "Count the coins: the blue key says how many. Tapped too early? Open again, for a few seconds."
        ),
        "help_result": _("Result"),
        "help_result_words": _(
            "One tap for each box: how often Play was placed, and whether it loses (−) or wins (+)."
        ),
        "help_hand": _("Hand"),
        "help_hand_words": _("Tap a hand below only if it pays something. It belongs to the box with the light frame."),
        "help_cards": _("Cards"),
        "help_cards_words": _("High hands with a coin ask for cards: first the board, then those of the box."),
        "help_finish": _("Finish round"),
        "help_finish_words": _("Pay what stands under each box; a tap on it says why. Then finish."),
        "help_mistake": _("Mistake"),
        "help_mistake_words": _(
            "Undo takes back one step and names it. After the round it can be put right for some seconds; later the pit does it."
        ),
        "help_jackpot": _("Jackpot"),
        "help_jackpot_words": _(
            "Somebody shows a royal flush: tap Royal. Running rounds are played to their end; bets open again by themselves."
        ),
        "help_offline": _("Offline"),
        "help_offline_words": _("What you enter is stored here, and sent when the connection is back."),
        "help_floor": _("Call floor"),
        "help_floor_words": _(
            "With a reason; the pit sees it at once. In a dispute: Cards / dispute, and enter all cards."
        ),
    }
