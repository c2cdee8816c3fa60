import * as z from 'zod/mini'
import { dayMs, hourMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { tracksOf } from '../captions.ts'
import { unclearResponse } from '../http.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { PlatformError } from '../platform-error.ts'
import type { OutgoingPost, PublishedPost } from '../post.ts'
import { removed } from '../removal.ts'
import { callX } from './api.ts'
import { definition, XMetadata } from './definition.ts'
import { named } from './name.ts'
import { addSubtitles, beginUpload, resumeUpload, Upload } from './upload.ts'

const Links = z.object({
  urls: z.optional(z.array(z.object({ url: z.string(), expanded_url: z.optional(z.string()) }))),
})
const Note = z.object({ text: z.string(), entities: z.optional(Links) })

/** A tweet of a timeline. X is renaming tweets to posts: the long text may have either name. */
const Listed = z.object({
  id: z.string(),
  text: z.string(),
  created_at: z.optional(z.string()),
  entities: z.optional(Links),
  note_post: z.optional(Note),
  note_tweet: z.optional(Note),
})
type Listed = z.infer<typeof Listed>

const Timeline = z.object({
  data: z.optional(z.array(Listed)),
  meta: z.object({ result_count: z.number(), next_token: z.optional(z.string()) }),
})

/**
 * The fields to request, as X's OpenAPI names them since 2.167 (2026-08), and as its pages do: if one name is rejected, the
 * other is used.
 */
const fields = { 'post.fields': 'created_at,entities,note_post' }
const olderFields = { 'tweet.fields': 'created_at,entities,note_tweet' }

const refusesFields = (error: unknown): boolean =>
  error instanceof PlatformError && error.info.httpStatus === 400 && /post\.fields/.test(error.info.detail ?? '')

/** Milliseconds since 1970 of X's epoch, in which ids count (X, "X IDs"). */
const epochMs = 1_288_834_974_657n

/**
 * When a tweet was created: its field, otherwise its ID, whose last 22 bits are not part of the time; NaN if neither can be
 * read.
 */
const madeAtMs = ({ id, created_at: at }: Listed): number => {
  const said = at === undefined ? Number.NaN : Date.parse(at)
  if (!Number.isNaN(said)) return said
  return /^\d{15,19}$/.test(id) ? Number((BigInt(id) >> 22n) + epochMs) : Number.NaN
}

/** A text without links: X replaces them with its own, and appends one for the media. */
const withoutLinks = (text: string, links: readonly string[]): string =>
  links
    .reduce((rest, link) => rest.replaceAll(link, ''), text)
    .replace(/\s+/g, ' ')
    .trim()

/** X escapes three characters in the texts that it returns. */
const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Whether a tweet has a text; for a long one, `text` is only the start, and the note has the whole text. */
const hasText = (listed: Listed, ours: string): boolean => {
  const { text, entities } = listed.note_post ?? listed.note_tweet ?? listed
  const urls = entities?.urls ?? []
  const shown = withoutLinks(
    plain(text),
    urls.map(({ url }) => url),
  )
  const expanded = urls.flatMap(({ expanded_url: long }) => (long === undefined ? [] : [long, long.replace(/\/$/, '')]))
  const bare = expanded.flatMap((link) => [link, link.replace(/^https?:\/\//, '')])
  return shown === withoutLinks(ours, bare)
}

/** Whether a tweet is a long one without its note, and its start is that of a text: the rest cannot be compared. */
const isCut = ({ text, note_post, note_tweet, entities }: Listed, ours: string): boolean => {
  if (note_post !== undefined || note_tweet !== undefined) return false
  const urls = (entities?.urls ?? []).map(({ url }) => url)
  const [, start] = /^(.+)…(?: https:\/\/t\.co\/\w+)?$/s.exec(plain(text).trim()) ?? []
  return start !== undefined && withoutLinks(ours, []).startsWith(withoutLinks(start, urls))
}

/** The body of the one call. A probe also looks for this, whatever the post has become since. */
const Tweet = z.object({
  text: z.string(),
  mediaIds: z.array(z.string()),
  replyTo: z.optional(z.string()),
  /** What the metadata adds to the body. */
  settings: z.optional(z.looseObject({ community_id: z.optional(z.string()) })),
})

const Resume = z.object({ uploads: z.array(Upload) })

/** A media id lives a day. */
const preparedMs = 23 * hourMs
const foreverMs = 100 * 365 * dayMs

/** The fields of the metadata under X's names; a field that is off is omitted (X API, POST /2/tweets). */
const settingsOf = ({ metadata }: OutgoingPost): Readonly<Record<string, unknown>> => {
  const { poll, replySettings, madeWithAi, paidPartnership, communityId, shareWithFollowers } = z.parse(
    XMetadata,
    metadata ?? {},
  )
  return {
    ...(poll ? { poll: { options: poll.options, duration_minutes: poll.durationMinutes } } : {}),
    ...(replySettings ? { reply_settings: replySettings } : {}),
    ...(madeWithAi ? { made_with_ai: true } : {}),
    ...(paidPartnership ? { paid_partnership: true } : {}),
    ...(communityId ? { community_id: communityId } : {}),
    ...(shareWithFollowers ? { share_with_followers: true } : {}),
  }
}

/** The parent of a reply decides who may reply, and in which community: no document shows these fields with `reply`. */
const settingsOfReply = (settings: z.infer<typeof Tweet>['settings']) => {
  const { reply_settings: _, community_id: __, share_with_followers: ___, ...rest } = settings ?? {}
  return rest
}

/** Uploads the media, file by file, and in several phases if a file is large or X is slow. */
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, post } = call
  const uploads = resume === undefined ? [] : [...z.parse(Resume, resume).uploads]
  const waits: number[] = []
  for (const [n, file] of post.media.entries()) {
    const { upload, waitSeconds } = await resumeUpload(call, file, uploads[n] ?? (await beginUpload(call, file)))
    uploads[n] = upload
    if (waitSeconds !== undefined) waits.push(waitSeconds)
  }
  if (waits.length > 0) return { waitSeconds: Math.max(...waits), resume: { uploads } }
  const mediaIds = uploads.map(({ mediaId }) => mediaId)
  const [track] = tracksOf(post, z.parse(XMetadata, post.metadata ?? {}).captions)
  if (track) await addSubtitles(call, mediaIds[0] ?? '', track)
  const settings = settingsOf(post)
  const ready = { text: post.text, mediaIds, ...(Object.keys(settings).length > 0 ? { settings } : {}) }
  const lastsMs = uploads.length > 0 ? preparedMs : foreverMs
  return { ready, expiresAtMs: ctx.clock.now() + lastsMs }
}

const Created = z.object({ data: z.object({ id: z.string() }) })

const tweetUrl = (username: string | null, id: string): string => `https://x.com/${username ?? 'i/web'}/status/${id}`

/** Posts the tweet; X's schema rejects unknown fields. */
const commit = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const { text, mediaIds, settings } = z.parse(Tweet, ref)
  const { replyTo } = call.post
  const json = {
    ...(replyTo === undefined ? settings : settingsOfReply(settings)),
    ...(text === '' ? {} : { text }),
    ...(mediaIds.length > 0 ? { media: { media_ids: mediaIds } } : {}),
    ...(replyTo === undefined ? {} : { reply: { in_reply_to_tweet_id: replyTo } }),
  }
  const { data } = await callX(call, { path: '/2/tweets', body: { json }, creates: true, reply: Created })
  return { id: data.id, url: tweetUrl(call.account.username, data.id) }
}

/** How far X's clock and ours may be apart. */
const clockSkewMs = 5_000
/** X rejects an `end_time` within the last seconds; after this time the timeline is read up to now. */
const endSlackMs = 30_000

/** A moment in X's format: to the second. */
const toSecond = (ms: number) => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')

/**
 * Looks for the tweet on the account's timeline: X stores no key of ours. Only the minutes in which it can have been
 * published are read: reads cost money, and this way a busy account shows it on the first page.
 */
const probe = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { text, settings } = z.parse(Tweet, attempt.ref)
  const { clock } = call.ctx
  const { fromMs, untilMs } = windowOf(attempt, clockSkewMs)
  const end = clock.now() > untilMs + endSlackMs ? { end_time: toSecond(untilMs) } : {}
  const query = { max_results: '100', exclude: 'retweets', start_time: toSecond(fromMs), ...end }
  const seen = await lookBack<Listed, string>({
    clock,
    fromMs,
    async read(token) {
      const page = (shown: Readonly<Record<string, string>>) =>
        callX(call, {
          path: '/2/users/{id}/tweets',
          params: { id: call.account.externalId },
          query: { ...query, ...shown, ...(token === undefined ? {} : { pagination_token: token }) },
          totalMs: pageMs,
          reply: Timeline,
        })
      const { data = [], meta } = await page(fields).catch((error: unknown) => {
        if (!refusesFields(error)) throw error
        return page(olderFields)
      })
      // A response with only errors has no `data` either.
      if (data.length < meta.result_count) throw unclearResponse({ platform: named }, 'fewer tweets than X counted')
      return { items: data, next: meta.next_token }
    },
    atMs: madeAtMs,
    isOurs: (tweet) => hasText(tweet, text),
    mayBeOurs: (tweet) => isCut(tweet, text),
  })
  // No document states that the timeline contains posts of communities: there, absence proves nothing.
  if (seen.kind === 'absent' && settings?.community_id !== undefined) return { kind: 'unclear' }
  if (seen.kind !== 'found') return seen
  const [{ id }] = seen.items
  return { kind: 'published', id, url: tweetUrl(call.account.username, id) }
}

/** Deletes the tweet (DELETE /2/tweets/{id}). */
const remove = (call: PlatformCall, id: string): Promise<void> => {
  const request = { path: '/2/tweets/{id}', params: { id }, method: 'DELETE', reply: z.unknown() } as const
  return removed(callX(call, request), ({ httpStatus }) => httpStatus === 404)
}

/** X: it accepts no idempotency key, but rejects a duplicate, and the account's timeline shows published posts. */
export const x: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'duplicate-refusal',
  readLagSeconds: 120,
  prepare,
  commit,
  findsByContent: ({ text }) => text !== '',
  commentCalls: 'reply',
  remove,
  probe,
}
