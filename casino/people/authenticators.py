"""The secret of a person's authenticator: sealed in the database by a key that is not in it, nor in
its backups.

Who reads a backup makes no code from it; the person is sealed in, so a row copied under another's
name opens nothing. The key comes from SECRET_KEY. With a new one, SECRET_KEY_FALLBACKS opens what
`reseal` has not sealed anew yet, and nobody has to enrol again.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import unhexlify
from functools import cache
from typing import Any, ClassVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models, transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

SEALED = "sealed:"  # no hexadecimal text begins so
NONCE = 12  # bytes


class SecretUnreadable(Exception):
    """No key of this program opens it: SECRET_KEY was changed without its fallback, or the row was
    tampered with.
    """


class Authenticator(TOTPDevice):  # type: ignore[misc]  # the library says no types
    """An authenticator whose `key` is sealed whenever the row is written."""

    key: str
    objects: "ClassVar[models.Manager[Authenticator]]"

    class Meta:
        app_label = "casino"
        proxy = True
        default_permissions = ()

    @property
    def bin_key(self) -> bytes:
        """The secret itself. Raises SecretUnreadable."""
        return _opened(self.key, self.user_id)[0]

    @property
    def is_readable(self) -> bool:
        """Whether codes can be looked at."""
        try:
            return bool(self.bin_key)
        except SecretUnreadable:
            return False

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the row, the secret sealed."""
        if not self.key.startswith(SEALED):
            self.key = _sealed(unhexlify(self.key), self.user_id)
        super().save(*args, **kwargs)


def reseal() -> None:
    """Seal by the newest key what lies there in clear, from before this, or under a former key.
    What no key opens stays.
    """
    for pk in list(Authenticator.objects.order_by("pk").values_list("pk", flat=True)):
        with transaction.atomic():
            device = Authenticator.objects.select_for_update().filter(pk=pk).first()
            if device is None:
                continue
            try:
                secret, newest = _opened(device.key, device.user_id)
            except SecretUnreadable:
                continue
            if not newest:
                device.key = _sealed(secret, device.user_id)
                device.save(update_fields=["key"])


def _opened(text: str, person: object) -> tuple[bytes, bool]:
    """The secret, and whether it lies under the newest key. In clear lie those from before they
    were sealed.
    """
    try:
        if not text.startswith(SEALED):
            return unhexlify(text), False
        whole = urlsafe_b64decode(text.removeprefix(SEALED))
    except ValueError as error:
        raise SecretUnreadable from error
    for number, key in enumerate((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)):
        try:
            return (
                _cipher(key).decrypt(whole[:NONCE], whole[NONCE:], str(person).encode()),
                number == 0,
            )
        except InvalidTag:
            continue
    raise SecretUnreadable


def _sealed(secret: bytes, person: object) -> str:
    nonce = os.urandom(NONCE)
    whole = nonce + _cipher(settings.SECRET_KEY).encrypt(nonce, secret, str(person).encode())
    return SEALED + urlsafe_b64encode(whole).decode()


@cache
def _cipher(key: str) -> AESGCM:
    return AESGCM(
        HKDF(algorithm=SHA256(), length=32, salt=None, info=b"saalchef authenticator").derive(
            key.encode()
        )
    )
