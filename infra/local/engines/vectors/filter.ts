import { Refusal } from './refusal.ts'

type Metadata = Readonly<Record<string, unknown>>
type Filter = Readonly<Record<string, unknown>>

const isFilter = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refuse = (what: string): never => {
  throw new Refusal(400, 'ValidationException', `Invalid filter: ${what}`)
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : refuse('an array is needed'))

// A list in the metadata equals what is in it.
const holds = (own: unknown, value: unknown): boolean => (Array.isArray(own) ? own.includes(value) : own === value)

const tests: Readonly<Record<string, (own: unknown, value: unknown) => boolean>> = {
  $eq: holds,
  $ne: (own, value) => !holds(own, value),
  $in: (own, value) => listOf(value).some((member) => holds(own, member)),
  $nin: (own, value) => !listOf(value).some((member) => holds(own, member)),
  $exists: (own, value) => (own !== undefined) === value,
}

const fitsKey = (own: unknown, expected: unknown): boolean => {
  if (!isFilter(expected)) return holds(own, expected)
  return Object.entries(expected).every(([name, value]) =>
    (tests[name] ?? refuse(`${name} is not known here`))(own, value),
  )
}

/** Whether metadata fits a filter of S3 Vectors (S3 user guide, "Metadata filtering", read 2026-11-22). */
export const fits = (filter: Filter, metadata: Metadata): boolean =>
  Object.entries(filter).every(([name, value]) => {
    const parts = () => listOf(value).map((part) => (isFilter(part) ? part : refuse('an object is needed')))
    if (name === '$and') return parts().every((part) => fits(part, metadata))
    if (name === '$or') return parts().some((part) => fits(part, metadata))
    return fitsKey(metadata[name], value)
  })
