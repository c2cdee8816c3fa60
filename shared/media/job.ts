import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { currentOrThrow, ifCurrent, wasCurrent } from '../db/condition-failed.ts'
import { entity } from '../db/entity.ts'
import { absent, allOf, anyOf, equal } from '../db/expression.ts'
import { sweepAt } from '../db/sweep-at.ts'
import { transact, update, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { assets } from './asset.ts'

/**
 * Unfinished work on a file: a copy that may have no asset yet, a preview, a deletion, or the picture of an account. The
 * sweeper retries it as long as the row exists; once it is a deletion, no completion succeeds.
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

/** The message to make-preview: the file to process, or the account whose picture to copy. */
export const MediaMessage = z.object({ workspaceId: z.string(), assetId: z.string() })
export type MediaMessage = z.infer<typeof MediaMessage>

/** The partition of a workspace's jobs. */
export const jobsPartitionOf = (workspaceId: string): string => `WS#${workspaceId}#MEDIAJOB`

export const jobs = entity({
  type: 'MediaJob',
  shape: MediaJob,
  key: ({ workspaceId, id }: Pick<MediaJob, 'workspaceId' | 'id'>) => ({ PK: jobsPartitionOf(workspaceId), SK: id }),
})

/** Longer than any request runs: an older unfinished job was abandoned. */
export const timeoutMs = 60_000

type JobOf = Pick<MediaJob, 'workspaceId' | 'id' | 'storageKey'>

const opened = ({ workspaceId, id, storageKey }: JobOf, nowMs: number) => ({
  set: {
    type: 'MediaJob',
    workspaceId,
    id,
    storageKey,
    startedAtMs: nowMs,
    tries: 0,
    ...sweepAt(id, nowMs + timeoutMs),
  },
})

export const isNotRemoving = equal('removing', false)

/**
 * Creates the job before a file is copied. Throws `media_deletion_in_progress` if the file is being deleted, or if an earlier
 * completion left a file of another type, which the sweeper deletes.
 */
export const createJob = async (ctx: Context, asset: JobOf): Promise<void> => {
  const { set } = opened(asset, ctx.clock.now())
  const same = allOf(isNotRemoving, equal('storageKey', asset.storageKey))
  const write = update(ctx, jobs.key(asset), { set: { ...set, removing: false } }, anyOf(absent('PK'), same))
  await currentOrThrow(write, deletionInProgress)
}

/** The error for a file whose key is being deleted. */
export const deletionInProgress = (): Refusal =>
  new Refusal(
    'conflict',
    'An earlier file with this storageKey is being deleted. Complete the upload again in a minute.',
    { code: 'media_deletion_in_progress', field: 'storageKey' },
  )

/** The write that turns a job, or none, into the deletion of a file; the sweeper retries it after a minute. */
export const removal = (asset: JobOf, nowMs: number): Write => {
  const { set } = opened(asset, nowMs)
  return { update: jobs.key(asset), change: { set: { ...set, removing: true } } }
}

/** The write that starts a job in the next run of the sweeper, and replaces an earlier job with this ID. */
export const soonJob = (of: JobOf, nowMs: number): Write => ({
  update: jobs.key(of),
  change: { set: { ...opened(of, nowMs).set, removing: false, sweepAtMs: nowMs } },
})

/** Counts another attempt; undefined if the job is finished or has become a deletion. */
export const startAttempt = async (ctx: Context, job: MediaJob): Promise<number | undefined> => {
  const row = await ifCurrent(update(ctx, jobs.key(job), { add: { tries: 1 } }, isNotRemoving))
  return row && jobs.parse(row).tries
}

/** Turns the job of a file that never became an asset into a deletion; false if it already is one or has changed. */
export const abandon = (ctx: Context, job: MediaJob): Promise<boolean> => {
  const unchanged = allOf(isNotRemoving, equal('startedAtMs', job.startedAtMs))
  return wasCurrent(
    transact(ctx, () => [
      { update: jobs.key(job), change: { set: { removing: true } }, when: unchanged },
      { check: assets.key(job), when: absent('PK') },
    ]),
  )
}

/** Deletes a job in the state in which it was read; does nothing if it has changed. */
export const deleteJob = async (
  ctx: Context,
  job: Pick<MediaJob, 'workspaceId' | 'id' | 'removing'>,
): Promise<void> => {
  await wasCurrent(transact(ctx, () => [{ delete: jobs.key(job), when: equal('removing', job.removing) }]))
}
