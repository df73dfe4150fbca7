"""The schema and the page that shows it, both for whoever is signed in, both from our own
origin."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET
from drf_spectacular.generators import SchemaGenerator

from casino.api.schemas.examples import add_examples
from casino.api.schemas.fields import COMPONENTS


@require_GET
def schema(request: HttpRequest) -> HttpResponse:
    """The description of the API (OpenAPI 3.1)."""
    return JsonResponse(_schema())


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """The description as a page: Swagger UI, which may call the API in the name of who reads it."""
    return render(request, "api/docs.html")


@cache
def _schema() -> dict[str, Any]:
    described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return described


def sealed(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:  # noqa: FBT001
    """The generator's last step: our components go in, every answer shows an example, a needed body
    is required.
    """
    result["components"].setdefault("schemas", {}).update(dict(sorted(COMPONENTS.items())))
    for operations in result["paths"].values():
        for operation in operations.values():
            body = operation.get("requestBody")
            if body and body["content"]["application/json"]["schema"].get("required"):
                body["required"] = True
    add_examples(result)
    return result
