"""A house with a browser for each of those who come to the cage's pages."""

from uuid import uuid4

from payouts.models import Approval
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.floor import Floor
from tests.tables.inventory_cases import BANK, DENOMINATIONS, OPENER

ENGLISH = {"accept-language": "en"}


class CageDesk(Floor):
    """Nothing is in the books yet, and every table is closed."""

    def __init__(self) -> None:
        super().__init__(stocked=False, linked=False, displays=0)
        roles = {
            "mara": "manager",
            "max": "manager",
            "anna": "auditor",
            "carla": "cage",
            "boss": "pit_boss",
            "watch": "surveillance",
        }
        self.people = {
            name: people.make(self.house, f"{name}.cage", role, language="en") for name, role in roles.items()
        }
        self.clients = {name: people.signed_in(person) for name, person in self.people.items()}

    def get(self, who: str, path: str = "chips/", status: int = 200, language: str = "en") -> str:
        response = self.clients[who].get(f"/cage/{path}", headers={"accept-language": language})
        assert response.status_code == status, (path, response.status_code)
        return response.content.decode()

    def post(self, who: str, path: str, status: int = 302, **fields: object) -> str:
        """Post a form; gives what the page says, or where it leads to."""
        data = {"key": str(uuid4())} | fields
        response = self.clients[who].post(f"/cage/{path}", data, headers=ENGLISH)
        assert response.status_code == status, words(response.content.decode())
        return words(response.content.decode()) or response["Location"]

    def ask(self, who: str = "mara", status: int = 302, kind: str = "issue", **pieces: object) -> str:
        return self.post(who, "chips/ask/", status, kind=kind, reason="delivery 4711", **pieces)

    def sign(self, who: str, place: str = "chips", status: int = 302) -> str:
        request = Approval.objects.latest("requested_at")
        form = {"seen": bytes(request.payload_hash).hex(), "secret": people.next_code(self.people[who])}
        return self.post(who, f"{place}/asked/{request.pk}/sign/", status, **form)

    def counted(self, **changes: object) -> dict[str, object]:
        """The form of the first inventory: both trays as in the first worked example."""
        form: dict[str, object] = {"cash": "1 000.00", "reason": "opening"}
        for value in DENOMINATIONS:
            form |= {f"vault-{value}": 10, f"issued-{value}": 2 * OPENER.get(value, 0) + 15}
        for table in (self.table, self.other):
            form |= {f"tray-{table.pk}-{value}": OPENER[value] for value in BANK}
            form |= {f"set-{table.pk}": "Bad Ragaz", f"cage_rules-{table.pk}": "Bad Ragaz"}
            form |= {f"tray_float-{table.pk}": "50 000", f"drop-{table.pk}": "", f"tronc-{table.pk}": ""}
        return form | changes
