import { minuteMs } from '../../../../shared/time.ts'
import { openOAuth, withScopes } from '../oauth.ts'
import { type Call, Refused, type Route, type SimulatorContext } from '../standin.ts'
import { refuse } from './refuse.ts'
import { type RedditPerson, redditSeed } from './seed.ts'

/** `platform:app:version (by /u/name)`, as Reddit demands it of everyone; the name is that of someone there is. */
const userAgentPattern = /^[\w.-]+:([\w.-]+):[\w.-]+ \(by \/u\/([\w-]{3,20})\)$/

function assertAgent({ headers }: Call): void {
  const { clientId, redditUser } = redditSeed.app
  const [, app, name] = userAgentPattern.exec(headers['user-agent'] ?? '') ?? []
  if (app !== clientId || name !== redditUser) refuse(429, 'Too Many Requests')
}

/** What an operation needs (Reddit API, oauth scopes). */
const scopeOf = {
  profile: 'identity',
  ...{ create: 'submit', comment: 'submit', lease: 'submit' },
  ...{ flairs: 'flair', flairSelector: 'flair' },
  ...{ read: 'history', comments: 'history' },
}

/** Logins by Reddit's rules: requests need a User-Agent that identifies the app, and `duration=permanent`. */
export function openLogin(context: SimulatorContext) {
  const oauth = openOAuth<RedditPerson>(context, {
    name: 'Reddit',
    app: redditSeed.app,
    authorizePath: '/api/v1/authorize',
    tokenPath: '/api/v1/access_token',
    proof: 'basic',
    scopeSeparator: ' ',
    scopes: ['identity', 'submit', 'read', 'flair', 'history', 'edit'],
    codeLifeMs: 10 * minuteMs,
    accessLifeSeconds: 86_400,
    refresh: 'keeps',
    pkce: false,
    people: redditSeed.people,
  })

  const guarded = (route: Route): Route => ({
    ...route,
    answer(call) {
      if (route.operation === 'login') assertAgent(call)
      if (route.operation === 'authorize' && call.query.get('duration') !== 'permanent') {
        return { status: 400, body: 'duration must be permanent: else there is no refresh token' }
      }
      return route.answer(call)
    },
  })

  const revoke: Route = {
    method: 'POST',
    path: '/api/v1/revoke_token',
    operation: 'revoke',
    answer(call) {
      const { clientId, clientSecret } = redditSeed.app
      assertAgent(call)
      const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
      if (call.headers['authorization'] !== basic) refuse(401, 'Unauthorized')
      oauth.revoke(new URLSearchParams(call.body.toString()).get('token') ?? '')
      return { status: 204 }
    },
  }

  /** Whose call it is; every call asks for JSON as it is. */
  function personOf(call: Call): RedditPerson {
    assertAgent(call)
    if (call.query.get('raw_json') !== '1') refuse(400, 'raw_json=1 is missing')
    return oauth.bearerOf(call) ?? refuse(401, 'Unauthorized')
  }

  const lacks = (): never => {
    const headers = { 'www-authenticate': 'Bearer realm="reddit", error="insufficient_scope"' }
    throw new Refused({ status: 403, headers, body: { message: 'Forbidden', error: 403 } })
  }

  /** Whose call it is that changes what is live. */
  function editorOf(call: Call): RedditPerson {
    const person = personOf(call)
    return oauth.hasScope(call, 'edit') ? person : lacks()
  }

  const demand = (routes: readonly Route[]) => withScopes(oauth, scopeOf, lacks, routes)
  return { routes: [...oauth.routes.map(guarded), revoke], personOf, editorOf, demand }
}
export type Door = ReturnType<typeof openLogin>
