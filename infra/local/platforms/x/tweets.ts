import twitter from 'twitter-text'
import * as z from 'zod/mini'
import { weightedLength } from '../../../../shared/platforms/x/weighted-length.ts'
import type { Answer } from '../../pages/server.ts'
import { pageOf } from '../page-of.ts'
import type { Call, PublicMedia, Route, SimulatorContext } from '../standin.ts'
import type { TakenMedia } from './media.ts'
import { readJson } from './read-json.ts'
import { includesOf, openReading } from './reading.ts'
import { refuse } from './refuse.ts'
import { show, shown } from './show.ts'
import type { Owner, StoredTweet } from './tweet.ts'

/** X counts time from here. */
const epochMs = 1_288_834_974_657

const digits = z.string().check(z.regex(/^\d{1,19}$/))

/** The fields of a tweet (X API, POST /2/tweets, OpenAPI 2.167, 2026-08). */
const Create = z.strictObject({
  text: z.optional(z.string().check(z.minLength(1))),
  media: z.optional(z.strictObject({ media_ids: z.array(digits).check(z.minLength(1), z.maxLength(4)) })),
  reply: z.optional(z.strictObject({ in_reply_to_tweet_id: digits })),
  poll: z.optional(
    z.strictObject({
      options: z.array(z.string().check(z.minLength(1), z.maxLength(25))).check(z.minLength(2), z.maxLength(4)),
      duration_minutes: z.int().check(z.minimum(5), z.maximum(10_080)),
    }),
  ),
  reply_settings: z.optional(z.enum(['following', 'mentionedUsers', 'subscribers', 'verified'])),
  made_with_ai: z.optional(z.boolean()),
  paid_partnership: z.optional(z.boolean()),
  community_id: z.optional(digits),
  share_with_followers: z.optional(z.boolean()),
})

const extrasOf = (sent: z.infer<typeof Create>): string[] => [
  ...(sent.poll ? [`poll: ${sent.poll.options.join(' | ')} (${sent.poll.duration_minutes} min)`] : []),
  ...(sent.reply_settings ? [`replies: ${sent.reply_settings}`] : []),
  ...(sent.made_with_ai ? ['made with AI'] : []),
  ...(sent.paid_partnership ? ['paid partnership'] : []),
  ...(sent.community_id
    ? [`community: ${sent.community_id}${sent.share_with_followers ? ', and followers' : ''}`]
    : []),
]

/** X's library takes quadratic time, so it checks only texts of the length that most accounts may write. */
const lengthOf = (text: string) => (text.length > 2000 ? weightedLength(text) : twitter.parseTweet(text).weightedLength)

/** All tweets, with X's rules for new ones. */
export function openTweets(
  { clock, keep, listing }: SimulatorContext,
  ownerOf: (call: Call) => Owner,
  people: readonly Owner[],
  take: (owner: string, ids: readonly string[]) => TakenMedia[],
) {
  const tweets = keep<StoredTweet>('tweets')

  function assertNew(owner: Owner, text: string, media: readonly PublicMedia[], replyTo: string | null): void {
    const keys = JSON.stringify(media.map(({ key }) => key))
    const same = tweets
      .values()
      .some(
        (tweet) =>
          tweet.owner.id === owner.id &&
          tweet.text === text &&
          tweet.replyTo === replyTo &&
          JSON.stringify(tweet.media.map(({ key }) => key)) === keys,
      )
    if (same) refuse(403, 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.')
  }

  function create(call: Call): Answer {
    const owner = ownerOf(call)
    const body = readJson(Create, call)
    const { text = '', media: sent, reply, poll, community_id: community } = body
    if (poll !== undefined && sent !== undefined) {
      refuse(400, 'Invalid Request', 'poll and media are mutually exclusive', 'invalid-request')
    }
    if (body.share_with_followers && community === undefined) {
      refuse(400, 'Invalid Request', 'share_with_followers needs community_id', 'invalid-request')
    }
    if (reply !== undefined && (body.reply_settings ?? community) !== undefined) {
      refuse(400, 'Invalid Request', 'reply_settings and community_id are not for replies', 'invalid-request')
    }
    if (text === '' && sent === undefined)
      refuse(400, 'Invalid Request', 'text or media is required', 'invalid-request')
    const max = owner.subscription === 'None' ? 280 : 25_000
    if (lengthOf(text) > max) {
      refuse(403, 'Forbidden', 'You are not permitted to perform this action.')
    }
    if (text.split(/\s/).filter((word) => /^\$[a-z]{1,6}([._][a-z]{1,2})?([^a-z\d]|$)/i.test(word)).length > 1) {
      refuse(403, 'Forbidden', 'Posts are limited to a maximum of one cashtag.')
    }
    const replyTo = reply?.in_reply_to_tweet_id ?? null
    const answered = replyTo === null ? undefined : tweets.get(replyTo)
    if (replyTo !== null && answered === undefined) {
      refuse(404, 'Not Found Error', 'Could not find the tweet to reply to', 'resource-not-found')
    }
    if (answered !== undefined && answered.owner.id !== owner.id) {
      refuse(403, 'Forbidden', 'Reply to this conversation is not allowed because you have not been mentioned.')
    }
    const taken = take(owner.id, sent?.media_ids ?? [])
    const media = taken.map((file) => file.media)
    const tracks = taken.flatMap(({ captions }) => (captions === undefined ? [] : [`captions: ${captions}`]))
    assertNew(owner, text, media, replyTo)
    const tweet = add({ owner, text, media, replyTo, extras: [...extrasOf(body), ...tracks] })
    const { id } = tweet
    return { status: 201, body: { data: { id, text: shown(tweet).text, edit_history_post_ids: [id] } } }
  }

  /** IDs contain the time as X's do: milliseconds since 2010-11-04 in all but the last 22 bits. */
  function add(made: Omit<StoredTweet, 'id' | 'createdAt'>): StoredTweet {
    const id = String((BigInt(clock.now() - epochMs) << 22n) + BigInt(tweets.values().length))
    const tweet = { id, ...made, createdAt: clock.now() }
    tweets.set(id, tweet)
    return tweet
  }

  function other(target: string, text: string): void {
    const owner = people.find(({ id }) => id === target)
    if (owner !== undefined) add({ owner, text, media: [], replyTo: null })
  }

  function timeline(call: Call): Answer {
    const max = Number(call.query.get('max_results') ?? 10)
    if (!(max >= 5 && max <= 100)) refuse(400, 'Invalid Request', 'max_results must be 5 to 100', 'invalid-request')
    ownerOf(call)
    const from = readTime(call, 'start_time') ?? 0
    const until = readTime(call, 'end_time') ?? Number.POSITIVE_INFINITY
    const own = tweets
      .values()
      .filter(({ owner, createdAt }) => owner.id === call.params['id'] && createdAt >= from && createdAt < until)
    const offset = Number(call.query.get('pagination_token') ?? 0)
    const { items, next } = pageOf(listing, own.toReversed(), offset, max)
    const meta = { result_count: items.length, ...(next === undefined ? {} : { next_token: String(next) }) }
    const data = items.map((tweet) => show(tweet, call.query))
    return { status: 200, body: { ...(data.length > 0 ? { data } : {}), ...includesOf(items, call.query), meta } }
  }

  /** X returns the same for a missing tweet (X API, DELETE /2/tweets/{id}). */
  function remove(call: Call): Answer {
    const owner = ownerOf(call)
    const { id = '' } = call.params
    if (tweets.get(id)?.owner.id === owner.id) tweets.delete(id)
    return { status: 200, body: { data: { deleted: true } } }
  }

  const routes: Route[] = [
    { method: 'POST', path: '/2/tweets', operation: 'create', answer: create },
    { method: 'DELETE', path: '/2/tweets/:id', operation: 'delete', answer: remove },
    { method: 'GET', path: '/2/users/:id/tweets', operation: 'timeline', answer: timeline },
    ...openReading(ownerOf, tweets),
  ]
  return { routes, tweets, other }
}

/** A moment to the second, as X demands it. */
function readTime(call: Call, name: string): number | undefined {
  const text = call.query.get(name)
  if (text === null) return undefined
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) {
    refuse(400, 'Invalid Request', `${name} is not YYYY-MM-DDTHH:mm:ssZ`, 'invalid-request')
  }
  return Date.parse(text)
}
