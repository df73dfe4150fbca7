"""The words of the round on a tablet, as its script needs them. `{…}` are put in by the script.

Trade words: box, push, coin. They are short because keys are small;
`tests/browser/look/test_tablet.py` looks whether they fit.
"""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from casino.tablet.sheet_texts import sheet_texts
from casino.text.floor import COLON


def round_texts() -> dict[str, str]:
    """By name what the page says, in the language of who is signed in."""
    return (
        _head() | _keys() | _game() | _ranks() | _jackpot() | _steps() | _notices() | sheet_texts()
    )


def _head() -> dict[str, str]:
    return {
        "keys": _("Keys of the round"),
        "round": _("Round {number}"),
        "jackpot": _("Jackpot"),
        "bets_open": _("Betting open"),
        "correcting": _("Correction"),
        "no_more_bets": _("No more bets"),
        "connected": _("Connected"),
        "connecting": _("Connecting"),
        "slow": _("Connection slow"),
        "help": _("Help"),
        "clock_off": _("The tablet's clock is wrong."),
        "clock_off_help": _("Times come from the server; tell the technician."),
        "offline": _("Offline"),
        "offline_one": _("Offline · 1 round stored"),
        "offline_many": _("Offline · {count} rounds stored"),
        "sending": _("Sending {count}"),
        "as_of": _("as of {time}"),
        "being_counted": _("The tray is being counted."),
        "being_counted_help": _("Nothing moves it until the count is signed or given up."),
        "to_count": _("To the count"),
        "close": _("Close"),
        "back": _("Back"),
    }


def _keys() -> dict[str, str]:
    return {
        "undo": _("Undo"),
        "undo_none": _("nothing tapped yet"),
        "ask_correction": _("Ask for a correction"),
        "reopen": _("Open again"),
        "take_back": _("Take back round {number}"),
        "leave_correction": _("Leave the correction"),
        "seconds": _("{count} s left"),
        "clear_box": _("Clear box {box}"),
        "cards_dispute": _("Cards / dispute"),
        "royal": _("Royal"),
        "royal_sub": _("freezes all tables"),
        "royal_open": _("Royal called"),
        "royal_which": _("Which box?"),
        "false_alarm": _("False alarm"),
        "void": _("Void the round"),
        "void_sub": _("all stakes go back"),
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
        "house_parts": _("House {amount}: game\u00a0{game}, jackpot prizes\u00a0{prizes}"),
        "claims_jackpot": _("claims the jackpot"),
        "last_card": _("Last card"),
        "card_out": _("Take the card out"),
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
        "hint_result": _("Tap the result of each box: − loses, + wins"),
        "hint_play": _("Tap the multiple of Play, box by box"),
    }


def _game() -> dict[str, str]:
    return {
        "box": _("Box {box}"),
        "colon": _(COLON),
        "box_details": _("Box {box}: guest"),
        "box_current": _("Choose box {box}"),
        "box_acts": _("Box {box}: what its guests do"),
        "guest": _("Guest {number}"),
        "guests": _("Guests {list}"),
        "guest_of": _("blind, box {box}"),
        "fill_box": _("Seat a guest"),
        "empty": pgettext("a box without a guest", "empty"),
        "open": pgettext("a box without a result", "open"),
        "no_stake": _("no coin"),
        "changed": _("changed since the last round"),
        "off": pgettext("a side stake that is not placed", "off"),
        "shut": pgettext("coins that may not be placed now", "blocked"),
        "coin": _("Coin"),
        "jp": pgettext("jackpot, in two letters", "JP"),
        "jp_amount": _("JP {amount}"),
        "waits": pgettext("a prize that waits for an approval", "{part} waits"),
        "loses": pgettext("a box against the dealer", "loses"),
        "wins": pgettext("a box against the dealer", "wins"),
        "times_wins": _("{play}× wins"),
        "times_loses": _("{play}× loses"),
        "fold": pgettext("a box that does not play", "Fold"),
        "result_first": _("result first"),
        "tie": pgettext("a box against the dealer", "Push"),
        "hand": pgettext("what a box has made", "Hand"),
        "hand_or_result": _("Hand / result"),
        "board": _("Board"),
        "dealer": pgettext("of the table", "Dealer"),
        "own_cards": _("Box {box} – own cards"),
        "club": _("clubs"),
        "diamond": _("diamonds"),
        "heart": _("hearts"),
        "spade": _("spades"),
        "line_coin": _("Coin"),
        "line_envy": _("Envy"),
    }


def _ranks() -> dict[str, str]:
    """Of which ranks a hand is made; a rank as several cards of it."""
    return {
        "ranks_A": pgettext("several cards", "aces"),
        "ranks_K": pgettext("several cards", "kings"),
        "ranks_Q": pgettext("several cards", "queens"),
        "ranks_J": pgettext("several cards", "jacks"),
        "ranks_T": pgettext("several cards", "tens"),
        "ranks_9": pgettext("several cards", "nines"),
        "ranks_8": pgettext("several cards", "eights"),
        "ranks_7": pgettext("several cards", "sevens"),
        "ranks_6": pgettext("several cards", "sixes"),
        "ranks_5": pgettext("several cards", "fives"),
        "ranks_4": pgettext("several cards", "fours"),
        "ranks_3": pgettext("several cards", "threes"),
        "ranks_2": pgettext("several cards", "twos"),
        "ranks_two": _("{first} with {second}"),
        "ranks_up_to": _("up to {rank}"),
    }


def _jackpot() -> dict[str, str]:
    return {
        "jackpot_draining": _("The win is being established"),
        "jackpot_verifying": _("Win being verified"),
        "jackpot_verifying_at": _("Win at {tables} being verified"),
        "jackpot_showing": _("New jackpot value – betting opens shortly"),
        "jackpot_suspended": _("Jackpot interrupted – no jackpot stakes at present"),
        "jackpot_closed": _("Jackpot closed"),
        "jackpot_retired": _("This jackpot has ended"),
        "jackpot_unknown": _("No word from the jackpot yet"),
        "jackpot_no_display": _(
            "No jackpot stakes yet: a technician names the display that shows it"
        ),
        "waits_for": _("waits for: {list}"),
        "this_round": _("this round"),
        "the_pit": _("the check by the pit"),
        "the_decision": _("the decision of the pit"),
        "signatures": _("signatures {have} of {need}"),
        "offline_since": _("Offline since {time}."),
        "offline_minutes": _("Offline for {minutes} minutes."),
        "offline_tell": _("Please tell the floor."),
        "offline_stop": _("This table stops"),
        "offline_stop_help": _(
            "It is linked to the jackpot. End the running round, tell the floor."
        ),
        "offline_stop_idle": _("It is linked to the jackpot. Tell the floor."),
        "offline_hit": _("Box {list}: the pit has to see this hand in person."),
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
        "undo_join": _("Box {box}: guest {number} stakes too"),
        "undo_part": _("Box {box}: guest {number} off"),
        "undo_false_alarm": _("Royal: false alarm"),
    }


def _notices() -> dict[str, str]:
    return {
        "at_most": _("At most {high}."),
        "at_least": _("At least {low}."),
        "in_steps": _("Only in steps of {step}."),
        "limits": _("{low} to {high}, in steps of {step}"),
        "steps_such_as": _("for example {list}"),
        **_found(),
        "no_box": _("No box plays."),
        "no_box_help": _("Tap a box to seat a guest."),
        "seat_offline": _("No new guest while offline."),
        "seat_offline_help": _("Guests who are at the table can play on."),
        "page_not_stored": _("This tablet would not open without the server."),
        "page_not_stored_help": _(
            "Its page is not stored: load it again while it is connected; if this stays, call the"
            " floor for another tablet."
        ),
        "not_stored": _("This tablet can store nothing more."),
        "not_stored_help": _(
            "What was tapped last does not count. Call the floor and use another tablet."
        ),
        "result_refused": _("The result of round {number} was refused."),
        "result_again": _("Round {number}: look at the result again before it is booked."),
        "give_to_pit": _("Give it to the pit"),
        "held_back_one": _("1 round was refused and is still on this tablet."),
        "held_back_many": _("{count} rounds were refused and are still on this tablet."),
        "held_back_help": _("Call the floor; nothing is lost."),
        "send_anew": _("Send again"),
        "to_clarify": _("A stored round was refused and waits for the pit."),
        "not_placed": _("Round {number}: a stake that came after the lock was not booked."),
        "not_taken_back": _("Round {number}: a stake that was taken back still lies there."),
        "not_recorded": _("Round {number}: an irregularity was not recorded."),
        "server_differs": _("Round {number}: the house booked other amounts than were shown."),
        "server_differs_help": _("Call the floor before chips move."),
        "elsewhere_locked": _("Round {number} was begun on another device."),
        "elsewhere_ended": _("Round {number} was ended on another device."),
        "elsewhere_help": _("This is how it stands now."),
        "mistyped": _("mistyped"),
        "ask_pit": _("Ask the pit"),
        "alone_for": _("{count} s left to correct it alone."),
        "alone_then": _("After that the pit is asked."),
        "asks_pit": _("The correction goes to the pit."),
        "asked_pit": _("The pit has been asked."),
        "asked_pit_help": _("The correction is booked when it is signed."),
    }


def _found() -> dict[str, str]:
    """What the page finds when it is loaded, or when it is heard of again."""
    return {
        "idle_help": _(
            "Nobody touched this tablet for a while. What was entered is still there: type your PIN"
            " to go on."
        ),
        "idle_offline": _("The PIN can be looked at as soon as the server answers again."),
        "idle_other": _("Somebody else signs in"),
        "pin": _("PIN"),
        "demo_pin": _("Demo: your PIN is"),
        "already_open": _("This tablet is already open in another window."),
        "already_open_help": _("Close the other window, and it goes on here."),
        "broken": _("This screen has stopped."),
        "broken_help": _(
            "What was entered is stored. Load the page again; if it stops again, call the floor."
        ),
        "load_again": _("Load again"),
        "lock_stale": _("The earlier lock was not answered and is taken back."),
        "lock_stale_help": _("Look at the bets, then lock again."),
        "coins_changed": _("The jackpot has changed meanwhile."),
        "coins_changed_help": _("Look at the coins, then lock again."),
        "changed_elsewhere": _("Round {number} was changed by the floor."),
        "changed_elsewhere_help": _("The new result is loaded."),
        "look": _("Look"),
        "box_word": _("Box"),
        "before": _("Before"),
        "now": _("Now"),
        "difference": _("Difference"),
        "waits_for_pit": _("Waits for the pit"),
        "said_more_one": _("Show 1 more message"),
        "said_more_many": _("Show {count} more messages"),
        "with_pit": _("Round {number} is with the pit."),
        "with_pit_withdrawn": _("The bets that were taken back are with the pit."),
        "with_pit_one": _("1 round waits here until it is decided."),
        "with_pit_many": _("{count} rounds wait here until it is decided."),
        "correction_refused": _("The correction of round {number} was refused."),
    }
