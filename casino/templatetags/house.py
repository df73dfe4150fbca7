"""What templates need: amounts as the house writes them, icons of the sprite, names of roles."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from casino import roles
from casino.formats import format_money
from casino.posted_words import STATES
from payouts.models import House

register = template.Library()


@register.filter
def money(amount_minor: int, house: House) -> str:
    """`{{ amount_minor|money:house }}`: minor units in the house's currency and way of writing."""
    return format_money(amount_minor, house.currency, house.locale)


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
    return gettext(STATES[state])


@register.simple_tag
def icon(name: str, size: int = 20) -> SafeString:
    """One icon of the sprite, as decoration: words stand beside it."""
    return format_html(
        '<svg class="icon" width="{0}" height="{0}" aria-hidden="true" focusable="false"><use href="{1}#{2}"/></svg>',
        size,
        static("casino/icons.svg"),
        name,
    )
