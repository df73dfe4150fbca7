"""What both servers refuse before anything is done: methods that no address has, and headers without end."""

import socket
from contextlib import suppress
from pathlib import Path

from tests.casino.ops.own_servers import OwnServers, end, wait_for_web

PAGE = "/sign-in/"
LONG = "x-long: " + 200_000 * "x"
UPGRADE = ("connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13")


def answered(path: Path, line: str, *headers: str) -> str:
    """The first line and the headers of what the server answers."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(30)
        link.connect(str(path))
        request = [f"{line} HTTP/1.1", "host: localhost", "connection: close", *headers, "", ""]
        with suppress(OSError):  # it may be answered before all of it was read
            link.sendall("\r\n".join(request).encode())
        answer = b""
        while piece := link.recv(65_536):
            answer += piece
    return answer.partition(b"\r\n\r\n")[0].decode()


def test_strange_methods_and_long_headers_are_refused_by_both_servers(own_servers: OwnServers, web: Path) -> None:
    path = own_servers.folder / "bounds.sock"
    gunicorn = ("gunicorn", "-c", "deploy/gunicorn.conf.py", "--workers", "1")
    process = own_servers.start(*gunicorn, "--bind", f"unix:{path}", log="bounds.log")
    wait_for_web(path)
    try:
        for server in (path, web):
            answers = {
                "plain": answered(server, f"GET {PAGE}"),
                "TRACE": answered(server, f"TRACE {PAGE}"),
                "unknown": answered(server, f"PROPFIND {PAGE}"),
                "a file": answered(server, "PROPFIND /static/casino/base.css"),
                "long": answered(server, f"GET {PAGE}", LONG),
            }
            statuses = {name: int(answer.split(" ")[1]) for name, answer in answers.items()}
            assert statuses == {"plain": 200, "TRACE": 405, "unknown": 501, "a file": 501, "long": 431}, server.name
            assert "allow: delete, get, head, options, patch, post, put" in answers["TRACE"].lower()
        assert (
            answered(web, "GET /ws/pit/", *UPGRADE, "sec-websocket-key: " + "A" * 22 + "==", LONG).split(" ")[1]
            == "431"
        )
    finally:
        end(process)
