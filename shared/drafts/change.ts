import { assistantActor } from '../audit/actor.ts'
import { commit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { type BatchRows, ConditionFailed, update } from '../db/table.ts'
import { type Draft, type DraftView, drafts, viewDraft } from './draft.ts'
import { assertVersion, changedMeanwhile, draftNotFound, inVersion } from './find.ts'
import { resolveReferences } from './references.ts'
import type { UpdateDraftRequest } from './requests.ts'
import { toDraftChange } from './to-change.ts'

/**
 * Changes only the fields that were sent, so that two concurrent changes of different fields both persist. If versions are
 * expected, the write requires one of them.
 */
export const changeDraft = async (
  ctx: Context,
  draft: Draft,
  { request, versions }: { request: UpdateDraftRequest; versions: readonly number[] | undefined },
  rows: BatchRows,
): Promise<DraftView> => {
  const { workspaceId, id } = draft
  assertVersion(draft, versions)
  const resolved = resolveReferences({ workspaceId, mediaUrl: ctx.env('MEDIA_URL') }, rows, request, draft)
  const { set, remove } = toDraftChange(request, resolved)
  if (Object.keys(set).length + remove.length === 0) return viewDraft(draft)
  const updatedAt = new Date(ctx.clock.now()).toISOString()
  const change = { set: { ...set, updatedAt }, remove, add: { version: 1 } }
  const when = inVersion(versions)
  const by = assistantActor(ctx)
  if (by !== undefined) {
    const writes = [{ update: drafts.key(draft), change, when }]
    const audit = { by, action: 'draft.updated', target: { type: 'draft', id } } as const
    const written = await wasCurrent(commit(ctx, { id: workspaceId }, { writes, audit }))
    const now = await drafts.get(ctx, draft)
    if (now === undefined) throw draftNotFound(id)
    if (!written) throw changedMeanwhile(now)
    return viewDraft(now)
  }
  const row = await update(ctx, drafts.key(draft), change, when).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
    throw error.row === undefined ? draftNotFound(id) : changedMeanwhile(drafts.parse(error.row))
  })
  return viewDraft(drafts.parse(row))
}
