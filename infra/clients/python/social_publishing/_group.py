"""The two ways to run the steps of a call, and the base classes of the generated groups of operations."""

from __future__ import annotations

import asyncio
import http.client
import inspect
import socket
import time
import urllib.error
import urllib.request
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Iterator, Optional, TypedDict, Union

from ._call import Ask, Config, Reply, Request, Steps
from ._errors import SocialError


class CallOptions(TypedDict, total=False):
    """Options of one call."""

    timeout: float
    max_retries: int
    idempotency_key: str
    if_match: str
    request_id: str
    workspace_id: str


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Redirects are not followed, so that no token is sent elsewhere."""


_opener = urllib.request.build_opener(_NoRedirects)


def _send(step: Request) -> Union[Reply, SocialError]:
    request = urllib.request.Request(step.url, data=step.body, headers=step.headers, method=step.method)
    try:
        try:
            with _opener.open(request, timeout=step.timeout) as response:
                return Reply(response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, error.headers, error.read())
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, (TimeoutError, socket.timeout)):
            return SocialError("request_timeout", f"No response within {step.timeout} seconds.")
        return SocialError("connection_failed", f"The connection failed: {reason}")


class Group:
    """A group of operations."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def _run(self, steps: Steps) -> Any:
        done: Any = None
        while True:
            try:
                step = steps.send(done)
            except StopIteration as end:
                return end.value
            if isinstance(step, Request):
                done = _send(step)
            elif isinstance(step, Ask):
                done = step.source(step.rejected)
            else:
                time.sleep(step)


class AsyncGroup:
    """A group of operations as coroutines. Requests run in threads: the standard library has no asynchronous client."""

    def __init__(self, config: Config) -> None:
        self._config = config

    async def _run(self, steps: Steps) -> Any:
        done: Any = None
        while True:
            try:
                step = steps.send(done)
            except StopIteration as end:
                return end.value
            if isinstance(step, Request):
                done = await asyncio.to_thread(_send, step)
            elif isinstance(step, Ask):
                done = step.source(step.rejected)
                done = await done if inspect.isawaitable(done) else done
            else:
                await asyncio.sleep(step)


def _after(page: Any, at: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    """The next page. A page may be empty although more follow; a list whose cursor does not advance ends."""
    cursor = page.get("nextCursor")
    if not page["hasMore"] or (cursor is not None and cursor == at.get("cursor")):
        return None
    if cursor is not None:
        return {"cursor": cursor}
    return {"offset": page.get("offset", 0) + len(page["items"])} if page["items"] else None


def items(read: Callable[[Dict[str, Any]], Any]) -> Iterator[Any]:
    """Every item of a list."""
    at: Optional[Dict[str, Any]] = {}
    while at is not None:
        page = read(at)
        yield from page["items"]
        at = _after(page, at)


async def async_items(read: Callable[[Dict[str, Any]], Awaitable[Any]]) -> AsyncIterator[Any]:
    """Every item of a list."""
    at: Optional[Dict[str, Any]] = {}
    while at is not None:
        page = await read(at)
        for each in page["items"]:
            yield each
        at = _after(page, at)
