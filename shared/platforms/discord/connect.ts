import * as z from 'zod/mini'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import type { Connector } from '../connector.ts'
import { requestTokens, type TokenEndpoint } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { callDiscord } from './api.ts'
import { definition, tierOf } from './definition.ts'

/** View channels, send messages, embed links, attach files, read the history, send polls (Discord, Permissions). */
const permissions = 2 ** 10 + 2 ** 11 + 2 ** 14 + 2 ** 15 + 2 ** 16 + 2 ** 49

const tokenEndpoint: TokenEndpoint = {
  platform: definition,
  path: '/api/oauth2/token',
  clientAuthentication: 'basic',
}

const Installed = z.object({
  guild: z.object({
    id: z.string(),
    name: z.string(),
    icon: z.optional(z.nullable(z.string())),
    /** 0 to 3, by the boosts of the server. */
    premium_tier: z._default(z.int(), 0),
  }),
})

const iconUrl = ({ id, icon }: z.infer<typeof Installed>['guild']) =>
  icon ? `https://cdn.discordapp.com/icons/${id}/${icon}.png` : null

/** A person adds the service's bot to a server. */
export const discord: Connector = {
  async authorizationUrl(ctx, { state, redirectUri }) {
    const { clientId } = await readAppSecret(ctx, definition)
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'bot identify guilds',
      permissions: String(permissions),
      state,
    })
    return `${baseUrlOf(ctx, definition, 'auth')}/oauth2/authorize?${query}`
  },
  /**
   * The server the bot has joined, as Discord names it for the code; the query's `guild_id` could be anyone's. The
   * person's own token is not needed again and is not stored.
   */
  async connect(ctx, { code, redirectUri }) {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
    const { guild } = await requestTokens(ctx, tokenEndpoint, grant, Installed)
    return [
      {
        platform: definition.id,
        providerName: definition.name,
        externalId: guild.id,
        username: guild.name,
        displayName: guild.name,
        profileImageUrl: iconUrl(guild),
        credentials: {},
        // The bot is one for all workspaces: it leaves when no account needs the server any more.
        sharedGrant: guild.id,
        details: { premiumTier: guild.premium_tier, tier: tierOf(guild.premium_tier) },
      },
    ]
  },
  /** The bot leaves the server (Discord, Leave Guild); one that was removed from it has left. */
  async revokeSharedGrant(ctx, { externalId }) {
    const request = { path: '/users/@me/guilds/{guild}', params: { guild: externalId }, reply: z.unknown() }
    await callDiscord(ctx, { ...request, method: 'DELETE' }).catch((error: unknown) => {
      if (!(error instanceof PlatformError) || error.info.code !== '10004') throw error
    })
  },
}
