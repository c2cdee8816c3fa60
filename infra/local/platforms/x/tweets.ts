import twitter from 'twitter-text'
import * as z from 'zod/mini'
import { weigh } from '../../../../shared/platforms/x/weigh.ts'
import type { Answer } from '../../pages/server.ts'
import type { Call, Ground, PublicMedia, Route } from '../standin.ts'
import { readJson } from './read-json.ts'
import { refuse } from './refuse.ts'

/** Whose token a call bears. */
export interface Owner {
  id: string
  username: string
  subscription: string
}

/** A tweet as it is kept: its text as it was sent. */
export interface KeptTweet {
  id: string
  owner: Owner
  text: string
  media: readonly PublicMedia[]
  replyTo: string | null
  createdAt: number
}

const digits = z.string().check(z.regex(/^\d{1,19}$/))

const Create = z.strictObject({
  text: z.optional(z.string().check(z.minLength(1))),
  media: z.optional(z.strictObject({ media_ids: z.array(digits).check(z.minLength(1), z.maxLength(4)) })),
  reply: z.optional(z.strictObject({ in_reply_to_tweet_id: digits })),
})

/** X's own library takes quadratic time, so it judges the texts that most accounts may write. */
const lengthOf = (text: string) => (text.length > 2000 ? weigh(text) : twitter.parseTweet(text).weightedLength)

const url = (tweet: KeptTweet) => `https://x.com/${tweet.owner.username}/status/${tweet.id}`

/** Links become X's own, and one more stands for the media; the long ones are told beside the text. */
const shown = (tweet: KeptTweet) => {
  const found = twitter.extractUrls(tweet.text)
  const urls = found.map((long, n) => ({
    url: `https://t.co/${tweet.id.slice(-6)}${n}`,
    expanded_url: /^https?:/.test(long) ? long : `http://${long}`,
    long,
  }))
  const text = urls.reduce((rest, one) => rest.replace(one.long, one.url), tweet.text)
  const own = { url: `https://t.co/m${tweet.id.slice(-6)}`, expanded_url: `${url(tweet)}/photo/1` }
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const withMedia = tweet.media.length > 0 ? `${escaped} ${own.url}`.trim() : escaped
  const entities = [...urls.map(({ long: _long, ...rest }) => rest), ...(tweet.media.length > 0 ? [own] : [])]
  return { text: withMedia, ...(entities.length > 0 ? { entities: { urls: entities } } : {}) }
}

/** The tweets of everybody, with X's rules for new ones. */
export function openTweets(
  { clock, keep }: Ground,
  ownerOf: (call: Call) => Owner,
  take: (owner: string, ids: readonly string[]) => PublicMedia[],
) {
  const tweets = keep<KeptTweet>('tweets')

  function demandNew(owner: Owner, text: string, media: readonly PublicMedia[], replyTo: string | null): void {
    const keys = JSON.stringify(media.map(({ key }) => key))
    const same = tweets
      .values()
      .some(
        (one) =>
          one.owner.id === owner.id &&
          one.text === text &&
          one.replyTo === replyTo &&
          JSON.stringify(one.media.map(({ key }) => key)) === keys,
      )
    if (same) refuse(403, 'Forbidden', 'You are not allowed to create a Tweet with duplicate content.')
  }

  function create(call: Call): Answer {
    const owner = ownerOf(call)
    const { text = '', media: sent, reply } = readJson(Create, call)
    if (text === '' && sent === undefined)
      refuse(400, 'Invalid Request', 'text or media is required', 'invalid-request')
    const most = owner.subscription === 'None' ? 280 : 25_000
    if (lengthOf(text) > most) {
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
    const media = take(owner.id, sent?.media_ids ?? [])
    demandNew(owner, text, media, replyTo)
    const id = String(1_445_880_548_472_328_192n + BigInt(tweets.values().length))
    const tweet = { id, owner, text, media, replyTo, createdAt: clock.now() }
    tweets.set(id, tweet)
    return { status: 201, body: { data: { id, text: shown(tweet).text, edit_history_post_ids: [id] } } }
  }

  function timeline(call: Call): Answer {
    const most = Number(call.query.get('max_results') ?? 10)
    if (!(most >= 5 && most <= 100)) refuse(400, 'Invalid Request', 'max_results must be 5 to 100', 'invalid-request')
    ownerOf(call)
    const own = tweets.values().filter(({ owner }) => owner.id === call.params['id'])
    const newest = own.toReversed().slice(0, most)
    const data = newest.map((one) => ({
      id: one.id,
      ...shown(one),
      created_at: new Date(one.createdAt).toISOString(),
      edit_history_tweet_ids: [one.id],
    }))
    return { status: 200, body: { ...(data.length > 0 ? { data } : {}), meta: { result_count: data.length } } }
  }

  const routes: Route[] = [
    { method: 'POST', path: '/2/tweets', operation: 'create', answer: create },
    { method: 'GET', path: '/2/users/:id/tweets', operation: 'timeline', answer: timeline },
  ]
  return { routes, tweets, url }
}
