"""tweepy: logs in, posts a text, reads it, and deletes it."""

import requests
import tweepy
from standin import ORIGIN, REDIRECT_URI, SEED, approve, published

send = requests.Session.request


def send_to_standin(self, method, url, *args, **options):
    return send(self, method, url.replace("https://api.twitter.com", ORIGIN), *args, **options)


requests.Session.request = send_to_standin
login = tweepy.OAuth2UserHandler(
    client_id=SEED["clientId"],
    client_secret=SEED["clientSecret"],
    redirect_uri=REDIRECT_URI,
    scope=["tweet.read", "tweet.write", "users.read"],
)
token = login.fetch_token(approve(login.get_authorization_url()))
client = tweepy.Client(token["access_token"])
posted = client.create_tweet(text="Hello from the client", user_auth=False)
read = client.get_tweet(posted.data["id"], tweet_fields=["created_at", "author_id"], expansions=["author_id"])
me = client.get_me(user_auth=False)
listed = [one.id for one in client.get_users_tweets(me.data.id, max_results=5).data]
published(
    text=read.data.text,
    author=read.includes["users"][0].username,
    isOwn=read.data.author_id == me.data.id,
    listed=listed == [read.data.id],
)
client.delete_tweet(posted.data["id"], user_auth=False)
