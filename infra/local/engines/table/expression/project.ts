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

/** The requested steps of a value; none if all of it is requested. */
type Projected = Map<string | number, Projected>

const projectedBy = (paths: readonly Path[]): Projected => {
  const all: Projected = new Map()
  for (const path of paths) {
    let projected = all
    for (const step of path) {
      const next: Projected = projected.get(step) ?? new Map()
      projected.set(step, next)
      projected = next
    }
  }
  return all
}

const present = (of: Value | undefined, projected: Projected): Value | undefined => {
  if (of === undefined || projected.size === 0) return of
  if ('M' in of) {
    const M = partOf(of.M, projected)
    return Object.keys(M).length === 0 ? undefined : { M }
  }
  if (!('L' in of)) return undefined
  // The indexes close up, in the order of the list.
  const L = of.L.flatMap((member, at) => {
    const steps = projected.get(at)
    return steps === undefined ? [] : (present(member, steps) ?? [])
  })
  return L.length === 0 ? undefined : { L }
}

const partOf = (item: Item, projected: Projected): Item =>
  Object.fromEntries(
    [...projected].flatMap(([step, steps]) => {
      const value = typeof step === 'string' ? present(memberOf(item, step), steps) : undefined
      return value === undefined ? [] : [[step, value]]
    }),
  )

/** Returns the parts of an item that paths name: the whole item if no paths are given. */
export const projector = (paths: readonly Path[] | undefined): ((item: Item) => Item) => {
  if (paths === undefined) return (item) => item
  const projected = projectedBy(paths)
  return (item) => partOf(item, projected)
}
