import { invalid } from '../aws-server.ts'
import type { Condition, Operand } from './expression/nodes.ts'
import { assertRange, emptyKey, type StoredKey, sortable } from './keys.ts'
import type { KeyAttribute, Keys } from './schema.ts'
import type { Range } from './store.ts'
import { contentOf, typeOf, type Value } from './value.ts'

const unsupported = () => invalid('Query key condition not supported')

/** One part of a key condition: a test of one attribute. */
interface Test {
  name: string
  sign: '=' | '<' | '<=' | '>' | '>=' | 'between' | 'begins'
  values: readonly Value[]
}

const valueIn = (operand: Operand): Value => {
  if (operand.is !== 'value') throw unsupported()
  return operand.value
}

const nameIn = (operand: Operand): string => {
  if (operand.is !== 'path') throw unsupported()
  if (operand.path.length > 1) throw invalid('KeyConditionExpressions cannot have conditions on nested attributes')
  return operand.path[0]
}

/** A comparator after its operands are swapped. */
const turned = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const

const testsIn = (condition: Condition): Test[] => {
  switch (condition.is) {
    case 'and':
      return [...testsIn(condition.left), ...testsIn(condition.right)]
    case 'compare':
      if (condition.sign === '<>') {
        throw invalid('Invalid operator used in KeyConditionExpression: <>')
      }
      return condition.left.is === 'value'
        ? [{ name: nameIn(condition.right), sign: turned[condition.sign], values: [condition.left.value] }]
        : [{ name: nameIn(condition.left), sign: condition.sign, values: [valueIn(condition.right)] }]
    case 'between':
      return [
        { name: nameIn(condition.operand), sign: 'between', values: [valueIn(condition.low), valueIn(condition.high)] },
      ]
    case 'begins':
      return [{ name: nameIn(condition.left), sign: 'begins', values: [valueIn(condition.right)] }]
    case 'or':
      throw invalid('Invalid operator used in KeyConditionExpression: OR')
    default:
      throw unsupported()
  }
}

const encoded = ({ name, type }: KeyAttribute, value: Value): string => {
  if (contentOf(value) === '') throw emptyKey(value, name)
  if (typeOf(value) === type) return sortable(value)
  throw invalid(
    `One or more parameter values were invalid: Condition parameter type does not match schema type; ${name}`,
  )
}

/** The first text after all that begin with a prefix; undefined if there is none. */
const behind = (prefix: string): string | undefined => {
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0)
  for (let at = points.length - 1; at >= 0; at -= 1) {
    const point = points[at] ?? 0
    if (point >= 0x10_ffff) continue
    // Surrogates are no characters.
    const next = point === 0xd7ff ? 0xe000 : point + 1
    return String.fromCodePoint(...points.slice(0, at), next)
  }
  return undefined
}

const boundsOf = (attribute: KeyAttribute, { sign, values }: Test): Pick<Range, 'from' | 'to'> => {
  const [low = '', high = ''] = values.map((value) => encoded(attribute, value))
  for (const value of values) assertRange(value)
  const exact = { at: low, open: false }
  switch (sign) {
    case '=':
      return { from: exact, to: exact }
    case '<':
      return { to: { at: low, open: true } }
    case '<=':
      return { to: exact }
    case '>':
      return { from: { at: low, open: true } }
    case '>=':
      return { from: exact }
    case 'between':
      if (low > high && Buffer.compare(Buffer.from(low), Buffer.from(high)) > 0) {
        throw invalid(
          'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
        )
      }
      return { from: exact, to: { at: high, open: false } }
    default: {
      const end = behind(low)
      return { from: exact, to: end === undefined ? undefined : { at: end, open: true } }
    }
  }
}

type Selection = Pick<Range, 'hash' | 'from' | 'to'>

/** What a key condition selects of a table or an index; throws if it is not a key condition. */
export const selectionOf = ({ hash, range }: Keys, condition: Condition): Selection => {
  const tests = testsIn(condition)
  const named = (name: string) => tests.filter((test) => test.name === name)
  const [partition, ...morePartitions] = named(hash.name)
  if (partition === undefined) throw invalid(`Query condition missed key schema element: ${hash.name}`)
  const sorts = range === undefined ? [] : named(range.name)
  const [value] = partition.values
  if (partition.sign !== '=' || value === undefined) throw unsupported()
  const others = tests.length - 1 - morePartitions.length - sorts.length
  if (others > 0) {
    throw range === undefined || sorts.length > 0
      ? unsupported()
      : invalid(`Query condition missed key schema element: ${range.name}`)
  }
  if (morePartitions.length > 0 || sorts.length > 1) {
    throw invalid('KeyConditionExpressions must only contain one condition per key')
  }
  const [sort] = sorts
  return {
    hash: encoded(hash, value),
    ...(sort && range ? boundsOf(range, sort) : {}),
  }
}

const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Rejects a start key that the key condition does not select. */
export const assertSelected = ({ hash, from, to }: Selection, key: StoredKey): void => {
  if (key.hash !== hash) {
    throw invalid('The provided starting key is outside query boundaries based on provided conditions')
  }
  const below = from !== undefined && order(key.range, from.at) < Number(from.open)
  const above = to !== undefined && order(key.range, to.at) > -Number(to.open)
  if (below || above) throw invalid('The provided starting key does not match the range key predicate')
}
