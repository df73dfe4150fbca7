"""Early pytest plugin (`-p tests.groups`): which test runs where. This list is the one place that says so.

The gate (`make test`) holds what depends neither on the machine's speed nor on the hour, on chance, on a process of ours or on a
browser; `tests/smoke` is the small exception. Everything else is a group of `make proof`. A test in no line belongs to the gate.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent
GATE, SMOKE, FUZZ = "gate", "smoke", "fuzz"
EXAMPLES = {
    "fixed": 15,
    "chance": 200,
}  # for a property; in the gate always the same ones; EXAMPLES=10: more of them
AGAIN = 10  # tests that failed: for so many it is said how to repeat them

# Folder, file or test → group; a star stands for any ending, the longest that fits decides.
PLACES = {
    "smoke": SMOKE,
    "bench": "bench",
    "browser": "browser-desk",
    "browser/look": "browser-look",
    "browser/pit": "browser-pit",
    "browser/tablet": "browser-tablet",
    "casino/launcher": "embedded",
    "exhaustive": "exhaustive",
    "faults": "faults",
    "casino/live": "live",
    "machines": "machines",
    "model": "model",
    "casino/ops": "operations",
    "scale": "scale",
    "casino/api/test_fuzz": FUZZ,
    # a server, a worker or a command of ours as a process
    "casino/api/test_script": "live",
    "casino/api/test_guide_run": "live",
    "casino/simulate/test_evening": "live",
    "casino/simulate/test_killed": "live",
    "casino/simulate/test_theft": "live",
    "jackpot/test_tasks": "live",
    "jackpot/test_hints": "live",  # a Redis that hangs, dies and comes back
    "smoke/test_house": "live",
    "smoke/test_pages::test_an_auditor_takes_a_report_home_and_has_the_books_verified": "live",
    "casino/audit/test_verify_page": "live",  # the verification runs in a process of its own
    "casino/audit/test_double_royal": "live",
    "payouts/test_idempotency::test_server_killed_between_commit_and_answer": "live",
    "payouts/test_idempotency::test_server_killed_before_the_commit": "live",
    "casino/audit/reports/test_formats::test_xlsx_that_libreoffice_has_opened_and_saved_reads_back_equal": "live",
    # whole tables, address by address, card by card: certain, but long
    "casino/admin/test_counts": "exhaustive",
    "casino/admin/test_floor": "exhaustive",
    "casino/api/test_bad_input": "exhaustive",
    "casino/api/test_bad_jackpot": "exhaustive",
    "casino/api/test_pages_elsewhere": "exhaustive",
    "casino/api/test_schema::test_every_example_of_a_command_is_taken_by_somebody": "exhaustive",
    "casino/api/test_walk::test_everybody_gets_what_the_table_says": "exhaustive",
    "casino/audit/reports/test_filters": "exhaustive",
    "casino/audit/reports/test_formats": "exhaustive",
    "casino/audit/reports/test_hostile": "exhaustive",
    "casino/audit/reports/test_number": "exhaustive",
    "casino/audit/reports/test_struck": "exhaustive",
    "casino/audit/reports/test_widths": "exhaustive",
    "casino/audit/test_links": "exhaustive",
    "casino/audit/test_pages::test_pages_of_a_list_hold_each_row_once": "exhaustive",
    "casino/audit/test_rows": "exhaustive",
    "casino/home/test_places::test_each_link_of_each_role_opens_and_marks_itself": "exhaustive",
    "casino/people/test_admin::test_strange_ids_find_nothing": "exhaustive",
    "casino/people/test_admin::test_strange_questions_are_answered": "exhaustive",
    "casino/pit/test_board::test_table_of_an_alert_stands_out_until_it_is_over": "exhaustive",
    "casino/pit/test_room_life::test_older_hits_are_read_page_by_page": "exhaustive",
    "casino/pit/test_statements": "exhaustive",
    "casino/test_walk": "exhaustive",
    "jackpot/test_link_of_sixty": "exhaustive",
    "races/test_jackpot_pay": "exhaustive",
    "seals/test_many": "exhaustive",
    "seals/test_sealing::test_any_course_of_transactions_is_sealed_whole": "exhaustive",
    "seals/test_tampering": "exhaustive",
    "tables/games/blackjack/test_impossible::test_hands_of_a_split": "exhaustive",
    "tables/games/blackjack/test_simulated": "exhaustive",
    "jackpot/rules/test_progressive::test_fixed_prizes_are_worth_what_settling_every_deal_pays": "exhaustive",
    "meta/test_catalogues::test_the_check_finds": "exhaustive",
    "meta/test_groups::test_what_a_test_takes_from_another_is_there": "exhaustive",
    "meta/test_catalogues::test_a_new_sentence_is_empty_in_every_language": "exhaustive",
    "meta/test_layers::test_no_migration_is_missing": "exhaustive",  # `make check` asks Django itself
    "meta/test_layers::test_imports_go_one_way": "exhaustive",  # so do contracts
    "meta/test_zone": "exhaustive",
    "payouts/rules/test_hands::test_two_million_seven_card_hands_have_phevaluators_order": "exhaustive",
    "payouts/rules/test_hands::test_all_five_card_hands_have_phevaluators_order_and_the_published_counts": "exhaustive",
}
PROOF = (
    "browser-tablet",
    "browser-pit",
    "browser-desk",
    "browser-look",
    "live",
    "embedded",
    "operations",
    "bench",
    "model",
    "machines",
    FUZZ,
    "exhaustive",
    "faults",
    "scale",
)


def group_of(name: str) -> str:
    """The group of a test, a file or a folder: its name below `tests/`, as in `jackpot/test_meter.py::test_coin`."""
    name = name.replace(".py", "")
    fitting = [place for place in PLACES if _fits(place, name)]
    return PLACES[max(fitting, key=len)] if fitting else GATE


def _fits(place: str, name: str) -> bool:
    if place.endswith("*"):
        return name.startswith(place[:-1])
    return name == place or name.startswith((f"{place}/", f"{place}::", f"{place}["))


def _name(item: pytest.Item) -> str:
    return item.nodeid.removeprefix("tests/")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--group", default="", help=f"only tests of this group: {GATE} (with {SMOKE}), {', '.join(PROOF)}")


def pytest_configure(config: pytest.Config) -> None:
    """The same examples in every run, but where chance is asked for; a busy machine is no failure."""
    for name, examples in EXAMPLES.items():
        settings.register_profile(
            name,
            max_examples=round(examples * float(os.environ.get("EXAMPLES") or 1)),
            deadline=None,
            derandomize=name == "fixed",
            suppress_health_check=[HealthCheck.too_slow],
        )
    settings.load_profile("chance" if config.option.group == FUZZ else "fixed")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of another group are not even read."""
    wanted = config.option.group
    if not wanted or wanted == FUZZ or not collection_path.is_relative_to(TESTS) or collection_path == TESTS:
        return None
    name = collection_path.relative_to(TESTS).as_posix()
    within = {group_of(name)} | {group for place, group in PLACES.items() if place.startswith(name.replace(".py", ""))}
    return not within & _groups(wanted) or None


def _groups(wanted: str) -> set[str]:
    return {GATE, SMOKE} if wanted == GATE else {wanted}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.option.group
    if not wanted:
        return

    def belongs(item: pytest.Item) -> bool:
        group = group_of(_name(item))
        drawn = wanted == FUZZ and group == GATE and item.get_closest_marker("hypothesis") is not None
        return drawn or group in _groups(wanted)

    left = [item for item in items if not belongs(item)]
    items[:] = [item for item in items if belongs(item)]
    config.hook.pytest_deselected(items=left)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The command that repeats what failed."""
    failed = [*terminalreporter.stats.get("failed", []), *terminalreporter.stats.get("error", [])]
    for test in sorted({report.nodeid for report in failed})[:AGAIN]:
        group = group_of(test.removeprefix("tests/"))
        wanted = "" if group in (GATE, SMOKE) else f"--group {group} "
        terminalreporter.write_line(
            f"""Again: make test ARGS="{wanted}{_seed(terminalreporter.config)}-n0 '{test}'\""""
        )


def _seed(config: pytest.Config) -> str:
    """What examples by chance hung on besides."""
    seed = config.getoption("hypothesis_seed", None)
    return f"--hypothesis-seed={seed} " if seed is not None else ""


# What a test of the gate may not do
# Programs that answer and end by themselves: they read the repository, fill the tests' database, load the rules alone.
TOOLS = ("git", "psql", "pg_dump")
ALONE = ("-I", "-c")
_breaches: list[str] | None = None  # of the test that runs; None where everything may be done


def _answers(program: Any, arguments: Any) -> bool:
    return Path(os.fsdecode(program)).name in TOOLS or tuple(arguments[1:3]) == ALONE


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _breaches is None:
        return
    if event == "subprocess.Popen" and not _answers(arguments[0], arguments[1]):
        _breaches.append(f"starts {arguments[0]}")
    elif event in ("os.fork", "os.forkpty", "os.posix_spawn", "os.system"):
        _breaches.append(f"starts a process ({event})")
    elif event in ("os.kill", "os.killpg", "signal.pthread_kill") and arguments[1]:
        _breaches.append(f"signals process {arguments[0]}")


sys.addaudithook(_watch)
_sleep = time.sleep  # no audit event before Python 3.13


def _watched_sleep(seconds: float) -> None:
    """A pause of the product between two tries (`run_once`) is no wait of the test's."""
    asked = sys._getframe(1).f_code.co_filename
    if _breaches is not None and seconds > 0 and ("/tests/" in asked or asked.endswith("embedded/processes.py")):
        _breaches.append(f"sleeps {seconds} s")
    _sleep(seconds)


time.sleep = _watched_sleep


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    global _breaches
    _breaches = [] if group_of(_name(item)) == GATE else None
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    done = yield
    if _breaches:
        pytest.fail(f"a test of the gate that {_breaches[0]}: it waits for an event, or has a group in tests/groups.py")
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    global _breaches
    _breaches = None
    return (yield)
