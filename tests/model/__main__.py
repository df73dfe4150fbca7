"""`make model`: the jackpot's barrier checked by spin, a line for each property, mutant and thing that happens sometimes."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

from tests.model.spin import Answer, Check, ModelError, Searches, checks, missing

AT_ONCE = 2  # each search holds up to half a gigabyte


def main() -> int:
    """0 when every answer is as it must be, 1 when one is not, 2 when there is no spin or no compiler."""
    if why := missing():
        print(f"{why}. On Debian or Ubuntu: apt-get install spin gcc", file=sys.stderr)
        return 2
    began, wrong, count = time.monotonic(), [], 0
    print(f"{'model':30} {'property':34} {'mutant':20} {'states':>10} {'seconds':>8}  result")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        batches = [list(some) for _, some in groupby(checks(), key=lambda check: (check.model, check.defines))]
        for batch in pool.map(_ask, batches):
            for check, answer in batch:
                count += 1
                if not _show(check, answer):
                    wrong.append(check)
    print(
        f"{count} checks in {time.monotonic() - began:.0f} s" + (f", {len(wrong)} wrong." if wrong else ", all right.")
    )
    return 1 if wrong else 0


def _ask(batch: list[Check]) -> list[tuple[Check, Answer | ModelError]]:
    """One program's searches, one after the other."""
    answers: list[tuple[Check, Answer | ModelError]] = []
    with Searches() as searches:
        for check in batch:
            try:
                answers.append((check, searches.ask(check)))
            except ModelError as error:
                answers.append((check, error))
    return answers


def _show(check: Check, answer: Answer | ModelError) -> bool:
    size = " ".join((check.model, *check.size))
    if isinstance(answer, ModelError):
        print(f"{size:30} {check.name:34} {check.mutant:20} {'':>10} {'':>8}  WRONG\n{answer}", flush=True)
        return False
    right = answer.broken == check.broken
    if check.name.startswith("sometimes_"):
        result = "happens" if answer.broken else "NEVER HAPPENS"
    elif check.mutant:
        result = "caught" if answer.broken else "NOT CAUGHT"
    else:
        result = "BROKEN" if answer.broken else "holds"
    line = f"{size:30} {check.name:34} {check.mutant:20} {answer.states:>10,} {answer.seconds:>8.1f}  {result}"
    print(line if right else f"{line}\n{answer.trail}", flush=True)
    return right


if __name__ == "__main__":
    sys.exit(main())
