"""The pit's pages as a desk reads them: what a tile says, and data of an alert."""

import re

from tests.casino.pit.floor.floor_desk import FloorDesk

PACE = {"an_hour": 3, "least": 10, "most": 90}


def get(desk: FloorDesk, who: str = "boss", path: str = "", status: int = 200, **headers: str):
    response = desk.clients[who].get(f"/pit/{path}", headers={"accept-language": "en"} | headers)
    assert response.status_code == status, (path, response.status_code)
    return response


def said(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def tile(desk: FloorDesk, name: str) -> tuple[str, str]:
    """Classes and words of a tile."""
    page = get(desk, path="board/").content.decode()
    (found,) = (part for part in page.split('<li class="tile ')[1:] if f'data-table="{name}"' in part)
    classes, _, rest = found.partition('"')
    return classes, said(rest.partition("</li>")[0])


def since(table) -> dict[str, str]:
    return {"table": str(table.pk), "since": "2026-11-21T22:14:05+00:00"}
