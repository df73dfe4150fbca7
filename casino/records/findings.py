"""What a verification checks and finds, in words. All are message ids of the catalogues."""

from collections.abc import Iterable

from django.apps import apps
from django.utils.text import capfirst
from django.utils.translation import gettext

from casino.people.credentials import NAME as CREDENTIALS
from casino.people.signing_roles import AUDITS as PEOPLE
from casino.records import labels
from casino.records.checks import AUDITS
from casino.records.descriptions import NAMES
from jackpot.audit.hits import HITS
from jackpot.audit.meters import AUDITS as METERS
from payouts.agreement import NAME as AGREEMENT
from payouts.audit import AUDITS as BOOKS
from payouts.errors import mark
from payouts.unattested import NAME as SIGNATURES
from payouts.unattested import UNPROVED
from tables.audit.checks import AUDITS as ROUNDS
from tables.audit.replay import DOUBTED

WORDS = {
    **AUDITS,
    "seals_are_a_chain": mark(
        "The seals are a chain, each signed by our key, and those whose heads are kept elsewhere."
    ),
    "rows_are_as_they_were_sealed": mark("Every sealed row is there and is as it was."),
    "no_row_was_slipped_in": mark("No row stands where all were sealed already."),
    AGREEMENT: mark(
        "What may change of rounds, approvals, versions, claims and gates agrees with what is"
        " sealed of it."
    ),
    SIGNATURES: mark("Every signature bears the proof that this program alone can write."),
    "rounds_settle_again_to_their_lines": mark(
        "Every round, settled again from its record, comes to its lines."
    ),
    "stakes_are_within_their_limits": mark("Every stake is within the limits that were posted."),
    "awards_are_of_rounds_that_claim": mark("Every award is of a round that claims the jackpot."),
    "rounds_settle_as_the_shoe_read": mark(
        "Every round ended by the cards that its shoe read, unless the pit decided otherwise."
    ),
    "stakes_come_before_their_card": mark(
        "Every stake after the lock came before the card that decides it was read."
    ),
    "hands_are_raked_again_to_their_fees": mark(
        "Every hand of poker, played again by what was posted, comes to its pots, shares and fee."
    ),
    "splits_come_out_again": mark("Every split, worked out again, is the one that was approved."),
}
WHAT = {
    DOUBTED: mark("has an award that the result of the round does not give"),
    UNPROVED: mark("does not bear the program's proof"),
    "differs": mark("disagrees with what is sealed of it"),
    "changed": mark("was changed"),
    "missing": mark("is missing"),
    "is missing": mark("is missing"),
    "added": mark("was slipped in"),
    "dated before it was added": mark("is dated before it can have been added"),
    "is not the one whose head was kept elsewhere": mark(
        "is not the one whose head was kept elsewhere"
    ),
    "cannot be read": mark("cannot be read"),
    "says another number or time than its row": mark("says another number or time than its row"),
    "its signature is wrong": mark("its signature is wrong"),
    "does not follow the seal before it": mark("does not follow the seal before it"),
    "is the first, and names one before it": mark("is the first, and names one before it"),
    "holds half a digest": mark("holds half a digest"),
    "the rows that it lists are not those that were sealed": mark(
        "the rows that it lists are not those that were sealed"
    ),
    "counts other rows than it lists": mark("counts other rows than it lists"),
    "is of a table that is not sealed": mark("is of a table that is not sealed"),
    "names columns that the table does not have": mark(
        "names columns that the table does not have"
    ),
    "lists its rows in no order": mark("lists its rows in no order"),
    "lists another number of rows than it has digests": mark(
        "lists another number of rows than it has digests"
    ),
}
# Records whose tables have no name of their own in the models, by the table.
RECORDS = {
    "casino_shifthandover": mark("hand-over of a shift"),
    "jackpot_award": mark("award"),
    "jackpot_claim": mark("claim"),
    "jackpot_epochend": mark("end of an epoch"),
    "jackpot_gate": mark("gate of the displays"),
    "jackpot_gatedisplay": mark("display"),
    "jackpot_hit": mark("hit"),
    "jackpot_listedround": mark("Round that ran at the time"),
    "jackpot_requireddisplay": mark("display"),
    "jackpot_share": mark("share"),
    "jackpot_slip": mark("Slip"),
    "jackpot_split": mark("Split"),
    "jackpot_waitingprize": mark("Prize"),
    "payouts_approvallist": mark("list beside a request"),
}
# What an audit is about, for people who do not know it by its name.
AREAS = {
    **dict.fromkeys(BOOKS, mark("accounts and transfers")),
    **dict.fromkeys(ROUNDS, mark("rounds and their stakes")),
    **dict.fromkeys(METERS, mark("meters of the jackpots")),
    **dict.fromkeys(HITS, mark("hits, slips and displays")),
    **dict.fromkeys(
        ("approvals_used_were_signed", "lists_are_what_was_signed", "commands_are_answered"),
        mark("approvals and commands"),
    ),
    **dict.fromkeys((*PEOPLE, CREDENTIALS), mark("people and their roles")),
    **dict.fromkeys(
        (
            "append_only_tables_unchanged",
            "guards_in_place",
            "rights_as_declared",
            "commits_are_durable",
        ),
        mark("guards of the database"),
    ),
}


def record(table: str) -> str:
    """What a row of a table is, in words; empty for a table that nobody knows."""
    if table in RECORDS:
        return capfirst(gettext(RECORDS[table]))
    model = next((one for one in apps.get_models() if one._meta.db_table == table), None)
    return capfirst(str(model._meta.verbose_name)) if model else ""


def field(name: str) -> str:
    """A column in words beside its raw name, which a technician looks for; the raw name alone where
    it has no words.
    """
    own = name.removesuffix("_id")
    known = NAMES.get(name) or NAMES.get(own) or labels.NOUNS.get(own)
    return f"{capfirst(gettext(known))} ({name})" if known else name


def areas(audits: Iterable[str]) -> str:
    """What these audits are about, each once; one that nobody has put into words stands for
    itself."""
    return ", ".join(dict.fromkeys(gettext(AREAS.get(name, name)) for name in audits))
