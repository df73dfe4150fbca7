"""In the bar of every page: how much the person may sign now, of whatever kind; of what expires first the amount and until when."""

import re
from zoneinfo import ZoneInfo

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino.people.roles import CODES
from payouts.models import Approval
from payouts.rules.approval import ApprovalNeed
from payouts.services import approval_rule_request
from tests.casino.people import people
from tests.casino.pit.floor.floor_desk import words
from tests.casino.pit.test_statements import Waiting
from tests.floor import done
from tests.jackpot.linked import Linked, royal
from tests.worlds import world

LINE = {"action": "round.correct", "rule": ApprovalNeed(2, ("manager",)), "reason": "agreed"}


def badge(client: Client) -> tuple[str, str]:
    """What it says, and where it leads."""
    page = client.get("/waits-for-you/", headers={"accept-language": "en"})
    assert page.status_code == 200
    link = re.search(r'<a href="([^"]+)"', page.content.decode())
    return words(page.content.decode()).strip(), link[1] if link else ""


def board_counts(client: Client) -> int:
    approvals = client.get("/pit/board/").content.decode().partition('id="approvals"')[2]
    return int(re.findall(r'<span class="quiet">(\d+)</span>', approvals)[0])


@world(Waiting)
def test_badge_counts_what_the_board_counts_of_every_kind(floor: Waiting) -> None:
    house = floor.linked.house
    floor.more()
    done(approval_rule_request, house_id=house.pk, **LINE, requester_id=floor.linked.bea.pk)
    clients = {role: people.signed_in(people.make(house, f"s.{role.replace('_', '')}", role)) for role in CODES}
    texts = {role: badge(client)[0] for role, client in clients.items()}
    counts = {role: int(text.split()[4]) if text else 0 for role, text in texts.items()}
    one_each = {"auditor": 1, "technician": 1}  # by the matrix, of the rule
    assert counts == dict.fromkeys(CODES, 0) | {"pit_boss": 2, "manager": 3} | one_each
    boards = {role: board_counts(client) for role, client in clients.items() if role not in ("croupier", "cage")}
    assert boards == {role: counts[role] for role in boards}
    signer = people.make(house, "s.whole", "manager")
    floor.linked.sign_plainly(Approval.objects.get(house=house, action="round.correct"), signer)
    assert [badge(clients[role])[0].split()[4] for role in ("pit_boss", "manager")] == ["1", "2"]  # signed whole


@world(Linked)
def test_badge_names_amount_deadline_and_place_of_what_expires_first(linked: Linked) -> None:
    linked.end(0, linked.start(0), royal("h"))
    linked.advance()
    manager = people.make(linked.house, "s.manager", "manager")
    client = people.signed_in(manager)
    text, href = badge(client)
    assert (text.split()[4], href) == ("1", f"/floor/jackpots/{linked.jackpot.pk}/#claim-1")
    linked.verify_all()
    award = linked.asked()
    until = f"{award.expires_at.astimezone(ZoneInfo(linked.house.time_zone)):%H:%M:%S}"
    place = f"/pit/jackpots/{linked.jackpot.pk}/#asked-{award.pk}"
    assert badge(client) == (f"Waits for you · 1 CHF 10’001.00 · until {until}", place)
    later = done(approval_rule_request, house_id=linked.house.pk, **LINE, requester_id=linked.bea.pk)
    assert later.expires_at > award.expires_at
    assert badge(client) == (f"Waits for you · 2 CHF 10’001.00 · until {until}", place)
    linked.sign(award, manager)
    assert badge(client)[1] == f"/approval-rules/asked/{later.pk}/"


@world(Waiting)
def test_badge_takes_as_many_statements_for_much_as_for_little(floor: Waiting) -> None:
    counted = []
    for _ in range(2):
        floor.more()
        badge(floor.client)
        with CaptureQueriesContext(connection) as statements:
            counted.append((badge(floor.client)[0].split()[4], len(statements)))
    assert counted == [("2", 6), ("4", 6)]
