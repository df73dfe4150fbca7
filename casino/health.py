"""`/healthz`, `/readyz`, `/metrics`: whether this process lives, whether the whole works, and how well.

Load balancers ask `/healthz`: every process shares one database, so taking some out of service would help nobody. `/readyz` is for
people and for monitoring.
"""

import os
from collections.abc import Iterator
from hmac import compare_digest

import prometheus_client
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.http import require_safe
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from casino.checks import this_database
from casino.models import Person
from casino.probes import readiness
from casino.problems import problem
from casino.refusals import NotAllowed, SignInRequired
from casino.signin import step_missing


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while this process serves requests; asks nothing of database or Redis."""
    return HttpResponse("alive\n", content_type="text/plain")


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if everything works, else 503; in both cases what was looked at, with ages in seconds."""
    checks = readiness()
    ready = all(check.ok for check in checks.values())
    body = {
        name: {"ok": check.ok, "age_s": None if check.age_s is None else round(check.age_s, 1), "detail": check.detail}
        for name, check in checks.items()
    }
    return JsonResponse({"ready": ready, "checks": body}, status=200 if ready else 503)


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' text, for who has METRICS_TOKEN, or is signed in and may see it; 401 or 403 for others."""
    if not _bears_token(request):
        user = request.user
        if not isinstance(user, Person) or step_missing(user) is not None:
            refusal = problem(SignInRequired(), 401)
            refusal["WWW-Authenticate"] = "Bearer"
            return refusal
        if not user.has_perm("casino.view_metrics"):
            return problem(NotAllowed(), 403)
    return HttpResponse(_metrics_text(), content_type=prometheus_client.CONTENT_TYPE_LATEST)


def _bears_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    expected = settings.METRICS_TOKEN
    return bool(expected) and scheme.lower() == "bearer" and compare_digest(token.encode(), expected.encode())


def _metrics_text() -> bytes:
    """Requests as counted by django_prometheus (over all processes where they share a folder), and our own gauges."""
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
        ok = GaugeMetricFamily("saalchef_check_ok", "1 if the check of /readyz passes.", labels=["check"])
        age = GaugeMetricFamily("saalchef_check_age_seconds", "Age of what the check saw last.", labels=["check"])
        for name, check in readiness().items():
            ok.add_metric([name], float(check.ok))
            if check.age_s is not None:
                age.add_metric([name], check.age_s)
        yield ok
        yield age
        if pool := this_database().pool:
            stats = pool.get_stats()
            gauge = GaugeMetricFamily("saalchef_database_pool", "Connections of this process.", labels=["what"])
            for what in ("pool_size", "pool_available", "requests_waiting"):
                gauge.add_metric([what.removeprefix("pool_")], stats.get(what, 0))
            yield gauge


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
