"""Argon2id with a hundredth of the work, for tests that hash by the dozen; `test_services.py` looks at the real one."""

from casino.hashers import Argon2


class CheapArgon2(Argon2):
    """The same format, little memory, one pass."""

    time_cost = 1
    memory_cost = 64
    parallelism = 1
