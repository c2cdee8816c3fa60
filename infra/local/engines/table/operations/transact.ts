import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { Fault, invalid } from '../../aws-server.ts'
import { Capacity } from '../capacity.ts'
import { capacityOf, transactionChargesOf } from '../charges.ts'
import { parseUpdate } from '../expression/parse-update.ts'
import { lockNameOf } from '../holds.ts'
import { keyOf } from '../keys.ts'
import { readStrictly } from '../read-strictly.ts'
import {
  Attributes,
  conditionOf,
  consumedByTable,
  marksOf,
  Names,
  OnFailure,
  ReturnCapacity,
  type Session,
  TableName,
  tableOf,
  Values,
} from '../request.ts'
import { itemBytes, readItem } from '../value.ts'
import { assertStorable, carryOut, decide, type Write, type Written } from '../write.ts'
import { forEachPart, ItemLocked } from './cancelled.ts'

// AWS, "Quotas": 100 actions and 4 MB in one transaction.
const maxActions = 100
const maxBytes = 4 * 1024 * 1024
// AWS, TransactWriteItems: a token is valid for 10 minutes.
const tokenMs = 10 * 60_000

const common = {
  TableName,
  ExpressionAttributeNames: Names,
  ExpressionAttributeValues: Values,
  ReturnValuesOnConditionCheckFailure: OnFailure,
}
const optional = { ...common, ConditionExpression: z.optional(z.string()) }
const Action = z.strictObject({
  Put: z.optional(z.strictObject({ ...optional, Item: Attributes })),
  Update: z.optional(z.strictObject({ ...optional, Key: Attributes, UpdateExpression: z.string() })),
  Delete: z.optional(z.strictObject({ ...optional, Key: Attributes })),
  ConditionCheck: z.optional(z.strictObject({ ...common, Key: Attributes, ConditionExpression: z.string() })),
})
const WriteInput = z.strictObject({
  TransactItems: z.array(Action).check(z.minLength(1), z.maxLength(maxActions)),
  ClientRequestToken: z.optional(z.string().check(z.minLength(1), z.maxLength(36))),
  ReturnConsumedCapacity: ReturnCapacity,
})

const readWrite = (session: Session, action: z.infer<typeof Action>) => {
  const given = action.Put ?? action.Update ?? action.Delete ?? action.ConditionCheck
  if (given === undefined) {
    throw invalid('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request')
  }
  if (Object.keys(action).length > 1) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete')
  }
  const marks = marksOf(given, action.Update ? ['UpdateExpression', 'ConditionExpression'] : ['ConditionExpression'])
  const actions = action.Update && parseUpdate(action.Update.UpdateExpression, marks)
  const condition = conditionOf(given.ConditionExpression, marks)
  marks.assertAllUsed()
  const table = tableOf(session, given.TableName)
  const item = action.Put && readItem(action.Put.Item)
  const Key = readItem('Key' in given ? given.Key : {})
  const write = (): Write => {
    if (item) return { table, key: assertStorable(table, item), condition, effect: { is: 'put', item } }
    const key = keyOf(table.schema, Key)
    if (actions) {
      return { table, key, condition, effect: { is: 'update', key: Key, actions } }
    }
    return { table, key, condition, effect: { is: action.Delete ? 'delete' : 'check' } }
  }
  return { wantsItem: given.ReturnValuesOnConditionCheckFailure === 'ALL_OLD', write }
}

interface Part {
  wantsItem: boolean
  write: Write
}

const assertDistinct = (names: readonly string[]): void => {
  if (new Set(names).size < names.length) {
    throw invalid('Transaction request cannot include multiple operations on one item')
  }
}

/** Decides all parts before any is made. */
const decideAll = ({ store, holds, meter }: Session, parts: readonly Part[]): Written[] => {
  const decided = forEachPart(parts, ({ write }) => {
    if (holds.has(write.table, write.key)) throw new ItemLocked()
    const written = decide(store, write)
    const throttled = meter.refusalOf('Write', write.table, () => transactionChargesOf(write, written))
    if (throttled) throw throttled
    return written
  })
  const bytes = decided.reduce((sum, { before, after }) => sum + itemBytes(after ?? before ?? {}), 0)
  if (bytes > maxBytes) throw invalid('Transaction request size exceeds 4 MB')
  return decided
}

/** A transaction under a client token; without a response while it is in flight. */
export interface Made {
  digest: string
  atMs: number
  answer: object | undefined
}
/** By caller and token; lives as long as the engine, and with it the clients that could repeat a request. */
export type Tokens = Map<string, Made>

const remembered = (made: Made | undefined, nowMs: number, digest: string): object | undefined => {
  if (made === undefined || nowMs - made.atMs > tokenMs) return undefined
  if (made.digest !== digest) {
    throw new Fault(
      'IdempotentParameterMismatchException',
      'The request used the same client token as a previous, non-identical request',
    )
  }
  if (made.answer !== undefined) return made.answer
  throw new Fault(
    'TransactionInProgressException',
    'The transaction with the given request token is already in progress.',
  )
}

const forgetOld = (tokens: Tokens, nowMs: number): void => {
  for (const [name, { atMs }] of tokens) {
    if (nowMs - atMs <= tokenMs) return
    tokens.delete(name)
  }
}

/** Runs a transaction under a token: a completed one returns its response again, a failed one can be tried again. */
const underToken = async (tokens: Tokens, name: string, made: Omit<Made, 'answer'>, run: () => Promise<object>) => {
  const before = remembered(tokens.get(name), made.atMs, made.digest)
  if (before !== undefined) return before
  forgetOld(tokens, made.atMs)
  tokens.delete(name)
  tokens.set(name, { ...made, answer: undefined })
  try {
    const answer = await run()
    tokens.set(name, { ...made, answer })
    return answer
  } catch (error) {
    tokens.delete(name)
    throw error
  }
}

const makeAll = (session: Session, parts: readonly Part[]): Written[] =>
  session.store.atomically(() => {
    const decided = decideAll(session, parts)
    for (const [at, { write }] of parts.entries()) {
      const written = decided[at] ?? { before: undefined, after: undefined }
      session.meter.spend('Write', write.table, () => transactionChargesOf(write, written))
      carryOut(session.store, write, written)
    }
    return decided
  })

export const transactWriteItems =
  (tokens: Tokens) =>
  async (session: Session, input: unknown): Promise<object> => {
    const { TransactItems, ClientRequestToken: token, ReturnConsumedCapacity } = readStrictly(WriteInput, input)
    const read = TransactItems.map((action) => readWrite(session, action))
    const run = async () => {
      const parts = forEachPart(read, ({ wantsItem, write }) => ({ wantsItem, write: write() }))
      const names = parts.map(({ write }) => lockNameOf(write.table, write.key))
      assertDistinct(names)
      const decided = await session.holds.during(
        names,
        () => decideAll(session, parts),
        () => makeAll(session, parts),
      )
      return consumedByTable(ReturnConsumedCapacity, () => {
        const capacities = new Map<string, Capacity>()
        for (const [at, { write }] of parts.entries()) {
          const capacity = capacities.get(write.table.schema.name) ?? new Capacity()
          const written = decided[at]
          if (written) capacity.merge(capacityOf(transactionChargesOf(write, written)))
          capacities.set(write.table.schema.name, capacity)
        }
        return capacities
      })
    }
    if (token === undefined) return run()
    const digest = createHash('sha256').update(JSON.stringify(TransactItems)).digest('base64')
    return underToken(tokens, `${session.owner} ${token}`, { digest, atMs: session.nowMs }, run)
  }
