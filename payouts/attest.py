"""What a signature bears that nobody invents by SQL: the time step of the code that proved its
signer, and an HMAC by a key that is in no table.

The key comes from SIGNATURE_KEY. What SIGNATURE_KEY_FALLBACKS signed is verified for ever, so none
of them ever goes.
"""

import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from uuid import UUID

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from payouts.rules.plain import Json, canonical


@dataclass(slots=True)
class _Proof:
    """A code that a command is proved by; `signed`: how many signatures it bears so far."""

    person_id: UUID
    step: int
    signed: int = 0


class SignatureContent(NamedTuple):
    """What is attested of a signature. `step`: the code's, counted from its authenticator's
    beginning; `ordinal`: which of that code's signatures, from 0. Both are None without a code.
    """

    approval_id: UUID
    signer_id: UUID
    payload_hash: bytes
    method: str
    step: int | None
    ordinal: int | None


_proof: ContextVar[_Proof | None] = ContextVar("proof", default=None)


@contextmanager
def proved_by(person_id: UUID, step: int) -> Iterator[None]:
    """What this person signs within is proved by the code of this time step."""
    before = _proof.set(_Proof(person_id, step))
    try:
        yield
    finally:
        _proof.reset(before)


def next_step(signer_id: UUID) -> tuple[int | None, int | None]:
    """Step and ordinal of the next signature of this person."""
    proof = _proof.get()
    if proof is None or proof.person_id != signer_id:
        return None, None
    proof.signed += 1
    return proof.step, proof.signed - 1


def attestation(content: SignatureContent) -> bytes:
    """The HMAC of a signature by the newest key, 32 bytes."""
    return hmac_of("signature", _plain(content))


def is_attested(content: SignatureContent, mac: bytes) -> bool:
    """Whether the HMAC is of this signature, by one of our keys."""
    return is_hmac_of("signature", _plain(content), mac)


def hmac_of(purpose: str, data: Json) -> bytes:
    """The HMAC of plain data by the newest key, 32 bytes. Each purpose has a key of its own."""
    return _hmac(settings.SIGNATURE_KEY, purpose, data)


def is_hmac_of(purpose: str, data: Json, mac: bytes) -> bool:
    """Whether the HMAC is of this data, by one of our keys."""
    keys = (settings.SIGNATURE_KEY, *settings.SIGNATURE_KEY_FALLBACKS)
    return any(hmac.compare_digest(_hmac(key, purpose, data), mac) for key in keys)


def _plain(content: SignatureContent) -> Json:
    approval, signer, payload_hash, *proof = content
    return [str(approval), str(signer), payload_hash.hex(), *proof]


def _hmac(key: str, purpose: str, data: Json) -> bytes:
    return hmac.digest(_derived(key, purpose), canonical(data), "sha256")


@cache
def _derived(key: str, purpose: str) -> bytes:
    info = f"saalchef {purpose}".encode()
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info).derive(key.encode())
