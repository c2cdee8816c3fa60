import { cutText } from '../text/cut.ts'

/** A value that the audit trail can show. */
export type AuditValue = string | number | boolean | null | readonly string[]

/** The fields of an object that a change concerns, without secrets. A field without a value is left out. */
export type AuditFields = Readonly<Record<string, AuditValue | undefined>>

export interface AuditChange {
  before?: AuditFields | undefined
  after?: AuditFields | undefined
}

export interface BoundedChange {
  before: Record<string, AuditValue>
  after: Record<string, AuditValue>
  /** The fields whose values were truncated. */
  truncated: string[]
}

/** The most characters of a value, from the usual number to the one that always fits. */
const lengths = [200, 100, 50, 20, 5, 0] as const

const cutList = (list: readonly string[], maxLength: number): readonly string[] => {
  const result: string[] = []
  let used = 0
  for (const text of list) {
    used += text.length
    if (used > maxLength) break
    result.push(text)
  }
  return result
}

const cutValue = (value: AuditValue, maxLength: number): AuditValue => {
  if (typeof value === 'string') return value.length <= maxLength ? value : `${cutText(value, maxLength)}…`
  if (value === null || typeof value !== 'object') return value
  return cutList(value, maxLength)
}

const isSame = (one: AuditValue | undefined, other: AuditValue | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)

/** Only the fields that differ, if there are two sides to compare. */
const changedFields = ({ before, after }: AuditChange): { before: AuditFields; after: AuditFields } => {
  if (before === undefined || after === undefined) return { before: before ?? {}, after: after ?? {} }
  const differs = ([name]: [string, unknown]) => !isSame(before[name], after[name])
  return {
    before: Object.fromEntries(Object.entries(before).filter(differs)),
    after: Object.fromEntries(Object.entries(after).filter(differs)),
  }
}

const cutFields = (fields: AuditFields, maxLength: number, truncated: Set<string>): Record<string, AuditValue> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === undefined) return []
      const cut = cutValue(value, maxLength)
      if (!isSame(cut, value)) truncated.add(name)
      return [[name, cut]]
    }),
  )

/** The change in a form that fits: the longest values that satisfy `fits`, otherwise the shortest. */
export const boundedChange = (change: AuditChange, fits: (bounded: BoundedChange) => boolean): BoundedChange => {
  const changed = changedFields(change)
  const boundedTo = (maxLength: number): BoundedChange => {
    const truncated = new Set<string>()
    const [before, after] = [
      cutFields(changed.before, maxLength, truncated),
      cutFields(changed.after, maxLength, truncated),
    ]
    return { before, after, truncated: [...truncated] }
  }
  return lengths.map(boundedTo).find(fits) ?? boundedTo(0)
}
