"""What the programs of this folder share: who is asked where, a login on a page, and the turn of the test."""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

ORIGIN = os.environ["ORIGIN"]
SEED = json.loads(os.environ["SEED"])
REDIRECT_URI = "https://service.test/back"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def approve(address: str) -> str:
    """Says yes on the page that an authorization address opens; answers the address that the person is sent back to."""
    query = urllib.parse.urlsplit(address).query
    path = urllib.parse.urlsplit(address).path
    try:
        urllib.request.build_opener(_NoRedirect).open(f"{ORIGIN}{path}?{query}", b"answer=allow")
    except urllib.error.HTTPError as answer:
        back = answer.headers.get("location")
        if back is not None:
            return back
        raise RuntimeError(f"{answer.code}: {answer.read().decode()}") from answer
    raise RuntimeError("the page did not redirect back")


def code_of(back: str) -> str:
    return urllib.parse.parse_qs(urllib.parse.urlsplit(back).query)["code"][0]


def published(**read) -> None:
    """Tells the test what was read of the post, and waits until the test has looked at it, too."""
    print(json.dumps(read), flush=True)
    if sys.stdin.readline() != "delete\n":
        raise RuntimeError("the test has ended")
