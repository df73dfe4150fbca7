"""What the floor's templates need besides `house`: a card as it is drawn, a form's key."""

from collections.abc import Mapping
from uuid import uuid4

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from casino.text.floor import DrawnCard

register = template.Library()


@register.simple_tag
def card(shown: DrawnCard) -> SafeString:
    """One card: rank and suit for the eye, words for who does not see them."""
    return format_html(
        '<span class="card {1}"><span aria-hidden="true">{0}<svg width="16" height="16"'
        ' focusable="false"><use href="{2}#{1}"/></svg></span><span'
        ' class="visually-hidden">{3}</span></span>',
        shown.rank,
        shown.suit,
        static("casino/floor/suits.svg"),
        shown.words,
    )


@register.simple_tag
def form_key() -> SafeString:
    """The key of one form, of its own: a double click is one command, two forms sent in a hurry are
    two.
    """
    return format_html('<input type="hidden" name="key" value="{}">', uuid4())


@register.filter
def at(filed: Mapping[object, object], key: object) -> object:
    """`{{ filed|at:key }}`: what is filed under the key; nothing is 0."""
    return filed.get(key, 0)
