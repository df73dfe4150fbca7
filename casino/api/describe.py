"""The API described: each operation says what it takes and answers, from the same fields that read it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from casino.api.parse import KEY_PATTERN, Field

ID = "6f0d2c1e-5a74-4c7e-9b57-1c1f8f6f2a10"  # in examples
View = TypeVar("View", bound=Callable[..., Any])

PROBLEM = "application/problem+json"
_READ = {
    400: "The request cannot be understood.",
    401: "Nobody is signed in.",
    403: "The caller may not do this.",
    404: "There is no such thing within the caller's reach.",
    503: "Nothing is known or was done: ask again, a command under the same key (Retry-After).",
}
_COMMAND = _READ | {
    409: "It does not fit how things stand, or the same request is still being carried out (Retry-After).",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "A rule refuses it: `code` and `rule` say which.",
}


def ref(name: str) -> dict[str, Any]:
    """A component of the schema (`casino/api/components.py`)."""
    return {"$ref": f"#/components/schemas/{name}"}


def body_of(fields: Mapping[str, Field]) -> dict[str, Any]:
    """The schema of a body with exactly these fields."""
    properties = {}
    for name, field in fields.items():
        default = {} if field.required else {"default": field.default}
        properties[name] = {**field.schema, **default} if "$ref" not in field.schema else dict(field.schema)
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    required = [name for name, field in fields.items() if field.required]
    return schema | ({"required": required} if required else {})


def command(
    name: str,
    summary: str,
    fields: Mapping[str, Field],
    answer: str,
    example: Mapping[str, Any],
    *,
    of_round: bool = False,
    bare: bool = False,
) -> Callable[[View], View]:
    """Describe a POST. `of_round`: it answers how the round stands now as well; `bare`: without key and replay around it."""
    return extend_schema(
        operation_id=name,
        summary=summary,
        description=summary + ".",
        parameters=[_KEY],
        request={"application/json": body_of(fields)},
        responses={200: ref(answer) if bare else _envelope(answer, of_round=of_round)} | _problems(_COMMAND),
        examples=[OpenApiExample(name, value=dict(example), request_only=True)],
    )


def listing(name: str, summary: str, item: str, query: Mapping[str, Field]) -> Callable[[View], View]:
    """Describe a GET that gives a page."""
    page = {
        "type": "object",
        "required": ["results", "next"],
        "properties": {
            "results": {"type": "array", "items": ref(item)},
            "next": {"type": ["string", "null"], "description": "The cursor of the next page."},
        },
    }
    return extend_schema(
        operation_id=name,
        summary=summary,
        description=summary + ".",
        parameters=_parameters(query),
        request=None,
        responses={200: page} | _problems(_READ),
    )


def _parameters(query: Mapping[str, Field]) -> list[OpenApiParameter]:
    return [OpenApiParameter(name, dict(field.schema), required=field.required) for name, field in query.items()]


def one(
    name: str, summary: str, answer: str, query: Mapping[str, Field] = MappingProxyType({})
) -> Callable[[View], View]:
    """Describe a GET that gives one thing."""
    return extend_schema(
        operation_id=name,
        summary=summary,
        description=summary + ".",
        parameters=_parameters(query),
        request=None,
        responses={200: ref(answer)} | _problems(_READ),
    )


_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 8, "maxLength": 200, "pattern": KEY_PATTERN},
    OpenApiParameter.HEADER,
    required=True,
    description="A new one for each new request; a request that is repeated keeps its key and gets the first answer.",
)


def _envelope(answer: str, *, of_round: bool) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "replayed": {"type": "boolean", "description": "Whether this was carried out before, under the same key."},
        "answer": ref(answer),
    }
    if of_round:
        properties["present"] = ref("Present")
    return {"type": "object", "required": list(properties), "properties": properties}


def _problems(codes: Mapping[int, str]) -> dict[Any, Any]:
    return {
        (code, PROBLEM): OpenApiResponse(ref("Problem"), description=description) for code, description in codes.items()
    }


class _OfficeScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "casino.api.who.OfficeAuthentication"
    name = "office"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        from django.conf import settings

        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "A signed-in person's session. A command also sends the CSRF cookie's token as X-CSRFToken.",
        }
