import { randomBytes } from 'node:crypto'
import { dayMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import type { Login } from '../oauth/login.ts'
import { type OAuth, type OAuthRules, openOAuth } from '../oauth.ts'
import { type Call, Refused, type Route, type SimulatorContext } from '../standin.ts'
import { tokenIn } from './read.ts'
import { failure, refuse, unknownToken } from './refuse.ts'

/** How one of Meta's platforms issues tokens beyond plain OAuth 2. */
export interface GraphTokenRules<Person extends Login> extends OAuthRules<Person> {
  /** The prefix of long-lived tokens. */
  readonly prefix: string
  /** The response of the token endpoint to a code. */
  answer(token: string, person: Person, scope: string): object
  /** The format of a rejection by the token endpoint. */
  refuse(message: string): Answer
}

interface LongToken {
  token: string
  person: string
  scope: string
  issuedAt: number
  endsAt: number
}

export interface GraphTokens<Person extends Login> {
  /** The consent page and the token endpoint, whose tokens last an hour. */
  readonly routes: readonly Route[]
  /** The owner of the token of a request; anything else is rejected as Meta does. */
  demand(call: Call): Person
  /** A token of sixty days for a living one. */
  lengthen(shortToken: string): Answer
  extend(token: string): Answer
  personOf(token: string): Person | undefined
  scopeOf(token: string): string
}

const longSeconds = 5_183_944

/** Short tokens from codes, long ones from those, and more days for long ones that are a day old and alive. */
export function openGraphTokens<Person extends Login>(
  context: SimulatorContext,
  rules: GraphTokenRules<Person>,
): GraphTokens<Person> {
  const { clock, keep } = context
  const scopes = keep<string>('short-scopes')
  const long = keep<LongToken>('long-tokens')
  const oauth = openOAuth(context, rules)

  function issue(person: string, scope: string): Answer {
    const token = `${rules.prefix}${randomBytes(40).toString('base64url')}`
    const issuedAt = clock.now()
    long.set(token, { token, person, scope, issuedAt, endsAt: issuedAt + longSeconds * 1000 })
    return { status: 200, body: { access_token: token, token_type: 'bearer', expires_in: longSeconds } }
  }
  function alive(token: string): LongToken | undefined {
    const stored = long.get(token)
    return stored && stored.endsAt > clock.now() ? stored : undefined
  }
  function personOf(token: string): Person | undefined {
    const stored = alive(token)
    return stored ? rules.people.find(({ id }) => id === stored.person) : oauth.personOf(token)
  }

  return {
    routes: oauth.routes.map((route) =>
      route.operation === 'login' ? withOwnMessages(route, oauth, rules, scopes.set) : route,
    ),
    personOf,
    scopeOf: (token) => alive(token)?.scope ?? scopes.get(token) ?? '',
    demand: (call) => personOf(tokenIn(call)) ?? refuse(unknownToken),
    lengthen(shortToken) {
      const person = oauth.personOf(shortToken)
      return person ? issue(person.id, scopes.get(shortToken) ?? '') : refuse(unknownToken)
    },
    extend(token) {
      const stored = alive(token)
      if (stored === undefined) return refuse({ ...unknownToken, subcode: 463 })
      if (stored.issuedAt + dayMs > clock.now())
        return failure({ code: 100, message: 'The token is not a day old yet' })
      return issue(stored.person, stored.scope)
    },
  }
}

/** The token endpoint responds and rejects in Meta's format. */
function withOwnMessages<Person extends Login>(
  route: Route,
  oauth: OAuth<Person>,
  rules: GraphTokenRules<Person>,
  remember: (token: string, scope: string) => void,
): Route {
  return {
    ...route,
    async answer(call) {
      try {
        // The response of openOAuth is a body of its format, with a token in it.
        const { body } = (await route.answer(call)) as { body: { access_token: string; scope: string } }
        const person = oauth.personOf(body.access_token) ?? rules.people[0]
        remember(body.access_token, body.scope)
        return { status: 200, body: rules.answer(body.access_token, person, body.scope) }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        // And its refusals are OAuth's.
        const { error_description: message } = error.answer.body as { error_description: string }
        throw new Refused(rules.refuse(message))
      }
    },
  }
}

/** The endpoints where a one-hour token is exchanged for one of sixty days, and where that one is extended. */
export function lastingRoutes<Person extends Login>(
  tokens: GraphTokens<Person>,
  { clientSecret }: { readonly clientSecret: string },
  grant: string,
): Route[] {
  const assertGrant = ({ query }: Call, name: string) => {
    if (query.get('grant_type') !== `${grant}_${name}_token`) refuse({ code: 100, message: 'Unknown grant_type' })
    return query.get('access_token') ?? ''
  }
  function exchange(call: Call): Answer {
    if (call.query.get('client_secret') !== clientSecret) {
      return refuse({ code: 1, message: 'Error validating client secret.' })
    }
    return tokens.lengthen(assertGrant(call, 'exchange'))
  }
  return [
    { method: 'GET', path: '/access_token', operation: 'exchange', answer: exchange },
    {
      method: 'GET',
      path: '/refresh_access_token',
      operation: 'extend',
      answer: (call) => tokens.extend(assertGrant(call, 'refresh')),
    },
  ]
}
