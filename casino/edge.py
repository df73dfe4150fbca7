"""What stands outside Django's middleware (static files) and at its innermost place, for the sake of speed."""

from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_only_middleware
from servestatic.base import ServeStaticBase

Server = TypeVar("Server", bound=ServeStaticBase)


def with_static_files(server: Callable[..., Server], application: object) -> Server:
    """The application behind servestatic's ASGI or WSGI `server` of STATIC_ROOT.

    Not as Django middleware: that one is async only, and cost every request under WSGI 2 ms of changing over and back.
    """
    return server(
        application,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        allow_all_origins=False,
        add_headers_function=_static_headers,
    )


def _static_headers(headers: dict[str, str], path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"


@sync_only_middleware
def in_one_thread(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Innermost middleware: that it is sync makes Django run all others of a request, and the view, in one thread.

    Under ASGI each of them would else change threads twice, and a request took half as long again.
    """
    return get_response
