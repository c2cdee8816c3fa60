# Publishes a post, waits for the result, and says why where there is none.
from social import account_on, client
from social_publishing import NotPublishedError

post = client.posts.publish_now(social_account_ids=[account_on("bluesky")], content="Fresh rolls, still warm.")[0]
try:
    print("published", client.wait_until_published(post["id"], timeout=120)["publishedPostUrl"])
except NotPublishedError as error:
    print(error.code, error.post["status"], error)
