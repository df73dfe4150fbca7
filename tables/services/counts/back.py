"""What comes after a session's closer sets the difference of that count back, and a late buy-in
that of the drop box in which it lies; what was counted stands (CNT-10).
"""

from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from payouts.models import Count, CountBack
from payouts.rules.ledger import recipes
from payouts.services import event_record, recipe_post
from tables.models import BuyIn, TableSession
from tables.services.counts.boxes import box_count
from tables.services.counts.differences import difference_follow

# Read after what came was posted: who signs a count holds the tray's account too, so what is
# posted stands before the signature or after it. What the session's rounds do not tell is no
# difference (CNT-7).
_CAME = """
    SELECT c.id, coalesce((SELECT sum(e.amount_minor) FROM payouts_transfer t
            JOIN payouts_entry e ON e.transfer_id = t.id AND e.account_id = a.id
                AND e.account_version > g.account_version
            WHERE t.subject_id = %(subject)s AND t.house_id = c.house_id), 0)::bigint
        - coalesce((SELECT sum(b.amount_minor) FROM payouts_countback b
            WHERE b.count_id = c.id AND b.subject_id = %(subject)s), 0)::bigint,
        EXISTS (SELECT FROM tables_round r WHERE r.session_id = s.id
            AND r.entry_level = 'jackpot_only')
    FROM tables_tablesession s
    JOIN payouts_count c ON c.id = coalesce(s.closer_id, s.counting_id) AND c.purpose = 'closer'
    JOIN payouts_countsignature g ON g.count_id = c.id AND g.stands
    JOIN payouts_account a ON a.house_id = c.house_id AND a.owner_id = c.place_id
        AND a.kind = c.place_kind
    WHERE s.id = %(session)s
"""


class Came(NamedTuple):
    """What came after a closer: a round or hand with all that was posted about it, a buy-in, a
    tip.
    """

    kind: str
    pk: UUID


def session_follow(session: TableSession, came: Came, *, actor_id: UUID | None) -> None:
    """As `count_follow`; no statement where the session goes on uncounted."""
    if session.closer_id or session.counting_id:
        count_follow(session.pk, came, actor_id=actor_id)


def count_follow(session_id: UUID, came: Came, *, actor_id: UUID | None) -> None:
    """Set the session's closer back by what the tray has moved since for what came, if it has one.
    One statement where nothing is to be done.
    """
    values: dict[str, Any] = {"session": session_id, "subject": came.pk}
    with connection.cursor() as cursor:
        cursor.execute(_CAME, values)
        rows = cursor.fetchall()
    for count_id, amount_minor, untold in rows:
        if amount_minor:
            account = "untold_win" if untold else "count_difference"
            set_back(count_id, amount_minor, account, came, actor_id)


def box_follow(row: BuyIn, *, actor_id: UUID | None) -> None:
    """Set the count of the drop box back in which a late buy-in lies, if that is signed; one that
    runs does it when it is signed. One statement where nothing is to be done.
    """
    count = box_count(row.pk)
    if count is not None and count.state == Count.State.SIGNED:
        came = Came("buyin", row.pk)
        set_back(count.pk, row.amount_minor, "count_difference", came, actor_id)


def set_back(
    count_id: UUID, amount_minor: int, account: str, came: Came, actor_id: UUID | None
) -> None:
    """Post the difference of a signed count back by as much, on the account that it used."""
    count = Count.objects.get(pk=count_id)
    number = CountBack.objects.filter(count=count).count() + 1
    transfer_id = recipe_post(
        house_id=count.house_id,
        gaming_day=count.gaming_day,
        key=f"countback:{count.pk}:{number}",
        kind="count_set_back",
        lines=recipes.count_set_back(
            amount_minor,
            place=count.place_kind,
            account=account,
        ),
        owners={"house": count.house_id, "table": count.place_id},
        actor_id=actor_id,
        subject_kind="count",
        subject_id=count.pk,
    )
    back = CountBack.objects.create(
        house_id=count.house_id,
        count=count,
        subject_kind=came.kind,
        subject_id=came.pk,
        amount_minor=amount_minor,
        transfer_id=transfer_id,
    )
    after = {came.kind: str(came.pk), "amount_minor": back.amount_minor}
    event_record("count.set_back", count, actor_id=actor_id, after=after)
    difference_follow(count, actor_id=actor_id, untold=account == "untold_win")
