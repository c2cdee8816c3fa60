"""The Social Publishing Service from Python."""

from ._call import OMITTED
from ._errors import NotPublishedError, SocialError
from ._webhooks import WebhookVerificationError, verify_webhook
from ._version import __version__
from .client import AsyncClient, Client

__all__ = ["OMITTED", "AsyncClient", "Client", "NotPublishedError", "SocialError", "WebhookVerificationError", "verify_webhook"]
