"""Addresses below /api/ that there are not answer as the API does; its page for people leads to the sign-in like any other."""

from django.test import Client

from casino.text.request_errors import AddressUnknown
from tests.casino.api.callers import Callers
from tests.turns import each


@each("path", ["/api/", "/api/nothing/", "/api/tables/123/", "/api/tables/none/open/"])
def test_an_unknown_address_is_a_problem_document(db: None, path: str) -> None:
    for method in ("get", "post", "put", "delete"):
        answer = getattr(Client(), method)(path, headers={"Accept": "text/html", "Accept-Language": "en"})
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json"), method
        assert answer.json() == {
            "type": "about:blank",
            "title": AddressUnknown.sentence,
            "detail": AddressUnknown.remedy,
            "status": 404,
            "code": "request.not_found",
            "rule": None,
            "data": {},
        }


def test_a_command_to_an_address_without_its_last_slash_is_not_sent_on(callers: Callers) -> None:
    """Whoever is sent on commands nothing, and reads the list instead."""
    client, there = callers.boss.client, f"/api/tables/{callers.floor.table.pk}/close"
    assert client.post(there, headers={"Idempotency-Key": "no-slash-1"}).json()["code"] == "request.not_found"
    assert client.get("/api/tables").headers["Location"] == "/api/tables/"


def test_the_page_of_the_api_leads_to_the_sign_in(db: None) -> None:
    assert Client().get("/api/docs/").headers["Location"] == "/sign-in/?next=/api/docs/"
    assert Client().get("/api/schema/").json()["code"] == "sign_in.required"  # for programs
