"""What both servers refuse before anything is done: methods that no address has, and heads without end."""

import socket
from contextlib import suppress
from pathlib import Path

import pytest

from casino.launcher.serve import COMMANDS
from tests.casino.ops.own_servers import PROJECT, OwnServers, end, wait_for_web

PAGE = "/sign-in/"
LONG = "x-long: " + 200_000 * "x"
UPGRADE = ("connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13", f"sec-websocket-key: {'A' * 22}==")


def answered(path: Path, line: str, *headers: str, whole: bool = True) -> str:
    """The head of what the server answers to a head; to one that is not `whole` its end is never sent."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(30)
        link.connect(str(path))
        request = [f"{line} HTTP/1.1", "host: localhost", "connection: close", *headers, *(["", ""] if whole else [])]
        with suppress(OSError):  # it may be answered before all of it was read
            link.sendall("\r\n".join(request).encode())
        answer = b""
        with suppress(
            ConnectionResetError
        ):  # and is ended then with the rest on its way; what was answered is read first
            while piece := link.recv(65_536):
                answer += piece
    return answer.partition(b"\r\n\r\n")[0].decode()


def test_strange_methods_and_long_heads_are_refused_by_both_servers(
    own_servers: OwnServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOST", "PORT", "DATABASE_POOL_SIZE"):
        monkeypatch.setenv(name, "1")
    deployed, run = own_servers.folder / "deployed.sock", own_servers.folder / "run.sock"
    gunicorn = ("gunicorn", "-c", "deploy/gunicorn.conf.py", "--workers", "1", "--bind", f"unix:{deployed}")
    processes = [
        own_servers.start(*gunicorn, log="deployed.log"),
        own_servers.start(*COMMANDS["web"](), "--uds", str(run), "--lifespan", "off", log="run.log"),
    ]
    try:
        for server in (deployed, run):
            wait_for_web(server)
            answers = {
                "plain": answered(server, f"GET {PAGE}"),
                "TRACE": answered(server, f"TRACE {PAGE}"),
                "unknown": answered(server, f"PROPFIND {PAGE}"),
                "a file": answered(server, "PROPFIND /static/casino/base.css"),
                "long": answered(server, f"GET {PAGE}", LONG),
                "address": answered(server, f"GET {PAGE}?{'x' * 9000}"),
            }
            if server is run:  # gunicorn serves no sockets, and ends a connection past so many bytes
                answers |= {
                    "socket": answered(server, "GET /ws/pit/", *UPGRADE, LONG),
                    "without end": answered(server, f"GET {PAGE}", *[LONG] * 6, whole=False),
                }
            statuses = [int(answer.split(" ")[1]) for answer in answers.values()]
            assert statuses == [200, 405, 501, 501, 431, 414, 431, 431][: len(answers)], (server.name, answers)
            assert "allow: delete, get, head, options, patch, post, put" in answers["TRACE"].lower()
        option = " ".join(COMMANDS["web"]()).partition("--http ")[2].split(" ")[0]
        assert f"--http {option} " in (PROJECT / "deploy" / "saalchef-ws.service").read_text()
    finally:
        for process in processes:
            end(process)
