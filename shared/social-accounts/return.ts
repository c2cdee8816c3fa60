import * as z from 'zod/mini'
import type { ErrorCode } from '../errors/catalog.ts'
import type { PlatformId } from '../resources.ts'

/** Where a person returns after connecting: a URL that the workspace allowed when the link was made. */
export const ReturnTo = z.object({ url: z.string(), state: z.optional(z.string()) })
export type ReturnTo = z.infer<typeof ReturnTo>

/** What came of connecting, for the app that the person returns to. */
export type Outcome =
  | { status: 'connected'; accountIds: readonly string[] }
  | { status: 'cancelled' }
  | { status: 'failed'; error: ErrorCode }

const accountsOf = (ids: readonly string[]): Record<string, string> =>
  ids.length === 1 ? { accountId: ids.join() } : { accountIds: ids.join(',') }

/** The URL with the outcome behind the query that it has. */
export const returnUrl = ({ url, state }: ReturnTo, platform: PlatformId, outcome: Outcome): string => {
  const query = new URLSearchParams({
    status: outcome.status,
    platform,
    ...(outcome.status === 'connected' ? accountsOf(outcome.accountIds) : {}),
    ...(outcome.status === 'failed' ? { error: outcome.error } : {}),
    ...(state === undefined ? {} : { state }),
  })
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

/** The host that the person returns to, as browsers show it: an international name in its ASCII form. */
export const returnHost = ({ url }: ReturnTo): string => new URL(url).host
