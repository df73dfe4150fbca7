"""How amounts are written."""

from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from casino.text.formats import STYLES, format_figure, format_money
from payouts.models import House
from tests.turns import each


@each(
    ("amount", "currency", "locale", "written"),
    [
        (128450, "CHF", "de-CH", "CHF\u00a01’284.50"),
        (128450, "CHF", "fr-CH", "CHF\u00a01’284.50"),
        (128450, "CHF", "it-CH", "CHF\u00a01’284.50"),
        (128450, "CHF", "en-CH", "CHF\u00a01’284.50"),
        (-128450, "CHF", "de-CH", "CHF\u00a0−1’284.50"),
        (0, "CHF", "de-CH", "CHF\u00a00.00"),
        (5, "CHF", "de-CH", "CHF\u00a00.05"),
        (-5, "CHF", "de-CH", "CHF\u00a0−0.05"),
        (100000000, "CHF", "de-CH", "CHF\u00a01’000’000.00"),
        (128450, "EUR", "de-DE", "1.284,50\u00a0€"),
        (-128450, "EUR", "de-DE", "−1.284,50\u00a0€"),
        (128450, "EUR", "de-AT", "€\u00a01.284,50"),
        (128450, "EUR", "fr-FR", "1\u202f284,50\u00a0€"),
        (128450, "EUR", "it-IT", "1.284,50\u00a0€"),
        (128450, "GBP", "en-GB", "£1,284.50"),
        (-128450, "GBP", "en-GB", "−£1,284.50"),
        (128450, "CHF", "en-GB", "CHF\u00a01,284.50"),
        (128450, "JPY", "de-CH", "JPY\u00a0128’450"),
        (128450, "KWD", "de-CH", "KWD\u00a0128.450"),
        (128450, "CHF", "xx-XX", "CHF\u00a01’284.50"),
    ],
)
def test_amount_is_written_as_the_house_does(amount: int, currency: str, locale: str, written: str) -> None:
    assert format_money(amount, currency, locale) == written


@each(("locale", "written"), [("de-CH", "−3.4979 %"), ("de-DE", "−3,4979 %"), ("xx-XX", "−3.4979 %")])
def test_figure_is_written_as_the_house_does(locale: str, written: str) -> None:
    assert format_figure("-3.4979 %", locale) == written


@given(st.integers(-(10**18), 10**18), st.sampled_from(["CHF", "EUR", "JPY", "KWD"]), st.sampled_from(sorted(STYLES)))
def test_written_amount_can_be_read_back_and_never_breaks(amount: int, currency: str, locale: str) -> None:
    written = format_money(amount, currency, locale)
    digits = "".join(letter for letter in written if letter.isdigit())
    assert int(digits) == abs(amount)
    assert ("−" in written) == (amount < 0)
    assert " " not in written


def test_filter_asks_the_house() -> None:
    house = House(currency="CHF", locale="de-CH")
    page = Template("{% load house %}{{ amount|money:house }}").render(Context({"amount": 5000, "house": house}))
    assert page == "CHF\u00a050.00"
