import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Answer } from '../pages/server.ts'
import type { Login } from './oauth/login.ts'
import { askPage } from './oauth/page.ts'
import { type Call, parseJson, Refused, type Route, type SimulatorContext, stop } from './standin.ts'

/** An app; a self-registered one has its redirect URIs, and people are redirected nowhere else. */
export interface OAuthApp {
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUris?: readonly string[]
}

/** How one platform does OAuth 2. */
export interface OAuthRules<Person extends Login> {
  readonly name: string
  /** The seeded app, or those that registered themselves. */
  readonly app: OAuthApp | ((clientId: string) => OAuthApp | undefined)
  readonly idField?: 'client_id' | 'client_key'
  readonly authorizePath: string
  readonly tokenPath: string
  /** How the app authenticates at the token endpoint: in a header, in its body, or in either. */
  readonly proof: 'basic' | 'form' | 'either'
  /** The token endpoint also accepts JSON. */
  readonly takesJson?: true
  readonly scopeSeparator: ' ' | ','
  /** The scopes that the app may request; anything else is an unknown scope. */
  readonly scopes: readonly string[]
  readonly codeLifeMs: number
  /** Absent: tokens do not expire. */
  readonly accessLifeSeconds?: number
  readonly refresh: 'none' | 'keeps' | 'rotates'
  /** For refresh tokens, counted from the consent: no refresh extends it. Absent: they do not expire. */
  readonly refreshLifeSeconds?: number
  /** Whether each login needs a challenge (RFC 7636); one that is sent is checked in any case. */
  readonly pkce: boolean
  /** The challenge methods, in lower case; S256 alone if omitted. */
  readonly challengeMethods?: readonly ('s256' | 'plain')[]
  /** Whether a login with these parameters gives a refresh token; every login does if omitted. */
  lasts?(query: URLSearchParams): boolean
  /** The first one is the default. */
  readonly people: readonly [Person, ...Person[]]
  /** An app gets tokens as well (RFC 6749, section 4.4). */
  readonly clientCredentials?: true
  /** Called for each token of a person: the app that has it, and its scopes. */
  opened?(token: string, clientId: string, scope: string): void
  /** How the token endpoint rejects; as in RFC 6749 if omitted. */
  refusal?(status: number, error: string, description: string): Readonly<Record<string, unknown>>
  /** What the token response contains in addition to the tokens. */
  describe?(person: Person): Readonly<Record<string, unknown>>
}

/** The fields of a request for a token. */
const Fields = z.record(z.string(), z.string())

interface Grant {
  code: string
  clientId: string
  person: string
  redirectUri: string
  scope: string
  challenge: string | null
  /** The challenge is the verifier itself. */
  isPlain: boolean
  /** The app gets a refresh token. */
  lasts: boolean
  createdAt: number
}

interface Session {
  person: string
  scope: string
  access: string
  refresh: string | null
  endsAt: number | null
  /** Of the refresh token. */
  refreshEndsAt?: number | undefined
}

export interface OAuth<Person extends Login> {
  readonly routes: readonly Route[]
  /** The owner of a call's token; undefined if the token is unknown, expired, or revoked. */
  bearerOf(call: Call): Person | undefined
  personOf(token: string): Person | undefined
  /** The scopes of a live access token, and its expiry. */
  grantOf(token: string): Pick<Session, 'scope' | 'endsAt'> | undefined
  /** Whether the token of a call was granted a scope. */
  hasScope(call: Call, scope: string): boolean
  /** Ends every session of a token's family. */
  revoke(token: string): boolean
}

/** Routes that reject a call whose token lacks the scope of the operation. A call without a token is left to the route. */
export const withScopes = <Person extends Login>(
  oauth: Pick<OAuth<Person>, 'bearerOf' | 'hasScope'>,
  scopes: Readonly<Record<string, string>>,
  lacks: (scope: string) => never,
  routes: readonly Route[],
): Route[] =>
  routes.map((route) => {
    const { [route.operation]: scope } = scopes
    if (scope === undefined) return route
    const answer = (call: Call) => {
      if (oauth.bearerOf(call) !== undefined && !oauth.hasScope(call, scope)) lacks(scope)
      return route.answer(call)
    }
    return { ...route, answer }
  })

/** The consent page and the token endpoint. Codes work once; so do rotated tokens. */
export function openOAuth<Person extends Login>(context: SimulatorContext, rules: OAuthRules<Person>): OAuth<Person> {
  const { clock } = context
  const grants = context.keep<Grant>('grants')
  const sessions = context.keep<Session>('sessions')
  const idField = rules.idField ?? 'client_id'
  const oauthError = (status: number, error: string, description: string): never => {
    const body = rules.refusal?.(status, error, description) ?? { error, error_description: description }
    throw new Refused({ status, body })
  }
  const secret = () => randomBytes(24).toString('base64url')
  const { app } = rules
  const appOf = typeof app === 'function' ? app : (id: string) => (id === app.clientId ? app : undefined)

  function readAuthorization({ query }: Call) {
    const redirectUri = query.get('redirect_uri') ?? ''
    const scope = query.get('scope') ?? ''
    const client = appOf(query.get(idField) ?? '')
    if (client === undefined) return stop(`Unknown application: ${idField} is not the seeded one`)
    if (query.get('response_type') !== 'code') return stop('response_type must be code')
    if (!/^https?:\/\//i.test(redirectUri) || !URL.canParse(redirectUri)) return stop('redirect_uri must be an address')
    if (client.redirectUris?.includes(redirectUri) === false) return stop('The app has another redirect_uri')
    const unknown = scope.split(rules.scopeSeparator).filter((name) => !rules.scopes.includes(name))
    if (unknown.length > 0) return stop(`Unknown scope: ${unknown.join(', ')}`)
    const { challenge, isPlain } = readChallenge(query)
    const lasts = rules.lasts?.(query) ?? true
    return { clientId: client.clientId, redirectUri, scope, challenge, isPlain, lasts, state: query.get('state') }
  }

  /** Without a separate list, a platform takes the method by its registered name alone. */
  function readChallenge(query: URLSearchParams): Pick<Grant, 'challenge' | 'isPlain'> {
    const challenge = query.get('code_challenge')
    if (challenge === null && !rules.pkce) return { challenge, isPlain: false }
    const sent = query.get('code_challenge_method') ?? 'plain'
    const { challengeMethods = ['S256'] } = rules
    const method = rules.challengeMethods === undefined ? sent : sent.toLowerCase()
    const isKnown = challengeMethods.some((known) => known === method)
    if (challenge === null || !isKnown) return stop(`code_challenge with the method ${challengeMethods[0]} is missing`)
    return { challenge, isPlain: method === 'plain' }
  }

  function ask(call: Call): Answer {
    readAuthorization(call)
    return askPage(rules.name, rules.people, call.query.toString())
  }

  function decide(call: Call): Answer {
    const { state, ...authorization } = readAuthorization(call)
    const form = new URLSearchParams(call.body.toString())
    const target = new URL(authorization.redirectUri)
    if (state !== null) target.searchParams.set('state', state)
    if (form.get('answer') !== 'allow') {
      target.searchParams.set('error', 'access_denied')
      return { status: 302, headers: { location: target.href } }
    }
    const person = rules.people.find(({ id }) => id === form.get('person')) ?? rules.people[0]
    const code = secret()
    grants.set(code, { code, ...authorization, person: person.id, createdAt: clock.now() })
    target.searchParams.set('code', code)
    return { status: 302, headers: { location: target.href } }
  }

  /** The ID and the secret of a call, in a header or in its form. */
  function proofOf(call: Call, form: URLSearchParams): readonly (string | null | undefined)[] {
    const isInHeader =
      rules.proof === 'basic' || (rules.proof === 'either' && call.headers['authorization'] !== undefined)
    if (!isInHeader) return [form.get(idField), form.get('client_secret')]
    const [, basic = ''] = /^Basic (.+)$/.exec(call.headers['authorization'] ?? '') ?? []
    return Buffer.from(basic, 'base64').toString().split(':')
  }

  function assertApp(call: Call, form: URLSearchParams): OAuthApp {
    const [clientId, clientSecret] = proofOf(call, form)
    const client = appOf(clientId ?? '')
    if (client !== undefined && client.clientSecret === clientSecret) return client
    return oauthError(401, 'invalid_client', 'The app did not prove itself')
  }

  function open(
    { person, scope, refresh, refreshEndsAt }: Omit<Session, 'access' | 'endsAt'>,
    clientId: string,
  ): Answer {
    const now = clock.now()
    const refreshLife = refreshEndsAt === undefined ? undefined : Math.floor((refreshEndsAt - now) / 1000)
    const whole = rules.accessLifeSeconds
    // An access token ends with its refresh token.
    const life = whole === undefined || refreshLife === undefined ? whole : Math.min(whole, refreshLife)
    const access = secret()
    const endsAt = life === undefined ? null : now + life * 1000
    sessions.set(access, { person, scope, access, refresh, endsAt, refreshEndsAt })
    rules.opened?.(access, clientId, scope)
    const who = rules.people.find(({ id }) => id === person) ?? rules.people[0]
    const body = {
      access_token: access,
      token_type: 'bearer',
      scope,
      ...(life === undefined ? {} : { expires_in: life }),
      ...(refresh === null ? {} : { refresh_token: refresh }),
      ...(refreshLife === undefined ? {} : { refresh_token_expires_in: refreshLife }),
      ...rules.describe?.(who),
    }
    return { status: 200, body }
  }

  function exchangeCode({ clientId }: OAuthApp, form: URLSearchParams): Answer {
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const live = grant !== undefined && grant.createdAt + rules.codeLifeMs > clock.now()
    if (!live || grant.redirectUri !== form.get('redirect_uri') || grant.clientId !== clientId) {
      return oauthError(400, 'invalid_grant', 'The code is unknown, used, too old, or for another redirect_uri')
    }
    const verifier = form.get('code_verifier') ?? ''
    const proof = grant.isPlain ? verifier : createHash('sha256').update(verifier).digest('base64url')
    if (grant.challenge !== null && proof !== grant.challenge) {
      return oauthError(400, 'invalid_grant', 'The code_verifier does not fit the challenge')
    }
    const { person, scope } = grant
    if (rules.refresh === 'none' || !grant.lasts) return open({ person, scope, refresh: null }, clientId)
    const { refreshLifeSeconds } = rules
    const refreshEndsAt = refreshLifeSeconds === undefined ? undefined : clock.now() + refreshLifeSeconds * 1000
    return open({ person, scope, refresh: secret(), refreshEndsAt }, clientId)
  }

  function exchangeRefresh({ clientId }: OAuthApp, form: URLSearchParams): Answer {
    const token = form.get('refresh_token') ?? ''
    const session = sessions.values().find(({ refresh }) => refresh === token && token !== '')
    const isLive = session !== undefined && (session.refreshEndsAt ?? Number.POSITIVE_INFINITY) > clock.now()
    if (!isLive) return oauthError(400, 'invalid_grant', 'The refresh token is unknown, spent, ended or revoked')
    sessions.delete(session.access)
    return open({ ...session, refresh: rules.refresh === 'rotates' ? secret() : token }, clientId)
  }

  function readForm({ headers, body }: Call): URLSearchParams {
    const type = headers['content-type'] ?? ''
    if (/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams(body.toString())
    const refuse = () => oauthError(400, 'invalid_request', 'The body must be a form')
    if (!rules.takesJson || !/^application\/json\b/i.test(type)) return refuse()
    const fields = z.safeParse(Fields, parseJson(body, refuse))
    return fields.success ? new URLSearchParams(fields.data) : refuse()
  }

  function exchange(call: Call): Answer {
    const form = readForm(call)
    const client = assertApp(call, form)
    if (form.get('grant_type') === 'authorization_code') return exchangeCode(client, form)
    if (form.get('grant_type') === 'client_credentials' && rules.clientCredentials) {
      const body = { access_token: secret(), token_type: 'bearer', scope: form.get('scope') }
      return { status: 200, body: { ...body, ...rules.describe?.(rules.people[0]) } }
    }
    if (form.get('grant_type') === 'refresh_token' && rules.refresh !== 'none') {
      return exchangeRefresh(client, form)
    }
    return oauthError(400, 'unsupported_grant_type', 'The grant_type is unknown')
  }

  function living(token: string): Session | undefined {
    const session = sessions.get(token)
    return session === undefined || (session.endsAt !== null && session.endsAt <= clock.now()) ? undefined : session
  }
  function personOf(token: string): Person | undefined {
    const session = living(token)
    return session && rules.people.find(({ id }) => id === session.person)
  }

  const tokenOf = ({ headers }: Call) => /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''

  return {
    routes: [
      { method: 'GET', path: rules.authorizePath, operation: 'authorize', answer: ask },
      { method: 'POST', path: rules.authorizePath, operation: 'authorize', answer: decide },
      { method: 'POST', path: rules.tokenPath, operation: 'login', answer: exchange },
    ],
    personOf,
    grantOf: living,
    bearerOf: (call) => personOf(tokenOf(call)),
    hasScope: (call, scope) => sessions.get(tokenOf(call))?.scope.split(rules.scopeSeparator).includes(scope) === true,
    revoke(token) {
      const matching = sessions.values().filter(({ access, refresh }) => access === token || refresh === token)
      for (const { access } of matching) sessions.delete(access)
      return matching.length > 0
    },
  }
}
