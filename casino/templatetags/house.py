"""What templates need: amounts as the house writes them, icons of the sprite, names of roles."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from casino.demo import secrets
from casino.demo.people import DemoSignIn, demo_sign_ins
from casino.people import roles
from casino.pit.board import shift
from casino.pit.labels import at, moment_text
from casino.records import descriptions as audit_told
from casino.text.floor import COLON
from casino.text.formats import format_amount, format_money
from casino.text.typed import day_as_written
from jackpot.models import Hit
from payouts.models import House, PostedState

register = template.Library()


@register.filter
def money(amount_minor: int, house: House) -> str:
    """`{{ amount_minor|money:house }}`: minor units in the house's currency and way of writing."""
    return format_money(amount_minor, house.currency, house.locale)


@register.filter
def amount(amount_minor: int, house: House) -> str:
    """`{{ amount_minor|amount:house }}`: the same without the currency, for a table that names it
    once.
    """
    return format_amount(amount_minor, house.currency, house.locale)


@register.filter
def colon(what: str, text: str) -> SafeString:
    """`{{ what|colon:text }}`: the two with a colon between them as the language of the page writes
    it.
    """
    return format_html(gettext(COLON), what=what, text=text)


@register.filter
def role_name(code: str) -> str:
    """The role in the language of the page."""
    return roles.label(code)


@register.filter
def say(sentence: str) -> str:
    """A sentence that was marked where it stands, in the language of the page."""
    return gettext(sentence)


@register.filter
def posted_state(state: str) -> str:
    """The state of a posted version in the language of the page."""
    return str(PostedState(state).label)


@register.filter
def moment(text: str) -> str:
    """A moment that is kept as text (ISO 8601), as a time of day in the house's zone, with its day
    if that is not today.
    """
    return at(datetime.fromisoformat(text))


@register.filter
def as_written(text: str | None) -> str:
    """What a field for a day shows: `22.11.2026`, or what was typed."""
    return day_as_written(text or "")


@register.filter
def open_then(rows: Sequence[Mapping[str, Any]], house: House) -> list[shift.OpenThing]:
    """What was open when a shift passed on, in the language of the page."""
    return shift.was_open(rows, house)


@register.filter
def book_note(text: str) -> str:
    """What stands beside an entry of the books, in the language of the page."""
    return audit_told.note(text)


@register.filter
def since(at: datetime | str) -> str:
    """`{{ at|since }}`: since when something is so, with the words before it; a moment, or one that
    is kept as text (ISO 8601).
    """
    return moment_text("since", datetime.fromisoformat(at) if isinstance(at, str) else at)


@register.filter
def until(at: datetime) -> str:
    """`{{ at|until }}`: until when something may be done, with the words before it."""
    return moment_text("until", at)


@register.filter
def step_time(at: datetime, hit: Hit | None) -> str:
    """`{{ at|step_time:hit }}`: a time of the hit's life in the house's zone, with its day if it
    did not begin on that day.
    """
    local = timezone.localtime(at)
    is_same = hit is None or local.date() == timezone.localtime(hit.begun_at).date()
    return local.strftime("%H:%M:%S" if is_same else "%d.%m. %H:%M:%S")


@register.inclusion_tag("parts/demo_secret.html", takes_context=True)
def demo_secret(context: template.Context, method: str) -> dict[str, str | None]:
    """`{% demo_secret approval.method %}`, beside the field that asks for it: what the demo person
    types there now.
    """
    return {"secret": secrets.demo_secret(context.get("user"), method), "method": method}


@register.simple_tag
def demo_people() -> list[DemoSignIn]:
    """`{% demo_people as people %}`: the demo people with the code that each may sign in with now;
    none outside demo mode.
    """
    return demo_sign_ins()


@register.simple_tag
def icon(name: str, size: int = 20) -> SafeString:
    """One icon of the sprite, as decoration: words stand beside it."""
    return format_html(
        '<svg class="icon" width="{0}" height="{0}" aria-hidden="true" focusable="false"><use'
        ' href="{1}#{2}"/></svg>',
        size,
        static("casino/icons.svg"),
        name,
    )
