"""The amounts that a tablet has keys for."""

CHIPS_MOST = 8  # amounts that one tap enters; any other by the pad
CHIPS_LOW = 6  # of these, so many from the minimum up: most stakes are low


def chips(minimum: int, maximum: int, step: int) -> list[int]:
    """Amounts that one tap enters: all that are legal if they are few, else the lowest ones and
    some up to the maximum.

    >>> chips(500, 5000, 500)
    [500, 1000, 1500, 2000, 2500, 3000, 4000, 5000]
    """
    legal = range(minimum, maximum + 1, step)
    if len(legal) <= CHIPS_MOST:
        return list(legal)
    low = list(legal[:CHIPS_LOW])
    parts = CHIPS_MOST - CHIPS_LOW
    above = [
        low[-1] + (maximum - low[-1]) * part // parts // step * step for part in range(1, parts)
    ]
    return [*low, *above, maximum]
