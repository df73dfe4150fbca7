"""The settings of the servers that browsers talk to: the project's, with passwords that cost nothing (`tests.people.hasher`)."""

from casino.settings import *  # noqa: F403

PASSWORD_HASHERS = ["tests.people.hasher.CheapArgon2"]
