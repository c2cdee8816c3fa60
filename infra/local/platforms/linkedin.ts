import { minuteMs } from '../../../shared/time.ts'
import type { Answer } from '../pages/server.ts'
import { faceUrl } from './face.ts'
import { type LinkedInMedia, openMedia } from './linkedin/media.ts'
import { addPost, type LinkedInComment, type LinkedInPost, openComments, openPosts } from './linkedin/posts.ts'
import { assertVersion, linkedinRefusals, refuse } from './linkedin/refuse.ts'
import { type LinkedInMember, linkedinSeed } from './linkedin/seed.ts'
import { openOAuth } from './oauth.ts'
import type { Call, Platform, PublicPost, Route, SimulatorContext, StandIn } from './standin.ts'

export { linkedinSeed } from './linkedin/seed.ts'

const accessLifeSeconds = 5_184_000

const people: readonly [LinkedInMember, LinkedInMember] = [linkedinSeed.ada, linkedinSeed.bob]

/** LinkedIn's login, members and pages, and its versioned API for posts, images, videos, and documents. */
export const linkedin: Platform = {
  id: 'linkedin',
  name: 'LinkedIn',
  tint: '#0a66c2',
  maxBodyBytes: 101_000_000,
  app: linkedinSeed.app,
  build,
}

function build(context: SimulatorContext): StandIn {
  function versioned(route: Route): Route {
    if (!route.path.startsWith('/rest/')) return route
    return {
      ...route,
      answer(call) {
        assertVersion(call, context)
        return route.answer(call)
      },
    }
  }

  const media = context.keep<LinkedInMedia>('media')
  const posts = context.keep<LinkedInPost>('posts')
  const comments = context.keep<LinkedInComment>('comments')
  const oauth = openOAuth<LinkedInMember>(context, {
    name: 'LinkedIn',
    app: linkedinSeed.app,
    authorizePath: '/oauth/v2/authorization',
    tokenPath: '/oauth/v2/accessToken',
    proof: 'form',
    scopeSeparator: ' ',
    scopes: [
      ...['openid', 'profile', 'email', 'w_member_social'],
      ...['w_organization_social', 'r_organization_social', 'rw_organization_admin'],
    ],
    codeLifeMs: 30 * minuteMs,
    accessLifeSeconds,
    refresh: 'keeps',
    refreshLifeSeconds: 31_536_000,
    // Only approved apps, which are those that may post for pages, are given refresh tokens.
    lasts: (query) => query.get('scope')?.split(' ').includes('w_organization_social') === true,
    pkce: false,
    people,
  })
  const memberOf = (call: Call) =>
    oauth.bearerOf(call) ?? refuse(401, 'INVALID_ACCESS_TOKEN', 'Unable to verify access token')

  function assertOwner(call: Call, owner: string): void {
    const { id, pages } = memberOf(call)
    const scope = owner.startsWith('urn:li:person:') ? 'w_member_social' : 'w_organization_social'
    if (!oauth.hasScope(call, scope)) refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: POST /posts')
    const own = [`urn:li:person:${id}`, ...pages.map((page) => `urn:li:organization:${page.id}`)]
    if (!own.includes(owner)) refuse(403, 'ACCESS_DENIED', `Not enough permissions to act for ${owner}`)
  }

  /** Who looks after no page may read no posts. */
  function assertReader(call: Call): void {
    const { pages } = memberOf(call)
    if (pages.length === 0) refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: GET /posts')
  }

  function userInfo(call: Call): Answer {
    const { id, name } = memberOf(call)
    return { status: 200, body: { sub: id, name, picture: faceUrl(context, id), email_verified: true } }
  }

  function acls(call: Call): Answer {
    const { id, pages } = memberOf(call)
    if (call.query.get('q') !== 'roleAssignee') refuse(400, 'INVALID_VALUE_FOR_FIELD', 'q must be roleAssignee')
    const elements = pages
      .filter(({ role }) => role === call.query.get('role'))
      .map((page) => ({
        organization: `urn:li:organization:${page.id}`,
        role: page.role,
        roleAssignee: `urn:li:person:${id}`,
        state: 'APPROVED',
      }))
    return { status: 200, body: { elements } }
  }

  function organization(call: Call): Answer {
    const page = memberOf(call).pages.find(({ id }) => id === call.params['id'])
    if (page === undefined) return refuse(403, 'ACCESS_DENIED', 'Not enough permissions to access: GET /organizations')
    return { status: 200, body: { id: Number(page.id), localizedName: page.name, vanityName: page.vanityName } }
  }

  function revoke(call: Call): Answer {
    oauth.revoke(new URLSearchParams(call.body.toString()).get('token') ?? '')
    return { status: 200 }
  }

  /** What the app's token can do (LinkedIn, Token introspection). */
  function introspect(call: Call): Answer {
    const form = new URLSearchParams(call.body.toString())
    const { clientId, clientSecret } = linkedinSeed.app
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      const error_description = 'Client authentication failed'
      return { status: 401, body: { error: 'invalid_client', error_description } }
    }
    const granted = oauth.grantOf(form.get('token') ?? '')
    if (granted === undefined) return { status: 200, body: { active: false, status: 'revoked' } }
    const expires_at = Math.floor((granted.endsAt ?? 0) / 1000)
    const created_at = expires_at - accessLifeSeconds
    const times = { authorized_at: created_at, created_at, expires_at }
    const scope = granted.scope.replaceAll(' ', ',')
    return {
      status: 200,
      body: { active: true, client_id: clientId, ...times, scope, status: 'active', auth_type: '3L' },
    }
  }

  const account: Route[] = [
    { method: 'GET', path: '/v2/userinfo', operation: 'profile', answer: userInfo },
    { method: 'GET', path: '/rest/organizationAcls', operation: 'pages', answer: acls },
    { method: 'GET', path: '/rest/organizations/:id', operation: 'pages', answer: organization },
    { method: 'POST', path: '/oauth/v2/revoke', operation: 'revoke', answer: revoke },
    { method: 'POST', path: '/oauth/v2/introspectToken', operation: 'introspect', answer: introspect },
  ]
  const api = [
    ...account,
    ...openMedia(context, media, assertOwner),
    ...openPosts(context, posts, media, { assertOwner, assertReader }),
    ...openComments(context, posts, comments, { assertOwner, assertReader }),
  ]
  return {
    routes: [...oauth.routes.map(withCommas), ...api.map(versioned)],
    refusals: linkedinRefusals,
    headers: () => ({}),
    posts: () => [
      ...posts.values().map((post) => showPost(post, media.values())),
      ...comments.values().map(showComment),
    ],
    other: (author, text) => void addPost(context, posts, { author, commentary: text, shown: text, images: [] }),
  }
}

/** LinkedIn's own client puts commas between scopes, its documents spaces. */
const withCommas = (route: Route): Route =>
  route.operation === 'authorize'
    ? {
        ...route,
        answer(call) {
          const query = new URLSearchParams(call.query)
          query.set('scope', (query.get('scope') ?? '').replaceAll(',', ' '))
          return route.answer({ ...call, query })
        },
      }
    : route

const names = new Map<string, string>([
  ...people.map(({ id, name }) => [`urn:li:person:${id}`, name] as const),
  ...people.flatMap(({ pages }) => pages.map(({ id, name }) => [`urn:li:organization:${id}`, name] as const)),
])

function showComment({ post, actor, text, createdAt }: LinkedInComment): PublicPost {
  const url = `https://www.linkedin.com/feed/update/${post}/`
  return { account: names.get(actor) ?? actor, text, media: [], replyTo: url, url, publishedAt: createdAt }
}

function showPost({ urn, author, shown, images, createdAt }: LinkedInPost, all: LinkedInMedia[]): PublicPost {
  return {
    account: names.get(author) ?? author,
    text: shown,
    media: images.flatMap(({ id, altText, title }) => {
      const one = all.find((known) => known.urn === id)
      return one ? [{ key: one.id, type: one.type, alt: altText ?? title ?? '' }] : []
    }),
    replyTo: null,
    url: `https://www.linkedin.com/feed/update/${urn}/`,
    publishedAt: createdAt,
  }
}
