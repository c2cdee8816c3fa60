import type * as z from 'zod/mini'
import { assistantActor } from '../audit/actor.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { moveCounts } from '../db/counters.ts'
import type { Deleted } from '../http/deleted.ts'
import { type Draft, drafts } from './draft.ts'
import { assertVersion, changedMeanwhile, draftNotFound, inVersion } from './find.ts'

/** Deletes a draft, in one of the expected versions if there are any. */
export const removeDraft = async (
  ctx: Context,
  draft: Draft,
  versions: readonly number[] | undefined,
): Promise<z.infer<typeof Deleted>> => {
  const { id, workspaceId } = draft
  assertVersion(draft, versions)
  const unit: Unit = {
    writes: [{ delete: drafts.key(draft), when: inVersion(versions) }],
    counts: () => moveCounts(workspaceId, 'DRAFT', new Map([['all', -1]])),
    audit: { by: assistantActor(ctx), action: 'draft.deleted', target: { type: 'draft', id } },
  }
  if (!(await wasCurrent(commit(ctx, { id: workspaceId }, unit)))) {
    const now = await drafts.get(ctx, draft)
    throw now === undefined ? draftNotFound(id) : changedMeanwhile(now)
  }
  return { id, deleted: true }
}
