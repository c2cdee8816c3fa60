# The examples in Python begin with this client, and find an account by its platform.
import os

from social_publishing import Client

client = Client(os.environ["BASE"], token=os.environ["TOKEN"], workspace_id=os.environ["WORKSPACE"])


def account_on(platform):
    return next(each["id"] for each in client.social_accounts.list() if each["providerId"] == platform)
