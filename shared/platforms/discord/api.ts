import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { version } from '../../version.ts'
import { readAppSecret } from '../app-secret.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type RequestBody, requestJson } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'
import { classifyDiscordError } from './errors.ts'

/** Largest list that is read in full: 500 channels, 100 messages. */
const maxListBytes = 2 * 1024 * 1024

interface DiscordCall<T> {
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  method?: 'DELETE' | 'PATCH'
  /** A call with a body posts a message. */
  message?: RequestBody
  /** The body of another call. */
  json?: unknown
  /** Of a call that reads. */
  totalMs?: number
  reply: z.ZodMiniType<T>
}

/** One call as the bot. Discord rejects callers without a User-Agent (Discord, API Reference, User Agent). */
export const callDiscord = async <T>(
  ctx: Context,
  { path, params, query, method, message, json, totalMs, reply }: DiscordCall<T>,
): Promise<T> => {
  const { botToken } = await readAppSecret(ctx, definition)
  if (botToken === undefined) {
    const text = 'Discord is not configured: no bot token is stored. Contact the operator of this service.'
    throw new PlatformError('permission', text, { operator: true })
  }
  return requestJson(ctx, {
    platform: definition,
    method: method ?? (message ? 'POST' : 'GET'),
    base: `${baseUrlOf(ctx, definition, 'api')}/api/v10`,
    path,
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    headers: {
      authorization: `Bot ${botToken}`,
      'user-agent': `DiscordBot (${ctx.env('BASE_URL')}, ${version})`,
    },
    ...(message
      ? { body: message, creates: true, totalMs: 30_000 }
      : {
          maxBytes: maxListBytes,
          ...(json === undefined ? {} : { body: { json } }),
          ...(totalMs === undefined ? {} : { totalMs }),
        }),
    reply,
    classifyError: classifyDiscordError,
  })
}
