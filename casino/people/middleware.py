"""Between browser and views: the page's language, and nobody inside who has not proved both
factors.
"""

from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers
from structlog.contextvars import bind_contextvars

from casino.people.context import HOUSE, house_for
from casino.people.models import Person
from casino.people.refusals import SignInRequired
from casino.people.signin import HALF, step_missing
from casino.text.problems import API, problem, wants_json
from payouts.models import House

# they answer without the database, where sessions lie
WITHOUT_SESSION = ("/healthz", "/readyz", "/metrics")


class SlashMiddleware(CommonMiddleware):
    """An address without its last slash leads to the one with it, but for commands: sent again they
    would lose their body.
    """

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        """Whether to send whoever asks on."""
        reads = request.method in ("GET", "HEAD") or not request.path_info.startswith(API)
        return reads and super().should_redirect_with_slash(request)


class PersonLocaleMiddleware(LocaleMiddleware):
    """The person's own language, else the browser's choice (cookie), else what it accepts, else
    German.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of this request."""
        has_session = (
            settings.SESSION_COOKIE_NAME in request.COOKIES
            and request.path_info not in WITHOUT_SESSION
        )
        own = request.session.get("language") if has_session else None
        language = (
            own
            if own in dict(settings.LANGUAGES)
            else translation.get_language_from_request(request)
        )
        translation.activate(language)
        request.LANGUAGE_CODE = language


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Everything is closed unless its view says `login_not_required`; then the code is demanded as
    well as the password.

    A person who has shown their password but still owes a step (own password, authenticator)
    reaches that step's page alone.
    """

    def process_view(self, request, view_func, view_args, view_kwargs):  # type: ignore[no-untyped-def]  # as Django's
        """Let the request pass, or answer it here."""
        if not getattr(view_func, "login_required", True):
            return None
        user = request.user
        if not isinstance(user, Person):
            return self.handle_no_permission(request, view_func)
        bind_contextvars(user_id=str(user.pk))  # every line that this request logs names the person
        missing = step_missing(user)
        if missing is None:
            if user.house_id is None:
                user.chosen = House.objects.filter(pk=request.session.get(HOUSE)).first()
            # Never UTC: also what is of no house is told in the time of one, which the foot of the
            # page names.
            if house := house_for(user) or House.objects.order_by("name").first():
                timezone.activate(ZoneInfo(house.time_zone))
            return None
        if HALF not in request.session:  # the authenticator was taken from under a session: it ends
            logout(request)
            return self.handle_no_permission(request, view_func)
        if getattr(view_func, "sign_in_step", None) == missing:
            return None
        return problem(SignInRequired(), 401) if wants_json(request) else redirect(missing)

    def get_login_url(self, view_func: object) -> str:
        """One sign-in for all, whatever a view (the admin's) would like."""
        return settings.LOGIN_URL

    def handle_no_permission(self, request: HttpRequest, view_func: Any) -> Any:
        """To the sign-in page; a program gets a problem document instead."""
        if wants_json(request):
            return problem(SignInRequired(), 401)
        return super().handle_no_permission(request, view_func)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """No page stays in a cache: after sign-out the back button shows nothing."""
        timezone.deactivate()
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response
