import { allParts, type Part, type Parts } from './parts.ts'
import { type Kind, kinds } from './platform-kinds.ts'

/** What is explored: the platform's kind, the parts that are on, and how many claims may die. */
export interface Model {
  readonly kind: Kind
  readonly parts: Parts
  readonly crashedAttempts: number
}

/** The pipeline for one kind with some parts off; five claims may die in production, two show the same rules sooner. */
export const modelOf = (kind: Kind, off: readonly Part[] = [], crashedAttempts = 2): Model => {
  const parts = { ...allParts }
  for (const part of off) parts[part] = false
  return { kind, parts, crashedAttempts }
}

export const rulesOf = (model: Model) => kinds[model.kind]
