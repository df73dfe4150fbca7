"""The keys that seals are signed with (Ed25519). They lie in files, never in the database: who may
write there cannot sign.

The private key is one file, readable by the serving user only; beside it lies the public key of
every key there ever was, as `<id>.pub`. A key that is replaced is deleted, its public half stays:
what it signed can be verified for ever, and nobody signs with it again.
"""

import json
import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from payouts.errors import Refused, mark


class SealKeyRefused(Refused):
    """The key that should sign, or one that should verify, cannot be used."""

    code = "seal.key_refused"
    sentence = mark("The key of the seals at %(path)s cannot be used: %(why)s.")
    remedy = mark("Make one with `manage.py seal_key`, or name the right file in SEAL_KEY_PATH.")


LAST = "last.json"


class LastSigned(NamedTuple):
    """Number and head of the newest seal that was signed here."""

    seal: int
    head: str


@dataclass(frozen=True, slots=True)
class Signer:
    """The key that signs now."""

    id: str
    _key: Ed25519PrivateKey

    def sign(self, text: str) -> bytes:
        """The signature under a statement's text: 64 bytes."""
        return self._key.sign(text.encode())


def signer(path: Path) -> Signer:
    """The private key of this file. Raises SealKeyRefused if it is missing, no Ed25519 key, or
    readable by others.
    """
    try:
        if path.stat().st_mode & 0o077:
            raise SealKeyRefused(path=str(path), why=mark("others may read it"))
        key = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise SealKeyRefused(path=str(path), why=str(error.strerror)) from error
    except ValueError as error:
        raise SealKeyRefused(path=str(path), why=mark("it holds no key")) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise SealKeyRefused(path=str(path), why=mark("it is no Ed25519 key"))
    return Signer(_id(key.public_key()), key)


def make(path: Path) -> str:
    """Make a key in this file, readable by its owner only, in place of the one that is there; give
    its id.

    The public half is written first, so that no seal is ever signed by a key that nobody can
    verify. Raises OSError.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = Ed25519PrivateKey.generate()
    name = _id(key.public_key())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    _write(path.with_name(f"{name}.pub"), public, 0o644)
    _write(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600)
    return name


def public_keys(folder: Path) -> dict[str, Ed25519PublicKey]:
    """Every public key of a folder, by its id. Raises SealKeyRefused for a file that holds none."""
    found: dict[str, Ed25519PublicKey] = {}
    for path in sorted(folder.glob("*.pub")):
        try:
            key = load_pem_public_key(path.read_bytes())
        except (OSError, ValueError) as error:
            raise SealKeyRefused(path=str(path), why=mark("it cannot be read")) from error
        if not isinstance(key, Ed25519PublicKey):
            raise SealKeyRefused(path=str(path), why=mark("it is no Ed25519 key"))
        found[_id(key)] = key
    return found


def last_signed(path: Path) -> LastSigned | None:
    """What was signed last by the key in this file, from the file beside it; None before the first.
    Raises SealKeyRefused if it cannot be read.
    """
    place = path.with_name(LAST)
    try:
        fields = json.loads(place.read_bytes())
        return LastSigned(seal=int(fields["seal"]), head=str(fields["head"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SealKeyRefused(path=str(place), why=mark("it cannot be read")) from error


def remember(path: Path, signed: LastSigned) -> None:
    """Write down what the key in this file has signed; on the disk when this returns. Raises
    OSError.
    """
    _write(path.with_name(LAST), json.dumps(signed._asdict()).encode(), 0o600)


def verifies(key: Ed25519PublicKey, text: str, signature: bytes) -> bool:
    """Whether the key signed this text."""
    try:
        key.verify(signature, text.encode())
    except InvalidSignature:
        return False
    return True


def _id(key: Ed25519PublicKey) -> str:
    return sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()[:16]


def _write(path: Path, data: bytes, mode: int) -> None:
    """Write a file in one step: it is there whole, with its rights, or not at all."""
    work = path.with_name(path.name + ".new")
    work.unlink(missing_ok=True)
    with os.fdopen(os.open(work, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as output:
        output.write(data)
        output.flush()
        os.fsync(output.fileno())
    work.rename(path)
