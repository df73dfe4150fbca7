"""People. A person is the custom user: roles instead of groups, and nobody is above them."""

import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from casino.people import roles
from casino.people.refusals import DemoRefused
from payouts.models import House

if TYPE_CHECKING:
    from django_otp.models import Device

USERNAME = r"^[a-z][a-z0-9._-]{1,29}$"


class PersonManager(BaseUserManager["Person"]):
    """Finds people by sign-in name, however it was typed."""

    def get_by_natural_key(self, username: str | None) -> "Person":
        """The person with this sign-in name. Raises Person.DoesNotExist."""
        return self.get(username=Person.normalize_username(username or ""))


class Person(AbstractBaseUser):
    """One human being who works with the system. Never deleted: the books name them."""

    # no DELETE, see payouts/db/guards.py
    app_may: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(
        _("sign-in name"),
        max_length=30,
        unique=True,
        help_text=_("2 to 30 small letters, digits, dots, hyphens; the first is a letter."),
    )
    full_name = models.CharField(_("full name"), max_length=80)
    house = models.ForeignKey(
        House,
        verbose_name=_("house"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="people",
        help_text=_("Empty only for a manager of the whole installation."),
    )
    roles = ArrayField(models.CharField(max_length=20), verbose_name=_("roles"))
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES, blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    is_demo = models.BooleanField(_("demo person"), default=False, editable=False)
    created_at = models.DateTimeField(_("created"), db_default=Now(), editable=False)

    # Sign-in. `last_login` of the base class would already move with half a sign-in (password, no
    # code yet).
    last_login = None
    signed_in_at = models.DateTimeField(_("last sign-in"), null=True, editable=False)
    # set: the password is not their own yet
    initial_password_until = models.DateTimeField(null=True, editable=False)
    sign_in_failures = models.PositiveSmallIntegerField(default=0, editable=False)
    sign_in_locked_until = models.DateTimeField(
        _("sign-in locked until"), null=True, editable=False
    )
    # one more ends all sessions of the person
    sessions_void = models.PositiveIntegerField(default=0, editable=False)

    # PIN for tablets (`casino/people/pins.py`)
    pin = models.CharField(max_length=128, blank=True, editable=False)
    pin_failures = models.PositiveSmallIntegerField(default=0, editable=False)
    pin_locked_at = models.DateTimeField(_("PIN locked since"), null=True, editable=False)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["full_name"]
    objects = PersonManager()

    # Of who is of no house: the one they have chosen to look at, and the one that the page is about
    # (`casino/people/context.py`).
    chosen: House | None = None
    looks_at: House | None = None

    otp_device: "Device | None"  # set by django_otp's middleware, as `is_verified()` is

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["full_name", "username"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(username__regex=USERNAME), name="person_username_plain"
            ),
            models.CheckConstraint(
                condition=models.Q(roles__contained_by=roles.CODES, roles__len__gte=1),
                name="person_roles_known",
            ),
            models.CheckConstraint(
                condition=models.Q(house__isnull=False) | models.Q(roles__contains=["manager"]),
                name="person_house_or_manager",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    language__in=["", *(code for code, _name in settings.LANGUAGES)]
                ),
                name="person_language_known",
            ),
        ]

    def __str__(self) -> str:
        return self.full_name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save; a demo person only where demo mode is on. Raises DemoRefused."""
        if self.is_demo and not settings.DEMO:
            raise DemoRefused
        super().save(*args, **kwargs)

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """The one way a sign-in name is stored: no spaces around, small letters."""
        return super().normalize_username(username).strip().lower()

    def get_full_name(self) -> str:
        """Full name, for Django's own pages."""
        return self.full_name

    def get_short_name(self) -> str:
        """Full name, for Django's own pages: staff are not called by their first names on a
        floor."""
        return self.full_name

    @property
    def scope_house_id(self) -> Any:
        """The house whose rows they reach; None for who reaches all of them."""
        return self.house_id or (self.chosen.pk if self.chosen else None)

    @property
    def may_sign_in(self) -> bool:
        """Active, and no demo person where demo mode is off."""
        return self.is_active and (settings.DEMO or not self.is_demo)

    @property
    def is_staff(self) -> bool:
        """Whether the person enters the admin (Django asks by this name)."""
        return self.may_sign_in and any(roles.ROLES[code].admin for code in self.known_roles())

    def known_roles(self) -> list[str]:
        """The person's roles in the order of `casino/people/roles.py`; the first is their home."""
        return [code for code in roles.CODES if code in self.roles]

    def has_perm(self, perm: str, obj: object = None) -> bool:
        """Whether a role of the person holds the permission (`app.codename`). Rows are scoped where
        they are read.
        """
        return self.may_sign_in and roles.may(self.roles, perm)

    def has_perms(self, perm_list: list[str], obj: object = None) -> bool:
        """Whether the person holds all of them."""
        return all(self.has_perm(perm, obj) for perm in perm_list)

    def has_module_perms(self, app_label: str) -> bool:
        """Whether the person holds anything in the app."""
        return self.may_sign_in and roles.may_any(self.roles, app_label)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        # Django ends sessions when the password changes; ours end also when `sessions_void` moves
        # (second factor reset).
        state = f"{self.sessions_void}:{self.password}"
        return salted_hmac(
            "casino.models.Person.session", state, secret=secret, algorithm="sha256"
        ).hexdigest()
