"""Amounts as they are told in the terminal."""


def money(minor: int) -> str:
    """Minor units as an amount.

    >>> money(1_003_400)
    '10,034.00'
    """
    return f"{minor / 100:,.2f}"
