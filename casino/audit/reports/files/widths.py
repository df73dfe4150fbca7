"""How wide the columns of a report on paper are: no word over the edge of its column, and the rest
to who has more to say. Pure.
"""

from collections.abc import Sequence

BREAK = "\u200b"  # a place where a long word may break
WORD_MOST = 18  # letters of a word that stand together in a narrow column
WANTED_MOST = 60.0  # a longer text is set in lines, however much room there is
STEPS = 64  # parts in which room is handed out
HEAVY = 1.08  # of a head, beside the same words in a row
# Widths of letters of Inter, in parts of their size, a little more than most of each kind have.
_NARROW, _FIGURE, _LARGE, _SMALL = 0.32, 0.64, 0.74, 0.585
_SLIM = frozenset("ijlI.,:;'’!|()[] ")
_WIDE = frozenset("mwMW@%–")


def wide(text: str) -> float:
    """About how wide a text is set, in parts of the size of its letters; rather too wide than too
    narrow.
    """
    return sum(
        (
            0.0
            if letter == BREAK
            else (
                _NARROW
                if letter in _SLIM
                else (
                    0.92
                    if letter in _WIDE
                    else _FIGURE
                    if letter.isdigit()
                    else _LARGE
                    if letter.isupper()
                    else _SMALL
                )
            )
        )
        for letter in text
    )


def breaking(text: str) -> str:
    """The text with places where its long words may break; an id breaks after a hyphen, where
    people read it in parts.
    """
    return " ".join(_parts(word) for word in text.split(" "))


def _parts(word: str) -> str:
    if len(word) <= WORD_MOST:
        return word
    groups = word.replace("-", f"-{BREAK}").split(BREAK)
    if len(groups) > 1 and all(len(group) <= WORD_MOST for group in groups):
        return BREAK.join(groups)
    return BREAK.join(word[place : place + 8] for place in range(0, len(word), 8))


def whole(text: str, room: float) -> str:
    """The text without the places at which a word may break, where the word has room in its column
    as a whole.

    Whoever sets a text ends its lines at any such place, so a word with one would be torn though
    the next line has room for it.
    """
    words = ((word, word.replace(BREAK, "")) for word in text.split(" "))
    return " ".join(plain if wide(plain) <= room else word for word, plain in words)


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]], room: float) -> list[float]:
    """What part of the room each column gets: as much as its longest word needs, and more where a
    row is high because of it.
    """
    least = [
        max(wide(word) for word in head.replace("-", "- ").split(" ")) * HEAVY for head in heads
    ]
    wanted = list(least)
    takes = [[wide(text) for text in row] for row in rows]
    for row, widths in zip(rows, takes, strict=True):
        for place, text in enumerate(row):
            pieces = (wide(piece) for word in text.split(" ") for piece in word.split(BREAK))
            least[place] = max(least[place], *pieces, 0.0)
            wanted[place] = max(wanted[place], min(widths[place], WANTED_MOST))
    wanted = [max(pair) for pair in zip(least, wanted, strict=True)]
    asked = sum(wanted)
    if asked <= room:
        return [one * room / asked for one in wanted]
    return _shared(least, wanted, takes, room)


def _shared(
    least: Sequence[float], wanted: Sequence[float], takes: Sequence[Sequence[float]], room: float
) -> list[float]:
    """What the longest words leave, part by part to the column that makes most of the rows' height:
    wider, it lowers them most.

    A column that has less to say than the one beside it makes no row lower, however wide it is.
    None gets more than its longest text takes.
    """
    widths, left = list(least), room - sum(least)
    step = left / STEPS
    while left > 1e-6:
        gains = [0.0] * len(widths)
        growing = [place for place, width in enumerate(widths) if width < wanted[place]]
        for row in takes:
            place = max(growing, key=lambda place: row[place] / widths[place])
            gains[place] += row[place] / widths[place] ** 2
        widest = max(growing, key=gains.__getitem__)
        more = min(step, left, wanted[widest] - widths[widest])
        widths[widest] = wanted[widest] if more < step and more < left else widths[widest] + more
        left -= more
    return widths
