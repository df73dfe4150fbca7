"""WSGI: HTTP in production (`gunicorn --logger-class casino.ops.logs.GunicornLogger
casino.wsgi`)."""

import os

from django.core.wsgi import get_wsgi_application
from servestatic import ServeStatic

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django = get_wsgi_application()  # first: it loads the apps

from casino.edge import with_a_door, with_known_methods, with_static_files  # noqa: E402
from casino.ops.startup import refuse_unsafe_database  # noqa: E402

refuse_unsafe_database()
application = with_known_methods(with_static_files(ServeStatic, with_a_door(django)))
