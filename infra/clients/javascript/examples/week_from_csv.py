# Schedules a week from a file with the columns "at" and "text": python3 week_from_csv.py week.csv
# Each line has a separate key, so that running the program again schedules nothing twice.
import csv
import hashlib
import sys
from datetime import datetime

from social import account_on, client

account = account_on("bluesky")
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    for line in csv.DictReader(file):
        key = hashlib.sha256(f"{line['at']} {line['text']}".encode()).hexdigest()
        post = client.posts.schedule(
            social_account_ids=[account],
            content=line["text"],
            scheduled_at=datetime.fromisoformat(line["at"]),
            idempotency_key=key,
        )[0]
        print(post["id"], post["scheduledAt"])
