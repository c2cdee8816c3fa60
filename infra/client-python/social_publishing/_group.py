"""What the generated groups of operations share."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, TypedDict

from ._call import Config


class CallOptions(TypedDict, total=False):
    """Options of one call."""

    timeout: float
    max_retries: int
    idempotency_key: str
    if_match: str
    request_id: str
    workspace_id: str


class Group:
    """A group of operations."""

    def __init__(self, config: Config) -> None:
        self._config = config


def items(read: Callable[[Dict[str, Any]], Any]) -> Iterator[Any]:
    """Every item of a list. A page may be empty and continue, but a list that does not move on ends."""
    at: Dict[str, Any] = {}
    while True:
        page = read(at)
        yield from page["items"]
        cursor = page.get("nextCursor")
        if not page["hasMore"] or (cursor is not None and cursor == at.get("cursor")):
            return
        if cursor is not None:
            at = {"cursor": cursor}
        elif page["items"]:
            at = {"offset": page.get("offset", 0) + len(page["items"])}
        else:
            return
