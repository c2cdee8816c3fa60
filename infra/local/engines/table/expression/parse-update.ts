import { Fault } from '../../aws-server.ts'
import { typeOf } from '../value.ts'
import { assertApart } from './apart.ts'
import type { Action, Term } from './nodes.ts'
import type { Placeholders } from './placeholders.ts'
import { Reader } from './reader.ts'

const term = (reader: Reader): Term => {
  if (reader.take('(')) {
    const inner = sum(reader)
    reader.expect(')')
    return inner
  }
  const name = reader.call()
  if (name === undefined) return reader.plain()
  if (name !== 'if_not_exists' && name !== 'list_append') throw reader.noFunction(name)
  const left = term(reader)
  reader.expect(',')
  const right = term(reader)
  reader.expect(')')
  if (name === 'list_append') return { is: 'append', left, right }
  if (left.is !== 'path') {
    throw new Fault(
      'ValidationException',
      `Invalid ${reader.what}: Operator or function requires a document path; operator or function: if_not_exists`,
    )
  }
  return { is: 'default', path: left.path, otherwise: right }
}

const sum = (reader: Reader): Term => {
  const left = term(reader)
  if (reader.take('+')) return { is: 'plus', left, right: term(reader) }
  return reader.take('-') ? { is: 'minus', left, right: term(reader) } : left
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
