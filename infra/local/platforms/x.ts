import { minuteMs } from '../../../shared/time.ts'
import type { Answer } from '../pages/server.ts'
import { countWindow } from './count-window.ts'
import { faceUrl } from './face.ts'
import { openOAuth, withScopes } from './oauth.ts'
import { type Call, type CountedCall, type Platform, Refused, type SimulatorContext, type StandIn } from './standin.ts'
import { openMedia } from './x/media.ts'
import { refuse, xRefusals } from './x/refuse.ts'
import { xSeed } from './x/seed.ts'
import { url } from './x/show.ts'
import { openTweets } from './x/tweets.ts'

/** X with two people, by the rules of API version 2 as of 2026-08. */
export const x: Platform = {
  id: 'x',
  name: 'X',
  tint: '#0f1419',
  maxBodyBytes: 6 * 1024 * 1024,
  app: xSeed.app,
  build,
}

/** What an operation needs (X API v2, Authentication mapping). */
const scopeOf = {
  me: 'users.read',
  timeline: 'tweet.read',
  lookup: 'tweet.read',
  create: 'tweet.write',
  delete: 'tweet.write',
  upload: 'media.write',
  append: 'media.write',
  finalize: 'media.write',
  describe: 'media.write',
}

function build(context: SimulatorContext): StandIn {
  const oauth = openOAuth(context, {
    name: 'X',
    app: xSeed.app,
    authorizePath: '/i/oauth2/authorize',
    tokenPath: '/2/oauth2/token',
    proof: 'basic',
    scopeSeparator: ' ',
    scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
    codeLifeMs: 30_000,
    accessLifeSeconds: 7200,
    refresh: 'rotates',
    takesJson: true,
    pkce: true,
    challengeMethods: ['s256', 'plain'],
    lasts: (query) => query.get('scope')?.split(' ').includes('offline.access') === true,
    people: xSeed.people,
  })
  const refusals = xRefusals(() => context.clock.now() / 1000)

  function ownerOf(call: Call) {
    const owner = oauth.bearerOf(call)
    if (owner === undefined) throw new Refused(refusals.tokenRevoked())
    return owner
  }
  function me(call: Call): Answer {
    const { id, name, username, subscription } = ownerOf(call)
    const picture = faceUrl(context, `${id}_normal.png`)
    const data = { id, name, username, profile_image_url: picture, subscription_type: subscription, protected: false }
    return { status: 200, body: { data } }
  }
  function revoke(call: Call): Answer {
    oauth.revoke(new URLSearchParams(call.body.toString()).get('token') ?? '')
    return { status: 200, body: { revoked: true } }
  }

  const { routes: mediaRoutes, take } = openMedia(context, ownerOf)
  const { routes: tweetRoutes, tweets, other } = openTweets(context, ownerOf, xSeed.people, take)
  const window = countWindow({ max: 100, perMs: 15 * minuteMs }, context)
  const limited = ({ path, headers }: CountedCall) => `${path} ${headers['authorization']}`
  return {
    routes: [
      ...oauth.routes,
      { method: 'POST', path: '/2/oauth2/revoke', operation: 'revoke', answer: revoke },
      ...withScopes(oauth, scopeOf, () => refuse(403, 'Forbidden', 'Forbidden', 'unsupported-authentication'), [
        { method: 'GET', path: '/2/users/me', operation: 'me', answer: me },
        ...mediaRoutes,
        ...tweetRoutes,
      ]),
    ],
    refusals,
    // POST /2/tweets: 100 in 15 minutes for each user (X API, Rate limits, 2026-11-29); uploads have wider limits.
    secondsToWait: (call) => (call.path === '/2/tweets' ? window.take(limited(call)) : undefined),
    headers(call) {
      const { left, endsAt } = window.shown(limited(call))
      return {
        'x-rate-limit-limit': '100',
        'x-rate-limit-remaining': String(left),
        'x-rate-limit-reset': String(Math.ceil(endsAt / 1000)),
      }
    },
    posts: () =>
      tweets.values().map((tweet) => ({
        account: `@${tweet.owner.username}`,
        text: tweet.text,
        media: tweet.media,
        replyTo: tweet.replyTo === null ? null : `https://x.com/${tweet.owner.username}/status/${tweet.replyTo}`,
        url: url(tweet),
        publishedAt: tweet.createdAt,
        extras: tweet.extras ?? [],
      })),
    other,
  }
}
