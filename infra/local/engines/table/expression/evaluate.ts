import { compareValues, contentOf, type Item, memberOf, sameValue, typeOf, type Value, valueBytes } from '../value.ts'
import type { Comparator, Condition, Operand, Path } from './nodes.ts'

/** The value at a path of an item; undefined if there is none. */
export const valueAt = (item: Item, [first, ...rest]: Path): Value | undefined => {
  let value = memberOf(item, first)
  for (const step of rest) {
    if (value === undefined) return undefined
    if (typeof step === 'number') value = 'L' in value ? value.L[step] : undefined
    else value = 'M' in value ? memberOf(value.M, step) : undefined
  }
  return value
}

/** AWS, "Comparison operator and function reference": the length of a text, the bytes of a binary, the number of members. */
const sizeOf = (value: Value): number | undefined => {
  if ('S' in value) return value.S.length
  if ('B' in value) return valueBytes(value)
  if ('SS' in value || 'NS' in value || 'BS' in value || 'L' in value) return (contentOf(value) as unknown[]).length
  return 'M' in value ? Object.keys(value.M).length : undefined
}

const resolve = (item: Item, operand: Operand): Value | undefined => {
  if (operand.is === 'value') return operand.value
  if (operand.is === 'path') return valueAt(item, operand.path)
  const of = resolve(item, operand.of)
  const size = of === undefined ? undefined : sizeOf(of)
  return size === undefined ? undefined : { N: String(size) }
}

const compares = (sign: Comparator, left: Value | undefined, right: Value | undefined): boolean => {
  if (left === undefined || right === undefined) return sign === '<>'
  if (sign === '=') return sameValue(left, right)
  if (sign === '<>') return !sameValue(left, right)
  const by = compareValues(left, right)
  if (by === undefined) return false
  if (sign === '<') return by < 0
  if (sign === '<=') return by <= 0
  return sign === '>' ? by > 0 : by >= 0
}

const begins = (left: Value | undefined, right: Value | undefined): boolean => {
  if (left === undefined || right === undefined) return false
  if ('S' in left && 'S' in right) return left.S.startsWith(right.S)
  if (!('B' in left && 'B' in right)) return false
  const prefix = Buffer.from(right.B, 'base64')
  return Buffer.from(left.B, 'base64').subarray(0, prefix.length).equals(prefix)
}

const contains = (left: Value | undefined, right: Value | undefined): boolean => {
  if (left === undefined || right === undefined) return false
  if ('S' in left) return 'S' in right && left.S.includes(right.S)
  if ('B' in left) return 'B' in right && Buffer.from(left.B, 'base64').includes(Buffer.from(right.B, 'base64'))
  if ('L' in left) return left.L.some((member) => sameValue(member, right))
  const set = `${typeOf(right)}S`
  return typeOf(left) === set && (contentOf(left) as string[]).includes(String(contentOf(right)))
}

/** Whether a condition holds for an item; `{}` stands for an item that does not exist. */
export const holds = (item: Item, condition: Condition): boolean => {
  const at = (operand: Operand) => resolve(item, operand)
  switch (condition.is) {
    case 'and':
      return holds(item, condition.left) && holds(item, condition.right)
    case 'or':
      return holds(item, condition.left) || holds(item, condition.right)
    case 'not':
      return !holds(item, condition.of)
    case 'exists':
      return valueAt(item, condition.path) !== undefined
    case 'absent':
      return valueAt(item, condition.path) === undefined
    case 'type': {
      const value = valueAt(item, condition.path)
      return value !== undefined && typeOf(value) === condition.type
    }
    case 'begins':
      return begins(at(condition.left), at(condition.right))
    case 'contains':
      return contains(at(condition.left), at(condition.right))
    case 'in': {
      const value = at(condition.operand)
      return condition.of.some((operand) => compares('=', value, at(operand)))
    }
    case 'between': {
      const value = at(condition.operand)
      return compares('>=', value, at(condition.low)) && compares('<=', value, at(condition.high))
    }
    default:
      return compares(condition.sign, at(condition.left), at(condition.right))
  }
}
