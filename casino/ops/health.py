"""`/healthz`, `/readyz`, `/metrics`: whether this process lives, whether the whole works, and how
well.

Load balancers ask `/healthz`: every process shares one database, so taking some out of service
would help nobody. `/readyz` is for people and for monitoring: a stranger learns yes or no, and not
which part to attack. None of the three needs the database to answer (`casino/people/middleware.py`
leaves the session alone there).
"""

import os
from collections.abc import Iterator
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address

import prometheus_client
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.http import require_safe
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from casino.database import this_database
from casino.ops.probes import readiness
from casino.people.models import Person
from casino.people.permissions import VIEW_METRICS
from casino.people.refusals import NotAllowed, SignInRequired
from casino.people.signin import step_missing
from casino.text.problems import problem
from payouts.db.constraints import database_away


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while this process serves requests; asks nothing of database or Redis."""
    return HttpResponse("alive\n", content_type="text/plain")


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if everything works, else 503; for who may know more, also what was looked at, with ages
    in seconds.
    """
    checks = readiness()
    ready = all(check.ok for check in checks.values())
    body: dict[str, object] = {"ready": ready}
    if _may_know_more(request, database_answers=checks["database"].ok):
        body["checks"] = {
            name: {
                "ok": check.ok,
                "age_s": None if check.age_s is None else round(check.age_s, 1),
                "detail": check.detail,
            }
            for name, check in checks.items()
        }
    return JsonResponse(body, status=200 if ready else 503)


def _may_know_more(request: HttpRequest, *, database_answers: bool) -> bool:
    """Whether to tell what is amiss. Without the database nobody is asked who they are: their
    session lies there.
    """
    if _bears_token(request) or (settings.DEMO and _from_this_machine(request)):
        return True
    try:
        return database_answers and _is_inside(request.user) and request.user.has_perm(VIEW_METRICS)
    except DatabaseError as error:
        if database_away(error):  # it died since it answered, less than a second ago
            return False
        raise


def _from_this_machine(request: HttpRequest) -> bool:
    """Whether the peer's address is a loopback; no header is believed."""
    try:
        peer = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:  # a unix socket: a proxy's, and nobody knows whom it serves
        return False
    mapped = peer.ipv4_mapped if isinstance(peer, IPv6Address) else None
    return (mapped or peer).is_loopback


def _is_inside(user: object) -> bool:
    return isinstance(user, Person) and step_missing(user) is None


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' text, for who has METRICS_TOKEN, or is signed in and may see it; 401 or 403 for
    others.
    """
    if not _bears_token(request):
        if not _is_inside(request.user):
            refusal = problem(SignInRequired(), 401)
            refusal["WWW-Authenticate"] = "Bearer"
            return refusal
        if not request.user.has_perm(VIEW_METRICS):
            return problem(NotAllowed(), 403)
    return HttpResponse(_metrics_text(), content_type=prometheus_client.CONTENT_TYPE_LATEST)


def _bears_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    expected = settings.METRICS_TOKEN
    return (
        bool(expected)
        and scheme.lower() == "bearer"
        and compare_digest(token.encode(), expected.encode())
    )


def _metrics_text() -> bytes:
    """Requests as counted by django_prometheus (over all processes where they share a folder), and
    our own gauges.
    """
    registry = prometheus_client.REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = prometheus_client.CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    own = prometheus_client.CollectorRegistry()
    own.register(_Gauges())
    return prometheus_client.generate_latest(registry) + prometheus_client.generate_latest(own)


class _Gauges(Collector):
    """What `/readyz` says, as numbers, and this process's connections to the database."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges of this moment."""
        ok = GaugeMetricFamily(
            "saalchef_check_ok", "1 if the check of /readyz passes.", labels=["check"]
        )
        age = GaugeMetricFamily(
            "saalchef_check_age_seconds", "Age of what the check saw last.", labels=["check"]
        )
        for name, check in readiness().items():
            ok.add_metric([name], float(check.ok))
            if check.age_s is not None:
                age.add_metric([name], check.age_s)
        yield ok
        yield age
        if pool := this_database().pool:
            stats = pool.get_stats()
            gauge = GaugeMetricFamily(
                "saalchef_database_pool", "Connections of this process.", labels=["what"]
            )
            for what in ("pool_size", "pool_available", "requests_waiting"):
                gauge.add_metric([what.removeprefix("pool_")], stats.get(what, 0))
            yield gauge


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
