import { Fault } from '../../aws-server.ts'
import { addDecimals, compareDecimals, formatDecimal, negate, parseDecimal } from '../decimal.ts'
import { contentOf, type Item, order, type TypeName, typeOf, type Value } from '../value.ts'
import { valueAt } from './evaluate.ts'
import type { Action, Path, Term } from './nodes.ts'

const wrongType = () =>
  new Fault('ValidationException', 'An operand in the update expression has an incorrect data type')
const wrongPath = () =>
  new Fault('ValidationException', 'The document path provided in the update expression is invalid for update')
const noAttribute = () =>
  new Fault('ValidationException', 'The provided expression refers to an attribute that does not exist in the item')

const numberIn = (value: Value) => {
  if (!('N' in value)) throw wrongType()
  return parseDecimal(value.N)
}

const evaluate = (item: Item, term: Term): Value => {
  switch (term.is) {
    case 'value':
      return term.value
    case 'path': {
      const value = valueAt(item, term.path)
      if (value === undefined) throw noAttribute()
      return value
    }
    case 'default': {
      // Evaluated even if it is not needed: the paths in it must exist.
      const otherwise = evaluate(item, term.otherwise)
      return valueAt(item, term.path) ?? otherwise
    }
    case 'append': {
      const [left, right] = [evaluate(item, term.left), evaluate(item, term.right)]
      if (!('L' in left && 'L' in right)) throw wrongType()
      return { L: [...left.L, ...right.L] }
    }
    case 'plus':
    case 'minus': {
      const [left, right] = [numberIn(evaluate(item, term.left)), numberIn(evaluate(item, term.right))]
      return { N: formatDecimal(addDecimals(left, term.is === 'plus' ? right : negate(right))) }
    }
    default:
      throw wrongType()
  }
}

/** Calls `act` with the container of a path's last step; throws if the path to it does not exist. */
const reach = (
  item: Item,
  path: Path,
  act: { onMap(map: Item, name: string): void; onList(list: Value[], at: number): void },
) => {
  const last = path[path.length - 1] as string | number
  const way = path.slice(0, -1)
  const [first, ...rest] = way
  const holder: Value | undefined = first === undefined ? { M: item } : valueAt(item, [String(first), ...rest])
  if (holder === undefined) throw wrongPath()
  if (typeof last === 'number' && 'L' in holder) act.onList(holder.L, last)
  else if (typeof last === 'string' && 'M' in holder) act.onMap(holder.M, last)
  else throw wrongPath()
}

const assign = (item: Item, path: Path, value: Value): void =>
  reach(item, path, {
    onMap(map, name) {
      Object.defineProperty(map, name, { value, enumerable: true, writable: true, configurable: true })
    },
    onList(list, at) {
      // After the end of a list, DynamoDB appends.
      if (at < list.length) list[at] = value
      else list.push(value)
    },
  })

const remove = (item: Item, path: Path, removals: (() => void)[]): void => {
  // A missing attribute needs no removal, but the path to it must exist.
  reach(item, path, {
    onMap(map, name) {
      removals.push(() => delete map[name])
    },
    onList(list, at) {
      const member = list[at]
      removals.push(() => {
        const index = member === undefined ? -1 : list.indexOf(member)
        if (index >= 0) list.splice(index, 1)
      })
    },
  })
}

const withMembers = (type: TypeName, members: readonly string[]): Value => {
  if (type === 'NS') return { NS: members.toSorted((a, b) => compareDecimals(parseDecimal(a), parseDecimal(b))) }
  const sorted = members.toSorted(order)
  return type === 'BS' ? { BS: sorted } : { SS: sorted }
}

const added = (old: Value | undefined, by: Value): Value => {
  if (old === undefined) return by
  if ('N' in by) return { N: formatDecimal(addDecimals(numberIn(old), parseDecimal(by.N))) }
  if (typeOf(old) !== typeOf(by)) throw wrongType()
  const members = new Set([...(contentOf(old) as string[]), ...(contentOf(by) as string[])])
  return withMembers(typeOf(by), [...members])
}

const subtract = (item: Item, path: Path, by: Value, removals: (() => void)[]): void => {
  const old = valueAt(item, path)
  if (old === undefined) {
    // A missing attribute loses nothing, but the path to it must exist.
    reach(item, path, { onMap: () => {}, onList: () => {} })
    return
  }
  if (typeOf(old) !== typeOf(by)) throw wrongType()
  const gone = new Set(contentOf(by) as string[])
  const left = (contentOf(old) as string[]).filter((member) => !gone.has(member))
  if (left.length === 0) remove(item, path, removals)
  else assign(item, path, withMembers(typeOf(by), left))
}

/** After the end of a list, members are appended in the order of their indexes (AWS, "Update expressions"). */
const indexInList = ({ path }: Action): number => {
  const last = path.at(-1)
  return typeof last === 'number' ? last : -1
}

/** A copy of an item that shares every attribute except those that an action changes inside. */
const copyFor = (before: Item, actions: readonly Action[]): Item => {
  const opened = new Set(actions.flatMap(({ path }) => (path.length > 1 ? [path[0]] : [])))
  if (opened.size === 0) return { ...before }
  const copied = Object.entries(before).map(([name, value]) => [
    name,
    opened.has(name) ? structuredClone(value) : value,
  ])
  return Object.fromEntries(copied) as Item
}

/** The item after an update. Every action sees the item before the update. Throws as DynamoDB does. */
export const applyUpdate = (before: Item, actions: readonly Action[]): Item => {
  const after = copyFor(before, actions)
  const removals: (() => void)[] = []
  for (const action of actions.toSorted((a, b) => indexInList(a) - indexInList(b))) {
    if (action.is === 'set') assign(after, action.path, evaluate(before, action.to))
    else if (action.is === 'remove') remove(after, action.path, removals)
    else if (action.is === 'add') assign(after, action.path, added(valueAt(before, action.path), action.value))
    else subtract(after, action.path, action.value, removals)
  }
  for (const removal of removals) removal()
  return after
}
