"""Nobody is led to a closed door: each role follows every link from its own start page, in a house that has lived."""

from collections import Counter, deque
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from casino.people.roles import CODES
from tests.casino.audit.desk import Desk
from tests.casino.people import people

EACH = 3  # so many pages of one kind: rounds, accounts, rows of the admin
FAR = ("/static/", "/admin/jsi18n/")  # files, not pages


class Links(HTMLParser):
    """Where the links of a page lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get("href")
        if tag == "a" and address:
            self.found.append(address)


def followed(client: Client, start: str) -> tuple[Counter[str], list[tuple[int, str, str]]]:
    """How many pages of each kind were opened; and status, address and the page before of each that did not open."""
    opened: Counter[str] = Counter()
    closed: list[tuple[int, str, str]] = []
    seen, waiting = {start}, deque([(start, "")])
    while waiting:
        address, before = waiting.popleft()
        kind = resolve(urlsplit(address).path).route
        if opened[kind] == EACH:
            continue
        opened[kind] += 1
        response = client.get(address, follow=True)
        if response.status_code != 200:
            closed.append((response.status_code, address, before))
        if response.streaming or not response["Content-Type"].startswith("text/html"):
            continue
        at = response.redirect_chain[-1][0] if response.redirect_chain else address
        for link in Links(response.content.decode()).found:
            there = urldefrag(urljoin(at, link)).url
            if urlsplit(there).netloc or there.startswith(FAR) or there in seen:
                continue
            seen.add(there)
            waiting.append((there, at))
    return opened, closed


@pytest.mark.parametrize("role", CODES)
def test_every_link_opens_for_who_sees_it(desk: Desk, role: str) -> None:
    client = people.signed_in(people.make(desk.house, f"l.{role}", role))
    opened, closed = followed(client, "/")
    assert closed == []
    assert sum(opened.values()) > 3
    if role == "auditor":
        assert {"audit/rounds/<uuid:pk>/", "audit/hits/<uuid:pk>/", "audit/transfers/<int:pk>/"} <= set(opened), opened
