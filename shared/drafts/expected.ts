import { anyOf, type Condition, equal, present } from '../db/expression.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Draft, draftTag } from './draft.ts'

/** The draft is there, in one of these versions where some are expected. */
export const inVersion = (versions: readonly number[] | undefined): Condition =>
  versions === undefined ? present('PK') : anyOf(...versions.map((version) => equal('version', version)))

/** Said to somebody who would overwrite what they have not read. */
export const changedMeanwhile = (draft: Draft): Refusal => {
  const etag = draftTag(draft)
  const text = `The draft has changed since you read it and is now ${etag}. Read it again, then send that as If-Match.`
  return new Refusal('stale', text, { code: 'draft_changed', field: 'If-Match', etag })
}

/** Refuses a change of another version than is expected. */
export const assertVersion = (draft: Draft, versions: readonly number[] | undefined): void => {
  if (versions !== undefined && !versions.includes(draft.version)) throw changedMeanwhile(draft)
}
