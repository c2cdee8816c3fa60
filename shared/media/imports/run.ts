import { removeObject } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { allOf, equal, present } from '../../db/expression.ts'
import { type Claimed, leaseFree, leaseMsOf } from '../../db/lease.ts'
import { batchGet, type Item, keyOf, put, transact } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { withPlan } from '../../workspaces/child-plan.ts'
import { workspaces } from '../../workspaces/workspace.ts'
import { completeUpload, uploadKeys } from '../complete.ts'
import { incomingKeyOf } from '../reference.ts'
import { countUpload } from '../storage.ts'
import { filenameOf, type MediaType } from '../types.ts'
import { type Fetched, fetchFile, ImportError, type Pace, usualPace } from './fetch-file.ts'
import { importsPartitionOf, type MediaImport } from './import.ts'
import { dropImport, failImport, type ImportMessage, importReady, importWork } from './work.ts'

/**
 * How many files of a workspace are fetched in parallel: one post has at most four images. A workspace that names slow
 * servers therefore occupies few of the workers that all workspaces share.
 */
const slotsPerWorkspace = 4

/** Takes a slot for one try; undefined if the workspace has none left. A slot whose holder died ends with its lease. */
const takeSlot = async (ctx: Context, { workspaceId, id: importId }: MediaImport): Promise<Item | undefined> => {
  const nowMs = ctx.clock.now()
  const leaseUntilMs = nowMs + leaseMsOf(importWork.worker.timeoutSeconds)
  const first = Math.floor(Math.random() * slotsPerWorkspace)
  for (let n = 0; n < slotsPerWorkspace; n += 1) {
    const key = { PK: importsPartitionOf(workspaceId), SK: `SLOT#${(first + n) % slotsPerWorkspace}` }
    const slot = { ...key, type: 'ImportSlot', importId, leaseUntilMs, ttl: Math.ceil(leaseUntilMs / 1000) }
    if (await wasCurrent(put(ctx, slot, leaseFree('leaseUntilMs', nowMs)))) return slot
  }
  return undefined
}

const releaseSlot = async (ctx: Context, slot: Item): Promise<void> => {
  const when = allOf(equal('importId', slot['importId']), equal('leaseUntilMs', slot['leaseUntilMs']))
  await wasCurrent(transact(ctx, () => [{ delete: keyOf(slot), when }]))
}

/** Waits after the 1st, 2nd, … temporary failure, in seconds. */
const waitsSeconds = [10, 60, 300, 600] as const
const maxTries = waitsSeconds.length + 1
/** A slow server occupies a worker for minutes. */
const maxSlowTries = 2

/** When an import that has no slot looks again. */
const slotWaitMs = 10_000

/** Refusals of a completion that another try does not meet. */
const passing: readonly string[] = ['upload_changed', 'media_deletion_in_progress']

/** The name of the file in the address, if it has a plain one, with the ending of its type. */
const nameIn = ({ sourceUrl, id }: MediaImport, mimeType: MediaType): string => {
  const last = new URL(sourceUrl).pathname.split('/').at(-1) ?? ''
  const isPlain = /^[\w.-]{1,250}$/.test(last) && /\w/.test(last)
  return filenameOf({ originalFilename: isPlain ? last : id, mimeType })
}

/** Whether posts still wait for the file of an import. */
type IsNeeded = () => Promise<boolean>

/** Adds the fetched file to the library, by the same way as an upload. */
const complete = async (ctx: Context, claimed: Claimed<MediaImport>, fetched: Fetched): Promise<void> => {
  const { workspaceId } = claimed
  const request = { ...fetched, originalFilename: nameIn(claimed, fetched.mimeType) }
  const keys = uploadKeys(workspaceId, ctx.env('MEDIA_URL'), request)
  const rows = await batchGet(ctx, [workspaces.key({ id: workspaceId }), ...keys])
  const stored = workspaces.from(rows, { id: workspaceId })
  if (stored === undefined) return
  const workspace = await withPlan(ctx, stored)
  await countUpload(ctx, workspace, fetched.fileSize)
  await completeUpload(ctx, workspace, request, {
    rows,
    beside: [
      importReady(claimed, ctx.clock.now()),
      { check: workspaces.key({ id: workspaceId }), when: present('PK') },
    ],
  })
}

const attempt = async (ctx: Context, claimed: Claimed<MediaImport>, isNeeded: IsNeeded, pace: Pace): Promise<void> => {
  const fetched = await fetchFile(ctx, claimed, pace)
  try {
    if (await isNeeded()) await complete(ctx, claimed, fetched)
    else await dropImport(ctx, claimed)
  } finally {
    // After a completion it is already deleted; the bucket expires leftovers after a day.
    await removeObject(ctx, incomingKeyOf(fetched.storageKey)).catch(() => undefined)
  }
}

const isTemporary = (error: ImportError | Refusal) =>
  error instanceof ImportError ? error.isTemporary : passing.includes(error.details.code)

/** The end of a failed try: another one later, or the end of the import. */
const recover = async (ctx: Context, claimed: Claimed<MediaImport>, error: ImportError | Refusal): Promise<void> => {
  const isSlow = error instanceof ImportError && error.isSlow
  const mayRetry = isTemporary(error) && !(isSlow && claimed.tries >= maxSlowTries)
  const waitSeconds = mayRetry ? waitsSeconds[claimed.tries - 1] : undefined
  ctx.log.info('import failed', {
    assetId: claimed.id,
    tries: claimed.tries,
    isFinal: waitSeconds === undefined,
    reason: error.message,
  })
  if (waitSeconds === undefined) return failImport(ctx, claimed, error.message)
  await importWork.continueAt(ctx, claimed, ctx.clock.now() + waitSeconds * 1000, { set: { error: error.message } })
}

/**
 * Runs one try of an import: fetches, inspects, and stores the file. It starts from the beginning, so a try whose worker
 * died is repeated. After an error of the infrastructure, the lease expires.
 */
export const runImport = async (
  ctx: Context,
  { workspaceId, assetId: id }: ImportMessage,
  { isNeeded, pace }: { isNeeded: IsNeeded; pace?: Partial<Pace> | undefined },
): Promise<void> => {
  const claimed = await importWork.claim(ctx, { workspaceId, id }, { add: { tries: 1 } })
  if (claimed === undefined) return
  if (!(await isNeeded())) return dropImport(ctx, claimed)
  if (claimed.tries > maxTries) return failImport(ctx, claimed, 'The file could not be fetched in several tries.')
  const slot = await takeSlot(ctx, claimed)
  // Waiting for a slot is no try.
  if (slot === undefined) {
    await importWork.continueAt(ctx, claimed, ctx.clock.now() + slotWaitMs, { add: { tries: -1 } })
    return
  }
  try {
    await attempt(ctx, claimed, isNeeded, { ...usualPace, ...pace })
  } catch (error) {
    if (!(error instanceof ImportError || error instanceof Refusal)) throw error
    await recover(ctx, claimed, error)
  } finally {
    await releaseSlot(ctx, slot)
  }
}
