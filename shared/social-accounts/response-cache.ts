import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { equal } from '../db/expression.ts'
import { ConditionFailed, get, type Key, put, update } from '../db/table.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { throwRefusal } from './fresh-credentials.ts'
import type { SocialAccount } from './social-account.ts'

/** What a platform is asked about an account. */
export interface CachedQuery<T> {
  /** Among the questions about one account: `channels`. */
  name: string
  shape: z.ZodMiniType<T>
  ask(): Promise<T>
}

export interface CachedAnswer<T> {
  value: T
  source: 'live' | 'cache'
}

const freshMs = 5 * 60_000
const keptSeconds = 7 * 86_400

const Kept = z.object({ value: z.instanceof(Uint8Array), fetchedAtMs: z.number() })

const keyOf = ({ workspaceId, id }: SocialAccount, name: string): Key => ({
  PK: `WS#${workspaceId}`,
  SK: `ANSWER#${id}#${name}`,
})

const readCached = async <T>(ctx: Context, account: SocialAccount, { name, shape }: CachedQuery<T>) => {
  const item = await get(ctx, keyOf(account, name))
  if (item === undefined) return undefined
  const { value, fetchedAtMs } = z.parse(Kept, item)
  const parsed = z.safeParse(shape, JSON.parse(gunzipSync(value).toString('utf8')))
  // One of an older version of the service is as good as none.
  return parsed.success ? { value: parsed.data, fetchedAtMs } : undefined
}

const fetchAndStore = async <T>(ctx: Context, account: SocialAccount, { name, ask }: CachedQuery<T>): Promise<T> => {
  const answer = await ask()
  const fetchedAtMs = ctx.clock.now()
  const ttl = Math.ceil(fetchedAtMs / 1000) + keptSeconds
  const value = gzipSync(JSON.stringify(answer))
  await put(ctx, { ...keyOf(account, name), type: 'CachedAnswer', value, fetchedAtMs, ttl })
  return answer
}

/** What says something certain about the question itself; everything else is trouble that will pass. */
const isDefinitive = ({ errorClass, facts }: PlatformError) =>
  !facts.operator && (errorClass === 'auth' || errorClass === 'invalid')

/** A platform is asked at most every five minutes; while it is in trouble its last good answer serves. */
export const fetchOrCached = async <T>(
  ctx: Context,
  account: SocialAccount,
  question: CachedQuery<T>,
): Promise<CachedAnswer<T>> => {
  const kept = await readCached(ctx, account, question)
  if (kept && ctx.clock.now() - kept.fetchedAtMs < freshMs) return { value: kept.value, source: 'cache' }
  try {
    return { value: await fetchAndStore(ctx, account, question), source: 'live' }
  } catch (error) {
    if (!(error instanceof PlatformError) || isDefinitive(error) || !kept) throw error
    return { value: kept.value, source: 'cache' }
  }
}

/** The same for a route: what goes wrong is a refusal, and a lost connection 404. */
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

/** Makes the next question be asked anew; the answer still serves in trouble. */
export const invalidate = async (ctx: Context, account: SocialAccount, name: string): Promise<void> => {
  try {
    await update(ctx, keyOf(account, name), { set: { fetchedAtMs: 0 } }, equal('type', 'CachedAnswer'))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
  }
}
