"""How amounts are written. One table instead of a library's locales: those disagree about Swiss
francs (and with casinos).
"""

from dataclasses import dataclass

NBSP, NARROW, APOSTROPHE, MINUS = "\u00a0", "\u202f", "\u2019", "\u2212"


@dataclass(frozen=True)
class _Style:
    """Separators, where sign, currency and figure stand, and what stands between the cells of a CSV
    that a spreadsheet opens there.
    """

    thousands: str
    decimal: str
    pattern: str
    between: str = ";"


_BEFORE = f"{{currency}}{NBSP}{{sign}}{{figure}}"
_AFTER = f"{{sign}}{{figure}}{NBSP}{{currency}}"
_SWISS = _Style(APOSTROPHE, ".", _BEFORE)
STYLES = {
    "de-CH": _SWISS,
    "fr-CH": _SWISS,
    "it-CH": _SWISS,
    "en-CH": _SWISS,
    "de-LI": _SWISS,
    "de-DE": _Style(".", ",", _AFTER),
    "de-AT": _Style(".", ",", _BEFORE),
    "fr-FR": _Style(NARROW, ",", _AFTER),
    "it-IT": _Style(".", ",", _AFTER),
    "en-GB": _Style(",", ".", "{sign}{currency}{figure}", ","),
}
_SYMBOLS = {"EUR": "€", "GBP": "£"}  # the franc has none: CHF it is
# ISO 4217, not CLDR, which gives the digits that shops write; all others have 2
_NO_DIGIT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE_DIGITS = "BHD IQD JOD KWD LYD OMR TND"
_DIGITS = {
    currency: digits
    for digits, currencies in ((0, _NO_DIGIT), (3, _THREE_DIGITS), (4, "CLF UYW"))
    for currency in currencies.split()
}


def format_money(amount_minor: int, currency: str, locale: str) -> str:
    """Write an amount of minor units as the house does: `CHF 1’284.50`, `1.284,50 €`, minus as
    U+2212, nothing that breaks a line.

    An unknown locale is written the Swiss way, so that an amount is always readable; no currency
    leaves the figure alone.
    """
    style = style_of(locale)
    figure = format_amount(abs(amount_minor), currency, locale)
    symbol = symbol_of(currency)
    if len(symbol) > 1 and style.pattern.startswith("{sign}{currency}"):
        symbol += NBSP
    text = style.pattern.format(
        sign=MINUS if amount_minor < 0 else "", currency=symbol, figure=figure
    )
    return text.strip(NBSP)


def format_amount(amount_minor: int, currency: str, locale: str) -> str:
    """Write an amount as `format_money` does, with the currency's digits but without its name:
    `1’284.50`.
    """
    digits = digits_of(currency)
    whole, point, part = plain_decimal(abs(amount_minor), digits, locale).partition(
        style_of(locale).decimal
    )
    figure = f"{int(whole):,}".replace(",", style_of(locale).thousands) + point + part
    return f"{MINUS}{figure}" if amount_minor < 0 else figure


def plain_decimal(value: int, digits: int, locale: str) -> str:
    """A figure of so many digits behind the locale's decimal sign, with nothing between thousands
    and a hyphen for a minus, as a field holds it: `1284.50`.
    """
    whole, part = divmod(abs(value), 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}" + (f"{style_of(locale).decimal}{part:0{digits}d}" if digits else "")


def style_of(locale: str) -> _Style:
    """How a locale writes amounts; an unknown one the Swiss way."""
    return STYLES.get(locale, _SWISS)


def symbol_of(currency: str) -> str:
    """The sign of a currency, or its code."""
    return _SYMBOLS.get(currency, currency)


def digits_of(currency: str) -> int:
    """How many digits of a currency are minor units: 2 for most."""
    return _DIGITS.get(currency, 2)


def money_style(currency: str, locale: str) -> dict[str, object]:
    """What `format_money` does, as data for a page that writes amounts without the server.

    `before` and `after` stand around the figure (without its sign, which is `minus`), and `digits`
    behind the decimal sign.
    """
    style = style_of(locale)
    before, after = format_money(0, currency, locale).split(format_amount(0, currency, locale))
    signs: dict[str, object] = {
        "thousands": style.thousands,
        "decimal": style.decimal,
        "minus": MINUS,
    }
    return signs | {"before": before, "after": after, "digits": digits_of(currency)}


def format_figure(text: str, locale: str) -> str:
    """A figure that was worked out with a decimal point and a hyphen, as the house writes it:
    `-3.5` as `−3,5`.
    """
    style = style_of(locale)
    return text.replace("-", MINUS).replace(".", style.decimal)


def range_text(low: str, high: str | None) -> str:
    """Two figures of a sign: `5–50`, or `≥ 40` where there is no greatest."""
    return f"≥{NBSP}{low}" if high is None else f"{low}–{high}"
