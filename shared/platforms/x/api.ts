import type * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type RequestBody, requestJson } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { classifyXError } from './errors.ts'
import { named } from './name.ts'

interface XCall<T> {
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A call with a body is a POST; `none` is a POST without one. */
  body?: RequestBody | 'none'
  method?: 'DELETE'
  creates?: boolean
  totalMs?: number
  reply: z.ZodMiniType<T>
}

/** One call for an account. */
export const callX = <T>(
  { ctx, account }: Pick<PlatformCall, 'ctx' | 'account'>,
  { path, params, query, body, method, creates, totalMs, reply }: XCall<T>,
): Promise<T> =>
  requestJson(ctx, {
    platform: named,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    base: baseUrlOf(ctx, named, 'api'),
    path,
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    headers: { authorization: `Bearer ${tokenOf(account)}` },
    ...(body === undefined || body === 'none' ? {} : { body }),
    creates: creates === true,
    totalMs: totalMs ?? (creates ? 30_000 : 20_000),
    reply,
    classifyError: classifyXError,
  })
