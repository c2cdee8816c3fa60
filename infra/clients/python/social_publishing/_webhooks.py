"""Verification of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, List, Mapping, Optional, Sequence, Union


class WebhookVerificationError(Exception):
    """A delivery that is not genuine, or not recent. Respond with 401."""


_MOST_SIGNATURES = 8


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _signatures(header: str, prefix: str) -> List[str]:
    return [each[len(prefix) :] for each in header.split(" ") if each.startswith(prefix)][:_MOST_SIGNATURES]


def _matches(key: bytes, given: Sequence[bytes], signed: bytes) -> bool:
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    return bool(key) and any(hmac.compare_digest(expected, each) for each in given)


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Mapping[str, Any],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> Any:
    """Returns the event of a genuine delivery; raises WebhookVerificationError otherwise.

    `raw_body` is the body as it came, before any parser. During a rotation, pass both secrets. Accepts the signatures of
    Standard Webhooks (`webhook-signature`) and those of the service (`X-Service-Signature`).
    """
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    found = {str(name).lower(): str(value) for name, value in headers.items()}
    clock = time.time() if now is None else now
    secrets = [secret] if isinstance(secret, str) else list(secret)

    def is_recent(timestamp: str) -> bool:
        return bool(re.fullmatch(r"[0-9]{1,12}", timestamp)) and abs(clock - int(timestamp)) <= tolerance_seconds

    timestamp = found.get("webhook-timestamp", "")
    given = [_decoded(each) for each in _signatures(found.get("webhook-signature", ""), "v1,")]
    if given and is_recent(timestamp):
        signed = f"{found.get('webhook-id', '')}.{timestamp}.".encode() + body
        keys = [_decoded(each[6:] if each.startswith("whsec_") else each) for each in secrets]
        if any(_matches(key, given, signed) for key in keys):
            return json.loads(body)

    timestamp = found.get("x-service-timestamp", "")
    ours = [found.get("x-service-signature", ""), found.get("x-service-signature-previous", "")]
    hexes = [each for header in ours for each in _signatures(header, "v1=") if re.fullmatch(r"[0-9a-f]{64}", each)]
    if hexes and is_recent(timestamp):
        signed = f"{timestamp}.".encode() + body
        if any(_matches(each.encode(), [bytes.fromhex(one) for one in hexes], signed) for each in secrets):
            return json.loads(body)

    raise WebhookVerificationError("No recent signature matches. Is this the raw body, and the secret of this endpoint?")
