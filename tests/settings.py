"""The product's settings, for tests and the processes that they start: chips that tests bring by hand need no ground."""

from casino.settings import *  # noqa: F403
from casino.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.brought.Brought"]
