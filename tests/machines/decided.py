"""Hits of the floor's machine: what a royal flush froze is let end, looked at, paid or rejected, shown; then tables bet again.

What else may happen to a hit (calls, late claims, displays that die) has a machine of its own, `tests/machines/test_jackpot.py`.
"""

from uuid import UUID

from django.db.models.functions import Now
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.models import Award
from payouts.models import Approval
from payouts.services import approval_reject
from tables import services
from tables.models import ReviewItem, Round
from tables.services.review.entries import entry_is_booked
from tests.machines import model
from tests.machines.ends import Ends


class Decided(Ends):
    """Hits are decided."""

    def play_one(self, data: st.DataObject, table: int, *, mistyped: bool) -> None:
        """Mostly the hit at hand is decided before the next round."""
        if self.jackpot.hit and data.draw(st.integers(0, 2)):
            self.decide(data)
        super().play_one(data, table, mistyped=mistyped)

    @precondition(lambda self: self.jackpot.hit)
    @rule(data=st.data())
    def decide(self, data: st.DataObject) -> None:
        """From wherever the hit is to the reopening."""
        hit = self.jackpot.hit
        self.lock(0, "", False, data)  # nobody bets meanwhile at the linked table, whatever else keeps him from it
        for round_id, coup in self.coups.items():
            if coup.state == "locked" and coup in hit.listed:
                self.void_one(round_id, coup, "misdeal")
        assert self.floor.advance() == "verifying"
        self.clarify_listed(hit)
        if data.draw(st.integers(0, 2)):
            self.seen["paid"] += 1
            self.floor.verify_all()
            assert self.floor.approve() == "showing"
            awards = list(
                Award.objects.filter(hit__epoch__number=self.jackpot.epoch).values_list("amount_minor", flat=True)
            )
            assert awards == model.pay(self.jackpot, self.tables)
        else:
            self.seen["rejected"] += 1
            assert self.floor.reject() == "showing"
            self.jackpot.hit = None
        assert self.floor.confirm_all() == "open"

    def put_aside(self, entry_id: UUID, reason: str) -> None:
        """Dismiss an entry; one whose correction is asked for once that is rejected. What is booked just as it came is taken with
        the booking, or by hand where somebody kept it since.
        """
        entry = ReviewItem.objects.get(pk=entry_id)
        values = {"clarify_id": entry_id, "reason": reason, **self.pit()}
        if entry.state != "open":
            return self.ask("clarify.closed", services.review_item_dismiss, **values)
        if entry_is_booked(entry):
            self.ask("clarify.booked", services.review_item_dismiss, **values)
            return self.ask("", services.review_item_take, **values)
        for asked in self.corrections_asked(entry.round_id):
            self.ask("round.correction_waits", services.review_item_dismiss, **values)
            person = {"person_id": self.world.floor.ines.pk, "person_roles": self.world.floor.ines.roles}
            self.ask("", approval_reject, approval_id=asked.pk, reason="its result stands", **person)
        return self.ask("", services.review_item_dismiss, **values, never_played=True)

    def corrections_asked(self, round_id: UUID) -> list[Approval]:
        """Those of the round's lines as they stand."""
        revision = Round.objects.values_list("revision", flat=True).filter(pk=round_id).first()
        asked = Approval.objects.filter(
            action="round.correct", subject_id=str(round_id), state="open", revision=revision, expires_at__gt=Now()
        )
        return list(asked)

    def clarify_listed(self, hit: model.Hit) -> None:
        """Nobody signs while an entry of a listed round is to be clarified."""
        for entry in [entry for entry in self.entries if self.coups.get(entry[2]) in hit.listed]:
            self.put_aside(entry[0], "its result stands")
            self.entries.remove(entry)
