"""The types that the service accepts, by file extension: those of the service itself, and not those of a machine."""

import os

_TYPES = {
    ".doc": "application/msword",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".gif": "image/gif",
    ".jfif": "image/jpeg",
    ".jpe": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".m4v": "video/mp4",
    ".mov": "video/quicktime",
    ".mp4": "video/mp4",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".ppt": "application/vnd.ms-powerpoint",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".qt": "video/quicktime",
    ".srt": "application/x-subrip",
    ".vtt": "text/vtt",
    ".webp": "image/webp",
}


def type_by_name(name: str) -> str:
    """The content type of a name's extension."""
    return _TYPES.get(os.path.splitext("_" + name)[1].lower(), "application/octet-stream")
