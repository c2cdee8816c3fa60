import { Fault } from '../../aws-server.ts'
import { type TypeName, typeOf } from '../value.ts'
import { assertApart } from './apart.ts'
import { assertDistinct } from './distinct.ts'
import type { Action, Term } from './nodes.ts'
import type { Placeholders } from './placeholders.ts'
import { Reader } from './reader.ts'

/** Throws if a value does not have the type that a function or operator requires. */
const assertType = (reader: Reader, name: string, type: TypeName, ...terms: readonly Term[]): void => {
  for (const term of terms) {
    if (term.is !== 'value' || typeOf(term.value) === type) continue
    throw new Fault(
      'ValidationException',
      `Invalid ${reader.what}: Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${typeOf(term.value)}`,
    )
  }
}

/** Inside of a function, `if_not_exists` is allowed, `list_append` is not. */
const argument = (reader: Reader): Term => {
  const given = term(reader)
  if (given.is !== 'append') return given
  throw new Fault(
    'ValidationException',
    `Invalid ${reader.what}: The function is not allowed to be used this way in an expression; function: list_append`,
  )
}

const callOf = (reader: Reader, name: string): Term => {
  if (name !== 'if_not_exists' && name !== 'list_append') throw reader.noFunction(name)
  const left = argument(reader)
  reader.expect(',')
  const right = argument(reader)
  reader.expect(')')
  if (name === 'list_append') {
    assertType(reader, name, 'L', left, right)
    return { is: 'append', left, right }
  }
  if (left.is !== 'path') {
    throw new Fault(
      'ValidationException',
      `Invalid ${reader.what}: Operator or function requires a document path; operator or function: if_not_exists`,
    )
  }
  assertDistinct(reader, name, left, right)
  return { is: 'default', path: left.path, otherwise: right }
}

const pathOrCall = (reader: Reader): Term => {
  const name = reader.call()
  return name === undefined ? reader.plain() : callOf(reader, name)
}

const term = (reader: Reader): Term => reader.inParentheses(term) ?? pathOrCall(reader)

const sum = (reader: Reader): Term => {
  const whole = reader.inParentheses(sum)
  // Parentheses around a sum contain all of it; an operand in parentheses can be the first of two.
  if (whole?.is === 'plus' || whole?.is === 'minus') return whole
  const left = whole ?? pathOrCall(reader)
  const sign = ['+', '-'].find((candidate) => reader.take(candidate))
  if (sign === undefined) return left
  const right = term(reader)
  assertType(reader, sign, 'N', left, right)
  return { is: sign === '+' ? 'plus' : 'minus', left, right }
}

const addable = ['N', 'SS', 'NS', 'BS']
const deletable = ['SS', 'NS', 'BS']

const withValue = (reader: Reader, is: 'add' | 'delete'): Action => {
  const path = reader.path()
  const token = reader.next()
  if (token.kind !== 'value') throw reader.fault(token)
  const value = reader.marks.value(token.text, reader.what)
  if ((is === 'add' ? addable : deletable).includes(typeOf(value))) return { is, path, value }
  throw new Fault(
    'ValidationException',
    `Invalid ${reader.what}: Incorrect operand type for operator or function; operator: ${is.toUpperCase()}, operand type: ${typeOf(value)}`,
  )
}

const clauses: Readonly<Record<string, (reader: Reader) => Action>> = {
  SET: (reader) => {
    const path = reader.path()
    reader.expect('=')
    return { is: 'set', path, to: sum(reader) }
  },
  REMOVE: (reader) => ({ is: 'remove', path: reader.path() }),
  ADD: (reader) => withValue(reader, 'add'),
  DELETE: (reader) => withValue(reader, 'delete'),
}

/** Parses an update into its actions, in the order of the text. */
export const parseUpdate = (text: string, marks: Placeholders): Action[] => {
  const reader = new Reader(text, 'UpdateExpression', marks)
  const actions: Action[] = []
  const seen = new Set<string>()
  while (reader.peek().kind !== 'end') {
    const word = reader.next()
    const name = word.text.toUpperCase()
    const read = word.kind === 'word' && Object.hasOwn(clauses, name) ? clauses[name] : undefined
    if (read === undefined) throw reader.fault(word)
    if (seen.has(name)) {
      throw new Fault(
        'ValidationException',
        `Invalid UpdateExpression: The "${name}" section can only be used once in an update expression;`,
      )
    }
    seen.add(name)
    actions.push(...reader.list(() => read(reader)))
  }
  assertApart(
    actions.map(({ path }) => path),
    'UpdateExpression',
  )
  return actions
}
