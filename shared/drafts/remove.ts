import type * as z from 'zod/mini'
import { recordByAssistant } from '../audit/by-assistant.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { moveCounts } from '../db/counters.ts'
import { transact } from '../db/table.ts'
import type { Deleted } from '../http/deleted.ts'
import { type Draft, drafts } from './draft.ts'
import { assertVersion, changedMeanwhile, inVersion } from './expected.ts'
import { draftNotFound } from './find.ts'

/** Deletes a draft, in one of the expected versions if there are any. */
export const removeDraft = async (
  ctx: Context,
  draft: Draft,
  versions: readonly number[] | undefined,
): Promise<z.infer<typeof Deleted>> => {
  const { id, workspaceId } = draft
  assertVersion(draft, versions)
  const removed = transact(ctx, () => [
    { delete: drafts.key(draft), when: inVersion(versions) },
    ...moveCounts(workspaceId, 'DRAFT', new Map([['all', -1]])),
    ...recordByAssistant(ctx, { workspaceId, action: 'draft.deleted', target: { type: 'draft', id } }),
  ])
  if (!(await wasCurrent(removed))) {
    const now = await drafts.get(ctx, draft)
    throw now === undefined ? draftNotFound(id) : changedMeanwhile(now)
  }
  return { id, deleted: true }
}
