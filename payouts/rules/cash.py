"""Notes and coins by currency, in minor units by rising value."""

NOTES_AND_COINS = {
    "CHF": (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 100_000),
    "EUR": (
        *(1, 2, 5, 10, 20, 50, 100, 200),
        *(500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000),
    ),
    "GBP": (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000),
    "USD": (1, 5, 10, 25, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000),
}
# of a currency whose notes and coins nobody has listed here
OTHERS = tuple(first * 10**power for power in range(6) for first in (1, 2, 5))
DENOMINATIONS_MOST = max(map(len, (OTHERS, *NOTES_AND_COINS.values())))


def cash_values(currency: str) -> tuple[int, ...]:
    """What cash of a currency is counted by.

    >>> cash_values("CHF")[-2:], cash_values("SEK")[:4]
    ((20000, 100000), (1, 2, 5, 10))
    """
    return NOTES_AND_COINS.get(currency, OTHERS)
