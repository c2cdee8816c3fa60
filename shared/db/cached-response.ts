import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { minuteMs } from '../time.ts'
import { wasCurrent } from './condition-failed.ts'
import { equal } from './expression.ts'
import { get, type Key, put, update } from './table.ts'

/** The subject of the query: an account, or a part of a workspace by its name. */
export interface Subject {
  workspaceId: string
  id: string
}

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
  // A response in the format of an earlier version counts as a cache miss.
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

/**
 * Queries again once the response is no longer fresh. After an error for which `isTemporary` is true, returns the last good
 * response, if it is stored.
 */
export const cachedResponse = async <T>(
  ctx: Context,
  subject: Subject,
  question: CachedQuery<T>,
  isTemporary: (error: unknown) => boolean = () => false,
): Promise<CachedAnswer<T>> => {
  const cached = await readCached(ctx, subject, question)
  if (cached && ctx.clock.now() - cached.fetchedAtMs < (question.freshMs ?? usualFreshMs))
    return { value: cached.value, source: 'cache' }
  try {
    return { value: await fetchAndStore(ctx, subject, question), source: 'live' }
  } catch (error) {
    if (!cached || !isTemporary(error)) throw error
    return { value: cached.value, source: 'cache' }
  }
}

/** Expires a cached response: the next query asks again; the response is still used after a temporary error. */
export const invalidate = async (ctx: Context, subject: Subject, name: string): Promise<void> => {
  await wasCurrent(update(ctx, keyOf(subject, name), { set: { fetchedAtMs: 0 } }, equal('type', 'CachedAnswer')))
}
