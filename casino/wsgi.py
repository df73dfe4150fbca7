"""WSGI: HTTP in production (`gunicorn --logger-class casino.logs.GunicornLogger casino.wsgi`)."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
application = get_wsgi_application()  # first: it loads the apps

from casino.startup import refuse_unsafe_database  # noqa: E402

refuse_unsafe_database()
