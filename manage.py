#!/usr/bin/env python
"""Entry to Django's commands; `make help` lists what a developer needs."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except (
        ImproperlyConfigured
    ) as error:  # the environment is wrong: its sentence says more than the way it came here
        sys.exit(str(error))
