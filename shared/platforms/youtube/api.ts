import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { baseUrlOf } from '../base-urls.ts'
import { requestJson } from '../http.ts'
import { definition } from './definition.ts'
import { classifyYouTubeError } from './errors.ts'

interface YouTubeCall<T> {
  path: string
  token: string
  query: Readonly<Record<string, string>>
  /** The object that the call creates, or changes by `PUT`; without it, the call reads. */
  json?: unknown
  method?: 'PUT' | 'DELETE'
  totalMs?: number
  reply: z.ZodMiniType<T>
}

/** One call to the API that reads, publishes, changes, or deletes. */
export const callYouTube = <T>(
  ctx: Context,
  { path, token, query, json, method, totalMs, reply }: YouTubeCall<T>,
): Promise<T> =>
  requestJson(ctx, {
    platform: definition,
    base: baseUrlOf(ctx, definition, 'api'),
    path: `/youtube/v3${path}`,
    query,
    headers: { authorization: `Bearer ${token}` },
    reply,
    classifyError: classifyYouTubeError,
    ...(totalMs === undefined ? {} : { totalMs }),
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    creates: method === undefined && json !== undefined,
    ...(json === undefined ? {} : { body: { json } }),
  })
