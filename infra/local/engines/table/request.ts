import * as z from 'zod/mini'
import { Fault, invalid } from '../aws-server.ts'
import type { Capacity } from './capacity.ts'
import type { Condition } from './expression/nodes.ts'
import { parseCondition } from './expression/parse-condition.ts'
import { Placeholders } from './expression/placeholders.ts'
import type { Holds } from './holds.ts'
import type { Store, StoredTable, View } from './store.ts'
import type { Meter } from './throttling.ts'

const records = z.record(z.string(), z.unknown())

/** The name of a table in any operation except CreateTable, which requires three characters. */
export const TableName = z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[a-zA-Z0-9_.-]+$/))
// Values are in the order in which AWS's errors list them.
export const ReturnCapacity = z.optional(z.enum(['INDEXES', 'TOTAL', 'NONE']))
export const ReturnValues = z.optional(z.enum(['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW']))
/** AWS returns these metrics only for tables with local secondary indexes; there are none here. */
export const ReturnMetrics = z.optional(z.enum(['SIZE', 'NONE']))
export const Names = z.optional(z.record(z.string(), z.string()))
export const Values = z.optional(records)
export const Attributes = records
export const OnFailure = z.optional(z.enum(['ALL_OLD', 'NONE']))

/** The state of an operation: the tables of one caller. */
export interface Session {
  store: Store
  owner: string
  nowMs: number
  /** The state that a read sees: the present one, or without strong consistency perhaps an earlier one. */
  view(consistent: boolean): View
  holds: Holds
  meter: Meter
}

/** The table of a name; `more` is AWS's addition to the error of an operation on the table as a whole. */
export const tableOf = ({ store, owner }: Session, name: string, more = ''): StoredTable => {
  const table = store.tables(owner).find(({ schema }) => schema.name === name)
  if (table === undefined) throw new Fault('ResourceNotFoundException', `Requested resource not found${more}`)
  return table
}

interface Marked {
  ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined
  ExpressionAttributeValues?: Readonly<Record<string, unknown>> | undefined
  ConditionExpression?: string | undefined
  FilterExpression?: string | undefined
  KeyConditionExpression?: string | undefined
  ProjectionExpression?: string | undefined
  UpdateExpression?: string | undefined
}

/**
 * The placeholders of a request; they are rejected if no expression could use them. `expressions` names the parameters that
 * could; a projection uses only names.
 */
export const marksOf = (
  given: Marked,
  expressions: readonly (keyof Marked & `${string}Expression`)[],
): Placeholders => {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = given
  const absent = (of: readonly (keyof Marked)[]) => of.every((name) => given[name] === undefined)
  if (names !== undefined && absent(expressions)) {
    throw invalid('ExpressionAttributeNames can only be specified when using expressions')
  }
  const valued = expressions.filter((name) => name !== 'ProjectionExpression')
  if (values !== undefined && absent(valued)) {
    throw invalid(
      `ExpressionAttributeValues can only be specified when using expressions: ${valued.join(' and ')} ${valued.length === 1 ? 'is' : 'are'} null`,
    )
  }
  for (const [what, marks] of Object.entries({ ExpressionAttributeNames: names, ExpressionAttributeValues: values })) {
    if (marks !== undefined && Object.keys(marks).length === 0) throw invalid(`${what} must not be empty`)
  }
  return new Placeholders(names, values)
}

export const conditionOf = (text: string | undefined, marks: Placeholders): Condition | undefined =>
  text === undefined ? undefined : parseCondition(text, 'ConditionExpression', marks)

/** The member `ConsumedCapacity` of a response, if the request asks for it. */
export const consumed = (
  detail: 'NONE' | 'TOTAL' | 'INDEXES' | undefined,
  TableName: string,
  capacity: () => Capacity,
): object => {
  if (detail === undefined || detail === 'NONE') return {}
  return { ConsumedCapacity: capacity().shown(TableName, detail === 'INDEXES') }
}

/** The same for a request about several tables. */
export const consumedByTable = (
  detail: 'NONE' | 'TOTAL' | 'INDEXES' | undefined,
  of: () => ReadonlyMap<string, Capacity>,
): object => {
  if (detail === undefined || detail === 'NONE') return {}
  return { ConsumedCapacity: [...of()].map(([name, capacity]) => capacity.shown(name, detail === 'INDEXES')) }
}
