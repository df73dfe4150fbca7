"""Several coordinators at once, beside worker, sweep and hub: each does whatever step of a jackpot is due, over and over.

They may be killed and stopped like everything else. Each step that one of them took is a line of its output.
"""

import os
import random  # noqa: TID251  (only spreads the calls in time)
import threading
import time

AT_ONCE = 3
APART_S = (0.05, 0.6)
STEP = "stepped"


def main() -> None:
    """Never ends by itself."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    import django

    django.setup()
    from django.db import Error, connection

    from jackpot.services import jackpot_advance, jackpots_due

    def advance() -> None:
        while True:
            try:
                for jackpot_id in jackpots_due():
                    if jackpot_advance(jackpot_id=jackpot_id):
                        print(STEP, flush=True)
            except Error:  # the database is away, or hung up
                connection.close()
            time.sleep(random.uniform(*APART_S))

    threads = [threading.Thread(target=advance) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
