"""google-api-python-client: logs in, uploads a video in a session, reads it, and deletes it."""

import io
import json
import urllib.parse

import requests
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build_from_document
from googleapiclient.discovery_cache import get_static_doc
from googleapiclient.http import MediaIoBaseUpload
from standin import ORIGIN, REDIRECT_URI, SEED, approve, code_of, published

query = {
    "client_id": SEED["clientId"],
    "redirect_uri": REDIRECT_URI,
    "response_type": "code",
    "scope": "https://www.googleapis.com/auth/youtube https://www.googleapis.com/auth/youtube.force-ssl",
    "access_type": "offline",
    "prompt": "consent",
}
form = {
    "client_id": SEED["clientId"],
    "client_secret": SEED["clientSecret"],
    "code": code_of(approve(f"{ORIGIN}/o/oauth2/v2/auth?{urllib.parse.urlencode(query)}")),
    "grant_type": "authorization_code",
    "redirect_uri": REDIRECT_URI,
}
tokens = requests.post(f"{ORIGIN}/token", data=form, timeout=30).json()
document = json.loads(get_static_doc("youtube", "v3"))
document["rootUrl"] = f"{ORIGIN}/"
client = build_from_document(document, credentials=Credentials(tokens["access_token"]))


def upload(title: str, resumable: bool) -> str:
    body = {"snippet": {"title": title, "categoryId": "22"}, "status": {"privacyStatus": "public"}}
    media = MediaIoBaseUpload(io.BytesIO(b"a video \r\n of bytes"), mimetype="video/mp4", resumable=resumable)
    return client.videos().insert(part="snippet,status", body=body, media_body=media).execute()["id"]


whole = upload("Hello from the client", True)
related = upload("Hello again", False)
read = client.videos().list(part="snippet,status", id=f"{whole},{related}").execute()
mine = client.channels().list(part="contentDetails", mine=True).execute()
uploads = mine["items"][0]["contentDetails"]["relatedPlaylists"]["uploads"]
listed = client.playlistItems().list(part="snippet", playlistId=uploads).execute()["items"]
published(
    titles=[video["snippet"]["title"] for video in read["items"]],
    listed={item["snippet"]["resourceId"]["videoId"] for item in listed} == {related, whole},
)
client.videos().delete(id=whole).execute()
client.videos().delete(id=related).execute()
