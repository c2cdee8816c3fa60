"""The Social Publishing Service from Python."""

from ._errors import NotPublishedError, SocialError
from ._webhooks import WebhookVerificationError, verify_webhook
from ._version import __version__
from .client import Client

__all__ = ["Client", "NotPublishedError", "SocialError", "WebhookVerificationError", "verify_webhook"]
