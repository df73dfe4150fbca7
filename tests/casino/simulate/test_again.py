"""What is said after “Again:” is the same evening: read back as flags it asks for every option as it was."""

import dataclasses
import shlex

from casino.management.commands.simulate import Command, options_of
from casino.simulate.options import Options
from casino.simulate.run import again
from tests.turns import each

OTHERWISE = {
    "url": "http://127.0.0.1:8001", "seed": -7, "tables": 3, "beside": ("blackjack=2",), "rounds": 12, "minutes": 1.5, "speed": 8.0,
    "royals": ("table=2,box=4", "table=3,box=1,round=9"), "false_calls": ("table=1,box=2",), "displays": "late,prompt",
    "jackpot": "Bad Ragaz's own", "offline": True, "mistakes": False, "lossy": 0.0, "take": True, "tell": True, "json": "-",
    "keep": "a file.json", "theft": True,
}  # fmt: skip
TOGETHER = {
    name: value for name, value in OTHERWISE.items() if name != "rounds"
}  # or so many rounds, or so many minutes


def read_back(options: Options) -> Options:
    """As the flags of the printed command are read."""
    program, command, *flags = shlex.split(again(options))
    assert (program, command) == ("manage.py", "simulate")
    return options_of(vars(Command().create_parser(program, command).parse_args(flags)))


@each("name", OTHERWISE)
def test_any_one_option_is_said_again(name: str) -> None:
    options = Options(**{name: OTHERWISE[name]})
    assert options != Options()
    assert read_back(options) == options


def test_all_of_them_are_said_again() -> None:
    assert set(OTHERWISE) == {one.name for one in dataclasses.fields(Options) if one.init}
    assert read_back(Options(**TOGETHER)) == Options(**TOGETHER)


def test_what_is_as_always_is_not_said() -> None:
    assert again(Options()) == "manage.py simulate --seed=1"
