"""A house that has lived, with everything an auditor may ask about, and an auditor who was not there."""

from uuid import UUID

from casino.devices.models import Device
from casino.people.models import Person
from jackpot.models import Hit
from tables import services
from tables.models import Round
from tests.casino.devices import devices
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.floor import done, taps
from tests.jackpot.linked import once
from tests.jackpot.lived import Lived

ENGLISH = {"accept-language": "en"}


class Desk:
    """`lived`: hits that were paid and rejected; `corrected`: a round that was put right; `tablet`: a tablet of UTH 1."""

    def __init__(self, database: str) -> None:
        self.lived = lived = Lived(database)
        self.house = lived.house
        self.auditor = people.make(self.house, "vera.c", "auditor", language="en")
        Person.objects.filter(pk=self.auditor.pk).update(full_name="Vera Caminada")
        self.client = people.signed_in(self.auditor)
        boss = devices.dealer(self.house, "p.boss", "pit_boss")
        self.tablet: Device = devices.enrol(lived.tables[0], boss)[0]
        self.corrected = self._corrected()
        self.paid = Hit.objects.get(jackpot=lived.jackpot, number=1)
        self.rejected = Hit.objects.get(jackpot=lived.jackpot, number=2)

    def _corrected(self) -> Round:
        lived = self.lived
        lived.void(lived.locked)
        pk: UUID = lived.start(2, coins=0, boxes=1)
        lived.end(2, pk, taps(b1={"play": 4, "result": "lose"}))
        won = taps(b1={"play": 4, "result": "win", "hand": "flush"})
        prepared = services.round_evaluate(house_id=self.house.pk, round_id=pk, result=won, state="settled")
        values = {"prepared": prepared, "person_id": lived.reto.pk, "reason": "box 1 had won"}
        asked = done(services.round_correction_request, **values)
        lived.sign_plainly(asked, lived.ines)
        once(services.round_correct, **values, approval_id=asked.pk)
        return Round.objects.get(pk=pk)

    def page(self, path: str = "", status: int = 200, **query: str) -> str:
        """The page as it is."""
        query = {name.rstrip("_"): text for name, text in query.items()}
        response = self.client.get(f"/audit/{path}", query, headers=ENGLISH)
        assert response.status_code == status, (path, query, response.status_code)
        return response.content.decode()

    def said(self, path: str = "", status: int = 200, **query: str) -> str:
        """What the page says."""
        return words(self.page(path, status, **query))

    def found(self, **query: str) -> dict[str, list[str]]:
        """By kind, the titles of what a search finds."""
        response = self.client.get("/audit/", {name.rstrip("_"): text for name, text in query.items()}, headers=ENGLISH)
        assert response.status_code == 200
        return {one.kind: [row.title for row in one.rows] for one in response.context["lists"]}
