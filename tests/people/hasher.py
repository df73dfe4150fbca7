"""Argon2id with a hundredth of the work, for tests that hash by the dozen; `test_services.py` looks at the real one."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class CheapArgon2(Argon2PasswordHasher):
    """The same format, little memory, one pass."""

    time_cost = 1
    memory_cost = 64
    parallelism = 1
