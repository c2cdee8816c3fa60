import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Draft, drafts } from './draft.ts'

/** The key of the draft that a path names, read together with the authorization. */
export const draftKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  drafts.key({ workspaceId, id: params.id }),
]

export const draftNotFound = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no draft ${id}.`, { code: 'draft_not_found', field: 'id' })

/** The draft that a path names; 404 if this workspace has no draft with that id. */
export const findDraft = (found: BatchRows, workspaceId: string, id: string): Draft => {
  const draft = drafts.from(found, { workspaceId, id })
  if (!draft) throw draftNotFound(id)
  return draft
}
