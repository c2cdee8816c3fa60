import * as z from 'zod/mini'
import { readAppSecret, scopesOf } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import {
  assertScopes,
  expiryOf,
  refreshTokens,
  requestTokens,
  type TokenEndpoint,
  Tokens,
  toCredentials,
} from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { callSlack } from './api.ts'
import { definition } from './definition.ts'
import { accessRevokedError } from './errors.ts'

const neededScopes = [
  ...['chat:write', 'chat:write.public', 'channels:read', 'groups:read', 'channels:join'],
  ...['files:write', 'files:read', 'team:read'],
]
/** To find a message whose response was lost; an operator whose app was not granted them names others, or none, as `scopes`. */
const historyScopes = ['channels:history', 'groups:history']

const tokenEndpoint: TokenEndpoint = {
  platform: definition,
  path: '/api/oauth.v2.access',
  clientAuthentication: 'basic',
}

const Installed = z.extend(Tokens, {
  bot_user_id: z.optional(z.string()),
  team: z.nullable(z.object({ id: z.string(), name: z.string() })),
  is_enterprise_install: z.optional(z.boolean()),
})

const Team = z.object({
  team: z.object({ name: z.string(), icon: z.optional(z.object({ image_132: z.optional(z.string()) })) }),
})

/**
 * A person adds the service's bot to a Slack workspace. Decided: disconnecting forgets the token and does not revoke it,
 * since all who connect the same Slack workspace are given the same one.
 */
export const slack: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const app = await readAppSecret(ctx, definition)
    const scope = scopesOf(app, neededScopes, historyScopes).join(',')
    const query = new URLSearchParams({ client_id: app.clientId, scope, redirect_uri: redirectUri, state })
    return `${baseUrlOf(ctx, definition, 'auth')}/oauth/v2/authorize?${query}`
  },
  async connect(ctx, { code, redirectUri }) {
    const installed = await requestTokens(ctx, tokenEndpoint, { code, redirect_uri: redirectUri }, Installed)
    const { team, bot_user_id: botUserId } = installed
    if (!team || installed.is_enterprise_install) {
      const text = 'Slack installed the app in a whole organization. Install it in one workspace instead.'
      throw new PlatformError('invalid', text)
    }
    assertScopes(definition.name, neededScopes, installed.scope)
    const credentials = toCredentials(ctx, installed)
    const account = { id: '', workspaceId: '', externalId: team.id, username: null, credentials, details: {} }
    const [{ url }, shown] = await Promise.all([
      callSlack(ctx, account, { method: 'auth.test', reply: z.object({ url: z.string() }) }),
      callSlack(ctx, account, { method: 'team.info', reply: Team }),
    ])
    return [
      {
        platform: definition.id,
        providerName: definition.name,
        externalId: team.id,
        username: team.name,
        displayName: shown.team.name,
        profileImageUrl: shown.team.icon?.image_132 ?? null,
        credentials,
        details: { url, ...(botUserId === undefined ? {} : { botUserId }) },
      },
    ]
  },
  // Only tokens of an app with token rotation expire, and only those can be renewed.
  async refresh(ctx, account) {
    if (account.credentials['refreshToken'] === undefined) throw accessRevokedError()
    return refreshTokens(ctx, tokenEndpoint, account)
  },
  credentialsExpireAtMs: expiryOf,
}
