"""What stands outside Django's middleware (static files, how much is read) and at its innermost
place, for the sake of speed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from http import HTTPStatus
from typing import Any, TypeVar
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError, parse_cookie
from django.utils import translation
from django.utils.decorators import sync_only_middleware
from django.utils.html import escape
from django.utils.translation import gettext
from servestatic.base import ServeStaticBase

from casino.people.hashers import AGAIN_S
from casino.people.refusals import SignInBusy

Server = TypeVar("Server", bound=ServeStaticBase)


def with_static_files(server: Callable[..., Server], application: object) -> Server:
    """The application behind servestatic's ASGI or WSGI `server` of STATIC_ROOT.

    Not as Django middleware: that one is async only, and cost every request under WSGI 2 ms of
    changing over and back.
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


Receive = Callable[[], Awaitable[dict[str, Any]]]
Asgi = Callable[[dict[str, Any], Receive, Any], Awaitable[None]]
TOO_LONG = "saalchef.too_long"
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
_ALLOW = ", ".join(sorted(METHODS))


def _strange(method: str) -> HTTPStatus | None:
    """What is answered to a method that no address of ours has: TRACE would give cookies back, and
    a view that asks for none would be carried out by any.
    """
    if method in METHODS:
        return None
    known = method in ("TRACE", "CONNECT")
    return HTTPStatus.METHOD_NOT_ALLOWED if known else HTTPStatus.NOT_IMPLEMENTED


def with_own_methods(application: Asgi) -> Asgi:
    """The ASGI application for HTTP, which a strange method does not reach; its connection ends."""

    async def serve(scope: dict[str, Any], receive: Receive, send: Any) -> None:
        status = _strange(scope["method"])
        if status is None:
            await application(scope, receive, send)
            return
        headers = [(b"allow", _ALLOW.encode()), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": status.value, "headers": headers})
        await send({"type": "http.response.body"})

    return serve


def with_known_methods(application: WSGIApplication) -> WSGIApplication:
    """The WSGI application, which a strange method does not reach."""

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        status = _strange(environ["REQUEST_METHOD"])
        if status is None:
            return application(environ, start_response)
        headers = [("Allow", _ALLOW), ("Content-Length", "0")]
        start_response(f"{status.value} {status.phrase}", headers)
        return []

    return serve


def with_body_limit(application: Asgi) -> Asgi:
    """The ASGI application, which is given no body that is longer than any of ours: it ends there,
    and the scope says so.

    Django puts a body on the disk, whole, before it asks who sends it. What is left of it is not
    read: the connection ends with the answer.
    """

    async def limited(scope: dict[str, Any], receive: Receive, send: Any) -> None:
        declared = dict(scope.get("headers", ())).get(b"content-length", b"0")
        scope[TOO_LONG] = (
            not declared.isdigit() or int(declared) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        )
        read, over = 0, False

        async def bounded() -> dict[str, Any]:
            nonlocal read, over
            if over:
                # nothing more is read; whoever waits is cancelled with the answer
                await asyncio.Event().wait()
            message: dict[str, Any] = (
                {"type": "http.request"} if scope[TOO_LONG] else await receive()
            )
            if message["type"] == "http.request":
                read += len(message.get("body", b""))
                scope[TOO_LONG] = over = (
                    scope[TOO_LONG] or read > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
                )
            return {"type": "http.request", "body": b"", "more_body": False} if over else message

        await application(scope, bounded, send)

    return limited


def bodies_end(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: a request whose body is too long is refused before anybody reads it, one whose
    body was broken off before anybody acts on it, and their connection ends.

    Under WSGI what has come so far would pass for a whole form.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        declared = request.META.get("CONTENT_LENGTH") or "0"
        too_long = not declared.isdecimal() or int(declared) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        too_long = too_long or getattr(request, "scope", {}).get(TOO_LONG, False)
        if not too_long and _is_whole(request, int(declared)):
            return get_response(request)
        # here: pages are not loaded before the apps are
        from casino.ops.error_pages import bad_request, too_large

        response = too_large(request) if too_long else bad_request(request)
        response["Connection"] = "close"
        return response

    return sync_only_middleware(answer)


def _is_whole(request: HttpRequest, declared: int) -> bool:
    try:
        return declared == 0 or len(request.body) >= declared
    except UnreadablePostError:
        return False


SIGN_IN = "/sign-in/"


def with_a_door(application: WSGIApplication) -> WSGIApplication:
    """The WSGI application; while the queue in which a browser would wait to sign in has no place
    for it, it is told so before anything is done for it.
    """

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if (
            environ.get("REQUEST_METHOD") != "POST"
            or environ.get("PATH_INFO") != SIGN_IN
            or _has_place(environ)
        ):
            return application(environ, start_response)
        page = _full(environ.get("HTTP_ACCEPT_LANGUAGE", "")[:2])
        start_response("429 Too Many Requests", [*_FULL, ("Content-Length", str(len(page)))])
        return [page]

    return serve


def _has_place(environ: WSGIEnvironment) -> bool:
    # here: people are not loaded before the apps are
    from casino.people.signin import queue_of

    request = HttpRequest()
    request.META = environ
    request.COOKIES = parse_cookie(environ.get("HTTP_COOKIE", ""))
    queue, source = queue_of(request)
    return queue.has_place(source)


_FULL = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Retry-After", str(AGAIN_S)),
    ("Cache-Control", "no-store"),
    ("Content-Security-Policy", "default-src 'none'"),
]


@cache
def _full(language: str) -> bytes:
    """The page that says so, as plain as can be: it is sent by the hundred."""
    language = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    with translation.override(language):
        told = (
            gettext(SignInBusy.sentence),
            gettext(SignInBusy.remedy) % {"retry_after_s": AGAIN_S},
            gettext("Sign in"),
        )
        said, remedy, again = map(escape, told)
    head = (
        f'<!doctype html><html lang="{language}"><meta name="viewport"'
        f' content="width=device-width"><title>{said}</title>'
    )
    link = f'<p><a href="{SIGN_IN}">{again}</a></p>'
    return f"{head}<h1>{said}</h1><p>{remedy}</p>{link}</html>".encode()


@sync_only_middleware
def in_one_thread(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Innermost middleware: that it is sync makes Django run all others of a request, and the view,
    in one thread.

    Under ASGI each of them would else change threads twice, and a request took half as long again.
    """
    return get_response
