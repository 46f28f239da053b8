"""The window of `VisualGameManager`: a page in the browser, served on localhost only."""

from __future__ import annotations

import json
import os
import queue
import secrets
import sys
import threading
import time
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Dict, Iterator, Optional
from urllib.parse import parse_qs, urlsplit

# Long-polling requests return after this long without news; proxies and browsers wait longer.
_WAIT_S = 20.0
# A page that is reloaded is gone for a moment.
_GRACE_S = 3.0
_MOST_BYTES = 1000

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
)


class Page:
    """Shows a view, a dictionary that the page knows how to draw, and collects what a person does.

    The address contains a secret, so that no other page in the same browser can interfere.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._secret = secrets.token_urlsafe(12)
        self._server: Optional[ThreadingHTTPServer] = None
        self._news = threading.Condition()
        self._view: Dict[str, Any] = {}
        self._version = 0
        self._events: "queue.SimpleQueue[Dict[str, Any]]" = queue.SimpleQueue()
        self._viewers: Dict[str, float] = {}
        self._deserted_at: Optional[float] = None
        self._closed = False

    @property
    def address(self) -> str:
        """Where the page is; empty until it is open."""
        if self._server is None:
            return ""
        return f"http://127.0.0.1:{self._server.server_address[1]}/{self._secret}/"

    def open(self) -> None:
        """Starts serving the page, prints its address and opens it in the browser if possible."""
        if self._server is not None or self._closed:
            return
        handler = type("Handler", (_Handler,), {"page": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        print(f"{self.title}: {self.address}", flush=True)
        if _has_screen():
            webbrowser.open(self.address)

    def publish(self, view: Dict[str, Any]) -> None:
        """Shows a view on all pages, if it has changed."""
        self.open()
        with self._news:
            if view != self._view:
                self._view = view
                self._version += 1
                self._news.notify_all()

    def events(self) -> Iterator[Dict[str, Any]]:
        """What happened since the last call. After the last page was closed, `{"quit": True}`."""
        while True:
            try:
                yield self._events.get_nowait()
            except queue.Empty:
                break
        with self._news:
            deserted = self._deserted_at
        if deserted is not None and time.monotonic() - deserted > _GRACE_S:
            yield {"quit": True}

    def close(self) -> None:
        """Tells the pages that it is over and stops serving them."""
        with self._news:
            self._closed = True
            self._version += 1
            self._news.notify_all()
        if self._server is not None:
            # Gives waiting pages time to receive it.
            time.sleep(0.1)
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    # --- called by the handlers, in their own threads

    def _path(self, path: str) -> Optional[str]:
        """The part of a path after the secret; None without the secret."""
        start = f"/{self._secret}/"
        return path[len(start) :] if path.startswith(start) else None

    def _html(self) -> bytes:
        html = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
        return html.replace("$TITLE", self.title).encode()

    def _wait_for_view(self, viewer: str, after: int) -> Dict[str, Any]:
        with self._news:
            self._viewers[viewer] = time.monotonic()
            self._deserted_at = None
            self._news.wait_for(lambda: self._version > after, _WAIT_S)
            return {
                "version": self._version,
                "now": time.perf_counter(),
                "closed": self._closed,
                "view": self._view,
            }

    def _hear(self, event: Dict[str, Any]) -> None:
        if "left" not in event:
            self._events.put(event)
            return
        with self._news:
            self._viewers.pop(str(event["left"]), None)
            if not self._viewers:
                self._deserted_at = time.monotonic()


class _Handler(BaseHTTPRequestHandler):
    page: Page
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        path = self.page._path(url.path)
        if path == "":
            self._answer(200, "text/html; charset=utf-8", self.page._html())
        elif path == "view":
            query = parse_qs(url.query)
            viewer, after = query.get("viewer", [""])[0], query.get("after", ["0"])[0]
            view = self.page._wait_for_view(viewer, int(after) if after.isdecimal() else 0)
            self._answer(200, "application/json", json.dumps(view).encode())
        else:
            self._answer(404, "text/plain", b"There is no such page.\n")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        known = self.page._path(urlsplit(self.path).path) == "event"
        if not known or not length.isdecimal() or int(length) > _MOST_BYTES:
            self.close_connection = True
            self._answer(404, "text/plain", b"There is no such page.\n")
            return
        try:
            event = json.loads(self.rfile.read(int(length)))
        except ValueError:
            event = None
        if not isinstance(event, dict):
            self._answer(400, "text/plain", b"expected an event as a JSON object\n")
            return
        self.page._hear(event)
        self._answer(204, "text/plain", b"")

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Content-Security-Policy", _POLICY)
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # The page was closed while it waited.
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: the terminal belongs to the agents."""


def _has_screen() -> bool:
    """Whether a browser can open a window: one in the terminal would be no help."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
