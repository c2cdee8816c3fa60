import type { Context } from '../context.ts'
import { type CachedAnswer, type CachedQuery, cachedResponse } from '../db/cached-response.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { SocialAccount } from './social-account.ts'
import { throwRefusal } from './with-fresh-credentials.ts'

/** Whether the error is about the query itself; any other error is temporary. */
const isDefinitive = ({ errorClass, info }: PlatformError) =>
  !info.operator && (errorClass === 'auth' || errorClass === 'invalid')

/** Queries a platform at most every five minutes; while it is unavailable, returns its last good response. */
export const fetchOrCached = <T>(
  ctx: Context,
  account: SocialAccount,
  question: CachedQuery<T>,
): Promise<CachedAnswer<T>> =>
  cachedResponse(ctx, account, question, (error) => error instanceof PlatformError && !isDefinitive(error))

/** The same for an endpoint: errors become refusals, and a lost connection becomes a 404. */
export const cachedAnswer = async <T>(
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
  question: CachedQuery<T>,
): Promise<CachedAnswer<T>> => {
  try {
    return await fetchOrCached(ctx, account, question)
  } catch (error) {
    return throwRefusal(ctx, workspace, account, error)
  }
}
