import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { ConnectedAccount, Connection, Credentials } from '../account.ts'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import {
  assertScopes,
  expiryOf,
  refreshExpiryOf,
  refreshTokens,
  requestTokens,
  revokeAccessToken,
  type TokenEndpoint,
  Tokens,
  toCredentials,
} from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { askLinkedIn } from './api.ts'
import { definition } from './definition.ts'
import { classifyLinkedInError } from './errors.ts'

/** A page as its author in posts, and under its public name. */
interface Page extends Pick<Connection, 'username' | 'displayName' | 'profileImageUrl'> {
  urn: string
}

/** Whether a login lets the service post for pages (LinkedIn, Posts API, Permissions). */
const maySpeakForPages = (granted: string | undefined): boolean =>
  granted?.split(/[\s,]+/).includes('w_organization_social') === true

const roles = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR']
const Acls = z.object({ elements: z.array(z.object({ organization: z.string() })) })
const Organization = z.object({ localizedName: z.string(), vanityName: z.optional(z.string()) })

const pagesOfRole = async (ctx: Context, token: string, role: string) => {
  const query = { q: 'roleAssignee', role, state: 'APPROVED', count: '100' }
  const { elements } = await askLinkedIn(ctx, { token, path: '/rest/organizationAcls', query, reply: Acls })
  return elements.map(({ organization }) => organization)
}

const readPage = async (ctx: Context, token: string, urn: string): Promise<Page> => {
  const id = urn.replace(/^urn:li:organization:/, '')
  const path = '/rest/organizations/{id}'
  const { localizedName, vanityName } = await askLinkedIn(ctx, { token, path, params: { id }, reply: Organization })
  return { urn, username: vanityName ?? null, displayName: localizedName, profileImageUrl: null }
}

/** The pages that a person manages; none if LinkedIn does not let the app see them. */
const fetchPages = async (ctx: Context, token: string): Promise<Page[]> => {
  try {
    const urns = new Set((await Promise.all(roles.map((role) => pagesOfRole(ctx, token, role)))).flat())
    return await Promise.all([...urns].map((urn) => readPage(ctx, token, urn)))
  } catch (error) {
    if (error instanceof PlatformError && error.info.httpStatus === 403) return []
    throw error
  }
}

/** The identity of the person, and posting as them; every app may request these. */
const scopes = ['openid', 'profile', 'w_member_social']

const tokenEndpoint: TokenEndpoint = {
  platform: definition,
  path: '/oauth/v2/accessToken',
  clientAuthentication: 'form',
}

/**
 * Only approved apps are given refresh tokens: without one the person connects again every sixty days. With one they do so
 * every 365 days, which run from the consent; a refresh does not extend them (LinkedIn, Programmatic Refresh Tokens,
 * 2026-11-28).
 */
const refresh = (ctx: Context, account: ConnectedAccount): Promise<Credentials> =>
  refreshTokens(ctx, tokenEndpoint, account)

const Member = z.object({ sub: z.string(), name: z.optional(z.string()), picture: z.optional(z.string()) })

const connection = (
  externalId: string,
  shown: Pick<Connection, 'username' | 'displayName' | 'profileImageUrl'>,
): Omit<Connection, 'credentials' | 'details'> => ({
  platform: definition.id,
  providerName: definition.name,
  externalId,
  ...shown,
})

const memberOf = async (ctx: Context, token: string) => {
  const { sub, name, picture } = await askLinkedIn(ctx, { token, path: '/v2/userinfo', reply: Member })
  // LinkedIn returns no public handle of a member.
  const shown = { username: null, displayName: name ?? null, profileImageUrl: picture ?? null }
  return connection(`urn:li:person:${sub}`, shown)
}

/** A person authorizes the service to post for them, and for the pages that they manage if the app may do that. */
export const linkedin: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      state,
      scope: scopesOf(app, scopes).join(' '),
    })
    return `${baseUrlOf(ctx, definition, 'auth')}/oauth/v2/authorization?${query}`
  },
  async connect(ctx, { code, redirectUri }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const tokens = await requestTokens(ctx, tokenEndpoint, grant, Tokens)
    assertScopes(definition.name, scopes, tokens.scope)
    const token = tokens.access_token
    const member = await memberOf(ctx, token)
    const pages = maySpeakForPages(tokens.scope) ? await fetchPages(ctx, token) : []
    const all = [member, ...pages.map(({ urn, ...shown }) => connection(urn, shown))]
    const credentials = toCredentials(ctx, tokens)
    const details: Connection['details'] = all.length > 1 ? { sharedToken: 'yes' } : {}
    return all.map((account) => ({ ...account, credentials, details }))
  },
  async revoke(ctx, account) {
    // The accounts of one login share a token: revoking it for one of them would revoke it for all.
    if (account.details['sharedToken'] === 'yes') return
    await revokeAccessToken(ctx, tokenEndpoint, '/oauth/v2/revoke', { account, classifyError: classifyLinkedInError })
  },
  refresh,
  credentialsExpireAtMs: expiryOf,
  accessEndsAtMs: (credentials) =>
    credentials['refreshToken'] === undefined ? expiryOf(credentials) : refreshExpiryOf(credentials),
}
