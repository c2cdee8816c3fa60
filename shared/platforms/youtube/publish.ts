import * as z from 'zod/mini'
import { dayMs, minuteMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { tracksOf } from '../captions.ts'
import { videoOf } from '../files.ts'
import { unclearResponse } from '../http.ts'
import { lookBack, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { isPreparedGone, PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { edited, removed } from '../removal.ts'
import { callYouTube } from './api.ts'
import { addCaptions } from './captions.ts'
import { commentCalls } from './comments.ts'
import { definition, YouTubeMetadata } from './definition.ts'
import { addToPlaylist } from './playlist.ts'
import { setThumbnail, thumbnailOf } from './thumbnail.ts'
import { askSession, describeVideo, lastFrom, openSession, readLast, sendLast, sendRanges, Upload } from './upload.ts'

const Item = z.object({
  snippet: z.object({ title: z.string(), publishedAt: z.string() }),
  contentDetails: z.object({ videoId: z.string() }),
})
const Items = z.object({ items: z.array(Item), nextPageToken: z.optional(z.string()) })

/** How far YouTube's clock and ours may be apart. */
const clockSkewMs = 5_000

/**
 * Finds an upload by its title among those since an attempt; the last resort if a session no longer exists (YouTube Data
 * API, playlistItems.list).
 */
const findUpload = (call: PlatformCall, title: string, attempt: UnconfirmedAttempt) => {
  const { ctx, account } = call
  const playlistId = String(account.details['uploads'] ?? '')
  const query = { part: 'snippet,contentDetails', playlistId, maxResults: '50' }
  return lookBack<z.infer<typeof Item>, string>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    async read(pageToken) {
      const { items, nextPageToken: next } = await callYouTube(ctx, {
        path: '/playlistItems',
        token: tokenOf(account),
        query: pageToken === undefined ? query : { ...query, pageToken },
        reply: Items,
      })
      return { items, next }
    },
    atMs: ({ snippet }) => Date.parse(snippet.publishedAt),
    isOurs: ({ snippet }) => snippet.title.trim() === title.trim(),
  })
}

/** A session lives for about a week; used no longer than this. */
const preparedMs = dayMs
/** The list of uploads lags: a missing video counts as absent only this long after the attempt. */
const listedMs = 10 * minuteMs

const begin = async ({ ctx, account, post }: PlatformCall): Promise<Upload> => {
  const file = videoOf(definition.name, post)
  const video = describeVideo(post)
  const thumbnail = thumbnailOf(post)
  const { playlistId, captions } = z.parse(YouTubeMetadata, post.metadata ?? {})
  const tracks = tracksOf(post, captions)
  return {
    session: await openSession(ctx, tokenOf(account), file, video),
    storageKey: file.storageKey,
    mimeType: file.mimeType,
    size: file.fileSize,
    next: 0,
    title: video.resource.snippet.title,
    ...(thumbnail ? { thumbnail } : {}),
    ...(playlistId === undefined ? {} : { playlistId }),
    ...(tracks.length === 0 ? {} : { tracks }),
    expiresAtMs: ctx.clock.now() + preparedMs,
  }
}

/** A known session reports its progress: the journaled value may be older. */
const resumeUpload = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Upload> => {
  const { ctx, account } = call
  const known = z.safeParse(Upload, resume).data
  if (known === undefined || ctx.clock.now() >= known.expiresAtMs) return begin(call)
  const token = tokenOf(account)
  const progress = await askSession(ctx, { token, ...known }).catch((error: unknown) => {
    if (isPreparedGone(error)) return undefined
    throw error
  })
  if (progress === undefined) return begin(call)
  return { ...known, next: progress.kind === 'open' ? progress.stored : known.size }
}

/**
 * Sends all of the video except its last bytes, in phases. Decided: not "upload as private, make public later", which would
 * ask people for more rights, cost half as much quota again, and leave videos behind at every cancel.
 */
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const upload = await sendRanges(call.ctx, tokenOf(call.account), await resumeUpload(call, resume))
  const isReady = upload.next >= lastFrom(upload.size)
  return isReady ? { ready: upload, expiresAtMs: upload.expiresAtMs } : { waitSeconds: 1, resume: upload }
}

const build = ({ ctx }: PlatformCall, ref: PreparedRef): Promise<Uint8Array> => readLast(ctx, z.parse(Upload, ref))

/**
 * The live video with its thumbnail and captions, in its playlist. Decided: they follow the call that publishes, because
 * YouTube accepts none of them before the video has its ID. The code that learns that the video is live adds them, also
 * after a lost response.
 */
const landed = async (call: PlatformCall, upload: Upload, id: string): Promise<PublishedPost> => {
  const { thumbnail, playlistId, tracks = [] } = upload
  const warnings = await Promise.all([
    thumbnail && setThumbnail(call, id, thumbnail),
    playlistId && addToPlaylist(call, id, playlistId),
    ...tracks.map((track) => addCaptions(call, id, track)),
  ])
  const warning = warnings.filter(Boolean).join(' ')
  return { id, url: `https://www.youtube.com/watch?v=${id}`, ...(warning === '' ? {} : { warning }) }
}

/** Sends the last bytes, which create the video. The same session never creates a second one. */
const commit = async (
  call: PlatformCall,
  ref: PreparedRef,
  _clientKey: string,
  built: unknown,
): Promise<PublishedPost> => {
  const { ctx, account } = call
  const upload = z.parse(Upload, ref)
  const progress = await sendLast(ctx, tokenOf(account), upload, z.parse(z.instanceof(Uint8Array), built))
  if (progress.kind === 'done') return landed(call, upload, progress.id)
  // It has lost data, or has not accepted the last bytes: nothing is public.
  const preparedGone = progress.stored !== lastFrom(upload.size)
  const { message, info } = unclearResponse({ platform: definition }, `${progress.stored}/${upload.size} bytes`, 308)
  throw new PlatformError('transient', message, { ...info, preparedGone })
}

/** Queries the session; if it no longer exists, looks among the uploads of the channel. */
const probe = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { ctx, account } = call
  const upload = z.parse(Upload, attempt.ref)
  try {
    const progress = await askSession(ctx, { token: tokenOf(account), ...upload })
    if (progress.kind === 'open') return { kind: 'absent' }
    return { kind: 'published', ...(await landed(call, upload, progress.id)) }
  } catch (error) {
    if (!isPreparedGone(error)) throw error
  }
  const seen = await findUpload(call, upload.title, attempt)
  if (seen.kind === 'found') {
    return { kind: 'published', ...(await landed(call, upload, seen.items[0].contentDetails.videoId)) }
  }
  return ctx.clock.now() - attempt.startedAtMs < listedMs ? { kind: 'unclear' } : seen
}

const isVideoGone = ({ httpStatus }: PlatformError['info']) => httpStatus === 404

/** Deletes the video (YouTube Data API, videos.delete, 2026-11-27: scope `youtube.force-ssl`, 50 units). */
const remove = ({ ctx, account }: PlatformCall, id: string): Promise<void> =>
  removed(
    callYouTube(ctx, { path: '/videos', token: tokenOf(account), query: { id }, method: 'DELETE', reply: z.unknown() }),
    isVideoGone,
  )

/**
 * Changes the metadata of the video. The update replaces the whole snippet, and the visibility of the video stays unchanged
 * (YouTube Data API, videos.update, 2026-11-27: scope `youtube.force-ssl`, 50 units).
 */
const edit = ({ ctx, account, post }: PlatformCall, id: string): Promise<void> => {
  const json = { id, snippet: describeVideo(post).resource.snippet }
  const request = { path: '/videos', token: tokenOf(account), query: { part: 'snippet' }, json, reply: z.unknown() }
  return edited(callYouTube(ctx, { ...request, method: 'PUT' }), definition.name, isVideoGone)
}

/** YouTube: the last bytes of an upload create the video, and the upload session shows whether they arrived. */
export const youtube: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  // The session is queried, and a repeat into it is harmless: there is no read lag to wait for.
  readLagSeconds: 10,
  prepare,
  build,
  commit,
  commentCalls,
  remove,
  edit,
  probe,
}
