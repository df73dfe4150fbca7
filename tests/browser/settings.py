"""Settings of servers that browsers talk to: the project's, with passwords that cost nothing (`tests.casino.people.hasher`)."""

from tests.settings import *  # noqa: F403

PASSWORD_HASHERS = ["tests.casino.people.hasher.CheapArgon2"]
