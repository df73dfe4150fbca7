"""Seals: the digest of a row, the Merkle root over the rows of an interval, the signed statement
that chains intervals. Pure.

A leaf is the SHA-256 of a row as PostgreSQL's binary COPY writes it (`payouts/sealed.py`). Each
kind of hash begins with a byte of its own, so that none passes for another. Nodes have up to 256
children: the tree costs next to nothing beside the leaves, and the proof that one row stands in a
seal takes 8 kB a level. See `docs/SEALS.md`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from struct import iter_unpack, pack
from typing import Self

from payouts.errors import Refused, mark

HASH = 32  # bytes of a SHA-256
FANOUT = 256
LEAF, NODE, PART = b"\x00", b"\x01", b"\x02"
FORMAT = 1
Run = tuple[int, int]  # the first and the last of consecutive numbers


class SealUnreadable(Refused):
    """A seal that says nothing that can be understood."""

    code = "seal.unreadable"
    sentence = mark("Seal %(number)s cannot be read.")
    remedy = mark(
        "It was changed, or made by a newer version of this program. Compare it with a copy."
    )


def leaf(row: bytes) -> bytes:
    """The digest of one row."""
    return sha256(LEAF + row).digest()


def root_of(leaves: bytes) -> bytes:
    """The Merkle root over leaves that stand one after another (32 bytes each). Raises ValueError
    if there is none.
    """
    if not leaves or len(leaves) % HASH:
        raise ValueError("leaves are whole digests, one or more")
    while len(leaves) > HASH:
        leaves = b"".join(sha256(NODE + group).digest() for group in _groups(leaves))
    return leaves


def proof(leaves: bytes, at: int) -> list[tuple[bytes, bytes]]:
    """What proves that the leaf at this place belongs to the root: on each level the brothers
    before and after it.
    """
    steps: list[tuple[bytes, bytes]] = []
    while len(leaves) > HASH:
        group = list(_groups(leaves))[at // FANOUT]
        here = at % FANOUT * HASH
        steps.append((group[:here], group[here + HASH :]))
        leaves = b"".join(sha256(NODE + each).digest() for each in _groups(leaves))
        at //= FANOUT
    return steps


def proves(row: bytes, steps: Iterable[tuple[bytes, bytes]], root: bytes) -> bool:
    """Whether a proof leads from a row to the root."""
    at = leaf(row)
    for before, after in steps:
        at = sha256(NODE + before + at + after).digest()
    return at == root


def _groups(leaves: bytes) -> Iterator[bytes]:
    return (leaves[at : at + FANOUT * HASH] for at in range(0, len(leaves), FANOUT * HASH))


def runs_of(numbers: Iterable[int]) -> list[Run]:
    """Rising numbers as runs.

    >>> runs_of([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    runs: list[Run] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def pack_runs(runs: Iterable[Run]) -> bytes:
    """Runs as bytes: two signed 64-bit numbers each."""
    return b"".join(pack(">qq", *run) for run in runs)


def unpack_runs(data: bytes) -> list[Run]:
    """The runs again. Raises ValueError if the bytes are none, or overlap, or fall."""
    if len(data) % 16:
        raise ValueError("runs are pairs of 64-bit numbers")
    runs: list[Run] = list(iter_unpack(">qq", data))
    before: int | None = None
    for first, last in runs:
        if first > last or (before is not None and first <= before):
            raise ValueError("runs rise and do not overlap")
        before = last
    return runs


def numbers_in(runs: Iterable[Run]) -> Iterator[int]:
    """Every number of some runs, rising."""
    for first, last in runs:
        yield from range(first, last + 1)


@dataclass(frozen=True, slots=True, order=True)
class Part:
    """The rows of one table in one seal: its columns as they were sealed, the rows' keys as bytes,
    their leaves.
    """

    table: str
    columns: tuple[str, ...]
    keys: bytes
    leaves: bytes

    @property
    def count(self) -> int:
        """How many rows."""
        return len(self.leaves) // HASH

    def digest(self) -> bytes:
        """What stands for this part in the seal's tree: table, columns, keys and the root over the
        rows.
        """
        said = canonical([self.table, list(self.columns), self.count, len(self.keys)])
        return sha256(PART + said + self.keys + root_of(self.leaves)).digest()


def root_of_parts(parts: Sequence[Part]) -> bytes:
    """The Merkle root over the parts of a seal, in the order of their tables; of no part, the
    digest of nothing.
    """
    digests = b"".join(part.digest() for part in sorted(parts))
    return root_of(digests) if digests else sha256(PART).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a seal says, and its key signs.

    `previous`: digest of the statement before ("" for the first). `low`: by table, the number up to
    which every row is decided: sealed, or never to come. `highest`: by table, the highest number
    there was when the seal began; `open`: the transactions that then ran, on the server that
    started at `server`. `closed_at`: every transaction begun by then had ended when the seal began
    ("" while that is not known); a row sealed later and dated before is dated wrongly. Times are
    UTC in ISO 8601.
    """

    number: int
    taken_at: str
    previous: str
    root: str
    key: str
    server: str
    open: tuple[str, ...]
    highest: Mapping[str, int]
    low: Mapping[str, int]
    closed_at: str
    rows: Mapping[str, int]  # by table, how many rows are sealed up to and with this seal
    format: int = FORMAT

    def text(self) -> str:
        """The statement in its one spelling: what is signed and hashed."""
        return canonical(asdict(self)).decode()

    def head(self) -> str:
        """Its digest, in hex: the next seal names it, and it is what is kept elsewhere."""
        return head_of(self.text())

    @classmethod
    def read(cls, text: str, number: int) -> Self:
        """The statement of a text. Raises SealUnreadable unless the text is its one spelling."""
        try:
            data = json.loads(text)
            statement = cls(**{**data, "open": tuple(data["open"])})
            if statement.text() != text or statement.format != FORMAT:
                raise ValueError("another spelling")
        except (ValueError, TypeError, KeyError) as error:
            raise SealUnreadable(number=number) from error
        return statement


def head_of(text: str) -> str:
    """The digest of a statement's text, in hex."""
    return sha256(text.encode()).hexdigest()


def canonical(value: object) -> bytes:
    """JSON in one spelling: keys in order, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")
