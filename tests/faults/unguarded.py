"""The web of a house whose gate takes any nonce (`make faults WITHOUT=nonce`): gunicorn serves this in place of `casino.wsgi`."""

from casino.wsgi import application
from jackpot.services import gate
from tests.faults.without import any_nonce

gate.secrets = any_nonce()

__all__ = ["application"]
