"""The sign-in page and the session that it opens: each way in, each refusal."""

import re
from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from casino.people.authenticators import Authenticator
from casino.people.models import Person
from payouts.models import Event, House
from tests.casino.people import people
from tests.turns import each

REFUSED = "Name, Passwort und Code passen nicht zusammen, oder diese Anmeldung ist gesperrt."


def alert(response) -> str:
    """What the page says in its alert, without the rest."""
    found = re.search(r'role="alert">(.*?)</div></div>', response.content.decode(), re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[1])).strip() if found else ""


def events(*, newest: int = 10) -> list[str]:
    return list(Event.objects.filter(subject_kind="person").order_by("-pk").values_list("name", flat=True)[:newest])


def test_right_name_password_and_code_open_the_house(client: Client, person: Person) -> None:
    response = people.sign_in(client, person)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert client.get("/", follow=True).redirect_chain == [("/home/croupier/", 302)]
    assert events() == ["sign_in.done"]
    person.refresh_from_db()
    assert person.signed_in_at is not None
    event = Event.objects.get(name="sign_in.done")
    assert (event.actor_id, event.subject_id, event.house_id) == (person.pk, str(person.pk), person.house_id)


def test_name_may_be_typed_in_any_case_and_code_with_its_gap(client: Client, person: Person) -> None:
    code = people.code(person)
    data = {"username": " A.Muster ", "password": people.PASSWORD, "code": f"{code[:3]} {code[3:]}"}
    assert client.post("/sign-in/", data).status_code == 302


@each(
    ("changes", "why"),
    [
        ({"password": "falsch"}, "password"),
        ({"password": people.PASSWORD + " "}, "password"),
        ({"code": ""}, "code"),
        ({"code": "wrong"}, "code"),
        ({"code": "12345"}, "code"),
        ({"code": "１２３４５６"}, "code"),
        ({"code": "+12345"}, "code"),
        ({"code": "1_2345"}, "code"),
        ({"username": "nobody"}, "unknown name"),
        ({"username": "x" * 50}, "unknown name"),
        ({"username": "<script>alert(1)</script>"}, "unknown name"),
        ({"username": "' OR 1=1 --"}, "unknown name"),
        ({"username": "\uff41.muster\u202e"}, "unknown name"),
    ],
)
def test_each_wrong_part_is_refused_in_the_same_words(
    client, person: Person, changes: dict[str, str], why: str
) -> None:
    data = {"username": person.username, "password": people.PASSWORD, "code": people.code(person)} | changes
    if data["code"] == "wrong":
        data["code"] = people.wrong(person)
    response = client.post("/sign-in/", data)
    assert response.status_code == 200
    assert alert(response).startswith(REFUSED)
    assert "_auth_user_id" not in client.session
    event = Event.objects.get(name="sign_in.refused")
    assert event.reason == why
    assert event.actor_id is None
    assert event.subject_id == ("" if why == "unknown name" else str(person.pk))


def test_refusal_does_not_tell_which_names_exist(client: Client, person: Person) -> None:
    known = people.sign_in(client, person, code_given=people.wrong(person))
    data = {"username": "n.obody", "password": people.PASSWORD, "code": "000000"}
    unknown = Client().post("/sign-in/", data)
    assert alert(known) == alert(unknown) != ""


def test_unknown_name_costs_the_same_hashing(client: Client, person: Person, monkeypatch) -> None:
    hashed = []
    monkeypatch.setattr("casino.people.signin.make_password", hashed.append)
    client.post("/sign-in/", {"username": "n.obody", "password": "geheim", "code": "000000"})
    assert hashed == ["geheim"]


@each("field", ["username", "password"])
@each("value", ["", "a\0b"])
def test_empty_or_unspeakable_field_is_said_beside_it(client: Client, person: Person, field: str, value: str) -> None:
    data = {"username": person.username, "password": people.PASSWORD, "code": people.code(person)} | {field: value}
    response = client.post("/sign-in/", data)
    assert response.status_code == 200
    assert response.context["form"].errors[field]
    assert not Event.objects.filter(name__startswith="sign_in").exists()


def test_password_is_never_given_back(client: Client, person: Person) -> None:
    response = people.sign_in(client, person, password="zeig mich nicht")
    assert b"zeig mich nicht" not in response.content


def test_code_opens_once(client: Client, person: Person) -> None:
    code = people.code(person)
    assert people.sign_in(client, person, code_given=code).status_code == 302
    assert people.sign_in(Client(), person, code_given=code).status_code == 200
    assert Event.objects.get(name="sign_in.refused").reason == "code"


def test_codes_of_one_step_before_and_after_are_taken_and_no_further(client: Client, person: Person) -> None:
    assert people.sign_in(client, person, code_given=people.code(person, steps=-3)).status_code == 200
    assert people.sign_in(client, person, code_given=people.code(person, steps=3)).status_code == 200
    assert people.sign_in(client, person, code_given=people.code(person, steps=1)).status_code == 302


@each(
    ("fields", "why"),
    [({"is_active": False}, "inactive"), ({"initial_password_until": timezone.now()}, "initial password expired")],
)
def test_who_may_not_be_here_is_refused_like_anybody(client, person: Person, fields, why: str) -> None:
    Person.objects.filter(pk=person.pk).update(**fields)
    assert alert(people.sign_in(client, person)).startswith(REFUSED)
    assert Event.objects.get(name="sign_in.refused").reason == why


def test_deactivation_ends_a_running_session(person: Person) -> None:
    client = people.signed_in(person)
    assert client.get("/home/croupier/").status_code == 200
    Person.objects.filter(pk=person.pk).update(is_active=False)
    assert client.get("/home/croupier/")["Location"] == "/sign-in/?next=/home/croupier/"


def test_password_change_elsewhere_ends_a_running_session(person: Person) -> None:
    client = people.signed_in(person)
    person.set_password("ein ganz anderes")
    person.save()
    assert client.get("/home/croupier/").status_code == 302


def test_taken_authenticator_ends_a_running_session(person: Person) -> None:
    client = people.signed_in(person)
    Authenticator.objects.filter(user=person).delete()
    assert client.get("/home/croupier/")["Location"] == "/sign-in/?next=/home/croupier/"
    assert "_auth_user_id" not in client.session


def test_session_with_password_alone_opens_nothing(client: Client, person: Person) -> None:
    client.force_login(person)  # as any other code might do that forgets the second factor
    for address in ("/", "/home/croupier/", "/password/", "/admin/", "/sign-in/authenticator/"):
        assert client.get(address)["Location"].startswith("/sign-in/?next="), address


def test_session_key_changes_and_nothing_of_the_old_session_stays(client: Client, person: Person) -> None:
    session = client.session
    session["planted"] = True
    session.save()
    old = session.session_key
    people.sign_in(client, person)
    assert client.session.session_key != old
    assert "planted" not in client.session
    assert not Session.objects.filter(session_key=old).exists()


def test_session_cookie_bears_the_instance_and_is_out_of_reach_for_scripts(client: Client, person: Person) -> None:
    people.sign_in(client, person)
    cookie = client.cookies["saalchef-test"]
    assert f"saalchef-{settings.INSTANCE}" == settings.SESSION_COOKIE_NAME
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_sign_out_ends_the_session_and_is_written_down(person: Person) -> None:
    client = people.signed_in(person)
    key = client.session.session_key
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert not Session.objects.filter(session_key=key).exists()
    assert events() == ["sign_out.done"]
    assert client.get("/").status_code == 302


def test_sign_out_by_a_link_does_nothing(person: Person) -> None:
    client = people.signed_in(person)
    assert client.get("/sign-out/").status_code == 405
    assert client.get("/home/croupier/").status_code == 200


def test_sign_out_needs_the_forms_token(person: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies = people.signed_in(person).cookies
    assert client.post("/sign-out/").status_code == 403
    assert client.get("/home/croupier/").status_code == 200


@each(
    ("after", "to"),
    [
        ("/home/croupier/?a=1", "/home/croupier/?a=1"),
        ("", "/"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("javascript:alert(1)", "/"),
    ],
)
def test_sign_in_goes_on_only_within_the_house(client: Client, person: Person, after: str, to: str) -> None:
    data = {"username": person.username, "password": people.PASSWORD, "code": people.code(person), "next": after}
    assert client.post("/sign-in/", data)["Location"] == to


def test_who_is_signed_in_is_sent_on(person: Person) -> None:
    assert people.signed_in(person).get("/sign-in/?next=/password/")["Location"] == "/password/"


def test_home_tells_of_the_sign_in_before_and_of_wrong_tries(client: Client, person: Person) -> None:
    before = timezone.now() - timedelta(days=2)
    Person.objects.filter(pk=person.pk).update(signed_in_at=before)
    people.sign_in(client, person, password="falsch")
    people.sign_in(client, person, password="falsch")
    people.sign_in(client, person)
    context = client.get("/home/croupier/").context
    assert (context["previous_sign_in"], context["wrong_tries"]) == (before, 2)


def test_demo_codes_do_not_exist_here(client: Client, db: None) -> None:
    assert client.get("/sign-in/demo/").status_code == 404


def test_program_gets_a_problem_document(client: Client, house: House) -> None:
    for response in (
        client.get("/api/anything/"),
        client.get("/home/croupier/", headers={"Accept": "application/json"}),
    ):
        assert response["Content-Type"] == "application/problem+json"
    assert client.get("/api/anything/").status_code == 404
    body = client.get("/home/croupier/", headers={"Accept": "application/json", "Accept-Language": "fr"}).json()
    assert (body["status"], body["code"], body["title"]) == (401, "sign_in.required", "Aucune session n’est ouverte.")


def test_pages_stay_in_no_cache(person: Person) -> None:
    for address in ("/sign-in/", "/home/croupier/"):
        assert "no-store" in people.signed_in(person).get(address)["Cache-Control"]
