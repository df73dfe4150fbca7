"""Hits of the floor's machine: what a royal flush froze is let end, looked at, paid or rejected, shown; then tables bet again.

What else may happen to a hit (calls, late claims, displays that die) has a machine of its own, `tests/machines/test_jackpot.py`.
"""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jackpot.models import Award
from tables import services
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

    def clarify_listed(self, hit: model.Hit) -> None:
        """Nobody signs while an entry of a listed round is to be clarified."""
        for entry in [entry for entry in self.entries if self.coups.get(entry[2]) in hit.listed]:
            self.ask("", services.to_clarify_dismiss, clarify_id=entry[0], reason="its result stands", **self.pit())
            self.entries.remove(entry)
