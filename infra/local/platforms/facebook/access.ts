import { createHmac, randomBytes } from 'node:crypto'
import { minuteMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import { faceUrl } from '../face.ts'
import { pickFields, secretsIn, tokenIn } from '../graph/read.ts'
import { assertPermission, refuse, unknownObject, unknownToken } from '../graph/refuse.ts'
import { type GraphTokens, openGraphTokens } from '../graph/tokens.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { describePage, type FacebookPage, type FacebookPerson, facebookSeed } from './seed.ts'

const version = 'v25.0'
const scopes = [
  'pages_show_list',
  'pages_manage_posts',
  'pages_read_engagement',
  'business_management',
  'pages_manage_engagement',
]

interface PageToken {
  token: string
  page: string
  person: string
  scope: string
}

export interface Access {
  readonly routes: readonly Route[]
  /** The page whose token a call carries, which must be the one in the path. */
  assertPage(call: Call): FacebookPage
  /** The page whose token a call carries, whatever is in the path; the upload host requires no proof. */
  pageOf(call: Call, isProven?: boolean): FacebookPage
  /** The same for a call that comments. */
  commenterOf(call: Call): FacebookPage
}

/** Rejects a call without proof that it comes from the app's server; the seeded app requires that. */
function assertProof(call: Call): string {
  const token = tokenIn(call)
  const proof = createHmac('sha256', facebookSeed.clientSecret).update(token).digest('hex')
  if (secretsIn(call).get('appsecret_proof') === proof) return token
  return refuse({ code: 100, message: 'Invalid appsecret_proof provided in the API argument' })
}

function openTokens(context: SimulatorContext): GraphTokens<FacebookPerson> {
  return openGraphTokens<FacebookPerson>(context, {
    name: 'Facebook',
    app: facebookSeed,
    authorizePath: `/${version}/dialog/oauth`,
    tokenPath: `/${version}/oauth/access_token`,
    proof: 'form',
    scopeSeparator: ',',
    scopes,
    codeLifeMs: 10 * minuteMs,
    accessLifeSeconds: 5400,
    refresh: 'none',
    pkce: false,
    people: facebookSeed.people,
    prefix: 'EAAB',
    answer: (access_token) => ({ access_token, token_type: 'bearer', expires_in: 5400 }),
    refuse: (message) => ({ status: 400, body: { error: { message, type: 'OAuthException', code: 100 } } }),
  })
}

interface Granted {
  person: FacebookPerson
  scope: string
}

/** Logins, and the pages that people look after with a token for each. */
export function openAccess(context: SimulatorContext): Access {
  const tokens = openTokens(context)
  const pageTokens = context.keep<PageToken>('page-tokens')

  function assertPerson(call: Call): Granted {
    const token = assertProof(call)
    const person = tokens.personOf(token) ?? refuse(unknownToken)
    return { person, scope: tokens.scopeOf(token) }
  }
  function showPermissions(call: Call): Answer {
    const granted = assertPerson(call).scope.split(',')
    const data = scopes.map((permission) => ({
      permission,
      status: granted.includes(permission) ? 'granted' : 'declined',
    }))
    return { status: 200, body: { data } }
  }
  function show(call: Call, page: FacebookPage, { person, scope }: Granted): Record<string, unknown> {
    const { id, tasks } = page
    const token = `EAAB${randomBytes(40).toString('base64url')}`
    pageTokens.set(token, { token, page: id, person: person.id, scope })
    const picture = { data: { url: faceUrl(context, id) } }
    const shown = { ...describePage(page), tasks, access_token: token, 'picture.type(large)': picture }
    const { 'picture.type(large)': pictureField, ...rest } = pickFields(call, shown)
    return { ...rest, ...(pictureField === undefined ? {} : { picture: pictureField }) }
  }
  /** At most so many per page, since a cursor gives the next position. */
  function list(call: Call, business: string | undefined): Answer {
    const { person, scope } = assertPerson(call)
    if (business !== undefined) assertPermission(scope, 'business_management')
    const mine = facebookSeed.pages.filter(({ id }) => person.pages.includes(id))
    const own = mine.filter((page) => page.business === business)
    const from = Number(call.query.get('after') ?? 0)
    const limit = Math.min(2, Number(call.query.get('limit') ?? 25))
    const data = own.slice(from, from + limit).map((page) => show(call, page, { person, scope }))
    const after = String(from + limit)
    const next = from + limit < own.length ? { next: `https://graph.facebook.com/next?after=${after}` } : {}
    return { status: 200, body: { data, paging: { cursors: { before: String(from), after }, ...next } } }
  }
  function listBusinesses(call: Call): Answer {
    const { person, scope } = assertPerson(call)
    assertPermission(scope, 'business_management')
    const mine = facebookSeed.pages.filter(({ id }) => person.pages.includes(id))
    const ids = new Set(mine.flatMap(({ business }) => business ?? []))
    return { status: 200, body: { data: [...ids].map((id) => ({ id })) } }
  }

  /** With a token of the app: the tokens of the person's pages end (User Permissions). */
  function takeBack(call: Call): Answer {
    const app = `${facebookSeed.clientId}|${facebookSeed.clientSecret}`
    if (assertProof(call) !== app) return refuse(unknownToken)
    const { person = '' } = call.params
    const theirs = [...pageTokens.values()].filter((stored) => stored.person === person)
    if (theirs.length === 0) return refuse(unknownObject(person))
    for (const { token } of theirs) pageTokens.delete(token)
    return { status: 200, body: { success: true } }
  }

  const read = (path: string, operation: string, answer: (call: Call) => Answer): Route => ({
    method: 'GET',
    path: `/${version}/${path}`,
    operation,
    answer,
  })
  function pageOf(call: Call, isProven = true): FacebookPage {
    const token = isProven ? assertProof(call) : tokenIn(call)
    const stored = pageTokens.get(token) ?? refuse(unknownToken)
    assertPermission(stored.scope, 'pages_manage_posts')
    return facebookSeed.pages.find(({ id }) => id === stored.page) ?? refuse(unknownObject(stored.page))
  }
  return {
    pageOf,
    commenterOf(call) {
      assertPermission(pageTokens.get(tokenIn(call))?.scope ?? '', 'pages_manage_engagement')
      return pageOf(call)
    },
    assertPage(call) {
      const page = pageOf(call)
      const { page: id = '' } = call.params
      return page.id === id ? page : refuse(unknownObject(id))
    },
    routes: [
      ...tokens.routes.map((route) => (route.operation === 'login' ? byQuery(route, tokens) : route)),
      read('me/permissions', 'permissions', showPermissions),
      { method: 'DELETE', path: `/${version}/:person/permissions`, operation: 'revoke', answer: takeBack },
      read('me', 'person', (call) => ({ status: 200, body: pickFields(call, { id: assertPerson(call).person.id }) })),
      read('me/accounts', 'accounts', (call) => list(call, undefined)),
      read('me/businesses', 'businesses', listBusinesses),
      read(':business/owned_pages', 'accounts', (call) => list(call, call.params['business'])),
      read(':business/client_pages', 'accounts', () => ({ status: 200, body: { data: [] } })),
    ],
  }
}

/** Facebook's token endpoint takes its fields in the query of a GET. */
function byQuery(route: Route, tokens: GraphTokens<FacebookPerson>): Route {
  return {
    ...route,
    method: 'GET',
    answer(call) {
      const { query } = call
      if (query.get('grant_type') === 'fb_exchange_token') {
        if (query.get('client_secret') !== facebookSeed.clientSecret) {
          return refuse({ code: 1, message: 'Error validating client secret.' })
        }
        return tokens.lengthen(query.get('fb_exchange_token') ?? '')
      }
      const form = new URLSearchParams(query)
      form.set('grant_type', 'authorization_code')
      const headers = { ...call.headers, 'content-type': 'application/x-www-form-urlencoded' }
      return route.answer({ ...call, headers, body: Buffer.from(form.toString()) })
    },
  }
}
