"""Logs: one line per event on stderr, in JSON or plain, of one form whether Django, Celery, uvicorn
or gunicorn speaks.
"""

import logging.config
import os
import re
import sys
import time
import uuid
from collections.abc import Mapping
from typing import Any, cast

import structlog
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django_structlog import signals
from django_structlog.celery import signals as celery_signals
from gunicorn.glogging import Logger
from structlog.typing import EventDict, Processor, WrappedLogger

from casino.ops.masking import masked
from payouts.db.constraints import database_away

SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
# Loggers that bring handlers of their own, which are taken away: everything leaves by the root's.
SERVERS = (
    "django",
    "django.server",
    "gunicorn.access",
    "gunicorn.error",
    "uvicorn",
    "uvicorn.access",
    "uvicorn.error",
)
LEVELS = {
    "channels_redis.core": "INFO",  # at INFO it says that a full channel dropped a message
    "celery.app.trace": "CRITICAL",  # django_structlog says the same once more, with the request id
    "celery.worker.strategy": "WARNING",
    "celery.beat": "WARNING",
    "django.request": "CRITICAL",  # likewise: request_finished and request_failed say more
    "gunicorn.access": "WARNING",
    "uvicorn.access": "WARNING",
}


def configure(options: Mapping[str, str]) -> None:
    """Set up the logs of this process (Django's LOGGING_CONFIG). `options`: `level`, and `format`
    (json or plain).
    """
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.ExtraAdder(),
        _without_colours,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *before[:-2],
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(_standard_logging(options, before))
    logging.captureWarnings(capture=True)


def _standard_logging(options: Mapping[str, str], before: list[Processor]) -> dict[str, Any]:
    """The configuration of Python's own logging, through which our events pass as well as everybody
    else's.
    """
    level = options["level"].upper()
    renderer: Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    if options["format"] == "plain":
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    after = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.StackInfoRenderer(),
        _outage_in_one_line,
        structlog.processors.format_exc_info,
        mask_secrets,  # last, so that it sees tracebacks too
        renderer,
    ]
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "processors": after,
        "foreign_pre_chain": before,
    }
    quiet = {name: max(level, own, key=logging.getLevelName) for name, own in LEVELS.items()}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            name: {"handlers": [], "propagate": True, "level": quiet.get(name, "NOTSET")}
            for name in {*SERVERS, *quiet}
        },
    }


def _without_colours(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event.pop("color_message", None)  # uvicorn says everything twice, once in colours
    return event


def _outage_in_one_line(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A database that is away breaks every request in the same way: the reason is worth a line, a
    traceback is not.
    """
    error = event.get("exc_info")
    if error is True:
        error = sys.exc_info()
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, Exception) and database_away(error):
        for repeated in ("exception", "error"):  # django_structlog's own copies of the text
            event.pop(repeated, None)
        event.update(exc_info=None, reason=str(error).partition("\n")[0], level="warning")
    return event


def mask_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """The last step before an event is written: no password, PIN, token or code is in it."""
    return cast("EventDict", masked(event))


def request_id() -> str:
    """The id of the request that this thread works on, or that sent the task it works on; empty
    outside of one.
    """
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


@receiver(signals.bind_extra_request_metadata)
def _request_starts(request: HttpRequest, **_: object) -> None:
    """Take the caller's X-Request-ID only if it is a sane token: it goes into logs and events, and
    back to the caller.
    """
    if not SANE_REQUEST_ID.fullmatch(request_id()):
        structlog.contextvars.bind_contextvars(request_id=str(uuid.uuid4()))
    structlog.contextvars.bind_contextvars(ip=request.META.get("REMOTE_ADDR", ""))
    request.META["saalchef.started"] = time.monotonic()


@receiver(signals.bind_extra_request_finished_metadata)
def _request_ends(
    request: HttpRequest, response: HttpResponse, log_kwargs: dict[str, object], **_: object
) -> None:
    response["X-Request-ID"] = request_id()
    log_kwargs["ms"] = round((time.monotonic() - request.META["saalchef.started"]) * 1000)


@receiver(signals.update_failure_response)
def _request_fails(response: HttpResponse, **_: object) -> None:
    response["X-Request-ID"] = request_id()


@receiver(celery_signals.modify_context_before_task_publish)
def _task_is_sent(context: dict[str, object], **_: object) -> None:
    """A task carries on whose behalf it runs and the request's id, and nothing else of the
    request."""
    for name in set(context) - {"request_id", "user_id"}:
        del context[name]


class GunicornLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """For `gunicorn --logger-class casino.ops.logs.GunicornLogger`: its master process, too, logs
    in this form.
    """

    def setup(self, cfg: object) -> None:
        """Take this configuration in place of gunicorn's own formats and files."""
        from django.conf import settings

        os.environ.setdefault(
            "DJANGO_SETTINGS_MODULE", "casino.settings"
        )  # the master logs before it loads casino.wsgi
        self.cfg = cfg
        configure(settings.LOGGING)
