import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { allOf, equal } from '../../db/expression.ts'
import { leaseFree, leaseMsOf } from '../../db/lease.ts'
import { type Item, keyOf, put, transact } from '../../db/table.ts'
import { importsPartitionOf, type MediaImport } from './import.ts'
import { importWork } from './work.ts'

/**
 * How many files of a workspace are fetched at once: one post has at most four images. So a workspace that names slow
 * servers holds few of the workers that all workspaces share.
 */
const slotsPerWorkspace = 4

/** Takes a slot for one try; undefined if the workspace has none left. A slot whose holder died ends with its lease. */
export const takeSlot = async (ctx: Context, { workspaceId, id: importId }: MediaImport): Promise<Item | undefined> => {
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

export const releaseSlot = async (ctx: Context, slot: Item): Promise<void> => {
  const when = allOf(equal('importId', slot['importId']), equal('leaseUntilMs', slot['leaseUntilMs']))
  await wasCurrent(transact(ctx, () => [{ delete: keyOf(slot), when }]))
}
