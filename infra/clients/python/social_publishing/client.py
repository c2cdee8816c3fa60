"""The clients, and what they add to the operations."""

from __future__ import annotations

import io
import os
import time
from datetime import datetime
from typing import Any, BinaryIO, Callable, Optional, TypeVar, Union

from . import api, async_api
from ._call import Config, Reply, Request, Steps, Token, call, delay_before
from ._errors import NotPublishedError, SocialError
from ._group import AsyncGroup, Group
from ._media_types import type_by_name

Source = Union[str, "os.PathLike[str]", bytes, BinaryIO]
Progress = Callable[[int, int], None]
Self = TypeVar("Self", bound="_Configured")


class _Counted(io.RawIOBase):
    """A file that reports how much of it was read: a number that only grows, even if the file is sent again."""

    def __init__(self, file: BinaryIO, size: int, on_progress: Optional[Progress]) -> None:
        self._file, self._size, self._on_progress = file, size, on_progress
        self._start, self._sent, self._most = file.tell(), 0, -1
        self._tell()

    def _tell(self) -> None:
        if self._sent > self._most:
            self._most = self._sent
            if self._on_progress is not None:
                self._on_progress(self._sent, self._size)

    def restart(self) -> None:
        self._file.seek(self._start)
        self._sent = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        chunk = self._file.read(size)
        self._sent += len(chunk)
        self._tell()
        return chunk


def _wait(config: Config, id: str, timeout: float, on_post: Optional[Callable[[Any], None]]) -> Steps:
    ends_at, interval = time.monotonic() + timeout, 1.0
    while True:
        post = yield from call(config, "posts.get", (id,))
        if on_post is not None:
            on_post(post)
        if post["status"] == "published":
            return post
        if post["status"] != "scheduled":
            raise NotPublishedError("post_not_published", post["error"] or f"The post is {post['status']}.", post)
        left = ends_at - time.monotonic()
        if left <= 0:
            raise NotPublishedError("wait_timeout", f"The post is not published after {timeout} seconds.", post)
        due_in = datetime.fromisoformat(post["plannedAt"].replace("Z", "+00:00")).timestamp() - time.time()
        yield min(due_in if due_in > interval else interval, 60.0, left)
        interval = interval if due_in > interval else min(interval * 1.5, 10.0)


def _upload(
    config: Config,
    source: Source,
    filename: Optional[str],
    mime_type: Optional[str],
    alt_text: Optional[str],
    on_progress: Optional[Progress],
) -> Steps:
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as opened:
            name = filename or os.path.basename(os.fspath(source))
            return (yield from _upload(config, opened, name, mime_type, alt_text, on_progress))
    file: BinaryIO = io.BytesIO(source) if isinstance(source, bytes) else source
    name = filename or "upload"
    start = file.tell()
    size = file.seek(0, os.SEEK_END) - start
    file.seek(start)
    said = {"mimeType": mime_type or type_by_name(name), "fileSize": size}
    target = yield from call(config, "media.createUploadUrl", body={"filename": name, **said})
    headers = {**target["headers"], "Content-Length": str(size)}
    counted, retry = _Counted(file, size, on_progress), 0
    while True:
        counted.restart()
        reply = yield Request("PUT", target["uploadUrl"], headers, counted, 60)  # type: ignore[arg-type]
        status = reply.status if isinstance(reply, Reply) else 0
        if 200 <= status < 300:
            break
        retry += 1
        passes = status == 0 or status == 429 or status >= 500
        delay = delay_before(config, retry, config.max_retries, None) if passes else None
        if delay is None:
            why = f"status {status}" if status else str(reply)
            raise SocialError("upload_failed", f"The file was not stored: {why}", status=status, attempts=retry)
        yield delay
    alt = {} if alt_text is None else {"altText": alt_text}
    body = {"storageKey": target["storageKey"], "originalFilename": name, **said, **alt}
    return (yield from call(config, "media.complete", body=body))


class _Configured:
    def __init__(
        self,
        base_url: str,
        *,
        token: Token = None,
        workspace_id: Optional[str] = None,
        timeout: float = 30.0,
        max_retries: int = 3,
        base_delay: float = 0.5,
        max_delay: float = 8.0,
        max_retry_after: float = 60.0,
    ) -> None:
        self._config = Config(
            base_url, token, workspace_id, timeout, max_retries, base_delay, max_delay, max_retry_after
        )
        super().__init__(self._config)  # type: ignore[call-arg]

    def with_workspace(self: Self, workspace_id: str) -> Self:
        """The same client in another workspace."""
        return type(self)(**{**vars(self._config), "workspace_id": workspace_id})


class Client(_Configured, api.Operations, Group):
    """The API: one method for each operation, grouped as the reference groups them."""

    def wait_until_published(
        self, id: str, *, timeout: float = 600.0, on_post: Optional[Callable[[Any], None]] = None
    ) -> "api.Post":
        """Reads a post until it is published, and returns it. Raises NotPublishedError if it fails or time is up."""
        post: "api.Post" = self._run(_wait(self._config, id, timeout, on_post))
        return post

    def upload(
        self,
        source: Source,
        *,
        filename: Optional[str] = None,
        mime_type: Optional[str] = None,
        alt_text: Optional[str] = None,
        on_progress: Optional[Progress] = None,
    ) -> "api.MediaAsset":
        """Uploads a file: announces, sends, and completes it. `on_progress` receives the bytes sent and the total."""
        asset: "api.MediaAsset" = self._run(
            _upload(self._config, source, filename, mime_type, alt_text, on_progress)
        )
        return asset


class AsyncClient(_Configured, async_api.AsyncOperations, AsyncGroup):
    """The same client with coroutines. The token function may be one as well."""

    async def wait_until_published(
        self, id: str, *, timeout: float = 600.0, on_post: Optional[Callable[[Any], None]] = None
    ) -> "api.Post":
        """Like `Client.wait_until_published`."""
        post: "api.Post" = await self._run(_wait(self._config, id, timeout, on_post))
        return post

    async def upload(
        self,
        source: Source,
        *,
        filename: Optional[str] = None,
        mime_type: Optional[str] = None,
        alt_text: Optional[str] = None,
        on_progress: Optional[Progress] = None,
    ) -> "api.MediaAsset":
        """Like `Client.upload`. `on_progress` is called from another thread."""
        asset: "api.MediaAsset" = await self._run(
            _upload(self._config, source, filename, mime_type, alt_text, on_progress)
        )
        return asset
