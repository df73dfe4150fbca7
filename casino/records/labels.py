"""The desk's words: kinds of records, of accounts and transfers, acts of the log. All are message
ids of the catalogues.
"""

from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from casino.people import roles as all_roles
from casino.people.models import Person
from casino.text.floor import colon, say, uuid_or_none
from jackpot.models import Hit, Phase
from payouts.errors import mark
from payouts.models import Event

KINDS = {
    "rounds": mark("Rounds"),
    "hands": mark("Hands"),
    "hits": mark("Hits"),
    "slips": mark("Slips"),
    "transfers": mark("Transfers"),
    "accounts": mark("Accounts"),
    "acts": mark("Acts"),
    "people": mark("People"),
    "devices": mark("Devices"),
    "posted": mark("Posted tables"),
}
ACCOUNTS = {
    "cage_cash": mark("cash in the cage"),
    "house_capital": mark("what the house put in"),
    "drop": mark("cash in the drop box, as recorded"),
    "circulation": mark("chips that guests hold"),
    "layout": mark("stakes of locked rounds"),
    "stack": mark("chips before a guest"),
    "in_play": mark("moved between guests of a table"),
    "pot_carried": mark("antes carried to the next pot"),
    "table_win": mark("recorded result of the table"),
    "untold_win": mark("result of rounds that nobody entered"),
    "coin_income": mark("the house's part of the coins"),
    "prize_cost": mark("fixed prizes paid by the house"),
    "sub_meter": mark("the table's part of the meter"),
    "reserve_share": mark("the table's part of the reserve"),
    "meter_prizes": mark("prizes that the meter paid"),
    "prizes_waiting": mark("prizes that wait for an approval"),
    "meter_base": mark("seed and remainder of the meter"),
    "reserve": mark("reserve of the jackpot"),
    "jackpot_top_up": mark("what the house added to a seed"),
    "awards_payable": mark("awards approved and not yet paid"),
    "award_cost": mark("awards that the house itself bears"),
    "award_receivable": mark("wrong awards, asked back"),
    "tronc": mark("tips for the staff"),
    "rake": mark("fees taken from pots"),
    "time_income": mark("fees for the time at a table"),
    "house_fault": mark("paid to guests for faults of the house"),
    "count_difference": mark("counted against recorded"),
    "inventory_difference": mark("what the first inventory found"),
    "cash_rounding": mark("rounding to coins"),
    "chip_stock": mark("all chips put into service"),
    "cage_chips": mark("chips in the cage"),
    "tray": mark("chips in the table's tray"),
    "chips_outside": mark("chips outside the trays"),
}
TRANSFERS = {
    "lock": mark("stakes of a round"),
    "settle": mark("result of a round"),
    "override": mark("decision against the rules"),
    "reversal": mark("reversal"),
    "award": mark("payment of the jackpot"),
    "slip": mark("slip paid"),
    "slip_paid": mark("slip paid"),
    "capital_in": mark("capital of the house"),
    "chips_in_service": mark("chips put into service"),
    "chips_withdrawn": mark("chips taken out of service"),
    "inventory_first": mark("first inventory"),
    "fill": mark("chips into the tray"),
    "credit": mark("chips out of the tray"),
    "buy_in": mark("chips bought at the table"),
    "top_up": mark("chips bought at the table"),
    "tip": mark("tip for the staff"),
    "time": mark("fee for the time at a table"),
    "hand_raked": mark("fee taken from a pot"),
    "hand": mark("hand whose pots were entered"),
    "pay_for_fault": mark("paid to a guest for a fault of the house"),
    "hand_cleared": mark("chips of a void hand that had gone on"),
    "move": mark("chips moved to another table or day"),
    "counted": mark("count of the stacks"),
    "out": mark("chips of a guest who leaves"),
    "table_emptied": mark("what hands left unbooked"),
    "tray_count": mark("count of the tray"),
    "tray_result": mark("result by the count of the tray"),
    "count_set_back": mark("difference of a count set back"),
    "envy": mark("Envy"),
    "seed": mark("seed of a meter"),
    "late": mark("late award"),
    "prize": mark("prize"),
    "award_share": mark("share of the meter"),
    "award_late": mark("late award"),
    "award_prize": mark("prize"),
    "prize_taken_over": mark("prize"),
    "award_cancelled": mark("cancellation of an award"),
    "adjust": mark("adjustment of the meter"),
    "retire": mark("retirement of a jackpot"),
}
# By the noun of an event and what became of it: `round.corrected` is "Round: corrected".
NOUNS = {
    "alert": mark("Alert"),
    "approval": mark("Approval"),
    "approval_rule": mark("Approval rule"),
    "audit": mark("Audit desk"),
    "buyin": mark("Buy-in"),
    "chips": mark("Chips"),
    "claim": mark("Claim"),
    "clarify": mark("To be clarified"),
    "count": mark("Count"),
    "device": mark("Device"),
    "difference": mark("Difference"),
    "display": mark("Display"),
    "floor": mark("Floor"),
    "gate": mark("Display gate"),
    "guest": mark("Guest"),
    "hand": mark("Poker hand"),
    "hit": mark("Hit"),
    "house": mark("House"),
    "inventory": mark("First inventory"),
    "jackpot": mark("Jackpot"),
    "password": mark("Password"),
    "person": mark("Person"),
    "pin": mark("PIN"),
    "pit": mark("Pit"),
    "posted_table": mark("Posted table"),
    "prize": mark("Prize"),
    "report": mark("Report"),
    "round": mark("Round"),
    "shift": mark("Shift"),
    "sign_in": mark("Sign-in"),
    "sign_out": mark("Sign-out"),
    "slip": mark("Slip"),
    "split": mark("Split"),
    "stacks": mark("Stacks"),
    "stay": mark("Seat at a poker table"),
    "table": mark("Table"),
    "tip": mark("Tip"),
    "transfer": mark("Transfer"),
    "verify": mark("Verification"),
}
# French and Italian name the act (“Table: ouverture”), as what became of it would have to agree
# with each noun.
DONE: dict[str, Any] = {
    "acknowledged": pgettext_lazy("act", "acknowledged"),
    "activated": pgettext_lazy("act", "activated"),
    "added": pgettext_lazy("act", "added"),
    "adjusted": pgettext_lazy("act", "adjusted"),
    "again": pgettext_lazy("act", "to be made again"),
    "against_feed": pgettext_lazy("act", "taken against the feed"),
    "arrived": pgettext_lazy("act", "arrived"),
    "asked": pgettext_lazy("act", "asked for"),
    "asked_again": pgettext_lazy("act", "asked for again"),
    "award_doubted": pgettext_lazy("act", "award doubted"),
    "away": pgettext_lazy("act", "away"),
    "back": pgettext_lazy("act", "back"),
    "began": pgettext_lazy("act", "taken"),
    "begun": pgettext_lazy("act", "password accepted, code pending"),
    "bootstrapped": pgettext_lazy("act", "set up with the installation"),
    "bought": pgettext_lazy("act", "bought"),
    "booked_anew": pgettext_lazy("act", "booked anew"),
    "called": pgettext_lazy("act", "called"),
    "cancelled": pgettext_lazy("act", "cancelled"),
    "change_refused": pgettext_lazy("act", "change refused"),
    "changed": pgettext_lazy("act", "changed"),
    "closed": pgettext_lazy("act", "closed"),
    "code_made": pgettext_lazy("act", "enrolment code made"),
    "code_refused": pgettext_lazy("act", "enrolment code refused"),
    "code_spent": pgettext_lazy("act", "enrolment code spent"),
    "corrected": pgettext_lazy("act", "corrected"),
    "confirmed": pgettext_lazy("act", "confirmed"),
    "count.begun": pgettext_lazy("act", "begun"),
    "count.differs": pgettext_lazy("act", "two counts differ"),
    "count.refused": pgettext_lazy("act", "sent back by its witness"),
    "count.set_back": pgettext_lazy("act", "set back by what came later"),
    "counted": pgettext_lazy("act", "counted"),
    "difference.explained": pgettext_lazy("act", "explained"),
    "difference.opened": pgettext_lazy("act", "to be explained"),
    "difference.settled": pgettext_lazy("act", "settled by what came later"),
    "created": pgettext_lazy("act", "created"),
    "deactivated": pgettext_lazy("act", "deactivated"),
    "dismissed": pgettext_lazy("act", "dismissed"),
    "done": pgettext_lazy("act", "done"),
    "doubt_ended": pgettext_lazy("act", "doubt ended"),
    "doubted": pgettext_lazy("act", "doubted"),
    "drafted": pgettext_lazy("act", "drafted"),
    "dropped": pgettext_lazy("act", "dropped"),
    "edited": pgettext_lazy("act", "edited"),
    "emptied": pgettext_lazy("act", "emptied with a difference"),
    "enrolled": pgettext_lazy("act", "enrolled"),
    "entered": pgettext_lazy("act", "entered"),
    "entry_level_set": pgettext_lazy("act", "entry level changed"),
    "fixed": pgettext_lazy("act", "box fixed"),
    "freed": pgettext_lazy("act", "freed"),
    "given_up": pgettext_lazy("act", "given up"),
    "hand_abandoned": pgettext_lazy("act", "hand given up"),
    "issued": pgettext_lazy("act", "put into service"),
    "handed_over": pgettext_lazy("act", "handed over"),
    "idle": pgettext_lazy("act", "waits for the PIN"),
    "irregular": pgettext_lazy("act", "irregularity"),
    "irregularity": pgettext_lazy("act", "irregularity"),
    "killed": pgettext_lazy("act", "replaced"),
    "left": pgettext_lazy("act", "left"),
    "linked": pgettext_lazy("act", "linked"),
    "locked": pgettext_lazy("act", "locked"),
    "looked": pgettext_lazy("act", "looked at"),
    "made": pgettext_lazy("act", "made"),
    "moved": pgettext_lazy("act", "moved"),
    "much_won": pgettext_lazy("act", "much won"),
    "opened": pgettext_lazy("act", "opened"),
    "out": pgettext_lazy("act", "taken out"),
    "overridden": pgettext_lazy("act", "decided against the rules"),
    "paid": pgettext_lazy("act", "paid"),
    "parameters_set": pgettext_lazy("act", "parameters set"),
    "placed": pgettext_lazy("act", "stake after the lock"),
    "played_offline": pgettext_lazy("act", "played offline"),
    "queued": pgettext_lazy("act", "taken later"),
    "recorded": pgettext_lazy("act", "recorded"),
    "refused": pgettext_lazy("act", "rejected"),
    "rejected": pgettext_lazy("act", "rejected"),
    "released": pgettext_lazy("act", "put in force"),
    "reopened": pgettext_lazy("act", "open again"),
    "requested": pgettext_lazy("act", "requested"),
    "required": pgettext_lazy("act", "required"),
    "rehashed": pgettext_lazy("act", "stored in a stronger form"),
    "reset": pgettext_lazy("act", "reset"),
    "restored": pgettext_lazy("act", "suspended after a restore"),
    "resumed": pgettext_lazy("act", "resumed"),
    "reversed": pgettext_lazy("act", "reversed"),
    "revoked": pgettext_lazy("act", "revoked"),
    "round.taken_back": pgettext_lazy("act", "stake after the lock taken back"),
    "royal_overlooked": pgettext_lazy("act", "royal flush overlooked"),
    "searched": pgettext_lazy("act", "searched"),
    "second_factor_reset": pgettext_lazy("act", "authenticator reset"),
    "second_session": pgettext_lazy("act", "second session refused"),
    "seeded": pgettext_lazy("act", "set up with the house"),
    "seen": pgettext_lazy("act", "seen"),
    "seen_to": pgettext_lazy("act", "seen to"),
    "set": pgettext_lazy("act", "set"),
    "sign_in_refused": pgettext_lazy("act", "sign-in refused"),
    "signed": pgettext_lazy("act", "signed"),
    "signed_in": pgettext_lazy("act", "signed in"),
    "signed_out": pgettext_lazy("act", "signed out"),
    "taken": pgettext_lazy("act", "taken over"),
    "taken_back": pgettext_lazy("act", "taken back"),
    "time_paid": pgettext_lazy("act", "time paid"),
    "tipped": pgettext_lazy("act", "given to the staff"),
    "unlocked": pgettext_lazy("act", "unlocked"),
    "used": pgettext_lazy("act", "carried out"),
    "verified": pgettext_lazy("act", "verified"),
    "version_made": pgettext_lazy("act", "change decided"),
    "viewed": pgettext_lazy("act", "looked at"),
    "voided": pgettext_lazy("act", "void"),
    "withdrawn": pgettext_lazy("act", "withdrawn"),
    "woken": pgettext_lazy("act", "opened again by the PIN"),
}
_PAGES = {
    **dict.fromkeys(("round", "override"), "audit-round"),
    "hand": "audit-hand",
    "hit": "audit-hit",
    "person": "audit-person",
    "device": "audit-device",
    "posted_table": "audit-posted",
    "account": "audit-account",
    "transfer": "audit-transfer",
}
_NUMBERED = ("account", "transfer")


def kind(code: str) -> str:
    """A kind of record, in the plural."""
    return _(KINDS[code])


def hit_state(code: str, to_pay: int = 0) -> str:
    """How a hit stands; `to_pay`: so many of its slips the cage has still to pay."""
    if code == "paid" and to_pay:
        text = ngettext(
            "awarded, to be paid: %(count)s slip", "awarded, to be paid: %(count)s slips", to_pay
        )
        return text % {"count": to_pay}
    return say(Hit.State, code)


def account(code: str) -> str:
    """What an account of this kind holds."""
    return _(ACCOUNTS.get(code, code))


def transfer(code: str) -> str:
    """What a transfer of this kind does; a kind without words stands for itself."""
    return capfirst(_(TRANSFERS[code])) if code in TRANSFERS else code


def event(name: str) -> str:
    """An act of the log: `round.corrected` as "Round: corrected"; what has no words stands for
    itself.
    """
    noun, _dot, done = name.partition(".")
    if noun not in NOUNS:
        return name
    if noun == "jackpot" and done in Phase.values:
        return colon(_(NOUNS[noun]), say(Phase, done))
    word = DONE.get(name, DONE.get(done))
    return colon(_(NOUNS[noun]), word) if word else name


def roles(person: Person) -> str:
    """The person's roles."""
    return ", ".join(all_roles.label(code) for code in person.known_roles())


def subject_page(one: Event) -> str:
    """The address of what an act was about; empty where it has no page of its own."""
    return page_of(one.subject_kind, one.subject_id)


def page_of(kind: str, pk: str) -> str:
    """The address of a record of its kind; empty where it has no page of its own."""
    page = _PAGES.get(kind)
    fits = pk.isdecimal() if kind in _NUMBERED else uuid_or_none(pk) is not None
    return reverse(page, args=[pk]) if page and fits else ""
