import * as z from 'zod/mini'
import { Fault } from '../aws-server.ts'
import type { Capacity } from './capacity.ts'
import type { Condition } from './expression/nodes.ts'
import { parseCondition } from './expression/parse-condition.ts'
import { Placeholders } from './expression/placeholders.ts'
import type { Holds } from './holds.ts'
import type { Store, StoredTable, View } from './store.ts'
import type { Meter } from './throttling.ts'

const records = z.record(z.string(), z.unknown())

export const ReturnCapacity = z.optional(z.enum(['NONE', 'TOTAL', 'INDEXES']))
export const Names = z.optional(z.record(z.string(), z.string()))
export const Values = z.optional(records)
export const Attributes = records
export const OnFailure = z.optional(z.enum(['NONE', 'ALL_OLD']))

/** What an operation works on: the tables of one caller. */
export interface Session {
  store: Store
  owner: string
  nowMs: number
  /** What a read sees: the present state, or without strong consistency perhaps an earlier one. */
  view(consistent: boolean): View
  holds: Holds
  meter: Meter
}

/** Reads an operation's input; a parameter that is not built here is refused, so that nothing is silently ignored. */
export const readStrictly = <S extends z.ZodMiniType>(shape: S, input: unknown): z.infer<S> => {
  const parsed = shape.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue?.code === 'unrecognized_keys') {
    throw new Fault('ValidationException', `The embedded table does not support: ${issue.keys.join(', ')}`)
  }
  const where = issue?.path.join('.') ?? ''
  throw new Fault(
    'ValidationException',
    `1 validation error detected: Value at '${where}' failed to satisfy constraint: ${issue?.message ?? ''}`,
  )
}

export const tableOf = ({ store, owner }: Session, name: string): StoredTable => {
  const table = store.tables(owner).find(({ schema }) => schema.name === name)
  if (table === undefined) throw new Fault('ResourceNotFoundException', 'Cannot do operations on a non-existent table')
  return table
}

interface Marked {
  ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined
  ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined
}

/** The placeholders of a request; they are refused where no expression could use them. */
export const marksOf = (
  { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Marked,
  expressions: readonly (string | undefined)[],
): Placeholders => {
  const some = expressions.some((expression) => expression !== undefined)
  for (const [what, given] of [
    ['ExpressionAttributeNames', names],
    ['ExpressionAttributeValues', values],
  ] as const) {
    if (given === undefined) continue
    if (!some) throw new Fault('ValidationException', `${what} can only be specified when using expressions`)
    if (Object.keys(given).length === 0) throw new Fault('ValidationException', `${what} must not be empty`)
  }
  return new Placeholders(names, values)
}

export const conditionOf = (text: string | undefined, marks: Placeholders): Condition | undefined =>
  text === undefined ? undefined : parseCondition(text, 'ConditionExpression', marks)

/** The member `ConsumedCapacity` of an answer, where the request asks for it. */
export const consumed = (
  wanted: 'NONE' | 'TOTAL' | 'INDEXES' | undefined,
  TableName: string,
  capacity: Capacity,
): object => {
  if (wanted === undefined || wanted === 'NONE') return {}
  return { ConsumedCapacity: capacity.shown(TableName, wanted === 'INDEXES') }
}

/** The same for a request about several tables. */
export const consumedByTable = (
  wanted: 'NONE' | 'TOTAL' | 'INDEXES' | undefined,
  of: ReadonlyMap<string, Capacity>,
): object => {
  if (wanted === undefined || wanted === 'NONE') return {}
  return { ConsumedCapacity: [...of].map(([name, capacity]) => capacity.shown(name, wanted === 'INDEXES')) }
}
