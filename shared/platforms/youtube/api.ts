import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type ErrorResponse, requestJson } from '../http.ts'
import type { PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'
import { classifyYouTubeError } from './errors.ts'

interface YouTubeRead<T> {
  path: string
  token: string
  query: Readonly<Record<string, string>>
  reply: z.ZodMiniType<T>
}

/** One reading call to the API. */
export const readYouTube = <T>(ctx: Context, { path, token, query, reply }: YouTubeRead<T>): Promise<T> =>
  requestJson(ctx, {
    platform: definition,
    method: 'GET',
    base: baseUrlOf(ctx, definition, 'api'),
    path: `/youtube/v3${path}`,
    query,
    headers: { authorization: `Bearer ${token}` },
    reply,
    classifyError: classifyYouTubeError,
  })

/** One call that makes something, with JSON. What it rejects is classified by the caller. */
export const callYouTube = <T>(
  ctx: Context,
  {
    path,
    token,
    query,
    json,
    ...request
  }: YouTubeRead<T> & { json: unknown; classifyError(answer: ErrorResponse): PlatformError },
): Promise<T> =>
  requestJson(ctx, {
    ...request,
    platform: definition,
    method: 'POST',
    base: baseUrlOf(ctx, definition, 'api'),
    path: `/youtube/v3${path}`,
    query,
    headers: { authorization: `Bearer ${token}` },
    body: { json },
    creates: true,
  })
