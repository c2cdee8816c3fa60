import { type Item, memberOf, type Value } from '../value.ts'
import { assertApart } from './apart.ts'
import type { Path } from './nodes.ts'
import type { Placeholders } from './placeholders.ts'
import { Reader } from './reader.ts'

export const parseProjection = (text: string, marks: Placeholders): Path[] => {
  const reader = new Reader(text, 'ProjectionExpression', marks)
  const paths = reader.list(() => reader.path())
  reader.finish()
  assertApart(paths, 'ProjectionExpression')
  return paths
}

/** The steps that are wanted of a value; none where all of it is. */
type Wanted = Map<string | number, Wanted>

const wantedBy = (paths: readonly Path[]): Wanted => {
  const all: Wanted = new Map()
  for (const path of paths) {
    let wanted = all
    for (const step of path) {
      const next: Wanted = wanted.get(step) ?? new Map()
      wanted.set(step, next)
      wanted = next
    }
  }
  return all
}

const present = (of: Value | undefined, wanted: Wanted): Value | undefined => {
  if (of === undefined || wanted.size === 0) return of
  if ('M' in of) {
    const M = partOf(of.M, wanted)
    return Object.keys(M).length === 0 ? undefined : { M }
  }
  if (!('L' in of)) return undefined
  // Places close up, in the order of the list.
  const L = of.L.flatMap((member, at) => {
    const steps = wanted.get(at)
    return steps === undefined ? [] : (present(member, steps) ?? [])
  })
  return L.length === 0 ? undefined : { L }
}

const partOf = (item: Item, wanted: Wanted): Item =>
  Object.fromEntries(
    [...wanted].flatMap(([step, steps]) => {
      const value = typeof step === 'string' ? present(memberOf(item, step), steps) : undefined
      return value === undefined ? [] : [[step, value]]
    }),
  )

/** The parts of an item that paths name. */
export const project = (item: Item, paths: readonly Path[]): Item => partOf(item, wantedBy(paths))
