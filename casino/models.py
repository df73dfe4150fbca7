"""All models of the wiring, for Django, which looks for them here; everybody else takes them from where they stand."""

from casino import (  # noqa: F401
    models_alerts,
    models_authenticators,
    models_devices,
    models_people,
    models_reports,
    models_runs,
    models_tries,
)
