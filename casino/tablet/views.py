"""Pages of a tablet: signing in by PIN, taking the table over, signing out."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.demo.tablet import demo_pins, demo_tables, demo_tablet
from casino.devices import names as devices_names
from casino.devices import signin
from casino.devices.alone import tablet_use
from casino.devices.door import DeviceRequest, at_tablet
from casino.devices.entry import Entry
from casino.devices.kinds import TABLETS
from casino.devices.refusals import DeviceSignInRequired
from casino.games import screens_of
from casino.people.context import HouseClock
from casino.people.models import Person
from casino.people.services import language_set
from casino.pit.croupier import ask_whether_both, tables_of
from casino.tablet.count import opener_of_page
from casino.tablet.forms import HandOverForm, SignInForm, WakeForm
from casino.tablet.left import was_left
from casino.tablet.round import round_page, sender
from casino.tablet.works import works_at
from casino.text.floor import uuid_or_none
from casino.text.problems import problem, refusal_context, retry_after
from payouts.commands import request_fingerprint, run_once
from payouts.errors import Refused
from payouts.rules.plain import Json, check_text

ENTRY = Entry(TABLETS, demo_tables, demo_tablet)


@at_tablet
@require_GET
def device(request: DeviceRequest) -> HttpResponse:
    """The table, for who is signed in; else the sign-in."""
    if request.device_person is None:
        return redirect("tablet-sign-in", request.device.pk)
    if works_at(request.device_person, request.device.own_table):
        return round_page(request, request.device_person)
    if was_left(request):
        return redirect("tablet-sign-in", request.device.pk)
    return _table_page(request, request.device_person, None)


@at_tablet
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def sign_in(request: DeviceRequest) -> HttpResponse:
    """Who, and their PIN. Whoever was signed in before is out then."""
    sent = request.POST if request.method == "POST" else None
    form, refused = SignInForm(sent, auto_id="%s"), None
    if sent is not None:
        values = form.values
        try:
            signin.device_sign_in(
                device=request.device,
                pin=values["pin"],
                person_id=uuid_or_none(values["person"]),
                username=values["username"],
            )
        except Refused as error:
            refused = error
        else:
            response = redirect("tablet-device", request.device.pk)
            TABLETS.renew(request, response, request.device.pk)
            return response
    names = devices_names.names(request.device)
    form.initial["person"] = str(names.chosen.pk) if names.chosen else "" if names.keys else "other"
    context = {"names": names, "form": form, "demo_pins": demo_pins()}
    return retry_after(
        _page(request, "tablet/sign_in.html", context | refusal_context(refused)), refused
    )


@at_tablet
@require_GET
def presence(request: DeviceRequest) -> HttpResponse:
    """A page on which nobody deals says that its tablet lives; it is told (205) once the table is
    no longer as it shows it.
    """
    is_old = request.GET.get("shows", now := _shows(request)) != now
    return HttpResponse(status=205 if is_old else 204)


@at_tablet
@require_POST
def idle(request: DeviceRequest) -> HttpResponse:
    """The page says that nobody has touched it for long."""
    if request.seat.session:
        signin.device_idle(session=request.seat.session)
    return HttpResponse(status=204)


@at_tablet
@require_POST
def touched(request: DeviceRequest) -> HttpResponse:
    """The page says that somebody touches it, or that a round or hand runs. A problem document says
    that it waits for the PIN.
    """
    if request.seat.session is None:
        return problem(DeviceSignInRequired())
    try:
        tablet_use(request.seat)
    except Refused as refused:
        return problem(refused)
    return HttpResponse(status=204)


@at_tablet
@require_POST
@sensitive_post_parameters()
def wake(request: DeviceRequest) -> HttpResponse:
    """The PIN of who is signed in: the page goes on where it was. A problem document says why
    not."""
    if request.seat.session is None:
        return problem(DeviceSignInRequired())
    try:
        pin = WakeForm(request.POST).values["pin"]
        signin.device_wake(session=request.seat.session, pin=pin)
    except Refused as refused:
        return problem(refused)
    return HttpResponse(status=204)


@at_tablet
@require_POST
def sign_out(request: DeviceRequest) -> HttpResponse:
    """End the sign-in on this device."""
    if request.seat.session:
        signin.device_sign_out(session=request.seat.session)
    return redirect("tablet-sign-in", request.device.pk)


@at_tablet
@require_POST
def hand_over(request: DeviceRequest) -> HttpResponse:
    """Take the table over from the croupier who has it, also in the middle of a round; who has
    another one is asked about it.
    """
    person, table = request.device_person, request.device.own_table
    if person is None or was_left(request):
        return redirect("tablet-sign-in", request.device.pk)

    def work() -> Json:
        # here, so that pages which need no floor load without it
        from tables.services import table_hand_over

        table_hand_over(
            house_id=table.house_id, table_id=table.pk, croupier_id=person.pk, actor_id=person.pk
        )
        return str(table.pk)

    body = {"table": str(table.pk), "croupier": str(person.pk)}
    try:
        ask_whether_both(table, person.pk, is_said=HandOverForm(request.POST).values["both"])
        key = check_text(request.POST.get("key", ""), "key", least=32, most=40)
        # the device's own, as those of what it sends are (`casino/api/views.py`): nobody else can
        # have used it up
        run_once(
            f"{request.device.pk}:{key}",
            request_fingerprint("table.hand_over", person.pk, body),
            work,
        )
    except Refused as refused:
        return _table_page(request, person, refused)
    return redirect("tablet-device", request.device.pk)


@at_tablet
@require_POST
def language(request: DeviceRequest) -> HttpResponse:
    """Change the language: of the person who is signed in on the tablet, else of its browser."""
    code = request.POST.get("language", "")
    response = redirect("tablet-device", request.device.pk)
    if code not in dict(settings.LANGUAGES):
        return response
    if request.device_person:
        language_set(person=request.device_person, language=code)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=365 * 24 * 3600,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _shows(request: DeviceRequest) -> str:
    """What the table's page shows: who is signed in, and who has the table since it was opened
    last.
    """
    person, session = request.device_person, request.device.own_table.session
    ids = (person and person.pk, session and session.pk, session and session.croupier_id)
    return ".".join(str(one or "") for one in ids)


def _table_page(request: DeviceRequest, person: Person, refused: Refused | None) -> HttpResponse:
    session = request.device.own_table.session
    on_duty = Person.objects.filter(pk=session.croupier_id).first() if session else None
    elsewhere = not screens_of(request.device.own_table.game).TABLET
    has = tables_of(request.device.own_table, person.pk) if session else []
    context = {
        "session": session,
        "on_duty": on_duty,
        "elsewhere": elsewhere,
        "has": ", ".join(has),
        "form": HandOverForm(initial={"both": "1"}, auto_id=False),
    }
    context |= {} if session else opener_of_page(person, request.device.own_table)
    context["shows"] = _shows(request)
    return _page(request, "tablet/table.html", context | refusal_context(refused))


def _page(request: DeviceRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    shared = {
        "device": request.device,
        "table": request.device.table,
        "person": request.device_person,
    }
    shared |= sender(request)
    return render(
        request, template, shared | context | {"here": HouseClock.at(request.device.house)}
    )
