import { Fault } from '../../aws-server.ts'
import { compareValues, contentOf, type TypeName, typeOf } from '../value.ts'
import { assertDistinct } from './distinct.ts'
import type { Token } from './lexer.ts'
import { assertOperandsOfIn } from './limits.ts'
import type { Comparator, Condition, Operand, Path } from './nodes.ts'
import type { Placeholders } from './placeholders.ts'
import { Reader } from './reader.ts'

const signs: readonly string[] = ['=', '<>', '<', '<=', '>', '>=']
const sizeless: readonly string[] = ['N', 'BOOL', 'NULL']
const orderable: readonly string[] = ['S', 'N', 'B']
const types: readonly string[] = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M']

const wrongOperand = (reader: Reader, name: string, type: TypeName): Fault =>
  new Fault(
    'ValidationException',
    `Invalid ${reader.what}: Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`,
  )

const operand = (reader: Reader): Operand => reader.inParentheses(operand) ?? sizeOrPlain(reader)

const sizeOrPlain = (reader: Reader): Operand => {
  const name = reader.call()
  if (name === undefined) return reader.plain()
  if (name !== 'size') throw reader.noFunction(name)
  const of = reader.plain()
  reader.expect(')')
  if (of.is === 'value' && sizeless.includes(typeOf(of.value))) throw wrongOperand(reader, 'size', typeOf(of.value))
  return { is: 'size', of }
}

const onlyPath = (reader: Reader, name: string): Path => {
  const given = reader.plain()
  if (given.is === 'path') return given.path
  throw new Fault(
    'ValidationException',
    `Invalid ${reader.what}: Operator or function requires a document path; operator or function: ${name}`,
  )
}

const typeName = (reader: Reader): TypeName => {
  const given = reader.plain()
  const name = given.is === 'value' && 'S' in given.value ? given.value.S : undefined
  if (name !== undefined && types.includes(name)) return name as TypeName
  throw new Fault(
    'ValidationException',
    `Invalid ${reader.what}: Invalid attribute type name found; type: ${name ?? 'not a string'}, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}`,
  )
}

/** begins_with accepts a value of a type that can begin with something. */
const prefix = (reader: Reader): Operand => {
  reader.expect(',')
  const right = reader.plain()
  if (right.is === 'value' && !('S' in right.value || 'B' in right.value)) {
    throw wrongOperand(reader, 'begins_with', typeOf(right.value))
  }
  return right
}

const functions: Readonly<Record<string, (reader: Reader) => Condition>> = {
  attribute_exists: (reader) => ({ is: 'exists', path: onlyPath(reader, 'attribute_exists') }),
  attribute_not_exists: (reader) => ({ is: 'absent', path: onlyPath(reader, 'attribute_not_exists') }),
  attribute_type: (reader) => {
    const path = onlyPath(reader, 'attribute_type')
    reader.expect(',')
    return { is: 'type', path, type: typeName(reader) }
  },
  begins_with: (reader) => {
    const left = reader.plain()
    const right = prefix(reader)
    assertDistinct(reader, 'begins_with', left, right)
    return { is: 'begins', left, right }
  },
  contains: (reader) => {
    const left = operand(reader)
    reader.expect(',')
    const right = operand(reader)
    assertDistinct(reader, 'contains', left, right)
    return { is: 'contains', left, right }
  },
}

const comparison = (reader: Reader): Condition => {
  const left = operand(reader)
  if (reader.take('BETWEEN')) {
    const low = operand(reader)
    reader.expect('AND')
    const high = operand(reader)
    assertOrderable(reader, 'BETWEEN', left)
    assertDistinct(reader, 'BETWEEN', left, low, high)
    assertBounds(reader, low, high)
    return { is: 'between', operand: left, low, high }
  }
  if (reader.take('IN')) {
    reader.expect('(')
    const of = reader.list(() => operand(reader))
    reader.expect(')')
    assertOperandsOfIn(of.length, reader.what)
    assertDistinct(reader, 'IN', left, ...of)
    return { is: 'in', operand: left, of }
  }
  const token = reader.next()
  if (token.kind !== 'sign' || !signs.includes(token.text)) throw reader.fault(token)
  const right = operand(reader)
  assertDistinct(reader, token.text, left, right)
  if (token.text !== '=' && token.text !== '<>') assertOrderable(reader, token.text, left, right)
  return { is: 'compare', sign: token.text as Comparator, left, right }
}

/** Throws if a value has no order, so that it cannot be compared. */
const assertOrderable = (reader: Reader, sign: string, ...operands: readonly Operand[]): void => {
  for (const one of operands) {
    if (one.is !== 'value' || orderable.includes(typeOf(one.value))) continue
    throw wrongOperand(reader, sign, typeOf(one.value))
  }
}

const assertBounds = (reader: Reader, low: Operand, high: Operand): void => {
  assertOrderable(reader, 'BETWEEN', low, high)
  if (low.is !== 'value' || high.is !== 'value') return
  if (typeOf(low.value) !== typeOf(high.value)) {
    throw new Fault(
      'ValidationException',
      `Invalid ${reader.what}: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: ${String(contentOf(low.value))}`,
    )
  }
  if ((compareValues(low.value, high.value) ?? 0) <= 0) return
  throw new Fault(
    'ValidationException',
    `Invalid ${reader.what}: The BETWEEN operator requires upper bound to be greater than or equal to lower bound`,
  )
}

const isOperator = ({ kind, text }: Token): boolean =>
  kind === 'sign' ? signs.includes(text) : kind === 'word' && ['BETWEEN', 'IN'].includes(text.toUpperCase())

const unit = (reader: Reader): Condition => {
  if (reader.take('NOT')) return { is: 'not', of: unit(reader) }
  // The token after the parentheses tells whether they contain a condition or an operand.
  const group = isOperator(reader.behindParentheses()) ? undefined : reader.inParentheses(either)
  if (group !== undefined) return group
  const { kind, text } = reader.peek()
  if (kind === 'word' && text !== 'size') {
    const name = reader.call()
    if (name !== undefined) {
      const read = Object.hasOwn(functions, name) ? functions[name] : undefined
      if (read === undefined) throw reader.noFunction(name)
      const condition = read(reader)
      reader.expect(')')
      return condition
    }
  }
  return comparison(reader)
}

const both = (reader: Reader): Condition => {
  let left = unit(reader)
  while (reader.take('AND')) left = { is: 'and', left, right: unit(reader) }
  return left
}

const either = (reader: Reader): Condition => {
  let left = both(reader)
  while (reader.take('OR')) left = { is: 'or', left, right: both(reader) }
  return left
}

/** Parses a condition, filter or key condition; `what` names the parameter in errors. */
export const parseCondition = (text: string, what: string, marks: Placeholders): Condition => {
  const reader = new Reader(text, what, marks)
  const condition = either(reader)
  reader.finish()
  return condition
}
