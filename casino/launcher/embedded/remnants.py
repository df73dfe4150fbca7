"""What an earlier run left behind, because it was killed: found by marker and folder, ended,
cleared away.
"""

import signal

from casino.launcher.places import Place
from casino.launcher.processes import end, marked, servers_of


def end_remnants(place: Place) -> int:
    """End every process of this place that still lives, and nobody else's; returns how many there
    were.

    The supervisor goes first (it would restart the others), then what uses the servers, then the
    servers.
    """
    root = str(place.root)
    count = end(lambda: marked(root, "supervisor"), signal.SIGTERM, 25)
    count += end(lambda: marked(root), signal.SIGTERM, 8)
    count += end(lambda: servers_of(place.redis_data), signal.SIGTERM, 10)
    return count + end(lambda: servers_of(place.postgres_data), signal.SIGINT, 20)
