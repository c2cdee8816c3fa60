import { assistantActor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { countsIn, moveCounts } from '../db/counters.ts'
import { absent } from '../db/expression.ts'
import type { BatchRows } from '../db/table.ts'
import { ulid } from '../ids.ts'
import { assertQuota } from '../quotas/count.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type DraftView, drafts, viewDraft } from './draft.ts'
import { resolveReferences } from './references.ts'
import type { CreateDraftRequest } from './requests.ts'
import { toDraftChange } from './to-change.ts'

/** Stores a new draft: row, count, and idempotency record in ONE transaction. Throws 409 at the quota. */
export const createDraft = async (
  ctx: Context,
  workspace: Workspace,
  request: CreateDraftRequest,
  rows: BatchRows,
): Promise<DraftView> => {
  const { id: workspaceId } = workspace
  assertQuota(ctx, workspace, 'drafts', { used: countsIn(rows, workspaceId, 'DRAFT')('all') })
  const now = ctx.clock.now()
  const at = new Date(now).toISOString()
  const { set } = toDraftChange(
    request,
    resolveReferences({ workspaceId, mediaUrl: ctx.env('MEDIA_URL') }, rows, request),
  )
  const own = { id: `drf_${ulid(now)}`, workspaceId, version: 1, createdAt: at, updatedAt: at }
  const draft = drafts.parse({ ...set, ...own })
  const view = viewDraft(draft)
  await commit(ctx, workspace, {
    writes: [{ put: drafts.item(draft), when: absent('PK') }],
    counts: () => moveCounts(workspaceId, 'DRAFT', new Map([['all', 1]])),
    audit: { by: assistantActor(ctx), action: 'draft.created', target: { type: 'draft', id: draft.id } },
    response: { data: view },
  })
  return view
}
