import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { get, type Key, put, update } from '../db/table.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import { minuteMs } from '../time.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { SocialAccount } from './social-account.ts'
import { throwRefusal } from './with-fresh-credentials.ts'

/** What is asked about: an account, or a part of a workspace that has this name. */
type Subject = Pick<SocialAccount, 'workspaceId' | 'id'>

/** A query to a platform about an account, or of many rows. */
export interface CachedQuery<T> {
  /** Unique among the queries about one subject: `channels`. */
  name: string
  shape: z.ZodMiniType<T>
  /** For how long the response is used, in milliseconds; five minutes if absent. */
  freshMs?: number
  ask(): Promise<T>
}

export interface CachedAnswer<T> {
  value: T
  source: 'live' | 'cache'
}

const usualFreshMs = 5 * minuteMs
const retentionSeconds = 7 * 86_400

const Stored = z.object({ value: z.instanceof(Uint8Array), fetchedAtMs: z.number() })

const keyOf = ({ workspaceId, id }: Subject, name: string): Key => ({
  PK: `WS#${workspaceId}`,
  SK: `ANSWER#${id}#${name}`,
})

const readCached = async <T>(ctx: Context, subject: Subject, { name, shape }: CachedQuery<T>) => {
  const item = await get(ctx, keyOf(subject, name))
  if (item === undefined) return undefined
  const { value, fetchedAtMs } = z.parse(Stored, item)
  const parsed = z.safeParse(shape, JSON.parse(gunzipSync(value).toString('utf8')))
  // The format of an older version of the service counts as a cache miss.
  return parsed.success ? { value: parsed.data, fetchedAtMs } : undefined
}

const fetchAndStore = async <T>(ctx: Context, subject: Subject, { name, ask }: CachedQuery<T>): Promise<T> => {
  const answer = await ask()
  const fetchedAtMs = ctx.clock.now()
  const ttl = Math.ceil(fetchedAtMs / 1000) + retentionSeconds
  const value = gzipSync(JSON.stringify(answer))
  await put(ctx, { ...keyOf(subject, name), type: 'CachedAnswer', value, fetchedAtMs, ttl })
  return answer
}

/** Whether the error is about the query itself; any other error is temporary. */
const isDefinitive = ({ errorClass, info }: PlatformError) =>
  !info.operator && (errorClass === 'auth' || errorClass === 'invalid')

/** Asks again once the response is no longer fresh; while a platform is unavailable, returns its last good response. */
export const fetchOrCached = async <T>(
  ctx: Context,
  subject: Subject,
  question: CachedQuery<T>,
): Promise<CachedAnswer<T>> => {
  const cached = await readCached(ctx, subject, question)
  if (cached && ctx.clock.now() - cached.fetchedAtMs < (question.freshMs ?? usualFreshMs))
    return { value: cached.value, source: 'cache' }
  try {
    return { value: await fetchAndStore(ctx, subject, question), source: 'live' }
  } catch (error) {
    if (!(error instanceof PlatformError) || isDefinitive(error) || !cached) throw error
    return { value: cached.value, source: 'cache' }
  }
}

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

/** Expires a cached response: the next query asks the platform; the response is still used while it is unavailable. */
export const invalidate = async (ctx: Context, account: SocialAccount, name: string): Promise<void> => {
  await wasCurrent(update(ctx, keyOf(account, name), { set: { fetchedAtMs: 0 } }, equal('type', 'CachedAnswer')))
}
