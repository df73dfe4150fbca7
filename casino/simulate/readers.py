"""Rounds are read side by side: there may be thousands."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from casino.simulate.clients import Client

READERS = 4  # at once


def rounds_of(client: Client, ids: list[str]) -> dict[str, dict[str, Any]]:
    """Each of these rounds as the service has it. Raises Refused, Unreachable."""

    def read(part: list[str]) -> dict[str, dict[str, Any]]:
        beside = client.beside()
        try:
            return {round_id: beside.get(f"rounds/{round_id}/") for round_id in part}
        finally:
            beside.close()

    with ThreadPoolExecutor(READERS, thread_name_prefix="reader") as threads:
        parts = threads.map(read, [ids[first::READERS] for first in range(READERS)])
        return {round_id: row for part in parts for round_id, row in part.items()}
