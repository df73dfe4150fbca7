"""No secret leaves by the logs, in whatever shape it comes; and what is no secret stays readable."""

import time

import pytest

from casino.ops.masking import masked, masked_text

SECRET_KEYS = (
    "password new_password Password PASSWORD passphrase pin PIN user_pin pins otp totp_code otp_token token csrfToken"
    " csrfmiddlewaretoken sessionid session_key api_key apikey secret_key SECRET_KEY signature_key client-secret cookie Cookie"
    " Authorization credentials code codes recovery_code"
)


@pytest.mark.parametrize("key", SECRET_KEYS.split())
def test_secret_key_is_masked_at_any_depth(key: str) -> None:
    assert masked({"a": [{"b": ({key: "270415"},)}]}) == {"a": [{"b": [{key: "***"}]}]}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("code", 200),
        ("code", 404),
        ("code", "round.not_open"),
        ("error_code", "box.over_maximum"),
        ("code", None),
        ("idempotency_key", "7f1c2d"),
        ("spin", 3),
        ("opinion", "good"),
        ("pinned", True),
        ("barcode", "270415"),
        ("tokenizer", "x"),
    ],
)
def test_harmless_key_stays(key: str, value: object) -> None:
    assert masked({key: value}) == {key: value}


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("GET /x?token=abc&page=2", "GET /x?token=***&page=2"),
        ("GET /x?a=1&otp=123456", "GET /x?a=1&otp=***"),
        ("user_pin: 270415, next", "user_pin: ***, next"),
        ("{'password': 'one two', 'a': 1}", "{'password': ***, 'a': 1}"),
        ('{"code": "123456", "a": 1}', '{"code": ***, "a": 1}'),
        ("code=123456", "code=***"),
        ("postgres://app:s3cr:et@db/x", "postgres://app:***@db/x"),
        ("redis://:s3cret@cache:6379/0", "redis://:***@cache:6379/0"),
        ("Authorization: Bearer abc.def-123", "Authorization: Bearer ***"),
        ("Cookie: sessionid=abc; a=b", "Cookie: ***; a=b"),
    ],
)
def test_secret_in_running_text_is_masked(text: str, safe: str) -> None:
    assert masked_text(text) == safe
    assert masked(text.encode()) == safe


@pytest.mark.parametrize(
    "text",
    [
        "exit code: 3",
        "code=503",
        "code=round.not_open",
        "spin=7",
        "http://a/b@c",
        "a pin is needed",
        "postgres://app@db/x",
    ],
)
def test_harmless_text_stays(text: str) -> None:
    assert masked_text(text) == text


def test_other_things_become_text_without_their_secrets() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd token=abc"

    assert masked([Odd(), 1, 2.5, None, True]) == ["odd token=***", 1, 2.5, None, True]


@pytest.mark.parametrize("text", ["a-" * 12_500, "pin=" * 6_250, "pin='" * 5_000, "://a:" * 5_000, "password" * 3_000])
def test_hostile_text_costs_no_more_by_the_letter(text: str) -> None:
    """Eight times the text costs this thread about eight times the work; what looks back again and again, sixty-four times."""

    def work(times: int) -> float:
        began = time.thread_time()
        masked_text(text * times)
        return time.thread_time() - began

    assert min(work(8) for _ in range(3)) < 24 * max(min(work(1) for _ in range(3)), 0.0005)
