from tests.jackpot.lived import Lived
from tests.worlds import for_module

lived = for_module(Lived)
