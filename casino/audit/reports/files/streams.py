"""A file as pieces of an answer: read piece by piece under WSGI and under ASGI, so that a large one
never lies in memory.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest

PIECE = 1 << 18


def pieces(request: HttpRequest, path: Path) -> Iterator[bytes] | AsyncIterator[bytes]:
    """The file in pieces, the way the server of this request wants them."""
    return _later(path) if isinstance(request, ASGIRequest) else _now(path)


def _now(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


async def _later(path: Path) -> AsyncIterator[bytes]:
    file = await asyncio.to_thread(path.open, "rb")
    try:
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece
    finally:
        await asyncio.to_thread(file.close)
