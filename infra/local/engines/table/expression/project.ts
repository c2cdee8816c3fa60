import type { Item, Value } from '../value.ts'
import { valueAt } from './evaluate.ts'
import type { Path } from './nodes.ts'
import type { Placeholders } from './placeholders.ts'
import { Reader } from './reader.ts'

export const parseProjection = (text: string, marks: Placeholders): Path[] => {
  const reader = new Reader(text, 'ProjectionExpression', marks)
  const paths = reader.list(() => reader.path())
  reader.finish()
  return paths
}

/** Puts a value of a path into the part of an item that is returned; places in lists close up. */
const place = (into: Item, [first, ...rest]: Path, value: Value): void => {
  const [next, ...more] = rest
  if (next === undefined) {
    into[first] = value
    return
  }
  if (typeof next === 'number') {
    const list = into[first] ?? { L: [] }
    into[first] = list
    if (!('L' in list)) return
    if (more.length === 0) list.L.push(value)
    else {
      const member: Item = {}
      place(member, more as unknown as Path, value)
      list.L.push({ M: member })
    }
    return
  }
  const map = into[first] ?? { M: {} }
  into[first] = map
  if ('M' in map) place(map.M, [next, ...more], value)
}

/** The parts of an item that a projection names. */
export const project = (item: Item, paths: readonly Path[]): Item => {
  const part: Item = {}
  for (const path of paths) {
    const value = valueAt(item, path)
    if (value !== undefined) place(part, path, value)
  }
  return part
}
