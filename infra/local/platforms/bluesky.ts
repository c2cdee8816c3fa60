import * as z from 'zod/mini'
import { openRecords, postCollection, type StoredRecord } from './bluesky/records.ts'
import { blueskyRefusals, readParam, refuse } from './bluesky/refuse.ts'
import { blueskySeed, findAccount } from './bluesky/seed.ts'
import { openSessions } from './bluesky/sessions.ts'
import { findBlobs } from './bluesky/shown-media.ts'
import { openUploads } from './bluesky/uploads.ts'
import { openVideos } from './bluesky/videos.ts'
import { countWindow } from './count-window.ts'
import { faceUrl } from './face.ts'
import type { Platform, PublicPost, Route, SimulatorContext, StandIn } from './standin.ts'

export { blueskySeed } from './bluesky/seed.ts'

/** A personal data server with the app view's profile and the video service: what one origin of Bluesky is to its callers. */
export const bluesky: Platform = {
  id: 'bluesky',
  name: 'Bluesky',
  tint: '#1185fe',
  // A video comes in one request. The limits of an image are checked by its route.
  maxBodyBytes: 300_000_000,
  login: { identifier: blueskySeed.account.handle, appPassword: blueskySeed.account.appPassword },
  build,
}

function build(context: SimulatorContext): StandIn {
  const nowSeconds = () => context.clock.now() / 1000
  const { routes: sessions, authenticate } = openSessions(context)
  const uploads = openUploads(context, authenticate)
  const { routes: repository, records, other } = openRecords(context, authenticate, uploads)
  const actors: Route[] = [
    {
      method: 'GET',
      path: '/xrpc/com.atproto.identity.resolveHandle',
      operation: 'resolve',
      answer(call) {
        const account = findAccount(readParam(call, 'handle'))
        return account
          ? { status: 200, body: { did: account.did } }
          : refuse(400, 'InvalidRequest', 'Unable to resolve handle')
      },
    },
    {
      method: 'GET',
      path: '/xrpc/app.bsky.actor.getProfile',
      operation: 'profile',
      answer(call) {
        authenticate(call)
        const account = findAccount(readParam(call, 'actor'))
        if (account === undefined) return refuse(400, 'InvalidRequest', 'Profile not found')
        const { did, handle, displayName } = account
        return { status: 200, body: { did, handle, displayName, avatar: faceUrl(context, did) } }
      },
    },
  ]
  const window = countWindow({ max: 3000, perMs: 300_000 }, context)
  return {
    routes: [...sessions, ...uploads.routes, ...openVideos(context, authenticate, uploads), ...repository, ...actors],
    refusals: blueskyRefusals(nowSeconds),
    secondsToWait: () => window.take('all'),
    headers() {
      const { left, endsAt } = window.shown('all')
      return {
        'ratelimit-limit': '3000',
        'ratelimit-remaining': String(left),
        'ratelimit-reset': String(Math.ceil(endsAt / 1000)),
        'ratelimit-policy': '3000;w=300',
      }
    },
    posts: () =>
      records
        .values()
        .filter((record) => record.collection === postCollection)
        .map((record) => toPublicPost(record, (uri) => records.get(uri))),
    other,
  }
}

/** The view of a post; its lexicon was checked when it was put. */
const Shown = z.object({
  text: z.string(),
  reply: z.optional(z.object({ parent: z.object({ uri: z.string() }) })),
  embed: z.optional(z.looseObject({})),
  labels: z.optional(z.looseObject({ values: z.array(z.object({ val: z.string() })) })),
})
const Card = z.object({ external: z.object({ uri: z.string(), title: z.string() }) })
const Video = z.object({ captions: z.array(z.object({ lang: z.string() })) })
const Quote = z.object({ record: z.object({ uri: z.string() }) })
const Both = z.object({ record: Quote, media: z.unknown() })
const Gate = z.object({ allow: z.array(z.object({ $type: z.string() })) })

/** The card, the quote, the warnings, and the gates of a post, one line each. */
function extrasOf({ rkey, did, value }: StoredRecord, find: (uri: string) => StoredRecord | undefined): string[] {
  const { embed, labels } = Shown.parse(value)
  const both = Both.safeParse(embed).data
  const card = Card.safeParse(both?.media ?? embed).data?.external
  const captions = Video.safeParse(both?.media ?? embed).data?.captions
  const quote = (both?.record ?? Quote.safeParse(embed).data)?.record
  const gate = (name: string) => find(`at://${did}/app.bsky.feed.${name}/${rkey}`)
  const allowed = Gate.safeParse(gate('threadgate')?.value).data?.allow.map(({ $type }) => $type.split('#')[1])
  return [
    ...(card ? [`card: ${card.title} (${card.uri})`] : []),
    ...(captions ? [`captions: ${captions.map(({ lang }) => lang).join(', ')}`] : []),
    ...(quote ? [`quotes ${quote.uri}`] : []),
    ...(labels ? [`labels: ${labels.values.map(({ val }) => val).join(', ')}`] : []),
    ...(allowed ? [`replies: ${allowed.join(', ') || 'nobody'}`] : []),
    ...(gate('postgate') ? ['no quotes'] : []),
  ]
}

function toPublicPost(record: StoredRecord, find: (uri: string) => StoredRecord | undefined): PublicPost {
  const { did, rkey, value, firstPutAt } = record
  const { text, reply } = Shown.parse(value)
  return {
    account: findAccount(did)?.handle ?? did,
    text,
    media: findBlobs(value)
      .filter(({ mimeType }) => mimeType !== 'text/vtt')
      .map(({ cid, mimeType, alt }) => ({ key: cid, type: mimeType, alt })),
    replyTo: reply ? postUrl(reply.parent.uri) : null,
    url: postUrl(`at://${did}/${postCollection}/${rkey}`),
    publishedAt: firstPutAt,
    extras: extrasOf(record, find),
  }
}

function postUrl(uri: string): string {
  const [, , did, , rkey] = uri.split('/')
  return `https://bsky.app/profile/${did}/post/${rkey}`
}
