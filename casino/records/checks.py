"""What each audit checks, as a sentence. `casino/records/findings.py` puts them to the rest."""

from casino.people.credentials import NAME as CREDENTIALS
from payouts.errors import mark

AUDITS = {
    "entries_sum_to_zero_per_transfer": mark("The entries of every transfer sum to zero."),
    "entries_sum_to_zero_in_all": mark("All entries of a house sum to zero."),
    "transfers_have_entries": mark("Every transfer has entries."),
    "balances_equal_entries": mark("Every balance is the sum of its account's entries."),
    "versions_without_gap": mark("The entries of every account are numbered without a gap."),
    "balances_after_run_on": mark("The balance after every entry goes on from the one before it."),
    "one_house_per_transfer": mark(
        "Every transfer, its entries and their accounts are of one house."
    ),
    "no_account_of_foreign_currency": mark("Every account is in the currency of its house."),
    "accounts_are_of_the_chart": mark("Every account is one that the chart of accounts knows."),
    "reversals_mirror_their_transfer": mark(
        "Every reversal is the mirror image of what it takes back."
    ),
    "circles_balance": mark(
        "Where chips lie changes in every transfer by as much as it changes elsewhere."
    ),
    "chips_outside_are_claims": mark(
        "The chips outside the trays are what guests, stakes and tips hold."
    ),
    "entries_written_with_their_transfer": mark(
        "Every entry was written in one go with its transfer, and not changed since."
    ),
    "append_only_tables_unchanged": mark(
        "In what may only grow, the database has counted no change and no deletion."
    ),
    "approvals_used_were_signed": mark(
        "Every approval that was used had all its signatures in time."
    ),
    "lists_are_what_was_signed": mark(
        "Every list that was signed by its fingerprint is kept as it was."
    ),
    "people_stand_as_the_log_says": mark(
        "Everybody has the roles that the log says, and may sign in as it says."
    ),
    CREDENTIALS: mark(
        "Everybody's password, PIN and authenticator are those whose setting stands in the log."
    ),
    "commands_are_answered": mark("Every command has its answer."),
    "guards_in_place": mark("All guards of the database are in place."),
    "rights_as_declared": mark("The program has no more rights in the database than it needs."),
    "commits_are_durable": mark("What the database has confirmed survives a power cut."),
    "stack_empty_after_leave": mark("No chips are booked before a guest who has left."),
    "stacks_are_what_was_bought": mark(
        "Before each guest is booked what they brought, won and lost."
    ),
    "in_play_empty": mark("Nothing is in play at a table where nobody sits."),
    "stays_sit_at_open_tables": mark("Whoever has chips at a seat sits there, at an open table."),
    "stay_chips_are_posted": mark("Chips of guests at seats moved as they are recorded."),
    "stays_post_at_their_table": mark(
        "Chips of guests at seats are booked at their table, on its gaming day."
    ),
    "chips_are_issued": mark(
        "The pieces that were put into service are worth what the books have in stock."
    ),
    "counts_meet_their_transfer": mark(
        "After every count the books have what was counted, by its difference."
    ),
    "counts_are_signed_by_two": mark(
        "Every count that stands is signed by who counted and by somebody else."
    ),
    "sessions_are_frozen_by_their_count": mark(
        "Every table is frozen by the count that runs there, and by no other."
    ),
    "entries_are_their_pieces": mark("Every count is worth what its pieces come to."),
    "drop_is_its_boxes": mark("Every drop is what was bought since its box was counted last."),
    "counted_result_is_the_books": mark(
        "Between its counts, every tray has moved as rounds, hands, guests, fills and differences"
        " say."
    ),
    "counts_are_set_back_as_posted": mark(
        "What came after a count has set it back as it is booked."
    ),
    "differences_are_as_large_as_they_say": mark(
        "Every difference is open, explained or settled as what is left of it says."
    ),
    "entries_are_posted": mark("Every buy-in and tip is booked as it is entered."),
    "entries_are_taken_back_as_posted": mark(
        "Every buy-in and tip that is taken back is so by its own booking."
    ),
    "hands_are_posted": mark("Of each hand is booked what its last entry took from the pot."),
    "pots_are_paid_and_won": mark(
        "What the seats of a hand paid is in its pots, and comes out of them."
    ),
    "pots_are_carried": mark("Antes of hands that all passed in lie in the next pot."),
    "shares_are_pots": mark("Each pot is shared out whole among the seats that can win it."),
    "stacks_move_as_played": mark(
        "Each hand moves the stacks of its guests by what they won and lost."
    ),
    "hands_are_of_their_day": mark("Each hand is booked on the gaming day of its table."),
    "hands_are_recorded": mark("Each entry of a hand is kept, with guests of the table."),
    "hand_overrides_are_posted": mark(
        "Every payment for a fault at a poker table was signed, is of a guest of the hand, and is"
        " in the books."
    ),
    "hand_irregularities_are_of_their_session": mark(
        "What went wrong in a hand is recorded with its table and gaming day."
    ),
    "hand_numbers_without_gap": mark("No hand of a table is missing."),
    "fees_are_chips": mark("Fees for time and out of pots lie in the tray as chips."),
    "transfers_have_their_ground": mark(
        "Every transfer is of a kind that the program posts, by somebody, for what is on record."
    ),
    "transfers_move_accounts_of_their_kind": mark(
        "Every transfer moves only accounts that transfers of its kind move."
    ),
    "stakes_are_posted": mark(
        "The stakes of every round are in the books, coins as the jackpot recorded them."
    ),
    "later_stakes_are_posted": mark(
        "Every stake that came after a lock is in the books by itself."
    ),
    "stakes_have_their_lines": mark(
        "Every stake has its line in every result, and no line is of another stake."
    ),
    "settled_rounds_have_results": mark(
        "Every settled round has all its results, and no other round has one that counts."
    ),
    "results_are_posted": mark(
        "What the results say was won, lost and given as prizes is in the books."
    ),
    "overrides_are_posted": mark(
        "Every decision against the rules was signed, and is in the books by itself."
    ),
    "rounds_stand_as_posted": mark(
        "Of every round stands in the books what its state says, no more and no less."
    ),
    "rounds_post_at_their_table": mark(
        "Every round is booked at its own table, gaming day and meter."
    ),
    "rounds_are_their_sessions": mark("Every round is of its table's opening and of its jackpot."),
    "rows_of_a_round_are_of_its_house": mark(
        "Stakes, results, cards and guests of every round are of its house."
    ),
    "locked_rounds_have_an_open_table": mark("Every running round is at an open table."),
    "open_sessions_are_their_tables": mark(
        "Every open table knows its opening, and no other opening is without its end."
    ),
    "running_rounds_are_rounds": mark(
        "The jackpot knows every round at its tables as the floor does: which run, with which"
        " coins, how they ended."
    ),
    "no_round_between_a_hit_and_its_gate": mark(
        "No round began between a hit and the opening of the tables, where the house blocks all"
        " stakes."
    ),
    "meter_pays_what_results_say": mark("The meter paid the prizes that the results say it pays."),
    "no_round_has_more_coins_than_boxes": mark("No round has more coins than its table has boxes."),
    "coins_go_back_with_their_round": mark("Coins are taken back exactly where their round was."),
    "contributions_fill_the_meter": mark(
        "The meter holds what the coins brought, and nothing else fills it."
    ),
    "contributions_follow_their_schedule": mark(
        "Every coin was divided as posted: meter, reserve, house."
    ),
    "contributions_are_taken_back_whole": mark("Coins that were taken back were taken back whole."),
    "contributions_once_for_a_round": mark("The coins of every round were recorded once."),
    "kept_sums_are_of_the_coins": mark("The total given for all coins is their sum."),
    "epochs_begin_with_what_was_posted": mark(
        "Every epoch began with the seed and the remainder that are in the books."
    ),
    "bases_move_by_what_was_signed": mark(
        "Only seeds, resets and what people signed have moved the base of a meter."
    ),
    "jackpots_run_their_newest_epoch": mark("Every jackpot runs its newest epoch."),
    "meters_are_not_negative": mark("No meter and no reserve is below zero."),
    "splits_are_of_the_whole_meter": mark("What was split is what the meter held, all of it."),
    "ended_epochs_hold_nothing": mark("An epoch that is over holds no money."),
    "ended_epochs_have_a_successor": mark("After every epoch that was won the next one began."),
    "paid_hits_are_paid_whole": mark(
        "Shares and remainder of every paid hit are the amount won, and the remainder began the"
        " next epoch."
    ),
    "hits_that_are_not_paid_award_nothing": mark("A hit that is not paid has no shares."),
    "winners_are_listed_and_verified": mark(
        "Every winner's round was running at the hit, and its claim was verified."
    ),
    "one_award_a_winner": mark("Every winner has one award for a round."),
    "one_award_a_prize": mark("Every prize was awarded once at most."),
    "hits_list_what_ran": mark("Every hit lists all rounds that ran when it began."),
    "no_coin_between_a_hit_and_its_gate": mark(
        "No coin was staked between a hit and the opening of the tables."
    ),
    "gates_were_passed_by_what_was_shown": mark(
        "Tables opened again only when every display had shown the new value."
    ),
    "slips_are_numbered_without_gap": mark("The slips of a house are numbered without a gap."),
    "slips_are_of_their_incarnation": mark(
        "The number of each slip says after which restore it was made."
    ),
    "awards_have_their_slips": mark("Every award has its slip."),
    "slips_are_paid_as_posted": mark("Every slip is paid, open or cancelled as the books say."),
    "what_is_payable_has_open_slips": mark("What is to be paid is the sum of the open slips."),
    "waiting_prizes_are_owed": mark("Every prize that waits is owed at its table."),
    "phases_agree_with_hits_and_gates": mark(
        "The phase of every jackpot agrees with its hit and its displays."
    ),
}
