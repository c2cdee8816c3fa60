"""The errors that calls raise."""

from __future__ import annotations

from typing import Any, Dict, List, Optional


class SocialError(Exception):
    """Every failure of a call. Branch on `code`, and show `str(error)` to people.

    The client itself reports `connection_failed`, `request_timeout`, `unexpected_response`, `upload_failed`,
    `post_not_published`, and `wait_timeout`; every other code comes from the service.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        body: Optional[Dict[str, Any]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        attempts: int = 1,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.body: Dict[str, Any] = body or {}
        self.request_id: Optional[str] = self.body.get("requestId") or request_id
        self.doc_url: Optional[str] = self.body.get("docUrl")
        self.field: Optional[str] = self.body.get("field")
        self.issues: List[Dict[str, Any]] = self.body.get("issues") or []
        self.retry_after = retry_after
        self.attempts = attempts


class NotPublishedError(SocialError):
    """The post failed, was canceled, or was not published in time. `post` is what was read last."""

    def __init__(self, code: str, message: str, post: Any) -> None:
        super().__init__(code, message)
        self.post = post
