import { minuteMs } from '../../../../shared/time.ts'
import { isJson } from '../../pages/server.ts'
import { openOAuth, withScopes } from '../oauth.ts'
import { type Call, Refused, type Route, type SimulatorContext } from '../standin.ts'
import { refuse } from './refuse.ts'
import { type RedditPerson, redditSeed } from './seed.ts'

/** `platform:app:version (by /u/name)`, as Reddit requires it; libraries append their names. */
const userAgentPattern = /^[\w.-]+:[\w.-]+:[\w.-]+ \(by \/?u\/[\w-]{3,20}\)( \S.*)?$/

function assertAgent({ headers }: Call): void {
  if (!userAgentPattern.test(headers['user-agent'] ?? '')) refuse(429, 'Too Many Requests')
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A body with its texts escaped, as Reddit sends it to callers that do not request `raw_json`. */
function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return escaped(value)
  if (Array.isArray(value)) return value.map(escapeTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escapeTexts(inner)]))
}

/** What an operation needs (Reddit API, oauth scopes). */
const scopeOf = {
  profile: 'identity',
  create: 'submit',
  comment: 'submit',
  lease: 'submit',
  flairs: 'flair',
  flairSelector: 'flair',
  read: 'history',
  comments: 'history',
  thread: 'read',
  info: 'read',
  about: 'read',
}

/**
 * Logins by Reddit's rules: requests need a User-Agent that identifies the app; logins last if `duration=permanent` was
 * requested.
 */
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
    lasts: (query) => query.get('duration') === 'permanent',
    people: redditSeed.people,
  })

  const guarded = (route: Route): Route => ({
    ...route,
    answer(call) {
      if (route.operation === 'login') assertAgent(call)
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

  function personOf(call: Call): RedditPerson {
    assertAgent(call)
    return oauth.bearerOf(call) ?? refuse(401, 'Unauthorized')
  }

  const lacks = (): never => {
    const headers = { 'www-authenticate': 'Bearer realm="reddit", error="insufficient_scope"' }
    throw new Refused({ status: 403, headers, body: { message: 'Forbidden', error: 403 } })
  }

  /** The user whose call changes a live post. */
  function editorOf(call: Call): RedditPerson {
    const person = personOf(call)
    return oauth.hasScope(call, 'edit') ? person : lacks()
  }

  const withTextForm = (route: Route): Route => ({
    ...route,
    async answer(call) {
      const answer = await route.answer(call)
      const isRaw = call.query.get('raw_json') === '1' || !isJson(answer.body)
      return isRaw ? answer : { ...answer, body: escapeTexts(answer.body) }
    },
  })
  const demand = (routes: readonly Route[]) => withScopes(oauth, scopeOf, lacks, routes).map(withTextForm)
  return { routes: [...oauth.routes.map(guarded), revoke], personOf, editorOf, demand }
}
export type Door = ReturnType<typeof openLogin>
