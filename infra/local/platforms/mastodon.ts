import * as z from 'zod/mini'
import { minuteMs } from '../../../shared/time.ts'
import type { Answer } from '../pages/server.ts'
import { countWindow } from './count-window.ts'
import { faceUrl } from './face.ts'
import { openApps } from './mastodon/apps.ts'
import { openMedia, supportedTypes } from './mastodon/media.ts'
import { readParams } from './mastodon/read-params.ts'
import { mastodonRefusals, refuse } from './mastodon/refuse.ts'
import { type MastodonPerson, mastodonSeed } from './mastodon/seed.ts'
import { showFirstInstance, showInstance, showNodeInfo, showOwnAccount } from './mastodon/show.ts'
import { openStatuses } from './mastodon/statuses.ts'
import { openOAuth } from './oauth.ts'
import { withoutTrailingSlash } from './router.ts'
import { type Call, type Platform, Refused, type SimulatorContext, type StandIn } from './standin.ts'

export { mastodonSeed } from './mastodon/seed.ts'

/** One Mastodon server with two people, by the rules of 4.5 with default settings. */
export const mastodon: Platform = {
  id: 'mastodon',
  name: 'Mastodon',
  tint: '#6364ff',
  maxBodyBytes: 120 * 1024 * 1024,
  login: { server: mastodonSeed.server },
  build,
}

const RevokeInput = z.object({
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
  token: z.optional(z.string()),
})

/** The scopes that permit an operation: the scope itself, or the wide one that contains it. */
const covers = (granted: readonly string[], scope: string) =>
  granted.includes(scope) || granted.includes(scope.split(':')[0] ?? '')

function build(context: SimulatorContext): StandIn {
  const apps = openApps(context)
  const tokens = context.keep<{ token: string; clientId: string; scopes: string[] }>('tokens')
  const oauth = openOAuth<MastodonPerson>(context, {
    name: 'Mastodon',
    app: apps.find,
    authorizePath: '/oauth/authorize',
    tokenPath: '/oauth/token',
    proof: 'either',
    takesJson: true,
    scopeSeparator: ' ',
    scopes: mastodonSeed.scopes,
    codeLifeMs: 10 * minuteMs,
    refresh: 'none',
    pkce: false,
    clientCredentials: true,
    people: mastodonSeed.people,
    describe: () => ({ created_at: Math.floor(context.clock.now() / 1000) }),
    opened: (token, clientId, scope) => tokens.set(token, { token, clientId, scopes: scope.split(' ') }),
  })
  const refusals = mastodonRefusals(() => context.clock.now())
  const tokenOf = ({ headers }: Call) => /^Bearer (.+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? ''

  function ownerOf(call: Call, scope: string): MastodonPerson {
    const owner = oauth.bearerOf(call)
    if (owner === undefined) throw new Refused({ status: 401, body: { error: 'The access token is invalid' } })
    if (covers(tokens.get(tokenOf(call))?.scopes ?? [], scope)) return owner
    return refuse(403, 'This action is outside the authorized scopes')
  }
  const appNameOf = (call: Call) => apps.find(tokens.get(tokenOf(call))?.clientId ?? '')?.name ?? null

  function profile(call: Call): Answer {
    const owner = ownerOf(call, 'read:accounts')
    return { status: 200, body: { ...showOwnAccount(owner), avatar: faceUrl(context, owner.id) } }
  }
  function revoke(call: Call): Answer {
    const { client_id: id = '', client_secret: secret, token = '' } = readParams(RevokeInput, call)
    const app = apps.find(id)
    const isOwn = app?.clientSecret === secret && tokens.get(token)?.clientId === app?.clientId
    if (app === undefined || !isOwn) {
      const error_description = 'You are not authorized to revoke this token'
      return { status: 403, body: { error: 'unauthorized_client', error_description } }
    }
    oauth.revoke(token)
    return { status: 200, body: {} }
  }
  const instance = (): Answer => ({ status: 200, body: showInstance(supportedTypes) })
  const firstInstance = (): Answer => ({ status: 200, body: showFirstInstance(supportedTypes) })
  const nodeInfoLinks = (): Answer => ({
    status: 200,
    body: {
      links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${context.url}/nodeinfo/2.0` }],
    },
  })
  const nodeInfo = (): Answer => ({ status: 200, body: showNodeInfo() })
  const metadata = (): Answer => ({
    status: 200,
    body: {
      issuer: `${context.url}/`,
      service_documentation: 'https://docs.joinmastodon.org/',
      authorization_endpoint: `${context.url}/oauth/authorize`,
      token_endpoint: `${context.url}/oauth/token`,
      revocation_endpoint: `${context.url}/oauth/revoke`,
      userinfo_endpoint: `${context.url}/oauth/userinfo`,
      app_registration_endpoint: `${context.url}/api/v1/apps`,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: mastodonSeed.scopes,
      code_challenge_methods_supported: ['S256'],
    },
  })
  const media = openMedia(context, ownerOf)
  const statuses = openStatuses(context, ownerOf, appNameOf, media)
  const window = countWindow({ max: 300, perMs: 5 * minuteMs }, context)
  return {
    routes: [
      ...apps.routes,
      ...oauth.routes,
      { method: 'POST', path: '/oauth/revoke', operation: 'revoke', answer: revoke },
      { method: 'GET', path: '/.well-known/oauth-authorization-server', operation: 'metadata', answer: metadata },
      { method: 'GET', path: '/api/v2/instance', operation: 'instance', answer: instance },
      { method: 'GET', path: '/api/v1/instance', operation: 'instance', answer: firstInstance },
      { method: 'GET', path: '/.well-known/nodeinfo', operation: 'instance', answer: nodeInfoLinks },
      { method: 'GET', path: '/nodeinfo/2.0', operation: 'instance', answer: nodeInfo },
      { method: 'GET', path: '/api/v1/accounts/verify_credentials', operation: 'profile', answer: profile },
      ...media.routes,
      ...statuses.routes,
    ],
    refusals,
    routedPath: withoutTrailingSlash,
    secondsToWait: ({ headers }) => window.take(String(headers['authorization'])),
    headers({ headers }) {
      const { left, endsAt } = window.shown(String(headers['authorization']))
      return {
        'x-ratelimit-limit': '300',
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': new Date(endsAt).toISOString(),
      }
    },
    posts: statuses.posts,
    other: statuses.other,
  }
}
