import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { absent, all, any, equal } from '../db/expression.ts'
import { ConditionFailed, TransactionFailed, transact, update, type Write } from '../db/table.ts'
import { wake } from '../db/wake.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Asset, assets } from './asset.ts'

/**
 * What is still to be done about a file: a copy that may have no asset yet, a preview, a removal. While it is there the
 * sweeper comes back to it; once it removes, no completion gets in between.
 */
export const MediaJob = z.object({
  workspaceId: z.string(),
  id: z.string(),
  storageKey: z.string(),
  removing: z.boolean(),
  startedAtMs: z.number(),
  tries: z.number(),
})
export type MediaJob = z.infer<typeof MediaJob>

/** To make-preview: the file that something is to be done about. */
export const MediaMessage = z.object({ workspaceId: z.string(), assetId: z.string() })
export type MediaMessage = z.infer<typeof MediaMessage>

const type = 'MediaJob'

/** Where the jobs of a workspace lie. */
export const jobsOf = (workspaceId: string): string => `WS#${workspaceId}#MEDIAJOB`

export const jobs = entity({
  type,
  shape: MediaJob,
  key: ({ workspaceId, id }: Pick<MediaJob, 'workspaceId' | 'id'>) => ({ PK: jobsOf(workspaceId), SK: id }),
})

/** Longer than any route runs: what is then not done was given up. */
export const patienceMs = 60_000

const opened = ({ workspaceId, id, storageKey }: Pick<Asset, 'workspaceId' | 'id' | 'storageKey'>, nowMs: number) => ({
  set: { type, workspaceId, id, storageKey, startedAtMs: nowMs, tries: 0, ...wake(id, nowMs + patienceMs) },
})

export const isKept = equal('removing', false)

/** Notes, before a file is copied, that somebody must look after it. */
export const openJob = async (ctx: Context, asset: Pick<Asset, 'workspaceId' | 'id' | 'storageKey'>): Promise<void> => {
  const { set } = opened(asset, ctx.clock.now())
  try {
    await update(ctx, jobs.key(asset), { set: { ...set, removing: false } }, any(absent('PK'), isKept))
  } catch (error) {
    throw error instanceof ConditionFailed ? stillRemoved() : error
  }
}

/** A file of the same key is on its way out, or was given up a moment ago. */
export const stillRemoved = (): Refusal =>
  new Refusal(
    'conflict',
    'An earlier file with this storageKey is being deleted. Complete the upload again in a minute.',
    { code: 'media_deletion_in_progress', field: 'storageKey' },
  )

/** The write that turns a job, or none, into the removal of a file; it looks at once, and the sweeper after a minute. */
export const removal = (asset: Pick<Asset, 'workspaceId' | 'id' | 'storageKey'>, nowMs: number): Write => {
  const { set } = opened(asset, nowMs)
  return { update: jobs.key(asset), change: { set: { ...set, removing: true } } }
}

/** Begins another try; undefined where the job is gone, or removes the file by now. */
export const beginTry = async (ctx: Context, job: MediaJob): Promise<number | undefined> => {
  try {
    return jobs.parse(await update(ctx, jobs.key(job), { add: { tries: 1 } }, isKept)).tries
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

/** Gives up a file that never became an asset; false where it has become one, or another was faster. */
export const abandon = async (ctx: Context, job: MediaJob): Promise<boolean> => {
  const untouched = all(isKept, equal('startedAtMs', job.startedAtMs))
  try {
    await transact(ctx, () => [
      { update: jobs.key(job), change: { set: { removing: true } }, when: untouched },
      { check: assets.key(job), when: absent('PK') },
    ])
    return true
  } catch (error) {
    if (error instanceof TransactionFailed) return false
    throw error
  }
}

/** Ends a job, in the state in which it was found; another may have ended it, or turned it into a removal. */
export const closeJob = async (ctx: Context, job: Pick<MediaJob, 'workspaceId' | 'id' | 'removing'>): Promise<void> => {
  try {
    await transact(ctx, () => [{ delete: jobs.key(job), when: equal('removing', job.removing) }])
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error
  }
}
