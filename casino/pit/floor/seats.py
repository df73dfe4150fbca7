"""Who sits at a table whose guests play hands with chips, and its hands."""

from typing import NamedTuple

from casino.pit.hands.irregular import HandIrregularityRow, irregularity_rows
from casino.text import floor
from casino.text.wording import guest_name
from tables.models import Hand, HandResult, PokerStay, TableSession
from tables.selectors.hands import HandSums, hand_sums, irregularities_of, session_hands
from tables.selectors.stays import StayNow, stays_at, stays_shown
from tables.services.seats.parts import seats_posted


class HandRow(NamedTuple):
    """What was entered last of a hand, and how it stands."""

    row: HandResult
    state: str


class SeatedTable(NamedTuple):
    """A session with its seats and hands as the page shows them, and what went wrong between two;
    `following`: where the next page begins.
    """

    seats: list[tuple[StayNow, str]]
    hands: list[HandRow]
    irregularities: list[HandIrregularityRow]
    hand_sums: HandSums | None
    following: int | None


NOBODY = SeatedTable(seats=[], hands=[], irregularities=[], hand_sums=None, following=None)


def seated_table(session: TableSession, before: int | None) -> SeatedTable:
    """Who sits there now, or sat there in a closed session; and its hands numbered below `before`,
    newest first. A fixed number of statements.
    """
    posted = seats_posted(session.versions)
    stays = stays_at(session_id=session.pk)
    if session.closed_at:
        stays = PokerStay.objects.filter(guest__session=session)
    charge = posted.charge if posted else None
    seats = stays_shown(stays, house_id=session.house_id, charge=charge)
    results, following = session_hands(session_id=session.pk, before=before)
    return SeatedTable(
        seats=[(stay, guest_name(stay.number)) for stay in seats],
        hands=[HandRow(row, floor.say(Hand.State, row.hand.state)) for row in results],
        irregularities=irregularity_rows(irregularities_of(session_id=session.pk)),
        hand_sums=hand_sums(session_id=session.pk),
        following=following,
    )
