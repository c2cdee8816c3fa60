"""Mastodon.py: registers an app, logs in, posts a text, reads it, and deletes it."""

from mastodon import Mastodon, MastodonNotFoundError
from standin import ORIGIN, REDIRECT_URI, approve, code_of, published

scopes = ["read", "write"]
client_id, client_secret = Mastodon.create_app(
    "A client", scopes=scopes, redirect_uris=REDIRECT_URI, website="https://service.test", api_base_url=ORIGIN
)
mastodon = Mastodon(client_id=client_id, client_secret=client_secret, api_base_url=ORIGIN)
page = mastodon.auth_request_url(redirect_uris=REDIRECT_URI, scopes=scopes, allow_http=True)
mastodon.log_in(code=code_of(approve(page)), redirect_uri=REDIRECT_URI, scopes=scopes, allow_http=True)
status = mastodon.status_post("Hello from the client", sensitive=False, language="en", idempotency_key="a key")
read = mastodon.status(status.id)
listed = [one.id for one in mastodon.account_statuses(mastodon.me().id)]
published(content=read.content, version=mastodon.instance().version, listed=listed == [status.id])
mastodon.status_delete(status.id)
try:
    mastodon.status(status.id)
    raise RuntimeError("the status is there")
except MastodonNotFoundError:
    pass
