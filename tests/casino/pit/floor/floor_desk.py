"""A floor with a browser for each of those who come to its pages."""

import re
from uuid import uuid4

from casino.people.models import Person
from casino.people.pins import pin_set
from tables.models import Round
from tests.casino.people import people
from tests.floor import Floor

PIN = "271828"
REFUSED = (400, 403, 404, 409, 422)  # said on the page, in words; which it is, `casino/text/problems.py` says


class FloorDesk(Floor):
    """`get` and `post` go through the whole stack, as people of the floor who are signed in."""

    def __init__(self, **changes: bool) -> None:
        super().__init__(**changes)
        roles = {
            "boss": "pit_boss",
            "second": "pit_boss",
            "manager": "manager",
            "tech": "technician",
            "auditor": "auditor",
            "watch": "surveillance",
            "croupier": "croupier",
        }
        self.people: dict[str, Person] = {
            name: people.make(self.house, f"{name}.floor", role, language="en") for name, role in roles.items()
        }
        people.make(self.house, "kasse.floor", "cage", pin="set")  # who pays prizes
        self.clients = {name: people.signed_in(person) for name, person in self.people.items()}

    def get(self, who: str, path: str = "", status: int = 200) -> str:
        response = self.clients[who].get(f"/floor/{path}", headers={"accept-language": "en"})
        assert response.status_code == status, (path, response.status_code)
        return response.content.decode()

    def post(self, who: str, path: str, status: int | tuple[int, ...] = 302, **fields: object) -> str:
        """Post a form; `box__1` stands for a field named `box.1`. Gives the page, or where it leads to."""
        data = {"key": str(uuid4()), "revision": "1"} | {
            name.replace("__", "."): str(value) for name, value in fields.items()
        }
        response = self.clients[who].post(f"/floor/{path}", data, headers={"accept-language": "en"})
        wanted = status if isinstance(status, tuple) else (status,)
        assert response.status_code in wanted, (response.status_code, words(response.content.decode()))
        return response.content.decode() or response["Location"]

    def pin(self, who: str) -> str:
        pin_set(person=self.people[who], pin=PIN)
        return PIN


def words(page: str) -> str:
    """What a page says, without its tags."""
    main = page.partition("<main")[2] or page
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", main))


def state_of(round_id: object) -> str:
    return Round.objects.get(pk=str(round_id)).state
