import { anyOf, type Condition, equal, present } from '../db/expression.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Draft, draftTag } from './draft.ts'

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
