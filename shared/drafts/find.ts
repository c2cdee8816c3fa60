import { anyOf, type Condition, equal, present } from '../db/expression.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Draft, drafts, draftTag } from './draft.ts'

/** The key of the draft that a path names, read together with the authorization. */
export const draftKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  drafts.key({ workspaceId, id: params.id }),
]

export const draftNotFound = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no draft ${id}.`, { code: 'draft_not_found', field: 'id' })

/** The draft that a path names; 404 if this workspace has no draft with that id. */
export const findDraft = (rows: BatchRows, workspaceId: string, id: string): Draft => {
  const draft = drafts.from(rows, { workspaceId, id })
  if (!draft) throw draftNotFound(id)
  return draft
}

/** Requires that the draft exists, in one of the expected versions if there are any. */
export const inVersion = (versions: readonly number[] | undefined): Condition =>
  versions === undefined ? present('PK') : anyOf(...versions.map((version) => equal('version', version)))

/** The refusal of a change that would overwrite unread changes. */
export const changedMeanwhile = (draft: Draft): Refusal => {
  const etag = draftTag(draft)
  const text = `The draft has changed since you read it and is now ${etag}. Read it again, then send that value as If-Match.`
  return new Refusal('stale', text, { code: 'draft_changed', field: 'If-Match', etag })
}

/** Rejects a change if the draft has another version than expected. */
export const assertVersion = (draft: Draft, versions: readonly number[] | undefined): void => {
  if (versions !== undefined && !versions.includes(draft.version)) throw changedMeanwhile(draft)
}
