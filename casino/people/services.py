"""Managing people: who may do it, within whose reach, each act written down in the same
transaction.
"""

import re
import secrets
from collections.abc import Iterable
from copy import copy
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils import timezone

from casino.people import roles, tries
from casino.people.authenticators import Authenticator
from casino.people.context import in_scope
from casino.people.credentials import (
    credentials_stand,
    digest,
    digest_over,
    digest_without_pin,
    password_fits,
)
from casino.people.events import record
from casino.people.models import USERNAME, Person
from casino.people.permissions import ADD_PERSON, CHANGE_PERSON, UNLOCK_SIGN_IN
from casino.people.refusals import (
    BootstrapDone,
    NotAllowed,
    NotYourself,
    PasswordRefused,
    PersonRefused,
    PresentPasswordRefused,
)
from casino.people.signing_roles import LOST_ROLE, must_ask, particulars, sign_role_request
from payouts.db.constraints import refusing
from payouts.errors import mark
from payouts.models import Approval, House
from payouts.rules.plain import check_name
from payouts.services import approval_kill_of_person, house_create

BARRED = "who asked for it or signed it was barred"
INITIAL_PASSWORD_DAYS = 3
PASSWORD_MOST = 128  # longer ones are only work for whoever wants to keep the server busy
_BOOTSTRAP_LOCK = 0x5AA1C4EF  # any number that nothing else locks
_WEAK = {  # in our own words: Django's catalogues do not have theirs in every language
    "password_too_short": mark("it is too short."),
    "password_too_common": mark("it is one that everybody tries first."),
    "password_too_similar": mark("it is too much like the name."),
    "password_entirely_numeric": mark("it is made of digits alone."),
}
# nothing that looks like something else when read from paper
READABLE = "abcdefghjkmnpqrstuvwxyz23456789"


def person_create(
    *,
    username: str,
    full_name: str,
    house: House | None,
    role_codes: Iterable[str],
    language: str = "",
    by: Person,
) -> tuple[Person, str]:
    """A new person and the one-time password to hand over; at their first sign-in they set their
    own and enrol a second factor.

    One who is to sign may come in once another manager has signed for it: until then they are not
    active. Raises NotAllowed, PersonRefused, TextRefused, PersonResting (who rests asks for
    nothing).
    """
    _require(by, ADD_PERSON)
    if by.house_id is not None and (house is None or house.pk != by.house_id):
        raise NotAllowed  # a manager of one house makes people of that house only
    with transaction.atomic():
        person = person_new(
            username=username,
            full_name=full_name,
            house=house,
            role_codes=role_codes,
            language=language,
        )
        password = _initial_password(person)
        wanted, person.is_active = copy(person), False
        person.is_active = not must_ask(person, wanted)
        _save_new(person)
        record(
            "person.created",
            person=person,
            by=by,
            after=particulars(person) | {"active": person.is_active} | digest(person),
        )
        if not person.is_active:
            sign_role_request(person=person, after=wanted, by=by)
    return person, password


def manager_bootstrap(
    *,
    username: str,
    full_name: str,
    password: str,
    house_name: str,
    currency: str,
    locale: str,
    time_zone: str,
    gaming_day_change: str = "06:00",
    all_houses: bool = False,
) -> tuple[Person, House | None]:
    """The first manager of an empty installation, and its house if there is none. Gives the house
    that was made.

    They are of the only house, so that they sign there; with `all_houses`, or where there are
    several, they are of none: they make people and read everywhere, and sign nowhere.

    Raises BootstrapDone, PasswordRefused, PersonRefused, PresentPasswordRefused, HouseRefused,
    TextRefused.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            # two at once make one manager
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_BOOTSTRAP_LOCK])
        bootstrap_check()
        house = None
        if not House.objects.exists():
            house = house_create(
                name=house_name,
                currency=currency,
                locale=locale,
                time_zone=time_zone,
                gaming_day_change=gaming_day_change,
            )
        houses = [] if all_houses else list(House.objects.all()[:2])
        own = houses[0] if len(houses) == 1 else None
        person = person_new(
            username=username, full_name=full_name, house=own, role_codes=["manager"]
        )
        _set_password(person, password)
        _save_new(person)
        after = particulars(person) | digest(person)
        record("person.bootstrapped", person=person, after=after)
    return person, house


def bootstrap_check() -> None:
    """Raise BootstrapDone if there is a manager: they make people from then on."""
    there = Person.objects.filter(roles__contains=["manager"]).first()
    if there:
        raise BootstrapDone(username=there.username)


def person_new(
    *,
    username: str,
    full_name: str,
    house: House | None,
    role_codes: Iterable[str],
    language: str = "",
) -> Person:
    """A person checked but not saved, without password. Raises PersonRefused, TextRefused."""
    name = Person.normalize_username(username)
    if not re.fullmatch(USERNAME, name):
        raise PersonRefused(
            field="username", why=mark("use 2 to 30 small letters, digits, dots, hyphens")
        )
    codes = _known(role_codes)
    if house is None and "manager" not in codes:
        raise PersonRefused(field="house", why=mark("only a manager works for all houses"))
    if language not in ("", *dict(settings.LANGUAGES)):
        raise PersonRefused(field="language", why=mark("unknown"))
    full_name = check_name(full_name.strip(), "full_name", least=2, most=80)
    # In demo mode everybody is a demo person: nobody whom a demo manager made outlives it.
    return Person(
        username=name,
        full_name=full_name,
        house=house,
        roles=codes,
        language=language,
        is_demo=settings.DEMO,
    )


def password_own(*, person: Person, password: str) -> None:
    """Set the password that the person has chosen themselves, in place of the initial one. Raises
    PasswordRefused.
    """
    with transaction.atomic():
        stood = credentials_stand(person)
        _set_password(person, password)
        person.initial_password_until = None
        person.save(update_fields=["password", "initial_password_until"])
        record("password.changed", person=person, by=person, after=digest_over(person, stood=stood))


def password_change(*, person: Person, present: str, password: str) -> None:
    """Change one's own password. Raises PresentPasswordRefused, PasswordRefused."""
    if tries.charge(person.pk, "code") is None or not password_fits(person, present):
        with transaction.atomic():
            record("password.refused", person=person, by=person)
        raise PresentPasswordRefused
    tries.clear(person.pk, "code")
    password_own(person=person, password=password)


def language_set(*, person: Person, language: str) -> None:
    """Keep the language that the person has chosen."""
    Person.objects.filter(pk=person.pk).update(language=language)


def particulars_set(
    *,
    person: Person,
    full_name: str,
    house: House | None,
    role_codes: Iterable[str],
    language: str,
    by: Person,
) -> Approval | None:
    """Change a person's name, house, roles, language. Their own roles and house nobody changes.
    Raises NotAllowed, NotYourself …

    A role that signs is asked for and given; then house and roles stay as they are until another
    manager has signed.
    """
    with transaction.atomic():
        # Not FOR UPDATE: who holds an approval and writes whom it is about would wait for us, and
        # we for the approval.
        row = Person.objects.select_for_update(of=("self",), no_key=True).get(pk=person.pk)
        # the row as stored: the caller's copy may carry the new house already
        _require(by, CHANGE_PERSON, row)
        new = person_new(
            username=row.username,
            full_name=full_name,
            house=house,
            role_codes=role_codes,
            language=language,
        )
        if by.pk == row.pk and (new.roles != row.roles or new.house_id != row.house_id):
            raise NotYourself
        if by.house_id is not None and new.house_id != by.house_id:
            raise NotAllowed
        new.pk, new.is_active = row.pk, row.is_active
        asked = (
            sign_role_request(person=_named(row, new), after=new, by=by)
            if must_ask(row, new)
            else None
        )
        if asked is not None:
            new.house, new.roles = row.house, row.roles
        before, after = particulars(row), particulars(new)
        if before == after:
            return asked
        Person.objects.filter(pk=row.pk).update(
            full_name=new.full_name, house=new.house, roles=new.roles, language=new.language
        )
        record("person.changed", person=row, by=by, before=before, after=after)
        if row.house_id != new.house_id or set(row.roles) - set(new.roles):
            left = new.roles if row.house_id == new.house_id else []
            approval_kill_of_person(person_id=row.pk, roles_left=left, reason=LOST_ROLE)
    return asked


def active_set(*, person: Person, active: bool, by: Person) -> Approval | None:
    """Let a person in, or no more: their sessions end with the next request, and what they asked
    for or signed is closed.

    Who signs is let in again once another manager has signed for it: that is asked for and given.
    Raises NotAllowed, NotYourself, PersonResting.
    """
    _require_other(by, CHANGE_PERSON, person)
    with transaction.atomic():
        row = Person.objects.get(pk=person.pk)
        wanted = copy(row)
        wanted.is_active = active
        if active and not row.is_active and must_ask(row, wanted):
            return sign_role_request(person=row, after=wanted, by=by)
        if Person.objects.filter(pk=person.pk, is_active=not active).update(is_active=active):
            record("person.activated" if active else "person.deactivated", person=person, by=by)
            if not active:
                approval_kill_of_person(person_id=person.pk, roles_left=[], reason=BARRED)
    return None


def sign_in_unlock(*, person: Person, by: Person) -> None:
    """Open a sign-in that wrong tries have locked. Raises NotAllowed, NotYourself."""
    _require_other(by, UNLOCK_SIGN_IN, person)
    with transaction.atomic():
        for kind in ("sign_in", "code"):
            tries.clear(person.pk, kind, None)
        record("sign_in.unlocked", person=person, by=by)


def second_factor_reset(*, person: Person, by: Person) -> None:
    """Forget a person's authenticator (lost telephone): they enrol a new one, and all their
    sessions end, on tablets too; the PIN goes with it (`casino/sql/person_v6.sql`). Raises
    NotAllowed …
    """
    _require_other(by, CHANGE_PERSON, person)
    with transaction.atomic():
        row = Person.objects.select_for_update(of=("self",)).get(pk=person.pk)
        Authenticator.objects.filter(user=row).delete()
        row.sessions_void += 1
        row.save(update_fields=["sessions_void"])
        after = digest_without_pin(row)
        record("sign_in.second_factor_reset", person=row, by=by, after=after)


def password_reset(*, person: Person, by: Person) -> str:
    """A new one-time password for a person, to hand over; all their sessions end, on tablets too,
    and the PIN goes with the old one. Raises NotAllowed, NotYourself.
    """
    _require_other(by, CHANGE_PERSON, person)
    with transaction.atomic():
        password = _initial_password(person)
        person.save(update_fields=["password", "initial_password_until"])
        record("password.reset", person=person, by=by, after=digest_without_pin(person))
    return password


def _require(by: Person, permission: str, person: Person | None = None) -> None:
    if not by.has_perm(permission) or (person is not None and not in_scope(by, person)):
        raise NotAllowed


def _require_other(by: Person, permission: str, person: Person) -> None:
    _require(by, permission, person)
    if by.pk == person.pk:
        raise NotYourself


def _named(row: Person, new: Person) -> Person:
    """The person as they stand, under the name that they are given at once."""
    named = copy(row)
    named.full_name = new.full_name
    return named


def _known(role_codes: Iterable[str]) -> list[str]:
    given = set(role_codes)
    if not given or given - set(roles.CODES):
        raise PersonRefused(field="roles", why=mark("give at least one, and only known ones"))
    return [code for code in roles.CODES if code in given]


def _initial_password(person: Person) -> str:
    """Sixteen characters in four groups, 79 bits: read from paper and typed once."""
    password = "-".join("".join(secrets.choice(READABLE) for _ in range(4)) for _ in range(4))
    person.set_password(password)
    person.initial_password_until = timezone.now() + timedelta(days=INITIAL_PASSWORD_DAYS)
    return password


def _set_password(person: Person, password: str) -> None:
    if len(password) > PASSWORD_MOST:
        raise PasswordRefused(why=mark("it is too long."))
    try:
        validate_password(password, person)
    except ValidationError as error:
        raise PasswordRefused(
            why=_WEAK.get(str(error.error_list[0].code), mark("it is too weak."))
        ) from error
    person.set_password(password)


def _save_new(person: Person) -> None:
    with refusing(
        {"casino_person_username_key": PersonRefused(field="username", why=mark("taken"))}
    ):
        person.save(force_insert=True)
