"""A queued round that comes again while the pit decides about what was kept of it: booked or dismissed, never both."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tables import services
from tables.errors import RoundRunning
from tables.models import ReviewItem, Round, Table
from tables.services.review import clarify
from tables.services.rounds import settle
from tests.floor import done, stakes_for
from tests.races.racing import LOST, WON, Racing, ends
from tests.tables.audits import breached

FOLLOWED = (settle, "entries_follow")  # booked, and what waits of it not yet taken


class Kept:
    """A round of the table without a jackpot that waits to be clarified, `versions` times with another result each."""

    def __init__(self, racing: Racing, versions: int = 1) -> None:
        self.racing, self.round_id = racing, uuid4()
        self.stakes = stakes_for(racing.open(racing.other, racing.nora)[:2])
        self.where = {"house_id": racing.house.pk, "table_id": racing.other.pk, "round_id": self.round_id}
        refused = {"refused": RoundRunning(), "person_id": racing.nora.pk, "kind": "queued"}
        payloads = [{"stakes": self.stakes, "result": result} for result in (WON, LOST)[:versions]]
        kept = [done(services.review_item_record, **self.where, **refused, payload=one) for one in payloads]
        self.entries: list[UUID] = [one.pk for one in kept]

    def again(self) -> dict[str, Any]:
        """The tablet sends it once more."""
        who = {"person_id": self.racing.nora.pk}
        return services.round_take_queued(**self.where, **who, stakes=self.stakes, result=WON)

    def dismiss(self) -> ReviewItem:
        by = {"house_id": self.racing.house.pk, "actor_id": self.racing.reto.pk}
        values = {"clarify_id": self.entries[0], "reason": "the chips went back", "never_played": True}
        return services.review_item_dismiss(**by, **values)

    def state(self) -> tuple[str, str | None]:
        """Of the first entry, and of the round."""
        states = Round.objects.filter(pk=self.round_id).values_list("state", flat=True)
        return ReviewItem.objects.get(pk=self.entries[0]).state, states.first()


@pytest.mark.parametrize("versions", [1, 2])
def test_dismissing_waits_for_a_booking_on_its_way_and_is_refused(racing, versions):
    kept = Kept(racing, versions)
    met = racing.race(kept.again, kept.dismiss, before=FOLLOWED)
    assert (met.waited, ends(met)) == (True, ("settled", "clarify.booked"))
    assert kept.state() == ("open", "settled")  # somebody decided about it: he takes it, and nothing is booked twice
    assert breached() == {}


@pytest.mark.parametrize(("versions", "left"), [(1, "withdrawn"), (2, None)])
def test_a_booking_waits_for_a_dismissal_on_its_way_and_is_refused(racing, versions, left):
    kept = Kept(racing, versions)
    met = racing.race(kept.dismiss, kept.again)
    assert (met.waited, ends(met)[1]) == (True, "round.withdrawn")
    assert kept.state() == ("dismissed", left)
    assert breached() == {}


def test_without_the_tables_row_what_is_dismissed_is_booked(racing, monkeypatch):
    """The control: the chips would be given by hand and by the books."""
    monkeypatch.setattr(clarify, "table_locked", lambda house_id, table_id, **_: Table.objects.get(pk=table_id))
    kept = Kept(racing, 2)  # with a single one the tombstone meets the booking
    met = racing.race(kept.again, kept.dismiss, before=FOLLOWED)
    assert ends(met)[0] == "settled"
    assert kept.state() == ("dismissed", "settled")


def booked(racing: Racing) -> tuple[UUID, ReviewItem]:
    """A queued round that was won, and an entry that says that it was lost."""
    kept, round_id = stakes_for(racing.open(racing.other, racing.nora)[:2]), uuid4()
    where = {"house_id": racing.house.pk, "table_id": racing.other.pk, "round_id": round_id}
    done(services.round_take_queued, **where, stakes=kept, result=WON, person_id=racing.nora.pk)
    told = {"kind": "queued", "payload": {"stakes": kept, "result": LOST}, "person_id": racing.nora.pk}
    return round_id, done(services.review_item_record, **where, **told, refused=RoundRunning())


def correcting(racing: Racing, round_id: UUID):
    prepared = racing.prepared(round_id, LOST, "settled")
    return lambda: services.round_correct(prepared=prepared, person_id=racing.nora.pk, reason="mistyped")


def test_dismissing_waits_for_a_correction_on_its_way(racing):
    round_id, entry = booked(racing)
    by = {"house_id": racing.house.pk, "actor_id": racing.reto.pk, "clarify_id": entry.pk, "reason": "paid by hand"}
    met = racing.race(correcting(racing, round_id), lambda: services.review_item_dismiss(**by), before=FOLLOWED)
    entry.refresh_from_db()
    assert (met.waited, ends(met)) == (True, ("settled", "clarify.booked"))
    assert (entry.state, Round.objects.get(pk=round_id).revision) == ("open", 2)


def test_who_only_looks_at_an_entry_keeps_no_correction_from_closing_it(racing):
    """Its page tries whether it could be taken: what that holds is let go again."""
    round_id, entry = booked(racing)
    looked = []

    def look() -> dict[str, Any]:
        looked.append(services.review_item_try(entry, actor_id=racing.reto.pk))
        return {"state": "looked"}

    met = racing.race(correcting(racing, round_id), look, before=FOLLOWED, bare=True)
    entry.refresh_from_db()
    assert (met.waited, ends(met)) == (True, ("settled", "looked"))
    assert (entry.state, Round.objects.get(pk=round_id).revision) == ("taken", 2)
