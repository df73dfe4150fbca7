"""ASGI: HTTP and sockets of one process (`make run`), or the sockets alone (production)."""

import os

from channels.routing import ProtocolTypeRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application
from servestatic import ServeStaticASGI

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django = get_asgi_application()  # first: it loads the apps

from casino.edge import with_body_limit, with_own_methods, with_static_files  # noqa: E402
from casino.live.routing import lifespan, sockets  # noqa: E402
from casino.ops.startup import refuse_unsafe_database  # noqa: E402

refuse_unsafe_database()

application = ProtocolTypeRouter(
    {
        "http": with_own_methods(with_static_files(ServeStaticASGI, with_body_limit(django))),
        "websocket": AllowedHostsOriginValidator(sockets),
        "lifespan": lifespan,
    }
)
