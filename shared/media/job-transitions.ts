import type { Context } from '../context.ts'
import { absent, allOf, anyOf, equal } from '../db/expression.ts'
import { sweepAt } from '../db/sweep-at.ts'
import { ConditionFailed, TransactionFailed, transact, update, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Asset, assets } from './asset.ts'
import { jobs, type MediaJob, patienceMs } from './job.ts'

const opened = ({ workspaceId, id, storageKey }: Pick<Asset, 'workspaceId' | 'id' | 'storageKey'>, nowMs: number) => ({
  set: {
    type: 'MediaJob',
    workspaceId,
    id,
    storageKey,
    startedAtMs: nowMs,
    tries: 0,
    ...sweepAt(id, nowMs + patienceMs),
  },
})

export const isNotRemoving = equal('removing', false)

/** Creates the job before a file is copied. Throws `media_deletion_in_progress` where the file is being deleted. */
export const createJob = async (
  ctx: Context,
  asset: Pick<Asset, 'workspaceId' | 'id' | 'storageKey'>,
): Promise<void> => {
  const { set } = opened(asset, ctx.clock.now())
  try {
    await update(ctx, jobs.key(asset), { set: { ...set, removing: false } }, anyOf(absent('PK'), isNotRemoving))
  } catch (error) {
    throw error instanceof ConditionFailed ? deletionInProgress() : error
  }
}

/** The error for a file whose key is being deleted. */
export const deletionInProgress = (): Refusal =>
  new Refusal(
    'conflict',
    'An earlier file with this storageKey is being deleted. Complete the upload again in a minute.',
    { code: 'media_deletion_in_progress', field: 'storageKey' },
  )

/** The write that turns a job, or none, into the deletion of a file; the sweeper retries it after a minute. */
export const removal = (asset: Pick<Asset, 'workspaceId' | 'id' | 'storageKey'>, nowMs: number): Write => {
  const { set } = opened(asset, nowMs)
  return { update: jobs.key(asset), change: { set: { ...set, removing: true } } }
}

/** Counts another attempt; undefined where the job is finished or has become a deletion. */
export const startAttempt = async (ctx: Context, job: MediaJob): Promise<number | undefined> => {
  try {
    return jobs.parse(await update(ctx, jobs.key(job), { add: { tries: 1 } }, isNotRemoving)).tries
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

/** Turns the job of a file that never became an asset into a deletion; false where it has become one or changed. */
export const abandon = async (ctx: Context, job: MediaJob): Promise<boolean> => {
  const untouched = allOf(isNotRemoving, equal('startedAtMs', job.startedAtMs))
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

/** Deletes a job in the state in which it was read; does nothing where it has changed. */
export const deleteJob = async (
  ctx: Context,
  job: Pick<MediaJob, 'workspaceId' | 'id' | 'removing'>,
): Promise<void> => {
  try {
    await transact(ctx, () => [{ delete: jobs.key(job), when: equal('removing', job.removing) }])
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error
  }
}
