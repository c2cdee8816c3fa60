import * as z from 'zod/mini'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import { nameAt } from '../edge.ts'
import { assertScopes, requestTokens, revokeToken, Tokens } from '../oauth.ts'
import { classified, commonErrors, PlatformError } from '../platform-error.ts'
import { readServerApp } from '../server-app.ts'
import { callServer, serverOf, siteOf } from './api.ts'
import { appKeyOf, ensureApp, isClientRefused, scopes, tokensAt } from './app.ts'
import { definition } from './definition.ts'
import { readLimits } from './instance.ts'

const Profile = z.object({
  id: z.string(),
  acct: z.string(),
  display_name: z.optional(z.string()),
  avatar: z.nullish(z.string()),
})

const assertNamed = (server: string | undefined): string => {
  if (server !== undefined) return server
  throw new PlatformError('invalid', 'Mastodon needs the server of the account. Start the login again.')
}

const rejected = (error?: PlatformError) => classified(definition.name, commonErrors.loginRejected, error?.info)

/** A wide scope, `write`, has all of those below it, `write:media`. */
const notCovered = (granted: string | undefined) => {
  const given = new Set(granted?.split(' '))
  return scopes.filter((scope) => !given.has(scope.split(':')[0] ?? ''))
}

/** A person authorizes the service for their account at a server that they name. Tokens do not expire. */
export const mastodon: Connector = {
  async authorizationUrl(ctx, { state, redirectUri, codeChallenge, server }) {
    const named = assertNamed(server)
    const { clientId, scopes: granted = '' } = await ensureApp(ctx, appKeyOf(named, redirectUri))
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: granted,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
    return `${baseUrlOf(ctx, siteOf(named), 'auth')}/oauth/authorize?${query}`
  },
  async connect(ctx, { code, redirectUri, codeVerifier, server }) {
    const named = assertNamed(server)
    const app = await readServerApp(ctx, appKeyOf(named, redirectUri))
    if (app === undefined) throw rejected()
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
    const tokens = await requestTokens(ctx, tokensAt(ctx, named, app), grant, Tokens).catch((error: unknown) => {
      // The code is lost with the app that it was for. The next login registers another one.
      throw error instanceof PlatformError && isClientRefused(error) ? rejected(error) : error
    })
    assertScopes(definition.name, notCovered(tokens.scope), tokens.scope)
    const token = tokens.access_token
    const request = { path: '/api/v1/accounts/verify_credentials', token, reply: Profile }
    const [profile, limits] = await Promise.all([
      callServer(ctx, named, request),
      // They are read again when a post is planned.
      readLimits(ctx, named).catch(() => ({})),
    ])
    const { host } = new URL(named)
    return [
      {
        platform: definition.id,
        providerName: definition.name,
        // The ids of two servers can be the same.
        externalId: `${profile.id}@${host}`,
        // Named by the host that was called: a server can claim any domain, including that of another one.
        username: nameAt(profile.acct.split('@')[0] ?? '', host),
        displayName: profile.display_name || profile.acct,
        profileImageUrl: profile.avatar ?? null,
        credentials: { accessToken: token, clientId: app.clientId, clientSecret: app.clientSecret },
        details: { ...limits, server: named, accountId: profile.id },
      },
    ]
  },
  async revoke(ctx, account) {
    const { clientId, clientSecret } = account.credentials
    const app = { clientId: String(clientId), clientSecret: String(clientSecret) }
    await revokeToken(ctx, tokensAt(ctx, serverOf(account), app), '/oauth/revoke', account)
  },
}
