"""People in the admin: made, changed and helped by managers, each act a service that writes its
event.
"""

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.people import pins, roles, services
from casino.people.authenticators import Authenticator
from casino.people.context import people_of
from casino.people.models import Person
from casino.people.resting import never_locked
from casino.text.floor import colon
from casino.text.problems import sentences
from payouts.errors import Refused
from payouts.models import Approval, House
from payouts.own_times import OwnTimes
from payouts.rules.approval import REST_HOURS

if TYPE_CHECKING:  # Django's own classes are generic for the type checker only
    _PersonForm = forms.ModelForm[Person]
    _PersonAdmin = admin.ModelAdmin[Person]
else:
    _PersonForm, _PersonAdmin = forms.ModelForm, admin.ModelAdmin


class PersonForm(_PersonForm):
    """Particulars of a person, checked by the same function that the service uses."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=[(role.code, role.label) for role in roles.ROLES.values()],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("The first one is the person's start page."),
    )

    class Meta:
        model = Person
        fields = ("username", "full_name", "house", "roles", "language")

    def clean_username(self) -> str:
        """As it is stored, so that a name taken is found however it was typed."""
        return Person.normalize_username(self.cleaned_data["username"])

    def clean(self) -> dict[str, Any]:
        """What the service would refuse is refused here, beside the fields."""
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        fixed = self.instance
        try:
            services.person_new(
                username=data.get("username", fixed.username),
                full_name=data["full_name"],
                house=data["house"] if "house" in self.fields else fixed.house,
                role_codes=data["roles"] if "roles" in self.fields else fixed.roles,
                language=data["language"],
            )
        except Refused as refused:
            raise forms.ValidationError(" ".join(sentences(refused))) from refused
        return data


@admin.register(Person)
class PersonAdmin(OwnTimes, _PersonAdmin):
    """People: never deleted, changed by managers only, within their house."""

    form = PersonForm
    list_display = ("full_name", "username", "role_names", "house", "state", "signed_in_at")
    list_filter = ("is_active", "house")
    search_fields = ("full_name", "username")
    list_select_related = ("house",)
    show_facets = admin.ShowFacets.NEVER
    actions = (
        "unlock_sign_in",
        "unlock_pin",
        "new_password",
        "reset_second_factor",
        "deactivate",
        "activate",
    )
    facts = ("state", "second_factor", "signed_in_at", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        """Only people within reach."""
        return people_of(_by(request))

    def get_list_filter(self, request: HttpRequest) -> tuple[str, ...]:
        """A person of one house learns of no other; people of none filter by house."""
        return ("is_active",) if _by(request).house_id else self.list_filter

    def has_delete_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        """Nobody: the books name them."""
        return False

    def get_fieldsets(self, request: HttpRequest, obj: Person | None = None) -> Any:
        """Particulars; facts once the person exists."""
        own = obj is not None and obj.pk == _by(request).pk
        reads = own or not self.has_change_permission(request, obj)
        shown = (
            "username",
            "full_name",
            "house",
            "role_names" if reads and obj else "roles",
            "language",
        )
        particulars = (None, {"fields": shown})
        return (
            (particulars, (gettext("Sign-in"), {"fields": self.facts})) if obj else (particulars,)
        )

    def get_readonly_fields(
        self, request: HttpRequest, obj: Person | None = None
    ) -> tuple[str, ...]:
        """The sign-in name stays; one's own roles and house are another manager's business."""
        if obj is None:
            return ()
        own = ("house", "roles", "role_names") if obj.pk == _by(request).pk else ()
        reads = () if self.has_change_permission(request, obj) else ("role_names",)
        return ("username", *own, *reads, *self.facts)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """A manager of one house makes people of that house."""
        if db_field.name == "house" and _by(request).house_id is not None:
            kwargs["queryset"] = House.objects.filter(people=_by(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """As Django's; a refusal that the form could not foresee is said on the page."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except Refused as refused:
            self.message_user(request, " ".join(sentences(refused)), messages.ERROR)
            return HttpResponseRedirect(request.path)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """As Django's; where nobody rests yet, the page says so."""
        for name in never_locked(_by(request)) if request.method == "GET" else ():
            sentence = gettext(
                "%(house)s has not locked a round yet: until its first lock people whose sign-in or"
                " roles another person set may ask for posted tables and for roles that sign, and"
                " sign them, at once. From everything else they rest for %(hours)s hours, as all do"
                " afterwards."
            )
            self.message_user(
                request, sentence % {"house": name, "hours": REST_HOURS}, messages.WARNING
            )
        return super().changelist_view(request, extra_context)

    def save_model(
        self,
        request: HttpRequest,
        obj: Person,
        form: _PersonForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Make or change the person by the service; a new one's password is kept for the answer
        alone.
        """
        data: dict[str, Any] = {
            "full_name": obj.full_name,
            "house": obj.house,
            "role_codes": obj.roles,
            "language": obj.language,
        }
        if change:
            if services.particulars_set(person=obj, by=_by(request), **data):
                self._asked(request, obj.full_name)
            return
        person, password = services.person_create(username=obj.username, by=_by(request), **data)
        if not person.is_active:
            self._asked(request, person.full_name)
        obj.pk, obj._state.adding = person.pk, False
        request.one_time_passwords = [(person, password)]  # type: ignore[attr-defined]

    def response_add(
        self, request: HttpRequest, obj: Person, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the one-time password now, and never again: it is stored nowhere."""
        return self._passwords_page(request, request.one_time_passwords)  # type: ignore[attr-defined]

    @admin.display(description=_("Roles"))
    def role_names(self, person: Person) -> str:
        return ", ".join(roles.label(code) for code in person.known_roles())

    @admin.display(description=_("State"))
    def state(self, person: Person) -> str:
        states = [] if person.is_active else [gettext("deactivated")]
        if person.sign_in_locked_until and person.sign_in_locked_until > timezone.now():
            states.append(gettext("sign-in locked"))
        if person.pin_locked_at:
            states.append(gettext("PIN locked"))
        if person.initial_password_until:
            late = person.initial_password_until <= timezone.now()
            states.append(
                gettext("one-time password expired")
                if late
                else gettext("one-time password handed out")
            )
        if person.is_demo:
            states.append(gettext("demo"))
        return ", ".join(states) or gettext("in order")

    @admin.display(description=_("Authenticator"))
    def second_factor(self, person: Person) -> str:
        device = Authenticator.objects.filter(user=person, confirmed=True).first()
        return gettext("enrolled") if device else gettext("not enrolled yet")

    @admin.action(description=_("Unlock sign-in"), permissions=["change"])
    def unlock_sign_in(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        self._each(request, people, services.sign_in_unlock)

    @admin.action(description=_("Unlock PIN"), permissions=["change"])
    def unlock_pin(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        self._each(request, people, pins.pin_unlock)

    @admin.action(description=_("Forget authenticator"), permissions=["change"])
    def reset_second_factor(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        self._each(request, people, services.second_factor_reset)

    @admin.action(description=_("Deactivate"), permissions=["change"])
    def deactivate(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        self._each(request, people, services.active_set, active=False)

    @admin.action(description=_("Activate"), permissions=["change"])
    def activate(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        self._each(request, people, services.active_set, active=True)

    @admin.action(description=_("New one-time password"), permissions=["change"])
    def new_password(self, request: HttpRequest, people: QuerySet[Person]) -> HttpResponse | None:
        done = self._each(request, people, services.password_reset)
        return self._passwords_page(request, done) if done else None

    def _each(
        self, request: HttpRequest, people: QuerySet[Person], act: Any, **options: Any
    ) -> list[tuple[Person, Any]]:
        """Do the act to each, and say for each whether it was done or why not."""
        done = []
        for person in people:
            try:
                outcome = act(person=person, by=_by(request), **options)
            except Refused as refused:
                self.message_user(
                    request, colon(person.full_name, " ".join(sentences(refused))), messages.ERROR
                )
            else:
                if isinstance(outcome, Approval):
                    self._asked(request, person.full_name)
                    continue
                done.append((person, outcome))
                self.message_user(request, gettext("%(name)s: done.") % {"name": person.full_name})
                self.log_change(request, person, act.__name__)
        return done

    def _asked(self, request: HttpRequest, name: str) -> None:
        """Who signs is made by two: the page says what is still to come."""
        sentence = gettext(
            "%(name)s is to sign: that is asked for, and another manager signs it, from their"
            " own start page. Until then the person stands as before; a new one cannot sign in."
        )
        self.message_user(request, sentence % {"name": name}, messages.WARNING)

    def _passwords_page(
        self, request: HttpRequest, passwords: list[tuple[Person, str]]
    ) -> HttpResponse:
        context = self.admin_site.each_context(request) | {
            "title": gettext("One-time password"),
            "opts": self.model._meta,
            "passwords": passwords,
            "days": services.INITIAL_PASSWORD_DAYS,
            "issuer": settings.OTP_TOTP_ISSUER,
        }
        return render(request, "admin/casino/person/one_time_password.html", context)


def _by(request: HttpRequest) -> Person:
    if not isinstance(request.user, Person):
        raise PermissionDenied
    return request.user
