"""Argon2id as Django sets it up, but only so many at once as there are processors."""

import os
import threading

from django.contrib.auth.hashers import Argon2PasswordHasher

# One hash takes 100 MB. Under ASGI every request has a thread of its own, so a burst of sign-ins would else take all memory; and
# more hashes at once than processors are no quicker.
AT_ONCE = os.cpu_count() or 1
_turns = threading.BoundedSemaphore(AT_ONCE)


class Argon2(Argon2PasswordHasher):
    """The project's password hasher; hashes are Django's own in form and strength."""

    def encode(self, password: str, salt: str) -> str:
        """Hash, when it is its turn."""
        with _turns:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Check, when it is its turn."""
        with _turns:
            return super().verify(password, encoded)
