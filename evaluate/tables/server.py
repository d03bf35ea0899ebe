"""Tables on the network: a page for browsers, and a websocket a person.

Everything is on one address: `/` is the page, `/web/...` its parts, `/table` the websocket. A link
for a person is the page's address with the seat's key behind `#`, which browsers keep to
themselves: it stands in no request, no log and no referrer.

Whoever has a key may play, so keys are long and random. Other web sites cannot reach a table by a
browser: the websocket's `Origin` must be the address that it was opened at, and that address must
be a number or a name that this server is known by.
"""

import asyncio
import errno
import ipaddress
import socket as sockets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from .messages import LONGEST, Asked, Hello, encoded, understood
from .page import FILES, HEADERS, content
from .room import Link, Room
from .table import RefusedError, Viewer

GREETING = 10.0
"""Seconds within which a link says whose it is."""
RATE, BURST = 20.0, 40.0
"""Messages of a link: a second in the long run, and at once."""
STRANGERS = 64
"""Links that may be open at once without having said whose they are."""

BAD_KEY, FLOOD, CROWDED, SILENT = 4001, 4008, 4009, 4010
"""Why the server closes a link, in the range that is free for such codes."""


class Bucket:
    """How much somebody may say: it fills at RATE up to BURST."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin full."""
        self._clock, self._left, self._then = clock, BURST, clock()

    def take(self) -> bool:
        """Take one, if one is left."""
        now = self._clock()
        self._left = min(BURST, self._left + RATE * (now - self._then))
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Server:
    """Some rooms on one address.

    Attributes:
        rooms: the rooms.
        app: the ASGI application.
    """

    def __init__(self, rooms: Sequence[Room], host: str = "127.0.0.1") -> None:
        """Put `rooms` on the network; `host` is a name of this server besides numbers."""
        self.rooms = list(rooms)
        self._names = {"localhost", _shown(host).lower()}
        self._strangers = 0
        # one thread: agents hold random generators, which threads must not share
        self._pool = ThreadPoolExecutor(1, "agents")
        self.app = Starlette(
            routes=[
                Route("/", self._file),
                Route("/web/{name}", self._file),
                WebSocketRoute("/table", self._table),
            ],
            lifespan=self._life,
        )

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        """Agents move while the server runs."""
        tasks = [asyncio.create_task(room.run(self._pool)) for room in self.rooms]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _file(self, request: Request) -> Response:
        """The page, or a part of it."""
        if not self._is_ours(request):
            return PlainTextResponse("this server has another name\n", 403, HEADERS)
        name = request.path_params.get("name", "play.html")
        if name not in FILES:
            return PlainTextResponse("there is no such page\n", 404, HEADERS)
        return Response(content(name), 200, HEADERS, FILES[name])

    def _is_ours(self, request: HTTPConnection) -> bool:
        """Whether the browser believes to speak with a number or a name that is this server's.

        A foreign name that leads to this address is another site's attempt to get in.
        """
        try:
            name = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
            if name not in self._names:
                ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _is_own_page(self, socket: WebSocket) -> bool:
        """Whether a page of this server opens the link, or no page at all."""
        origin = socket.headers.get("origin")
        return origin is None or origin.partition("://")[2] == socket.headers.get("host")

    async def _table(self, socket: WebSocket) -> None:
        """A link, from its greeting to its end."""
        if not self._is_ours(socket) or not self._is_own_page(socket):
            await socket.close()  # before the handshake: the browser is answered 403
            return
        await socket.accept()
        try:
            found = await self._greeted(socket)
            if found:
                await self._talk(socket, *found)
        except (WebSocketDisconnect, RuntimeError):
            pass  # gone, perhaps while something was on its way

    async def _greeted(self, socket: WebSocket) -> tuple[Room, Viewer, Hello] | None:
        """Whose link it is; it is closed with a sentence if that is not said, or not true."""
        if self._strangers >= STRANGERS:
            await socket.close(CROWDED, "too many are at the door; try again later")
            return None
        self._strangers += 1
        try:
            hello = understood(await asyncio.wait_for(_heard(socket), GREETING))
        except TimeoutError:
            await socket.close(SILENT, "nobody said whose seat this is")
            return None
        except RefusedError as error:
            await socket.close(BAD_KEY, str(error))
            return None
        finally:
            self._strangers -= 1
        found = self._opened_by(hello)
        if not found:
            await socket.close(BAD_KEY, "this link opens no table here; ask the host for yours")
            return None
        return found[0]

    def _opened_by(self, hello: Asked) -> list[tuple[Room, Viewer, Hello]]:
        """What the key of a greeting opens, if it is one; all keys are compared, whatever it is."""
        if not isinstance(hello, Hello):
            return []
        return [
            (room, viewer, hello) for room in self.rooms for viewer in room.opened_by(hello.key)
        ]

    async def _talk(self, socket: WebSocket, room: Room, viewer: Viewer, hello: Hello) -> None:
        try:
            link = room.join(viewer, hello)
        except RefusedError as error:
            await socket.close(CROWDED, str(error))
            return
        teller = asyncio.create_task(_tell(socket, room, link))
        try:
            await self._listen(socket, room, link)
        finally:
            room.leave(link)
            teller.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await teller

    async def _listen(self, socket: WebSocket, room: Room, link: Link) -> None:
        """Do what the link asks for, until it is closed."""
        bucket = Bucket()
        while True:
            text = await _heard(socket)
            if not bucket.take():
                await socket.close(FLOOD, "too many messages at once")
                return
            await room.hear(link, text, self._pool)

    def serve(
        self, socket: sockets.socket, ready: Callable[[uvicorn.Server], None] | None = None
    ) -> None:
        """Serve on a bound `socket` until somebody stops it; `ready` is told by whom that can be.

        Raises:
            KeyboardInterrupt: if it was Ctrl-C.
        """
        asyncio.run(self.served(socket, ready))

    async def served(
        self, socket: sockets.socket, ready: Callable[[uvicorn.Server], None] | None = None
    ) -> None:
        """As `serve`, in a loop that runs already."""
        config = uvicorn.Config(
            self.app,
            ws="websockets-sansio",
            ws_max_size=LONGEST,
            ws_per_message_deflate=False,
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        server = uvicorn.Server(config)
        if ready:
            ready(server)
        await server.serve(sockets=[socket])


async def _heard(socket: WebSocket) -> str | None:
    """The next message, None if it is no text.

    Raises:
        WebSocketDisconnect: if there is no more.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text: str | None = message.get("text")
    return text


async def _tell(socket: WebSocket, room: Room, link: Link) -> None:
    """Send what is new, whenever there is something."""
    while True:
        await link.wake.wait()
        for told in link.news(room.table):
            await socket.send_text(encoded(told))


def bound(host: str, port: int) -> sockets.socket:
    """A socket on `host` and `port`; 0 takes one that is free.

    Raises:
        ValueError: with a sentence, if there is no such host, or the port is taken.
    """
    try:
        family, kind, protocol, _, address = sockets.getaddrinfo(
            host, port, type=sockets.SOCK_STREAM
        )[0]
        made = sockets.socket(family, kind, protocol)
        made.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    except (OSError, OverflowError) as error:
        raise ValueError(f"{host} is no host of this machine: {error}") from None
    try:
        made.bind(address)
        made.listen()  # from now on browsers wait until the server has started
    except OSError as error:
        made.close()
        hint = "; port 0 takes one that is free" if error.errno == errno.EADDRINUSE else ""
        sentence = f"nothing can be served at {host}:{port}: {error.strerror}{hint}"
        raise ValueError(sentence) from None
    return made


def _shown(host: str) -> str:
    """What others call a host; one that listens on all addresses has the machine's name."""
    return sockets.gethostname() if host in ("0.0.0.0", "::") else host


def links(room: Room, host: str, port: int) -> dict[Viewer, str]:
    """For each viewer of `room` the address to open in a browser."""
    name = _shown(host)
    name = f"[{name}]" if ":" in name else name
    return {viewer: f"http://{name}:{port}/#{key}" for viewer, key in room.keys.items()}
