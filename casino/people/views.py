"""Pages of signing in: its steps, the language, the house that one looks at."""

from collections.abc import Callable
from typing import Any, TypeVar

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from casino.people import services, signin
from casino.people.authenticators import Authenticator
from casino.people.context import HOUSE
from casino.people.forms import CodeForm, OwnPasswordForm, PasswordForm, SignInForm
from casino.people.models import Person
from casino.people.refusals import (
    CodeRefused,
    EnrolmentOver,
    PasswordRefused,
    PresentPasswordRefused,
    SignInBusy,
    SignInRefused,
)
from casino.text.floor import uuid_or_none
from casino.text.problems import refusal_context, retry_after, sentences
from payouts.errors import Refused
from payouts.models import House

View = TypeVar("View", bound=Callable[..., HttpResponse])


def sign_in_step(step: signin.Step) -> Callable[[View], View]:
    """Mark a view that a person may open who still owes exactly this step of the sign-in."""

    def marked(view: View) -> View:
        view.sign_in_step = step  # type: ignore[attr-defined]
        return view

    return marked


@login_not_required
@sensitive_post_parameters()
def sign_in(request: HttpRequest) -> HttpResponse:
    """Name, password, code. Whatever is wrong, the answer is the same."""
    after = request.POST.get("next") or request.GET.get("next") or ""
    if isinstance(request.user, Person) and signin.step_missing(request.user) is None:
        return redirect(_safe(request, after))
    form = SignInForm(request.POST or None)
    person, refused = None, None  # type: object, Refused | None
    if form.is_valid():
        try:
            person = authenticate(request, **form.cleaned_data)
        except SignInBusy as busy:
            refused = busy
        if isinstance(person, Person):
            signin.session_open(request, person)
            step = signin.step_missing(person)
            return redirect(step) if step else _known(redirect(_safe(request, after)), person)
        minutes = -(-settings.SIGN_IN_LOCK_S // 60)
        refused = refused or SignInRefused(tries=settings.SIGN_IN_TRIES, minutes=minutes)
    context = {"form": form, "next": after}
    return retry_after(
        render(request, "people/sign_in.html", context | refusal_context(refused)), refused
    )


@sign_in_step("own-password")
@sensitive_post_parameters()
def own_password(request: HttpRequest) -> HttpResponse:
    """In place of the one-time password the person sets their own."""
    person = person_of(request)
    if person.initial_password_until is None:
        return redirect("home")
    form, refused = OwnPasswordForm(request.POST or None), None
    if form.is_valid():
        try:
            services.password_own(person=person, password=form.cleaned_data["password"])
        except PasswordRefused as error:
            refused = error
        else:
            return _step_done(request, person)
    return render(request, "people/own_password.html", {"form": form} | refusal_context(refused))


@sign_in_step("enrolment")
def enrolment(request: HttpRequest) -> HttpResponse:
    """Show the secret of a new authenticator, and have it confirmed by a code."""
    person = person_of(request)
    if signin.step_missing(person) != "enrolment":
        return redirect("home")
    form, refused = CodeForm(request.POST or None), None
    if form.is_valid():
        try:
            signin.enrolment_confirm(
                request=request,
                person=person,
                device_id=request.session.get("enrolment"),
                code=form.cleaned_data["code"],
            )
        except CodeRefused as error:
            refused = error
        except EnrolmentOver as error:
            return _signed_out(request, error)
        else:
            return _step_done(request, person)
    device = signin.enrolment_open(
        person, request.session.get("enrolment")
    ) or signin.enrolment_begin(person)
    request.session["enrolment"] = device.pk
    return render(
        request,
        "people/enrolment.html",
        {"form": form} | _enrolment_context(device) | refusal_context(refused),
    )


@login_not_required
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session. Also for who has not finished to sign in."""
    if isinstance(request.user, Person):
        signin.signed_out(request.user)
    logout(request)
    return redirect(settings.LOGOUT_REDIRECT_URL)


@sensitive_post_parameters()
def password(request: HttpRequest) -> HttpResponse:
    """Change one's own password."""
    person = person_of(request)
    form, refused = PasswordForm(request.POST or None), None
    if form.is_valid():
        data = form.cleaned_data
        try:
            services.password_change(
                person=person, present=data["present"], password=data["password"]
            )
        except (PasswordRefused, PresentPasswordRefused) as error:
            refused = error
        else:
            update_session_auth_hash(request, person)
            messages.success(request, _("Your password was changed."))
            return _known(redirect("home"), person)
    return render(request, "people/password.html", {"form": form} | refusal_context(refused))


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Change the language: of the person if somebody is signed in, else of the browser."""
    code = request.POST.get("language", "")
    response = redirect(_safe(request, request.POST.get("next", "")))
    if code not in dict(settings.LANGUAGES) or not check_for_language(code):
        return response
    if isinstance(request.user, Person):
        services.language_set(person=request.user, language=code)
        request.session["language"] = code
    else:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=365 * 24 * 3600,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


@require_POST
def house(request: HttpRequest) -> HttpResponse:
    """Who is of no house chooses the one that pages are about, or none; then each tells its own
    house's times.
    """
    if person_of(request).house_id is not None:
        raise PermissionDenied
    chosen = uuid_or_none(request.POST.get("house", ""))
    is_there = chosen is not None and House.objects.filter(pk=chosen).exists()
    request.session[HOUSE] = str(chosen) if is_there else None
    return redirect("home")


def person_of(request: HttpRequest) -> Person:
    """Who asks; the middleware lets nobody else reach a view."""
    if not isinstance(request.user, Person):
        raise PermissionDenied
    return request.user


def _safe(request: HttpRequest, address: str) -> str:
    """The address if it is ours, else the start page."""
    if url_has_allowed_host_and_scheme(
        address, {request.get_host()}, require_https=request.is_secure()
    ):
        return address
    return resolve_url(settings.LOGIN_REDIRECT_URL)


def _step_done(request: HttpRequest, person: Person) -> HttpResponse:
    """One step of the sign-in was taken: keep the session with the person's new state, and go
    on."""
    update_session_auth_hash(request, person)
    step = signin.step_missing(person)
    if step is not None:
        return redirect(step)
    signin.session_complete(request, person)
    return _known(redirect("home"), person)


def _known(response: HttpResponse, person: Person) -> HttpResponse:
    signin.browser_keep(response, person)
    return response


def _signed_out(request: HttpRequest, refused: Refused) -> HttpResponse:
    logout(request)
    for sentence in sentences(refused):
        messages.error(request, sentence)
    return redirect("sign-in")


def _enrolment_context(device: Authenticator) -> dict[str, Any]:
    """The secret as a picture and as text in groups of four, for who cannot scan it."""
    picture = segno.make(device.config_url, error="m").svg_inline(
        omitsize=True, border=2, svgclass="qr", lineclass=None
    )
    secret = device.config_url.split("secret=")[1].split("&")[0]
    return {
        "qr": picture,
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
    }
