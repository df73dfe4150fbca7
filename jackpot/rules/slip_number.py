"""How the number of a slip is written: `118`; in a house whose books were restored from a backup
`118-6B02EB8D`.
"""

import re

PATTERN = "^([1-9][0-9]{0,8})(-[0-9A-Fa-f]{1,12})?$"


def written(number: int, incarnation: int) -> str:
    """The running number, and behind it the incarnation of the books in hexadecimal, unless it is
    the first.

    >>> written(118, 1), written(118, 1795353485)
    ('118', '118-6B02EB8D')
    """
    return f"{number}-{incarnation:X}" if incarnation > 1 else str(number)


def read(text: str) -> tuple[int, int] | None:
    """Running number and incarnation of what somebody typed; None if it is not the number of a
    slip.

    >>> read("118"), read("118-6b02eb8d"), read("118-"), read("0")
    ((118, 1), (118, 1795353485), None, None)
    """
    found = re.fullmatch(PATTERN, text, re.ASCII)
    return (int(found[1]), int((found[2] or "-1")[1:], 16)) if found else None
