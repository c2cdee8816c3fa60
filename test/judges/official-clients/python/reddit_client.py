"""PRAW: logs in, submits a text, reads it, and deletes it."""

import praw
from standin import ORIGIN, REDIRECT_URI, SEED, approve, code_of, published

reddit = praw.Reddit(
    client_id=SEED["clientId"],
    client_secret=SEED["clientSecret"],
    redirect_uri=REDIRECT_URI,
    user_agent="linux:test.service.posts:v1.2.3 (by /u/somebody)",
    reddit_url=ORIGIN,
    oauth_url=ORIGIN,
    check_for_updates=False,
)
scopes = ["identity", "submit", "read", "history", "edit"]
reddit.auth.authorize(code_of(approve(reddit.auth.url(scopes=scopes, state="state", duration="permanent"))))
submission = reddit.subreddit("test").submit("A title", selftext="Hello from the client")
read = reddit.submission(submission.id)
listed = [post.id for post in reddit.user.me().submissions.new(limit=5)]
published(title=read.title, text=read.selftext, author=str(read.author), listed=listed == [submission.id])
submission.delete()
