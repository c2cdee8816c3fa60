import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { pageOf } from '../page-of.ts'
import { type Call, type PublicPost, parseJson, type Route, type SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import { refuse } from './refuse.ts'
import { channelOf, type YouTubePerson } from './seed.ts'
import type { UploadSession } from './uploads.ts'
import { readParts } from './video.ts'

type ReadyVideo = UploadSession & { video: NonNullable<UploadSession['video']> }

interface StoredComment {
  id: string
  channelId: string
  account: string
  videoId: string
  text: string
  publishedAt: number
}

const CommentInput = z.strictObject({
  snippet: z.strictObject({
    channelId: z.string(),
    videoId: z.string(),
    topLevelComment: z.strictObject({
      snippet: z.strictObject({ textOriginal: z.string().check(z.minLength(1), z.maxLength(10_000)) }),
    }),
  }),
})

/** How long a video is processed after its upload. */
const processingMs = 30_000

/** Comments under videos of a channel, and the state of videos, which must be processed first. */
export function openComments(
  { clock, keep, listing }: SimulatorContext,
  sessions: StoredMap<UploadSession>,
  ownerOf: (call: Call) => YouTubePerson,
) {
  const comments = keep<StoredComment>('comments')
  const stateOf = ({ publishedAt }: { publishedAt: number }) =>
    publishedAt + processingMs > clock.now() ? 'uploaded' : 'processed'

  function ownVideo(call: Call, id: string): ReadyVideo | undefined {
    const { id: ownerId } = ownerOf(call)
    const session = sessions.values().find((session) => session.ownerId === ownerId && session.video?.id === id)
    return session?.video ? { ...session, video: session.video } : undefined
  }

  function videos(call: Call): Answer {
    const parts = readParts(call)
    const items = (call.query.get('id') ?? '').split(',').flatMap((id) => {
      const upload = ownVideo(call, id)
      return upload === undefined ? [] : [showVideo(upload, parts)]
    })
    return { status: 200, body: { kind: 'youtube#videoListResponse', items } }
  }

  /** A part without data about such a new video is left out. */
  function showVideo({ video, input, ownerId }: ReadyVideo, parts: readonly string[]) {
    const state = stateOf(video)
    const channel = channelOf(ownerId)
    const publishedAt = new Date(video.publishedAt).toISOString()
    const known: Readonly<Record<string, object>> = {
      snippet: { ...input.snippet, publishedAt, channelId: channel?.id, channelTitle: channel?.title },
      status: { ...input.status, uploadStatus: state },
      processingDetails: { processingStatus: state === 'processed' ? 'succeeded' : 'processing' },
      statistics: { viewCount: '0', likeCount: '0', favoriteCount: '0', commentCount: '0' },
    }
    const shown = Object.entries(known).filter(([name]) => parts.includes(name))
    return { kind: 'youtube#video', id: video.id, ...Object.fromEntries(shown) }
  }

  function show({ id, channelId, videoId, text, publishedAt }: StoredComment) {
    const said = { textOriginal: text, textDisplay: text, publishedAt: new Date(publishedAt).toISOString() }
    const topLevelComment = { id, snippet: { authorChannelId: { value: channelId }, ...said } }
    return { kind: 'youtube#commentThread', id, snippet: { channelId, videoId, topLevelComment } }
  }

  function insert(call: Call): Answer {
    const { channel } = ownerOf(call)
    if (call.query.get('part') !== 'snippet') refuse(400, 'unexpectedPart', 'part must be snippet')
    const parsed = CommentInput.safeParse(parseJson(call.body, () => refuse(400, 'parseError', 'Parse Error')))
    if (!parsed.success) return refuse(400, 'invalidCommentThreadMetadata', 'The comment is not valid')
    const { channelId, videoId, topLevelComment } = parsed.data.snippet
    if (channel?.id !== channelId) return refuse(404, 'channelNotFound', 'The channel was not found')
    const upload = ownVideo(call, videoId) ?? refuse(404, 'videoNotFound', 'The video was not found')
    const { privacyStatus, selfDeclaredMadeForKids = false } = upload.input.status
    if (privacyStatus === 'private' || selfDeclaredMadeForKids || stateOf(upload.video) === 'uploaded') {
      refuse(403, 'forbidden', 'The comment cannot be made')
    }
    const id = `Ug${randomBytes(12).toString('base64url')}`
    const text = topLevelComment.snippet.textOriginal
    const comment = { id, channelId, account: channel.title, videoId, text, publishedAt: clock.now() }
    comments.set(id, comment)
    return { status: 200, body: show(comment) }
  }

  function list(call: Call): Answer {
    ownerOf(call)
    if (call.query.get('order') !== 'time') refuse(400, 'invalidParameter', 'order must be time')
    const under = comments
      .values()
      .filter(({ videoId }) => videoId === call.query.get('videoId'))
      .reverse()
    const { items, next } = pageOf(listing, under, Number(call.query.get('pageToken') ?? 0), 100)
    const more = next === undefined ? {} : { nextPageToken: String(next) }
    return { status: 200, body: { kind: 'youtube#commentThreadListResponse', ...more, items: items.map(show) } }
  }

  const path = '/youtube/v3/commentThreads'
  const routes: Route[] = [
    { method: 'GET', path: '/youtube/v3/videos', operation: 'video', answer: videos },
    { method: 'POST', path, operation: 'comment', answer: insert },
    { method: 'GET', path, operation: 'comments', answer: list },
  ]
  return {
    routes,
    posts: (): PublicPost[] =>
      comments.values().map(({ id, account, videoId, text, publishedAt }) => {
        const replyTo = `https://www.youtube.com/watch?v=${videoId}`
        return { account, text, media: [], replyTo, url: `${replyTo}&lc=${id}`, publishedAt }
      }),
  }
}
