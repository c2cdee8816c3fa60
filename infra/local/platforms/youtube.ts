import { minuteMs } from '../../../shared/time.ts'
import type { Answer } from '../pages/server.ts'
import { faceUrl } from './face.ts'
import { openOAuth } from './oauth.ts'
import { pageOf } from './page-of.ts'
import type { Call, Platform, PublicPost, Route, SimulatorContext, StandIn } from './standin.ts'
import { openComments } from './youtube/comments.ts'
import { refuse, youtubeRefusals } from './youtube/refuse.ts'
import { type YouTubePerson, youtubeSeed } from './youtube/seed.ts'
import { addOther, openUploads, thumbnailKey, type UploadSession } from './youtube/uploads.ts'
import { readEdit, readPlaylistItem } from './youtube/video.ts'

export { youtubeSeed } from './youtube/seed.ts'

const people: readonly [YouTubePerson, YouTubePerson] = [youtubeSeed.demo, youtubeSeed.bare]
const scope = 'https://www.googleapis.com/auth/youtube'
const isOwnPlaylist = (id: string) => youtubeSeed.playlists.some((playlist) => playlist === id)

/** Google's login, and the part of YouTube that uploads videos and shows a channel. */
export const youtube: Platform = {
  id: 'youtube',
  name: 'YouTube',
  tint: '#ff0033',
  maxBodyBytes: 64 * 1024 * 1024,
  app: youtubeSeed.app,
  metadata: () => ({ title: 'Good evening' }),
  build,
}

function build(context: SimulatorContext): StandIn {
  const sessions = context.keep<UploadSession>('uploads')
  const oauth = openOAuth<YouTubePerson>(context, {
    name: 'Google',
    app: youtubeSeed.app,
    authorizePath: '/o/oauth2/v2/auth',
    tokenPath: '/token',
    proof: 'form',
    scopeSeparator: ' ',
    scopes: [`${scope}.upload`, `${scope}.readonly`, `${scope}.force-ssl`, scope],
    codeLifeMs: 10 * minuteMs,
    accessLifeSeconds: 3599,
    refresh: 'keeps',
    pkce: false,
    challengeMethods: ['s256', 'plain'],
    // The person may have consented before, and is asked again only with this.
    lasts: (query) => query.get('access_type') === 'offline' && query.get('prompt')?.includes('consent') === true,
    people,
  })
  const ownerOf = (call: Call) => oauth.bearerOf(call) ?? refuse(401, 'authError', 'Invalid Credentials')

  function revoke(call: Call): Answer {
    const isKnown = oauth.revoke(new URLSearchParams(call.body.toString()).get('token') ?? '')
    return isKnown ? { status: 200, body: {} } : { status: 400, body: { error: 'invalid_token' } }
  }

  function channels(call: Call): Answer {
    const { channel } = ownerOf(call)
    if (call.query.get('mine') !== 'true') refuse(400, 'missingRequiredParameter', 'No filter selected')
    if (channel === null) return { status: 200, body: { kind: 'youtube#channelListResponse' } }
    const thumbnails = { default: { url: faceUrl(context, channel.id) } }
    const item = {
      id: channel.id,
      snippet: { title: channel.title, customUrl: channel.handle, thumbnails },
      contentDetails: { relatedPlaylists: { uploads: channel.uploads } },
    }
    return { status: 200, body: { kind: 'youtube#channelListResponse', items: [item] } }
  }

  function playlistItems(call: Call): Answer {
    const owner = ownerOf(call)
    const playlistId = call.query.get('playlistId') ?? ''
    if (isOwnPlaylist(playlistId)) return inPlaylist(owner, playlistId, call.query.get('videoId'))
    if (playlistId !== owner.channel?.uploads) refuse(404, 'playlistNotFound', 'No such playlist')
    const own = sessions
      .values()
      .flatMap(({ ownerId, input, video }) => (video && ownerId === owner.id ? [{ input, video }] : []))
      .toSorted((a, b) => b.video.publishedAt - a.video.publishedAt)
      .map(({ input, video }, position) =>
        showItem(playlistId, owner, { title: input.snippet.title, position, ...video }),
      )
    const limit = Number(call.query.get('maxResults') ?? 5)
    if (!(limit >= 0 && limit <= 50)) refuse(400, 'invalidParameter', 'maxResults must be 0 to 50')
    const { items, next } = pageOf(context.listing, own, Number(call.query.get('pageToken') ?? 0), limit)
    const more = next === undefined ? {} : { nextPageToken: String(next) }
    return { status: 200, body: { kind: 'youtube#playlistItemListResponse', ...more, items } }
  }

  function inPlaylist({ id: ownerId }: YouTubePerson, playlistId: string, videoId: string | null): Answer {
    const items = sessions
      .values()
      .filter((session) => session.ownerId === ownerId && session.playlists?.includes(playlistId))
      .filter(({ video }) => video?.id === videoId)
      .map(({ id }) => ({ kind: 'youtube#playlistItem', id: `${playlistId}.${id}` }))
    return { status: 200, body: { kind: 'youtube#playlistItemListResponse', items } }
  }

  /** Puts a video at the end of a playlist, also if it is in it. */
  function insert(call: Call): Answer {
    if (call.query.get('part') !== 'snippet') refuse(400, 'unexpectedPart', 'part must be snippet')
    const { playlistId, resourceId } = readPlaylistItem(call).snippet
    const session = ownVideo(call, resourceId.videoId)
    if (!isOwnPlaylist(playlistId)) refuse(404, 'playlistNotFound', 'No such playlist')
    sessions.set(session.id, { ...session, playlists: [...(session.playlists ?? []), playlistId] })
    const snippet = { playlistId, resourceId, title: session.input.snippet.title }
    return { status: 200, body: { kind: 'youtube#playlistItem', id: `${playlistId}.${session.id}`, snippet } }
  }

  /** The user whose call changes a live video. */
  function editorOf(call: Call): YouTubePerson {
    const owner = ownerOf(call)
    if (oauth.hasScope(call, `${scope}.force-ssl`)) return owner
    return refuse(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
  }

  function ownVideo(call: Call, id: unknown): UploadSession {
    const owner = editorOf(call)
    const session = sessions.values().find(({ ownerId, video }) => ownerId === owner.id && video?.id === id)
    return session ?? refuse(404, 'videoNotFound', 'The video was not found')
  }

  function remove(call: Call): Answer {
    sessions.delete(ownVideo(call, call.query.get('id')).id)
    return { status: 204 }
  }

  function edit(call: Call): Answer {
    const { id, snippet } = readEdit(call)
    const session = ownVideo(call, id)
    sessions.set(session.id, { ...session, input: { ...session.input, snippet } })
    return { status: 200, body: { kind: 'youtube#video', id, snippet } }
  }

  const comments = openComments(context, sessions, editorOf)
  const api: Route[] = [
    { method: 'DELETE', path: '/youtube/v3/videos', operation: 'delete', answer: remove },
    { method: 'POST', path: '/youtube/v3/playlistItems', operation: 'playlist', answer: insert },
    { method: 'PUT', path: '/youtube/v3/videos', operation: 'edit', answer: edit },
    { method: 'POST', path: '/revoke', operation: 'revoke', answer: revoke },
    { method: 'GET', path: '/youtube/v3/channels', operation: 'channels', answer: channels },
    { method: 'GET', path: '/youtube/v3/playlistItems', operation: 'read', answer: playlistItems },
  ]
  return {
    routes: [...oauth.routes, ...api, ...comments.routes, ...openUploads(context, sessions, ownerOf, editorOf)],
    refusals: youtubeRefusals,
    headers: () => ({}),
    posts: () => [...sessions.values().flatMap(showPost), ...comments.posts()],
    other: (channelId, title) =>
      addOther(
        context,
        sessions,
        people.find(({ channel }) => channel?.id === channelId),
        title,
      ),
  }
}

/** A video as the list of a channel's uploads has it. */
const showItem = (
  playlistId: string,
  { channel }: YouTubePerson,
  video: { id: string; title: string; position: number; publishedAt: number },
) => {
  const { id: videoId, title, position } = video
  const publishedAt = new Date(video.publishedAt).toISOString()
  const owner = { channelId: channel?.id, channelTitle: channel?.title }
  return {
    kind: 'youtube#playlistItem',
    id: `${playlistId}.${videoId}`,
    snippet: { title, publishedAt, ...owner, playlistId, position, resourceId: { kind: 'youtube#video', videoId } },
    contentDetails: { videoId, videoPublishedAt: publishedAt },
  }
}

function showPost({
  id,
  ownerId,
  input,
  type,
  video,
  thumbnail,
  playlists = [],
  captions = [],
}: UploadSession): PublicPost[] {
  const channel = people.find((person) => person.id === ownerId)?.channel
  if (!channel || video === null) return []
  const { title, description } = input.snippet
  return [
    {
      account: channel.title,
      text: [title, description].filter(Boolean).join('\n\n'),
      media: [
        { key: id, type, alt: title },
        ...(thumbnail ? [{ key: thumbnailKey(id), type: thumbnail, alt: 'Thumbnail' }] : []),
      ],
      replyTo: null,
      url: `https://www.youtube.com/watch?v=${video.id}`,
      publishedAt: video.publishedAt,
      extras: [
        ...playlists.map((playlist) => `in the playlist ${playlist}`),
        ...captions.map((track) => `captions: ${track}`),
      ],
    },
  ]
}
