# Publishes to several accounts concurrently, with one request for each, and waits for all.
import asyncio
import os

from social_publishing import AsyncClient


async def publish(client, account):
    text = f"Open until six, says {account['providerName']}."
    post = (await client.posts.publish_now(social_account_ids=[account["id"]], content=text))[0]
    return (await client.wait_until_published(post["id"]))["publishedPostUrl"]


async def main():
    client = AsyncClient(os.environ["BASE"], token=os.environ["TOKEN"], workspace_id=os.environ["WORKSPACE"])
    accounts = [each for each in await client.social_accounts.list() if each["providerId"] in ("bluesky", "mastodon")]
    for url in await asyncio.gather(*[publish(client, account) for account in accounts]):
        print(url)


asyncio.run(main())
