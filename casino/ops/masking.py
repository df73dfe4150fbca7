"""What must never be in a log, and how it is taken out. Pure Python."""

import re
from collections.abc import Mapping

MASK = "***"
# A key is secret if one of its words is: `user_pin` and `csrfToken` are, `idempotency_key` and
# `opinion` are not.
SECRET_WORDS = frozenset(
    {"password", "passwd", "passphrase", "pin", "pins", "otp", "totp"}
) | frozenset(
    {"token", "tokens", "secret", "secrets", "authorization", "cookie", "cookies", "credentials"}
)
SECRET_NAMES = frozenset(
    {"api_key", "apikey", "secret_key", "signature_key", "private_key", "session_key", "sessionid"}
) | frozenset({"csrfmiddlewaretoken"})
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_CODE_OF_REFUSAL = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")

# The same in running text: `pin=1234` of a query string, `"pin": "1234"` of a dict or JSON. Every
# repetition is bounded, or a long hostile address would cost its length squared.
_TEXT_NAMES = (
    "password|passwd|passphrase|pin|otp|totp|token|secret|cookie|sessionid|csrfmiddlewaretoken"
    "|api_?key|code"
)
_PAIR = re.compile(rf"""(?ix)
    (?P<name>["']?\b[\w-]{{0,30}}?(?<![a-z])(?:{_TEXT_NAMES})["']?)
    (?P<is>\s{{0,3}}[=:]\s{{0,3}})
    (?P<value>"[^"]{{0,500}}"|'[^']{{0,500}}'|[^\s&;,'")\]}}]+)""")
_AUTHORIZATION = re.compile(r"(?i)\b(bearer|basic|digest)\s+[A-Za-z0-9._~+/=-]+")
_PASSWORD_IN_URL = re.compile(r"(?<=://)([^/\s:@]{0,100}):[^/\s@]{1,500}@")


def masked(value: object) -> object:
    """The value with every secret in it replaced by `***`, at any depth, as plain data (what is not
    is turned into text).
    """
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return masked_text(value)
        case bytes():
            return masked_text(value.decode(errors="replace"))
        case Mapping():
            return {
                str(key): MASK if _is_secret(str(key), item) else masked(item)
                for key, item in value.items()
            }
        case list() | tuple() | set() | frozenset():
            return [masked(item) for item in value]
        case _:
            return masked_text(str(value))


def masked_text(text: str) -> str:
    """The text without the values of secret names, passwords in URLs, and credentials of an
    Authorization header.
    """
    text = _PASSWORD_IN_URL.sub(rf"\1:{MASK}@", text)
    text = _AUTHORIZATION.sub(rf"\1 {MASK}", text)
    return _PAIR.sub(_masked_pair, text)


def _masked_pair(pair: re.Match[str]) -> str:
    name, value = pair["name"].strip("\"'"), pair["value"].strip("\"'")
    if name.lower().endswith("code") and _is_harmless_code(value):
        return pair[0]
    return f"{pair['name']}{pair['is']}{MASK}"


def _is_secret(key: str, value: object) -> bool:
    words = [word.lower() for word in _WORD.findall(key)]
    if not SECRET_WORDS.isdisjoint(words) or "_".join(words) in SECRET_NAMES:
        return True
    return words[-1:] in (["code"], ["codes"]) and not _is_harmless_code(value)


def _is_harmless_code(value: object) -> bool:
    """HTTP statuses, exit codes and codes of refusals (`round.not_open`); what a person types from
    a device has six digits.
    """
    text = str(value)
    return len(text) < 5 or _CODE_OF_REFUSAL.fullmatch(text) is not None
