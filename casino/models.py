"""All models of the surfaces, for Django, which looks for them here; everybody else takes them from
their room.
"""

from casino.audit import models as audit  # noqa: F401
from casino.devices import models as devices  # noqa: F401
from casino.ops import models as ops  # noqa: F401
from casino.people import authenticators, tries_model  # noqa: F401
from casino.people import models as people  # noqa: F401
from casino.pit import models as pit  # noqa: F401
from casino.rulesets import models as rulesets  # noqa: F401
