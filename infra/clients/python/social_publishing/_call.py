"""One call as a sequence of steps, which both kinds of clients run: sending, waiting, requesting a token."""

from __future__ import annotations

import json
import random
import secrets
import time
import urllib.parse
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any, BinaryIO, Callable, Dict, Generator, Optional, Tuple, Union

from ._errors import SocialError
from ._operations import LINES

Token = Union[str, Callable[[Optional[str]], Any], None]


class Omitted(Enum):
    """The default of fields that can be null: an omitted field stays unchanged."""

    OMITTED = 0


OMITTED = Omitted.OMITTED


@dataclass
class Config:
    """The shared configuration of all calls of a client."""

    base_url: str
    token: Token = None
    workspace_id: Optional[str] = None
    timeout: float = 30.0
    max_retries: int = 3
    base_delay: float = 0.5
    max_delay: float = 8.0
    max_retry_after: float = 60.0


@dataclass
class Request:
    """A request to send once; the step returns a Reply, or a SocialError without a response."""

    method: str
    url: str
    headers: Dict[str, str]
    body: Union[bytes, BinaryIO, None]
    timeout: float


@dataclass
class Reply:
    status: int
    headers: Any
    body: bytes


@dataclass
class Ask:
    """A call of the token function, which may be a coroutine; the step returns the token."""

    source: Callable[[Optional[str]], Any]
    rejected: Optional[str]


# A number is a wait in seconds.
Steps = Generator[Union[Request, Ask, float], Any, Any]


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
    """How long to wait before a retry; None if none is due. It is never shorter than `Retry-After`."""
    if retry > max_retries or (after is not None and after > config.max_retry_after):
        return None
    full = min(config.max_delay, config.base_delay * 2.0 ** (retry - 1))
    jitter = full / 2 * random.random()
    return full / 2 + jitter if after is None else after + jitter


def on_the_wire(value: Any, field: str) -> Any:
    """A value as JSON. A time without a zone is ambiguous."""
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ValueError(f"{field} needs a time zone, for example datetime.now(timezone.utc)")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, dict):
        return {key: on_the_wire(each, f"{field}.{key}" if field else key) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [on_the_wire(each, f"{field}[{at}]") for at, each in enumerate(value)]
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"{field} cannot be a {type(value).__name__}")


def _outcome(reply: Union[Reply, SocialError], raw: bool) -> Tuple[Optional[SocialError], bool, bool, Any]:
    """The error of an attempt, whether the change may have been made, whether the error is transient, and the data."""
    if isinstance(reply, SocialError):
        return reply, True, True, None
    is_json = "json" in (reply.headers.get("Content-Type") or "")
    try:
        parsed = json.loads(reply.body) if is_json else None
    except ValueError:
        parsed = None
    status = reply.status
    if status == 304:
        return None, False, False, None
    if status < 300 and raw:
        return None, False, False, parsed if is_json else reply.body.decode()
    if status < 300 and isinstance(parsed, dict) and parsed.get("success") is True:
        return None, False, False, parsed.get("data")
    known = parsed if isinstance(parsed, dict) and isinstance(parsed.get("code"), str) else {}
    code = known.get("code")
    after = retry_after_of(reply.headers.get("Retry-After"))
    message = known.get("error") or f"The response has status {status} and is not one of the service."
    request_id = reply.headers.get("X-Request-Id")
    error = SocialError(
        code or "unexpected_response", message, status=status, body=known, request_id=request_id, retry_after=after
    )
    # Other codes with 429 are limits that waiting does not lift, unless the service states when.
    limited = status == 429 and (after is not None or code in (None, "rate_limited"))
    refused = status == 503 and code != "outcome_unknown"
    return error, status < 300 or (status >= 500 and not refused), limited or status >= 500 or status < 300, None


def call(
    config: Config,
    operation: str,
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
) -> Steps:
    """Makes a call. Its line has method, path, and a letter for each property, as in the table of the JavaScript client."""
    method, path, letters = (LINES[operation] + " ").split(" ")[:3]
    in_path = ids[0] if path.startswith("/api/workspaces/{") else None
    for each in ids:
        if not isinstance(each, str) or each == "":
            raise TypeError(f"an id of {path} must be a string that is not empty")
        start, end = path.index("{"), path.index("}")
        path = path[:start] + urllib.parse.quote(each, safe="") + path[end + 1 :]
    sent = {name: on_the_wire(value, name) for name, value in (query or {}).items() if value is not None}
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in sent.items()}
    url = config.base_url.rstrip("/") + path + (f"?{urllib.parse.urlencode(texts)}" if texts else "")
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if value is not OMITTED}
    content = None if body is None else json.dumps(on_the_wire(body, "")).encode()
    key = idempotency_key or (secrets.token_hex(16) if "k" in letters else None)
    # A key that the service does not read makes nothing safe.
    repeatable = "k" in letters or ((method != "POST" or "s" in letters) and if_match is None)
    source = None if "a" in letters else config.token
    token = (yield Ask(source, None)) if callable(source) else source
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
            "Content-Type": None if content is None else "application/json",
        }
        headers = {name: value for name, value in own.items() if value is not None}
        reply = yield Request(method, url, headers, content, timeout or config.timeout)
        error, lost, passes, data = _outcome(reply, "r" in letters)
        if error is None:
            return data
        error.attempts = attempts
        if error.status == 401 and callable(source) and not renewed:
            renewed, rejected = True, token
            token = yield Ask(source, rejected)
            if token != rejected:
                continue
        retry += 1
        most = config.max_retries if max_retries is None else max_retries
        delay = delay_before(config, retry, most, error.retry_after) if passes and (repeatable or not lost) else None
        if delay is None:
            raise error
        yield delay
