import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Connection } from '../connection.ts'
import { call } from '../http.ts'
import { readAppSecret } from './app-secret.ts'
import { card } from './card.ts'
import { sortInstall } from './errors.ts'

/** View channels, send messages, embed links, attach files, read the history (platforms-b, 7.1). */
const permissions = (1 << 10) | (1 << 11) | (1 << 14) | (1 << 15) | (1 << 16)

const redirectUri = (ctx: Context) => `${ctx.env('BASE_URL')}/api/social-accounts/connect/discord/callback`

/** Where a person adds the bot to a server. */
export const authorizeUrl = async (ctx: Context, state: string): Promise<string> => {
  const { clientId } = await readAppSecret(ctx)
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri(ctx),
    scope: 'bot identify guilds',
    permissions: String(permissions),
    state,
  })
  return `${ctx.env('DISCORD_AUTH_BASE')}/oauth2/authorize?${query}`
}

const Installed = z.object({
  guild: z.object({ id: z.string(), name: z.string(), icon: z.optional(z.nullable(z.string())) }),
})

const iconUrl = ({ id, icon }: z.infer<typeof Installed>['guild']) =>
  icon ? `https://cdn.discordapp.com/icons/${id}/${icon}.png` : null

/**
 * The server the bot has joined, as Discord names it for the code; the query's `guild_id` could be anyone's. The
 * person's own token is not needed again and not kept.
 */
export const connect = async (ctx: Context, code: string): Promise<Connection> => {
  const { clientId, clientSecret } = await readAppSecret(ctx)
  const { guild } = await call(ctx, {
    platform: card,
    method: 'POST',
    base: ctx.env('DISCORD_AUTH_BASE'),
    path: '/api/oauth2/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: String(new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri(ctx) })),
    reply: Installed,
    sort: sortInstall,
  })
  return {
    platform: card.id,
    providerName: card.name,
    externalId: guild.id,
    username: guild.name,
    displayName: guild.name,
    profileImageUrl: iconUrl(guild),
    credentials: {},
    details: {},
  }
}
