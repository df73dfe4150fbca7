"""The bar of places: on every page of a signed-in person, with what opens to him and nothing else."""

import re

from django.test import Client

from casino.people.roles import CODES
from payouts.models import House
from tests.casino.people import people
from tests.casino.test_walk import TABLE
from tests.cast import make_house

WITHOUT = (
    "sign-in/",
    "tablet/",
    "display/",
    "admin/",
    "manifest/",
    "api/schema/",
)  # screens of their own, and the admin with its way back


def bar(client: Client, address: str) -> list[tuple[str, str, str]]:
    """Words, address and mark of each link in the bar of a page, as it is where there is little room."""
    page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert page.count('aria-label="Places"') == 1, address
    there = page.partition('aria-label="Places"')[2].partition("</details>")[0]
    return [
        (words, href, current)
        for href, current, words in re.findall(r'<li><a href="([^"]+)"(?: aria-current="(\w+)")?>([^<]+)</a>', there)
    ]


def test_each_link_of_each_role_opens_and_marks_itself(house: House) -> None:
    for role in CODES:
        client = people.signed_in(people.make(house, f"b.{role.replace('_', '')}", role))
        for words, href, _current in bar(client, f"/home/{role}/"):
            assert client.get(href).status_code == 200, (role, href)
            if href != "/admin/":
                assert [one for one in bar(client, href) if one[2]] == [(words, href, "page")], (role, href)


def test_each_role_has_what_opens_to_it(house: House) -> None:
    for role in CODES:
        client = people.signed_in(people.make(house, f"b.{role.replace('_', '')}", role))
        opens = {href for href in [f"/{one}" for one in TABLE] if role in TABLE[href[1:]].roles}
        there = {href for _words, href, _current in bar(client, f"/home/{role}/")}
        assert there - {f"/home/{role}/"} == {one for one in opens if one in PLACES}, role


PLACES = {
    "/pit/",
    "/floor/",
    "/floor/jackpots/",
    "/cage/chips/",
    "/cage/differences/",
    "/cage/drops/",
    "/floor/slips/",
    "/floor/set-up/",
    "/devices/",
    "/pins/",
    "/posted-tables/",
}
PLACES |= {"/audit/", "/audit/reports/", "/admin/"}


def test_every_page_has_the_bar(house: House) -> None:
    """Whoever opens a page of the walk finds the bar on it, and in it the place of what waits for them."""
    client = people.signed_in(people.make(house, "x.all", *CODES))
    bare, mute = [], []
    for pattern, row in TABLE.items():
        address = f"/{row.path or pattern}"
        if pattern.startswith(WITHOUT) or row.public or row.method != "get" or row.status != 200 or not row.roles:
            continue
        page = client.get(address)
        if page["Content-Type"].startswith("text/html") and page.status_code == 200:
            bare += [address] if b'class="places' not in page.content else []
            mute += [address] if page.content.count(b'data-part-address="/waits-for-you/"') != 1 else []
    # parts of pages that are read again
    assert (bare, mute) == (["/waits-for-you/", "/ready-for-tonight/", "/pit/board/"],) * 2
    assert client.get("/admin/").content.count(b'data-part-address="/waits-for-you/"') == 1


def test_page_below_a_place_marks_the_nearest(house: House) -> None:
    client = people.signed_in(people.make(house, "m.leitung", "manager"))
    for address, words in (
        ("/pit/jackpots/", "Jackpot"),
        ("/pit/hand-over/", "Pit"),
        ("/audit/verify/", "Audit desk"),
        ("/audit/reports/slips/", "Reports"),
        ("/first-steps/", ""),
        ("/password/", ""),
    ):
        assert "".join(one[0] for one in bar(client, address) if one[2]) == words, address


def test_no_place_of_a_house_for_who_is_of_none_among_several(chief, house: House) -> None:
    client = people.signed_in(chief)
    assert "/pit/" in {href for _words, href, _current in bar(client, "/home/manager/")}
    make_house("Casino Wiesbaden", "EUR")
    for _words, href, _current in bar(client, "/home/manager/"):
        assert client.get(href).status_code == 200, href


def test_wall_has_none(house: House) -> None:
    boss = people.signed_in(people.make(house, "b.oss", "pit_boss"))
    assert b'class="places' in boss.get("/pit/").content
    wall = boss.get("/pit/?kiosk=1").content
    assert (b'class="places' in wall, b"data-part" in wall) == (False, False)
