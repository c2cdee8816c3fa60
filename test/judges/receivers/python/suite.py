"""Checks of the Python client, run against the service behind a proxy that fails."""

import asyncio
import base64
import hashlib
import hmac
import io
import json
import os
import random
import sys
import tempfile
import time
import urllib.request
from datetime import datetime, timedelta, timezone

world = json.loads(sys.argv[1])
sys.path.insert(0, world["package"])

from social_publishing import OMITTED, AsyncClient, Client, NotPublishedError, SocialError, WebhookVerificationError, verify_webhook  # noqa: E402
from social_publishing.api import AsyncGroup, Group  # noqa: E402


def make(kind=Client, **options):
    defaults = {"token": world["token"], "workspace_id": world["workspaceId"], "base_delay": 0.02, "max_delay": 0.1}
    return kind(world["url"], **{**defaults, **options})


client = make()


def arrange(*faults):
    urllib.request.urlopen(f"{world['url']}/faults", data=json.dumps(faults).encode()).read()


def seen():
    return json.loads(urllib.request.urlopen(f"{world['url']}/seen").read())


def answer(status, code, headers=None):
    body = json.dumps({"success": False, "error": "A sentence.", "code": code, "requestId": "req_1"})
    return {"kind": "answer", "status": status, "headers": headers or {}, "body": body}


def raised(run):
    try:
        run()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def same(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


later = "2031-01-01T09:00:00Z"


def schedule(content="Hi", **more):
    fields = {"social_account_ids": [world["accountId"]], "content": content, "scheduled_at": later, **more}
    return client.posts.schedule(**fields)[0]


def check_every_operation_has_a_method():
    for one, kind in [(client, Group), (make(AsyncClient), AsyncGroup)]:
        groups = [(key, group) for key, group in vars(one).items() if isinstance(group, kind)]
        names = [f"{key}.{each}" for key, group in groups for each in dir(group)]
        same([each for each in world["operations"] if each not in names], [])


def check_calls_and_errors():
    draft = client.drafts.create(content="Hello", request_id="my-id")
    same(client.drafts.get(draft["id"])["content"], "Hello")
    same(seen()[0]["headers"]["x-request-id"], "my-id")
    error = raised(lambda: client.posts.get("nope"))
    assert isinstance(error, SocialError) and error.request_id
    same((error.code, error.status, error.attempts), ("post_not_found", 404, 1))
    assert error.doc_url.endswith("/api/docs/errors/post_not_found")
    same(type(raised(lambda: client.posts.get(""))), TypeError)
    arrange()
    raised(lambda: client.posts.get("../drafts?x=/y"))
    same(seen()[0]["path"], "/api/posts/..%2Fdrafts%3Fx%3D%2Fy")
    same(type(client.meta.health()), dict)


def check_a_datetime_is_sent_as_the_time_it_is():
    berlin = timezone(timedelta(hours=1))
    post = schedule(scheduled_at=datetime(2031, 1, 1, 10, 0, tzinfo=berlin))
    same(post["scheduledAt"], "2031-01-01T09:00:00.000Z")
    at = datetime(2031, 1, 1, 9, 0, tzinfo=timezone.utc)
    assert post["id"] in [each["id"] for each in client.posts.list_all(from_=at, to=at + timedelta(minutes=1))]
    naive = datetime(2031, 1, 1, 9, 0)
    fix = "needs a time zone, for example datetime.now(timezone.utc)"
    for run, field in [
        (lambda: schedule(scheduled_at=naive), "scheduledAt"),
        (lambda: client.posts.list(from_=naive), "from"),
        (lambda: schedule(metadata={"x": {"poll": [1, naive]}}), "metadata.x.poll[1]"),
    ]:
        error = raised(run)
        same((type(error), str(error)), (ValueError, f"{field} {fix}"))
    same(str(raised(lambda: schedule(content={1}))), "content cannot be a set")


def check_fields_are_keywords():
    draft = client.drafts.create(content="Hello", name="Mine")
    same(client.drafts.update(draft["id"], content="Changed")["name"], "Mine")
    same(client.drafts.update(draft["id"], content="Changed", name=OMITTED)["name"], "Mine")
    same(client.drafts.update(draft["id"], content="Changed", name=None)["name"], None)
    error = raised(lambda: client.drafts.create(content="Hello", nmae="Mine"))
    assert isinstance(error, TypeError) and "nmae" in str(error), error
    assert "scheduled_at" in str(raised(lambda: client.posts.schedule(social_account_ids=[], content="")))


def check_the_client_of_coroutines_does_the_same():
    async def run():
        rejected_tokens = []

        async def token(rejected):
            rejected_tokens.append(rejected)
            return "svc_pat_old" if rejected is None else world["token"]

        other = make(AsyncClient, token=token)
        arrange()
        drafts = await asyncio.gather(*[other.drafts.create(content=f"async {n}") for n in range(5)])
        same(len(set(each["id"] for each in drafts)), 5)
        same(rejected_tokens.count("svc_pat_old"), 5)
        one = make(AsyncClient).with_workspace(world["workspaceId"])
        found = [each["id"] async for each in one.drafts.list_all(limit=2)]
        assert {each["id"] for each in drafts} <= set(found)
        arrange({"kind": "lose"}, answer(503, "unavailable"))
        await one.drafts.create(content="async lost")
        same((len(seen()), len({each["headers"]["idempotency-key"] for each in seen()})), (3, 1))
        try:
            await one.posts.get("nope")
        except SocialError as error:
            same(error.code, "post_not_found")
        asset = await one.upload(base64.b64decode(world["png"]), filename="cat.png")
        same(asset["mimeType"], "image/png")
        content = f"Async {random.random()}"
        post = (await one.posts.publish_now(social_account_ids=[world["accountId"]], content=content))[0]
        same((await one.wait_until_published(post["id"], timeout=60))["status"], "published")
        # While one request waits for its response, others go on.
        arrange({"kind": "hang"})
        slow = asyncio.ensure_future(one.posts.list(timeout=1.5, max_retries=0))
        while not seen():
            await asyncio.sleep(0.01)
        await one.posts.list()
        assert not slow.done()
        same(getattr((await asyncio.gather(slow, return_exceptions=True))[0], "code", None), "request_timeout")

    asyncio.run(run())


def check_lists():
    made = [client.drafts.create(content="list")["id"] for _ in range(5)]
    found = [each["id"] for each in client.drafts.list_all(limit=2)]
    assert set(made) <= set(found) and len(set(found)) == len(found)
    arrange()
    list(make(token=world["sessionToken"]).team.list_members_all(world["workspaceId"], limit=1))
    same(seen()[0]["headers"]["x-workspace-id"], world["workspaceId"])


def check_a_lost_response_leads_to_one_object():
    content = f"lost {random.random()}"
    arrange({"kind": "lose"}, {"kind": "damage"}, {"kind": "lose"})
    draft = client.drafts.create(content=content)
    requests = seen()
    same((len(requests), len({each["headers"]["idempotency-key"] for each in requests})), (4, 1))
    same([each["id"] for each in client.drafts.list_all() if each["content"] == content], [draft["id"]])


def check_a_change_without_a_key_is_not_repeated_when_lost():
    post = schedule()
    arrange({"kind": "lose"})
    error = raised(lambda: client.posts.cancel(post["id"], idempotency_key="ignored"))
    same((error.code, len(seen())), ("connection_failed", 1))
    other = schedule()
    arrange(answer(503, "unavailable"), answer(429, "rate_limited"))
    client.posts.cancel(other["id"])
    same(len(seen()), 3)


def check_retry_after():
    arrange(answer(429, "rate_limited", {"Retry-After": "1"}))
    client.posts.list()
    first, second = seen()
    assert second["atMs"] - first["atMs"] >= 990
    arrange(answer(429, "rate_limited", {"Retry-After": "3600"}))
    error = raised(client.posts.list)
    same((error.code, error.retry_after, len(seen())), ("rate_limited", 3600.0, 1))
    arrange(answer(429, "x_cap_exceeded"))
    same((raised(client.posts.list).code, len(seen())), ("x_cap_exceeded", 1))


def check_5xx_hangs_and_redirects():
    arrange(answer(500, "internal_error"), {"kind": "reset"}, answer(504, "timeout"))
    client.posts.list()
    arrange({"kind": "hang"})
    error = raised(lambda: client.posts.list(timeout=0.3, max_retries=0))
    same((error.code, len(seen())), ("request_timeout", 1))
    arrange({"kind": "answer", "status": 302, "headers": {"Location": f"{world['url']}/api/health"}})
    same((raised(client.posts.list).code, len(seen())), ("unexpected_response", 1))


def check_a_token_function_is_asked_again_once():
    rejected_tokens = []

    def token(rejected):
        rejected_tokens.append(rejected)
        return "svc_pat_old" if rejected is None else world["token"]

    make(token=token).posts.list()
    same(rejected_tokens, [None, "svc_pat_old"])


def check_uploads():
    png = base64.b64decode(world["png"])
    reported = []
    asset = client.upload(png, filename="cat.png", alt_text="A cat", on_progress=lambda sent, size: reported.append(sent))
    same((asset["fileSize"], asset["altText"], reported), (len(png), "A cat", [0, len(png)]))
    same(client.upload(io.BytesIO(png), filename="dog.png")["mimeType"], "image/png")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bird.png")
        with open(path, "wb") as file:
            file.write(png)
        same(client.upload(path)["originalFilename"], "bird.png")


def check_waiting():
    post = client.posts.publish_now(social_account_ids=[world["accountId"]], content=f"Now {random.random()}")[0]
    same(client.wait_until_published(post["id"], timeout=60)["status"], "published")
    other = schedule()
    error = raised(lambda: client.wait_until_published(other["id"], timeout=0.2))
    same((type(error), error.code), (NotPublishedError, "wait_timeout"))
    client.posts.cancel(other["id"])
    same(raised(lambda: client.wait_until_published(other["id"])).code, "post_not_published")


def check_webhooks():
    for vector in world["vectors"]:
        body = (vector["body"] * vector["times"]).encode()
        now = vector["timestamp"]
        for headers in vector["headers"]:
            for key in [vector["secret"], *vector["previous"][:1]]:
                try:
                    verify_webhook(body, headers, key, now=now)
                except ValueError:
                    pass  # A genuine body that is not JSON.
            for wrong in [(body + b"x", now), (body, now + 301), (body, now - 301)]:
                error = raised(lambda: verify_webhook(wrong[0], headers, vector["secret"], now=wrong[1]))
                same(type(error), WebhookVerificationError)
            same(
                type(raised(lambda: verify_webhook(body, headers, vector["secret"] + "eA", now=now))),
                WebhookVerificationError,
            )
    now = int(time.time())
    raw = json.dumps({"id": "evt_1"}).encode()
    mac = hmac.new(b"whsec_AAAA", f"{now}.".encode() + raw, hashlib.sha256).hexdigest()
    headers = {"X-Service-Timestamp": str(now), "X-Service-Signature": f"v1={mac}"}
    same(verify_webhook(raw, headers, ["other", "whsec_AAAA"]), {"id": "evt_1"})
    same(type(raised(lambda: verify_webhook(raw, {}, "whsec_AAAA"))), WebhookVerificationError)


outcomes = []
for name, check in [each for each in globals().items() if each[0].startswith("check_")]:
    arrange()
    try:
        check()
        outcomes.append({"name": name})
    except Exception as error:  # Every check is reported.
        outcomes.append({"name": name, "error": f"{type(error).__name__}: {error}"})
print(json.dumps(outcomes))
