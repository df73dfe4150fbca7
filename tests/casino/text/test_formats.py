"""How amounts, days and times are written, and read back."""

from datetime import date, time

from django.template import Context, Template
from django.utils import translation
from django.utils.formats import date_format
from hypothesis import given
from hypothesis import strategies as st

from casino.text.formats import (
    APOSTROPHE,
    MINUS,
    NARROW,
    NBSP,
    STYLES,
    digits_of,
    format_amount,
    format_figure,
    format_money,
    plain_decimal,
)
from casino.text.typed import amount_of, day_of, time_of
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


@given(
    st.integers(-(10**14), 10**14),
    st.sampled_from(["CHF", "EUR", "CLP", "TND", "CLF"]),
    st.sampled_from([*STYLES, "xx-XX"]),
)
def test_written_amount_is_read_back_and_never_breaks(amount: int, currency: str, locale: str) -> None:
    """Issue 44.10: whatever the formats write is read, with the currency and without it, as a field holds it."""
    written = format_money(amount, currency, locale)
    assert " " not in written
    digits = digits_of(currency)
    for text in (
        written,
        format_amount(amount, currency, locale),
        plain_decimal(amount, digits, locale),
        written.replace(NBSP, " ").replace(NARROW, " ").replace(APOSTROPHE, "'").replace(MINUS, "-"),
    ):
        assert amount_of(text, currency, locale) == amount, text


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)), st.times(), st.sampled_from(["en", "de", "fr", "it"]))
def test_written_day_and_time_are_read_back(day: date, at: time, language: str) -> None:
    """Issue 44.10."""
    with translation.override(language):
        last = date(2100, 1, 1)
        for form in ("d.m.Y", "j.n.Y", "Y-m-d", "d.m.y", "d/m/Y", "D d.m.Y", "l d.m.Y"):
            assert day_of(date_format(day, form)) == day, form
        if (day.month, day.day) != (2, 29):
            assert day_of(date_format(day, "D d.m."), day) == day_of(date_format(day, "d.m."), day) == day
            assert day_of(date_format(day, "d.m."), last) == day.replace(
                year=2099 if (day.month, day.day) > (1, 1) else 2100
            )
    whole = at.replace(microsecond=0)
    assert time_of(f"{whole:%H:%M:%S}") == whole
    for text in ("%H:%M", "%H.%M Uhr", "%Hh%M", "ore %H.%M", "%H:%M h"):
        assert time_of(f"{whole:{text}}") == whole.replace(second=0)
    folds = {name: time_of(f"02:30:00 {name}").fold for name in ("CEST", "CET", "MESZ", "MEZ")}
    assert folds == {"CEST": 0, "CET": 1, "MESZ": 0, "MEZ": 1}


def test_digits_are_those_of_the_standard() -> None:
    """Issue 44.10, ISO 4217: a few of each, and those for which CLDR has what shops write."""
    assert {
        code: digits_of(code) for code in ("CLP", "UGX", "XOF", "TND", "IQD", "CLF", "RSD", "HUF", "ALL", "CHF")
    } == {
        **dict.fromkeys(("CLP", "UGX", "XOF"), 0),
        **dict.fromkeys(("TND", "IQD"), 3),
        "CLF": 4,
        **dict.fromkeys(("RSD", "HUF", "ALL", "CHF"), 2),
    }


@each(
    ("locale", "currency", "amounts"),
    [
        (
            "de-CH",
            "CHF",
            {
                "1'284.50": 128450,
                "Chf 5": 500,
                "5,50": 550,
                "−5.5": -550,
                "1.284.500": 128450000,
                "1,284": None,
                "1.284": None,
            },
        ),
        (
            "de-DE",
            "EUR",
            {
                "1.284,50": 128450,
                "1.284": 128400,
                "1,284.50": 128450,
                "5.50": 550,
                "1,284": None,
                "EUR 5": 500,
                "€5 €": None,
            },
        ),
        ("en-GB", "GBP", {"1,284.50": 128450, "£5": 500, "-£5": -500, "1,284": 128400, "1.284": None, "- -5": None}),
        ("fr-FR", "EUR", {"1 284,50 €": 128450, "1.284": None, "1 28": None, "1 284 50": None}),
        ("it-IT", "TND", {"1.284": 1284000, "1,284": 1284, "1284.5": 1284500, "1.2845": None}),
        ("de-CH", "JPY", {"JPY 12'000": 12000, "12.00": None, "12'00": None, "12,000": None}),
    ],
)
def test_what_could_be_two_amounts_is_the_houses_and_what_is_none_is_none(
    locale: str, currency: str, amounts: dict[str, int | None]
) -> None:
    """Issue 44.10."""
    assert {text: amount_of(text, currency, locale) for text in amounts} == amounts
    for bad in ("", "x5", "5x", "5.50 USD", "٥", "5..5", "5.", ".5", "1’284’5", "5 - 3", "1e3", "9" * 16, "1" * 5000):
        assert amount_of(bad, currency, locale) is None, bad


def test_filter_asks_the_house() -> None:
    house = House(currency="CHF", locale="de-CH")
    page = Template("{% load house %}{{ amount|money:house }}").render(Context({"amount": 5000, "house": house}))
    assert page == "CHF\u00a050.00"
