"""ASGI: HTTP and sockets of one process (`make run`), or the sockets alone (production)."""

import os

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application
from django.urls import re_path
from servestatic import ServeStaticASGI

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django = get_asgi_application()  # first: it loads the apps

from casino.edge import with_static_files  # noqa: E402
from casino.startup import refuse_unsafe_database  # noqa: E402

refuse_unsafe_database()


class NoSuchSocket(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """Closes with 4404. It accepts first: a browser is told no code of a socket that was never open."""

    async def connect(self) -> None:
        """Take the connection only to say that there is nothing here."""
        await self.accept()
        await self.close(code=4404)


sockets = AllowedHostsOriginValidator(URLRouter([re_path("", NoSuchSocket.as_asgi())]))
application = ProtocolTypeRouter({"http": with_static_files(ServeStaticASGI, django), "websocket": sockets})
