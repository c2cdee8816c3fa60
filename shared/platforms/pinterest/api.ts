import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { ConnectedAccount } from '../account.ts'
import { baseUrlOf } from '../base-urls.ts'
import { type RequestBody, requestJson } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import { definition } from './definition.ts'
import { classifyPinterestError } from './errors.ts'

/** The largest page that is read in full: 250 boards, 100 Pins. */
const maxPageBytes = 4 * 1024 * 1024

interface PinterestCall<T> {
  /** Below /v5. */
  path: string
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** A call with a body is a POST. */
  body?: RequestBody
  method?: 'DELETE' | 'PATCH'
  /** The call that creates a Pin. */
  creates?: boolean
  totalMs?: number
  reply: z.ZodMiniType<T>
}

/** One call for an account. */
export const callPinterest = <T>(
  ctx: Context,
  account: ConnectedAccount,
  { path, body, method, creates, ...request }: PinterestCall<T>,
): Promise<T> =>
  requestJson(ctx, {
    ...request,
    platform: definition,
    method: method ?? (body ? 'POST' : 'GET'),
    base: baseUrlOf(ctx, definition, 'api'),
    path: `/v5${path}`,
    headers: { authorization: `Bearer ${tokenOf(account)}` },
    maxBytes: maxPageBytes,
    ...(body ? { body } : {}),
    ...(creates ? { creates, totalMs: 30_000 } : {}),
    classifyError: classifyPinterestError,
  })
