"""Heads of requests as uvicorn reads them, bounded: its own protocol takes any number of bytes, and
leaves a socket's upgrade whose lines `websockets` refuses without an answer.
"""

from http import HTTPStatus

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_MOST = 32_768  # bytes of address, names and values together
# as gunicorn has them: bytes of a line, number of fields; `websockets` takes little more
LINE_MOST, FIELDS_MOST = 8190, 100


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol; a head that is too long is refused before anything is done."""

    head_open = False  # its end has not come yet
    head_bytes = 0  # of one that comes in several pieces, after the first
    refusal: HTTPStatus | None = None

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self.head_open, self.head_bytes = True, 0

    def on_headers_complete(self) -> None:
        """The head is whole. Raises ValueError for one that is too long, which ends its reading."""
        self.head_open = False
        lines = [len(name) + len(value) + 4 for name, value in self.headers]
        if len(self.url) > LINE_MOST:
            self.refusal = HTTPStatus.REQUEST_URI_TOO_LONG
        elif (
            sum(lines) > HEAD_MOST or max(lines, default=0) > LINE_MOST or len(lines) > FIELDS_MOST
        ):
            self.refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        if self.refusal:
            raise ValueError
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """As uvicorn's, up to the bound."""
        went_on = self.head_open
        super().data_received(data)
        self.head_bytes += len(data) if went_on and self.head_open else 0
        if self.head_bytes > HEAD_MOST:
            self.refusal = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        """The refusal of a head that is too long, or uvicorn's of what it cannot read."""
        if self.refusal is None:
            super().send_400_response(msg)
            return
        line = f"HTTP/1.1 {self.refusal.value} {self.refusal.phrase}"
        self.transport.write(f"{line}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode())
        self.transport.close()
