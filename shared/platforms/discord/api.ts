import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { call } from '../http.ts'
import { readAppSecret } from './app-secret.ts'
import { card } from './card.ts'
import { sortDiscord } from './errors.ts'

/** Largest list that is read whole: 500 channels, 100 messages. */
const maxListBytes = 2 * 1024 * 1024

interface DiscordCall<T> {
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A body makes it the call that posts a message. */
  message?: { contentType: string; body: string | Uint8Array }
  reply: z.ZodMiniType<T>
}

/** One call as the bot. Discord turns away callers that do not say who they are (platforms-b, 7.1). */
export const callDiscord = async <T>(
  ctx: Context,
  { path, params, query, message, reply }: DiscordCall<T>,
): Promise<T> => {
  const { botToken } = await readAppSecret(ctx)
  return call(ctx, {
    platform: card,
    method: message ? 'POST' : 'GET',
    base: ctx.env('DISCORD_API_BASE'),
    path,
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    headers: {
      authorization: `Bot ${botToken}`,
      'user-agent': `DiscordBot (${ctx.env('BASE_URL')}, 0.1.0)`,
      ...(message ? { 'content-type': message.contentType } : {}),
    },
    ...(message ? { body: message.body, creates: true, totalMs: 30_000 } : { maxBytes: maxListBytes }),
    reply,
    sort: sortDiscord,
  })
}
