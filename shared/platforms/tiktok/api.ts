import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { baseUrlOf } from '../base-urls.ts'
import { sendRequest, unclearResponse } from '../http.ts'
import { definition } from './definition.ts'
import { classifyTikTokError } from './errors.ts'

interface TikTokCall<T> {
  path: string
  token: string
  query?: Readonly<Record<string, string>>
  /** The request body, null for an empty one; absent for the one call that is a GET. */
  json?: unknown
  totalMs?: number
  /** The call that makes a post public: an unclear outcome is unknown. */
  creates?: boolean
  reply: z.ZodMiniType<T>
}

const Verdict = z.object({ error: z.object({ code: z.string() }) })

/** One call to the API. `error.code` reports success, never the status alone (TikTok, API v2 Response). */
export const callTikTok = async <T>(
  ctx: Context,
  { path, token, query, json, totalMs, creates = false, reply }: TikTokCall<T>,
): Promise<{ data: T; text: string }> => {
  const answer = await sendRequest(ctx, {
    platform: definition,
    method: json === undefined ? 'GET' : 'POST',
    base: baseUrlOf(ctx, definition, 'api'),
    path,
    ...(query ? { query } : {}),
    ...(totalMs === undefined ? {} : { totalMs }),
    creates,
    headers: { authorization: `Bearer ${token}` },
    ...(json === undefined
      ? {}
      : { body: { type: 'application/json; charset=UTF-8', bytes: json === null ? '' : JSON.stringify(json) } }),
    classifyError: classifyTikTokError,
  })
  const verdict = z.safeParse(Verdict, answer.body).data
  const unclear = (detail: string) => unclearResponse({ platform: definition, creates }, detail, answer.status)
  if (verdict !== undefined && verdict.error.code !== 'ok') {
    const error = classifyTikTokError(answer)
    throw creates && error.errorClass === 'transient' ? unclear(verdict.error.code) : error
  }
  const parsed = z.safeParse(z.object({ data: reply }), answer.body)
  if (verdict === undefined || !parsed.success) {
    throw unclear('unexpected response body')
  }
  return { data: parsed.data.data, text: answer.text }
}
