"""`python -m tests.exhaustive`: rank all 133 784 560 seven-card hands, compare each with phevaluator, and count them."""

import sys
import time
from multiprocessing import Pool

import numpy as np
from numpy.typing import NDArray

from payouts.rules.hands.tables import CATEGORIES
from tests.exhaustive.seven import HANDS, PUBLISHED, RANKS, Share, compare, fives, shares

BAR = 40
_lower: list[NDArray[np.uint8]] = []  # one per process, made once


def main() -> int:
    """0 when every hand agrees and every count is the published one."""
    start = time.monotonic()
    counts, disagreements = np.zeros(RANKS + 1, np.int64), []
    with Pool(initializer=_prepare) as pool:
        for share in pool.imap_unordered(_work, list(shares())):
            counts += share.counts
            disagreements += [share.disagreement] if share.disagreement else []
            _show(int(counts.sum()), time.monotonic() - start)
    print(file=sys.stderr)
    by_category = np.bincount(CATEGORIES, counts, minlength=10)
    for category, published in PUBLISHED.items():
        counted = int(by_category[category])
        print(f"{category.name:16} {counted:11,} {'as published' if counted == published else f'not {published:,}'}")
    right = list(by_category) == list(PUBLISHED.values())
    print(f"{'all':16} {counts.sum():11,} hands in {time.monotonic() - start:.0f} s")
    print("\n".join(disagreements[:20]) or "phevaluator has the same order.")
    return 0 if right and not disagreements and counts.sum() == HANDS else 1


def _prepare() -> None:
    _lower.append(fives())


def _work(share: tuple[int, int]) -> Share:
    return compare(share, _lower[0])


def _show(done: int, seconds: float) -> None:
    full = BAR * done // HANDS
    bar = "#" * full + "." * (BAR - full)
    print(
        f"\r[{bar}] {done / 1e6:5.1f} of {HANDS / 1e6:.1f} M hands, {seconds:3.0f} s",
        end="",
        file=sys.stderr,
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
