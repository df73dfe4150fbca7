"""An evening with a hit, step by step."""

import json
from uuid import UUID

from casino.live.snapshot import DISPLAY, PIT, snapshots_read
from jackpot.models import Claim
from jackpot.services import claim_verify, display_heard, gate_confirm, jackpot_advance, jackpot_sign
from payouts.models import Approval
from tables import services
from tests.cast import make_person
from tests.floor import Floor, done, stakes_for, taps

ROYAL = {
    "board": "Ah Kh Qh 2c 3d",
    "dealer": "9c 9d",
    "boxes": {"1": {"play": 4, "cards": "Jh Th"}, "2": {"play": 1, "cards": "4d 5d"}},
}
FOLDS = taps(b1={"result": "fold"}, b2={"result": "fold"})
CHECKED = {"cards_seen": "yes", "deck_counted": "52", "camera_time": "21:14"}


class Evening:
    """Two linked tables, both open; a display that must show each new value."""

    def __init__(self, suffix: str = "") -> None:
        self.floor = floor = Floor(suffix=suffix)
        self.house, self.jackpot = floor.house.pk, floor.jackpot.pk
        done(services.table_link, house_id=self.house, table_id=floor.other.pk, jackpot_id=self.jackpot)
        self.guests, self.others = floor.open(), floor.open(floor.other, floor.nora)
        [(self.display, self.session)] = floor.sessions.items()
        self.own = {"house_id": self.house, "jackpot_id": self.jackpot, "display_id": self.display}

    def told(self, feed: str = PIT) -> dict:
        return json.loads(snapshots_read([self.jackpot])[self.jackpot].texts[feed])

    def hit(self) -> UUID:
        """Both tables have a coin; the first one holds the royal flush. Gives the round of the other."""
        floor = self.floor
        mine = floor.lock(stakes_for(self.guests[:2], coins=1))["id"]
        other = floor.lock(stakes_for(self.others[:2], coins=1), table_id=floor.other.pk, croupier_id=floor.nora.pk)
        floor.settle(mine, ROYAL)
        return other["id"]

    def drain(self, other: UUID) -> None:
        self.floor.settle(other, FOLDS, person_id=self.floor.nora.pk)
        jackpot_advance(jackpot_id=self.jackpot)

    def verify(self) -> None:
        claim = Claim.objects.get(hit__jackpot=self.jackpot, state="open")
        done(
            claim_verify,
            house_id=self.house,
            claim_id=claim.pk,
            person_id=self.floor.reto.pk,
            checklist=CHECKED,
        )
        jackpot_advance(jackpot_id=self.jackpot)

    def sign(self, name: str) -> None:
        signer = make_person(name, "pit_boss", house=self.floor.house)
        asked = Approval.objects.get(house=self.house, action="jackpot.award", state="open")
        done(
            jackpot_sign,
            house_id=self.house,
            approval_id=asked.pk,
            payload_hash=bytes(asked.payload_hash),
            signer_id=signer.pk,
            signer_roles=signer.roles,
            method=asked.method,
        )
        jackpot_advance(jackpot_id=self.jackpot)

    def confirm(self) -> None:
        told = self.told(DISPLAY)
        done(display_heard, **self.own, session_id=self.session)
        gate = told["gate"]
        values = {"gate": gate["number"], "nonce": gate["nonce"], "version": gate["version"], "shown": told["text"]}
        done(gate_confirm, **self.own, session_id=self.session, **values)
        jackpot_advance(jackpot_id=self.jackpot)
