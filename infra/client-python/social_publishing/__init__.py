"""The Social Publishing Service from Python."""

from ._errors import NotPublishedError, SocialError
from ._webhooks import WebhookVerificationError, verify_webhook
from .client import Client

__version__ = "0.1.0"
__all__ = ["Client", "NotPublishedError", "SocialError", "WebhookVerificationError", "verify_webhook"]
