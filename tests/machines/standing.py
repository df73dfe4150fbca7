"""What stands after each step: the jackpot, its hits, claims, gates, slips, prizes and people are the model's."""

from django.db.models import BooleanField, Func, Sum, Value

from casino.people.models import Person
from jackpot.models import Award, Claim, Gate, GateDisplay, Hit, RequiredDisplay, Split, WaitingPrize
from jackpot.selectors.jackpots import meter_read
from payouts.models import Account
from tables.models import Round
from tests.machines.asking import NAMES
from tests.machines.hits import Hits


def held_by(kind: str) -> int:
    """What accounts of a kind owe, or gave away."""
    return -(Account.objects.filter(kind=kind).aggregate(sum=Sum("balance_minor"))["sum"] or 0)


class Standing(Hits):
    """Everything is compared."""

    def __init__(self) -> None:
        super().__init__()
        self.cash = held_by("cage_cash")

    def same(self) -> None:
        model, now = self.model, self.floor.now()
        assert (now.kept_phase or now.phase, now.phase == "suspended") == (model.phase, model.suspended)
        assert now.incarnation == model.incarnation
        reading = meter_read(jackpot_id=now.pk)
        assert (reading.sum_minor, reading.epoch_number) == (model.meter, model.epoch)
        assert dict(Round.objects.exclude(state="withdrawn").values_list("id", "state")) == {
            self.row(one): one.state for one in model.rounds
        }
        self.same_hits()
        if model.hit:
            assert Split.objects.filter(hit=now.hit).count() == len(model.splits)
        self.same_gates()
        self.same_money()
        self.same_people()
        self.known()

    def same_hits(self) -> None:
        hits = Hit.objects.order_by("number").values_list("state", "shown_minor")
        assert list(hits) == [(hit.state, hit.shown) for hit in self.model.hits]
        listed = Hit.objects.values_list("number", "listed__round_id")
        assert set(listed) == {(n, self.row(one)) for n, hit in enumerate(self.model.hits, 1) for one in hit.listed}
        claims = Claim.objects.order_by("hit__number", "number").values_list("hit__number", "round_id", "box", "state")
        assert list(claims) == [
            (number, self.row(claim.round), claim.box, claim.state)
            for number, hit in enumerate(self.model.hits, 1)
            for claim in hit.claims
        ]

    def same_gates(self) -> None:
        places = {display: place for place, display in enumerate(self.floor.displays)}
        gates = Gate.objects.order_by("number").values_list("state", "amount_minor")
        assert list(gates) == [(gate.state, gate.amount) for gate in self.model.gates]
        on = GateDisplay.objects.values_list("gate__number", "display_id", "state")
        assert {(number, places[display], state) for number, display, state in on} == {
            (number, display, state)
            for number, gate in enumerate(self.model.gates, 1)
            for display, state in gate.displays.items()
        }
        required = RequiredDisplay.objects.filter(ended_at=None).values_list("display_id", flat=True)
        assert {places[display] for display in required} == self.model.required.keys()

    def same_money(self) -> None:
        """Slips, prizes, and what the books hold of both; what left the cage is what slips were paid."""
        awards = Award.objects.values_list(
            "round_id", "box", "kind", "amount_minor", "slip__state", "slip__cancelled_as"
        )
        assert sorted(awards) == sorted(
            (self.row(one.round), one.box, one.kind, one.amount, one.slip, one.cancelled) for one in self.model.awards
        )
        prizes = WaitingPrize.objects.values_list("round_id", "revision", "box", "amount_minor", "state")
        assert sorted(prizes) == sorted(
            (self.row(one.round), one.revision, one.box, one.amount, one.state) for one in self.model.prizes
        )
        held = (held_by("prizes_waiting"), held_by("awards_payable"), held_by("cage_cash") - self.cash)
        assert held == (self.model.waiting_minor(), self.model.payable_minor(), self.model.cash_minor())

    def same_people(self) -> None:
        """How everybody stands, and who rests."""
        about = "pk", "house_id", Value("jackpot.adjust")
        rests = Func(*about, function="person_rests_from_v1", output_field=BooleanField())
        rows = Person.objects.annotate(rests=rests).values_list("username", "roles", "is_active", "rests")
        there = {name: (frozenset(roles), *more) for name, roles, *more in rows}
        for name, person in self.model.people.items():
            assert there[NAMES.get(name, name)] == (person.roles, person.active, self.model.rests(name)), name
