"""The servers, pages and sockets of the groups of `make proof`, for the few tests of the gate that need one."""

from tests.browser.conftest import (  # noqa: F401
    cheap_passwords,
    chromium,
    chromium_program,
    floor_server,
    new_floor_page,
    real_floor_server,
    static_files,
)
from tests.casino.live.conftest import connect, place, web  # noqa: F401
