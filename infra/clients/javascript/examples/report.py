# Counts the posts of a workspace by platform and status, page after page.
from collections import Counter

from social import client

counts = Counter((post["platform"], post["status"]) for post in client.posts.list_all(limit=50))
for (platform, status), count in sorted(counts.items()):
    print(platform, status, count)
