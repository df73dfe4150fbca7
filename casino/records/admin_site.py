"""Django's admin in the house's look, behind the house's own sign-in."""

from functools import update_wrapper
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from casino.records import model_names as admin_names
from payouts.errors import mark

OWN_APPS = {"casino", "tables", "jackpot", "payouts"}
# Words of Django's admin that its own catalogues lack in Italian, or spell with ß; ours
# (casino/locale) come first.
WORDS = (
    mark("Model name"),
    mark("Add link"),
    mark("Change or view list link"),
    mark("Error:"),
    mark("Close"),
)


class HouseAdminSite(AdminSite):
    """Only our own models, only people whose role enters, only through our sign-in."""

    site_title = "Saalchef"
    site_header = "Saalchef"
    index_title = _("Administration")
    site_url = "/"
    enable_nav_sidebar = False  # lists need the width; the way back is above them

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register models of our own apps; other packages' (among them the second factors' secrets)
        stay out.
        """
        models: list[Any] = (
            [model_or_iterable] if isinstance(model_or_iterable, type) else list(model_or_iterable)
        )
        own = [model for model in models if model._meta.app_label in OWN_APPS]
        for model in own:
            admin_names.name(model)
        if own:
            super().register(own, admin_class, **options)

    def get_urls(self) -> list[Any]:
        """As Django's, without "view on site", which we have no use for (and which breaks over ids
        that are no ids).
        """
        return [url for url in super().get_urls() if getattr(url, "name", "") != "view_on_site"]

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the person's role enters the admin, with both factors proved."""
        return bool(super().has_permission(request) and getattr(request.user, "otp_device", None))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002
        """As Django's, but who is signed in and may not enter is told so, instead of being asked to
        sign in again.
        """
        inner = super().admin_view(view, cacheable)

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if not self.has_permission(request):
                raise PermissionDenied
            if "%00" in request.get_full_path():
                # the admin would hand it on to PostgreSQL, which knows no NUL in a text
                raise BadRequest
            return inner(request, *args, **kwargs)

        return update_wrapper(guarded, inner)

    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """There is one sign-in page."""
        return redirect(f"{reverse('sign-in')}?{urlencode({'next': request.GET.get('next', '')})}")

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """There is one sign-out; the admin's pages post to it directly."""
        return redirect("home")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """There is one page for it."""
        return redirect("password")

    def password_change_done(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """There is one page for it."""
        return redirect("password")
