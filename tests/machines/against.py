"""People who turn against the house: who makes a second person, signs for himself, signs what is gone, pays himself (issue 19).

Each asks for whatever he likes in whoever's name he is signed in by; what comes of it, the model knows.
"""

from django.db import transaction

from casino.people import resting
from casino.people import services as people
from jackpot import services as jackpots
from payouts.models import Approval
from tests.machines import things
from tests.machines.desk_model import Request
from tests.machines.standing import Standing


class Against(Standing):
    """Tries."""

    # Whom one makes
    def make(self, roles: set[str], by: str, dies: int | None) -> None:
        name = f"new{len([one for one in self.model.people if one.startswith('new')]) + 1}"
        code = self.model.create(name, frozenset(roles), by)
        values = {"username": name, "full_name": "Nora Neu", "house": self.floor.house, "role_codes": roles}
        self.ask(code, lambda: people.person_create(**values, by=self.person(by)), "person made", dies)
        self.known()

    def give_roles(self, name: str, roles: set[str], by: str, dies: int | None) -> None:
        code, person = self.model.change_roles(name, frozenset(roles), by), self.person(name)
        values = {"full_name": person.full_name, "house": self.floor.house, "role_codes": roles, "language": ""}
        self.ask(code, lambda: people.particulars_set(person=person, **values, by=self.person(by)), "roles given", dies)
        self.known()

    def let_in(self, name: str, by: str, dies: int | None, *, active: bool) -> None:
        code = self.model.let_in(name, by, active=active)
        work = lambda: people.active_set(person=self.person(name), active=active, by=self.person(by))  # noqa: E731
        self.ask(code, work, "let in" if active else "barred", dies)
        self.known()

    def give_password(self, name: str, by: str, dies: int | None, *, factor: bool) -> None:
        command = people.second_factor_reset if factor else people.password_reset
        code = self.model.give_password(name, by)
        work = lambda: command(person=self.person(name), by=self.person(by))  # noqa: E731
        self.ask(code, work, "authenticator forgotten" if factor else "password given", dies)

    def see(self, name: str) -> None:
        """A second manager sees a sign-in, where one is who may sign."""
        able = [
            seer
            for seer in self.model.seers(name)
            if self.model.holds(seer, {"manager"}) and not self.model.rests(seer)
        ]
        if not able or not self.model.sign_in_rests(name):
            return
        signer = self.person(able[0])
        with transaction.atomic():
            approval = resting.credential_request(self.person(name))
            assert approval is not None
            by = {"signer_id": signer.pk, "signer_roles": signer.roles, "method": approval.method}
            resting.credential_sign(
                approval_id=approval.pk, payload_hash=bytes(approval.payload_hash), **self.house, **by
            )
        self.model.seen(name)
        self.seen["sign-in seen"] += 1

    # What one asks for
    def ask_again(self, prize: things.Prize, by: str, dies: int | None) -> Request | None:
        code, there = self.model.ask_again(prize, by), self.prize_of(prize)
        values = {
            **self.house,
            "prize_id": there.pk,
            "person_id": self.person(by).pk,
            "reason": "it was seen on camera",
        }
        return self.asked_for(code, lambda: jackpots.prize_request_again(**values), "prize asked again", dies)

    def sweep(self) -> None:
        """What nobody is asked about any more is asked for by the system."""
        wanted = {self.prize_of(prize).pk for prize in self.model.sweep()}
        found = jackpots.prizes_unasked()
        assert set(found) == wanted
        self.noted("prize asked by the sweep", wanted)
        for prize_id in found:
            jackpots.prize_ask_again(prize_id)
        self.known()

    def other_payload(self, request: Request) -> bytes:
        """The hash of what was asked for the same before, or of nothing that ever was."""
        before = [one for one in self.model.asked if one.about == request.about and one.key not in (None, request.key)]
        hashes = Approval.objects.filter(pk__in=[one.key for one in before]).values_list("payload_hash", flat=True)
        own = bytes(Approval.objects.values_list("payload_hash", flat=True).get(pk=request.key))
        return next((bytes(one) for one in hashes if bytes(one) != own), bytes(32))
