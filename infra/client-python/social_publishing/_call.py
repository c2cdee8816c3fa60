"""One call: its request, its retries, and its response."""

from __future__ import annotations

import http.client
import json
import random
import secrets
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Optional, Tuple, Union

from ._errors import SocialError

Token = Union[str, Callable[[Optional[str]], str], None]


@dataclass
class Config:
    """What all calls of a client share."""

    base_url: str
    token: Token = None
    workspace_id: Optional[str] = None
    timeout: float = 30.0
    max_retries: int = 3
    base_delay: float = 0.5
    max_delay: float = 8.0
    max_retry_after: float = 60.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Nothing follows a redirect, so that no token leaves the service."""


_opener = urllib.request.build_opener(_NoRedirects)


def retry_after_of(header: Optional[str]) -> Optional[float]:
    """`Retry-After` in seconds: a number, or a date."""
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def delay_before(config: Config, retry: int, max_retries: int, after: Optional[float]) -> Optional[float]:
    """How long to wait before a retry; None if none is due. `Retry-After` is never undercut."""
    if retry > max_retries or (after is not None and after > config.max_retry_after):
        return None
    full = min(config.max_delay, config.base_delay * 2 ** (retry - 1))
    jitter = full / 2 * random.random()
    return full / 2 + jitter if after is None else after + jitter


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _on_the_wire(value: Any) -> str:
    """A time as the API reads it. One without a zone could be any of many."""
    if not isinstance(value, datetime):
        raise TypeError(f"a request cannot carry a {type(value).__name__}")
    if value.utcoffset() is None:
        raise ValueError("a datetime needs a time zone, for example datetime.now(timezone.utc)")
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _as_text(value: Any) -> str:
    if isinstance(value, datetime):
        return _on_the_wire(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _attempt(
    config: Config, method: str, url: str, headers: Dict[str, str], body: Optional[bytes], timeout: float, raw: bool
) -> Tuple[Optional[SocialError], bool, bool, Any]:
    """Sends a request once. Returns an error, whether the change may have been made, whether it passes, and the data."""
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    try:
        try:
            with _opener.open(request, timeout=timeout) as response:
                status, answer, content = response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                status, answer, content = error.code, error.headers, error.read()
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, (TimeoutError, socket.timeout)):
            return SocialError("request_timeout", f"No response within {timeout} seconds."), True, True, None
        return SocialError("connection_failed", f"The connection failed: {reason}"), True, True, None
    is_json = "json" in (answer.get("Content-Type") or "")
    parsed = _parsed(content) if is_json else None
    if status == 304:
        return None, False, False, None
    if status < 300:
        if raw:
            return None, False, False, parsed if is_json else content.decode()
        if isinstance(parsed, dict) and parsed.get("success") is True:
            return None, False, False, parsed.get("data")
    known = parsed if isinstance(parsed, dict) and isinstance(parsed.get("code"), str) else {}
    code = known.get("code")
    after = retry_after_of(answer.get("Retry-After"))
    error = SocialError(
        code or "unexpected_response",
        known.get("error") or f"The response has status {status} and is not one of the service.",
        status=status,
        body=known,
        request_id=answer.get("X-Request-Id"),
        retry_after=after,
    )
    # Other codes with 429 are limits that a wait does not lift, unless the service says when.
    limited = status == 429 and (after is not None or code in (None, "rate_limited"))
    refused = status == 503 and code != "outcome_unknown"
    return error, status < 300 or (status >= 500 and not refused), limited or status >= 500 or status < 300, None


def call(
    config: Config,
    line: str,
    ids: Tuple[str, ...] = (),
    *,
    body: Any = None,
    query: Optional[Dict[str, Any]] = None,
    timeout: Optional[float] = None,
    max_retries: Optional[int] = None,
    idempotency_key: Optional[str] = None,
    if_match: Optional[str] = None,
    request_id: Optional[str] = None,
    workspace_id: Optional[str] = None,
) -> Any:
    """Makes a call. `line` is method, path, and a letter for each property, as in the table of the JavaScript client."""
    method, path, letters = (line + " ").split(" ")[:3]
    for each in ids:
        if not isinstance(each, str) or each == "":
            raise TypeError(f"an id of {path} must be a string that is not empty")
        start, end = path.index("{"), path.index("}")
        path = path[:start] + urllib.parse.quote(each, safe="") + path[end + 1 :]
    sent = {name: value for name, value in (query or {}).items() if value is not None}
    texts = {name: _as_text(value) for name, value in sent.items()}
    url = config.base_url.rstrip("/") + path + (f"?{urllib.parse.urlencode(texts)}" if texts else "")
    key = idempotency_key or (secrets.token_hex(16) if "k" in letters else None)
    # A key that the service does not read makes nothing safe.
    repeatable = "k" in letters or ((method != "POST" or "s" in letters) and if_match is None)
    in_path = ids[0] if line.split(" ")[1].startswith("/api/workspaces/{") else None
    source = None if "a" in letters else config.token
    token = source(None) if callable(source) else source
    renewed, retry, attempts = False, 0, 0
    while True:
        attempts += 1
        own = {
            "Accept": "application/json",
            "Authorization": None if token is None else f"Bearer {token}",
            "X-Workspace-Id": (in_path or workspace_id or config.workspace_id) if "w" in letters else None,
            "Idempotency-Key": key,
            "If-Match": if_match,
            "X-Request-Id": request_id,
            "Content-Type": None if body is None else "application/json",
        }
        headers = {name: value for name, value in own.items() if value is not None}
        content = None if body is None else json.dumps(body, default=_on_the_wire).encode()
        error, lost, passes, data = _attempt(
            config, method, url, headers, content, timeout or config.timeout, "r" in letters
        )
        if error is None:
            return data
        error.attempts = attempts
        if error.status == 401 and callable(source) and not renewed:
            renewed, rejected, token = True, token, source(token)
            if token != rejected:
                continue
        retry += 1
        most = config.max_retries if max_retries is None else max_retries
        delay = delay_before(config, retry, most, error.retry_after) if passes and (repeatable or not lost) else None
        if delay is None:
            raise error
        time.sleep(delay)
