"""The client."""

from __future__ import annotations

import io
import mimetypes
import os
import time
import urllib.error
import urllib.request
from datetime import datetime
from typing import Any, BinaryIO, Callable, Optional, Union

from . import api
from ._call import Config, Token, delay_before
from ._errors import NotPublishedError, SocialError


class _Counted(io.RawIOBase):
    """A file that tells how much of it was read."""

    def __init__(self, file: BinaryIO, size: int, on_progress: Optional[Callable[[int, int], None]]) -> None:
        self._file, self._size, self._on_progress, self._sent = file, size, on_progress, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        chunk = self._file.read(size)
        self._sent += len(chunk)
        if chunk and self._on_progress is not None:
            self._on_progress(self._sent, self._size)
        return chunk


class Client(api.Operations):
    """The API: one method for each operation, grouped as the reference groups them."""

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
        super().__init__(self._config)

    def with_workspace(self, workspace_id: str) -> "Client":
        """The same client in another workspace."""
        return Client(**{**vars(self._config), "workspace_id": workspace_id})

    def wait_until_published(
        self, id: str, *, timeout: float = 600.0, on_post: Optional[Callable[[Any], None]] = None
    ) -> "api.Post":
        """Reads a post until it is published, and returns it. Raises NotPublishedError if it fails or time is up."""
        ends_at = time.monotonic() + timeout
        interval = 1.0
        while True:
            post = self.posts.get(id)
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
            if due_in > interval:
                time.sleep(min(due_in, 60.0, left))
            else:
                time.sleep(min(interval, left))
                interval = min(interval * 1.5, 10.0)

    def upload(
        self,
        source: Union[str, "os.PathLike[str]", bytes, BinaryIO],
        *,
        filename: Optional[str] = None,
        mime_type: Optional[str] = None,
        alt_text: Optional[str] = None,
        on_progress: Optional[Callable[[int, int], None]] = None,
    ) -> "api.MediaAsset":
        """Uploads a file: announces it, sends its bytes, and completes it. `on_progress` gets the bytes sent and all."""
        if isinstance(source, (str, os.PathLike)):
            name = filename or os.path.basename(os.fspath(source))
            with open(source, "rb") as file:
                return self._upload(file, name, mime_type, alt_text, on_progress)
        file = io.BytesIO(source) if isinstance(source, bytes) else source
        return self._upload(file, filename or "upload", mime_type, alt_text, on_progress)

    def _upload(
        self,
        file: BinaryIO,
        name: str,
        mime_type: Optional[str],
        alt_text: Optional[str],
        on_progress: Optional[Callable[[int, int], None]],
    ) -> "api.MediaAsset":
        start = file.tell()
        size = file.seek(0, os.SEEK_END) - start
        said = {"mimeType": mime_type or mimetypes.guess_type(name)[0] or "", "fileSize": size}
        target = self.media.create_upload_url({"filename": name, **said})
        retry = 0
        while True:
            file.seek(start)
            headers = {**target["headers"], "Content-Length": str(size)}
            counted = _Counted(file, size, on_progress)
            request = urllib.request.Request(target["uploadUrl"], data=counted, headers=headers, method="PUT")
            try:
                with urllib.request.urlopen(request, timeout=60) as response:
                    response.read()
                break
            except OSError as error:
                status = error.code if isinstance(error, urllib.error.HTTPError) else 0
                retry += 1
                passes = status == 0 or status == 429 or status >= 500
                delay = delay_before(self._config, retry, self._config.max_retries, None) if passes else None
                if delay is None:
                    message = f"The file was not stored: {error}"
                    raise SocialError("upload_failed", message, status=status, attempts=retry) from error
                time.sleep(delay)
        alt = {} if alt_text is None else {"altText": alt_text}
        return self.media.complete(
            {"storageKey": target["storageKey"], "originalFilename": name, **said, **alt}
        )
