import * as z from 'zod/mini'
import { Fault } from '../../aws-server.ts'
import { capacityOf, chargesOf } from '../charges.ts'
import type { Action } from '../expression/nodes.ts'
import { parseUpdate } from '../expression/parse-update.ts'
import { projector } from '../expression/project.ts'
import { keyOf } from '../keys.ts'
import { readStrictly } from '../read-strictly.ts'
import {
  Attributes,
  conditionOf,
  consumed,
  marksOf,
  Names,
  OnFailure,
  ReturnCapacity,
  ReturnMetrics,
  ReturnValues,
  type Session,
  TableName,
  tableOf,
  Values,
} from '../request.ts'
import { type Item, readItem } from '../value.ts'
import { assertStorable, ConditionFailed, carryOut, decide, type Write, type Written } from '../write.ts'

const common = {
  TableName,
  ConditionExpression: z.optional(z.string()),
  ExpressionAttributeNames: Names,
  ExpressionAttributeValues: Values,
  ReturnConsumedCapacity: ReturnCapacity,
  ReturnItemCollectionMetrics: ReturnMetrics,
  ReturnValues,
  ReturnValuesOnConditionCheckFailure: OnFailure,
}
const PutInput = z.strictObject({ ...common, Item: Attributes })
const DeleteInput = z.strictObject({ ...common, Key: Attributes })
const UpdateInput = z.strictObject({ ...common, Key: Attributes, UpdateExpression: z.optional(z.string()) })

/** The exception of a condition that did not hold, with the item if the request wants it. */
class Refused extends Fault {
  readonly members: object
  constructor(item: Item | undefined) {
    super('ConditionalCheckFailedException', 'The conditional request failed')
    this.members = item === undefined ? {} : { Item: item }
  }
}

interface Wishes {
  TableName: string
  ReturnConsumedCapacity?: 'NONE' | 'TOTAL' | 'INDEXES' | undefined
  ReturnValuesOnConditionCheckFailure?: 'NONE' | 'ALL_OLD' | undefined
}

const perform = (session: Session, write: Write, wishes: Wishes): { written: Written; answer: object } => {
  if (session.holds.has(write.table, write.key)) {
    throw new Fault('TransactionConflictException', 'Transaction is ongoing for the item')
  }
  try {
    const written = session.store.atomically(() => {
      const decided = decide(session.store, write)
      session.meter.take('Write', write.table, () => chargesOf(write, decided))
      carryOut(session.store, write, decided)
      return decided
    })
    const answer = consumed(wishes.ReturnConsumedCapacity, wishes.TableName, () =>
      capacityOf(chargesOf(write, written)),
    )
    return { written, answer }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const { item } = error
    // A failed condition costs as much as a write that leaves the item unchanged (PutItem, capacity consumption).
    session.meter.take('Write', write.table, () => chargesOf(write, { before: item, after: item }))
    throw new Refused(wishes.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? item : undefined)
  }
}

const attributes = (item: Item | undefined) =>
  item === undefined || Object.keys(item).length === 0 ? {} : { Attributes: item }

/** A put or a deletion returns the old item or nothing. */
const assertWhole = (requested: z.infer<typeof ReturnValues>): void => {
  if (requested === undefined || requested === 'NONE' || requested === 'ALL_OLD') return
  throw new Fault('ValidationException', 'ReturnValues can only be ALL_OLD or NONE')
}

export const putItem = (session: Session, input: unknown): object => {
  const given = readStrictly(PutInput, input)
  assertWhole(given.ReturnValues)
  const marks = marksOf(given, ['ConditionExpression'])
  const item = readItem(given.Item)
  const condition = conditionOf(given.ConditionExpression, marks)
  marks.assertAllUsed()
  const table = tableOf(session, given.TableName)
  const write: Write = { table, key: assertStorable(table, item), condition, effect: { is: 'put', item } }
  const { written, answer } = perform(session, write, given)
  return { ...answer, ...(given.ReturnValues === 'ALL_OLD' ? attributes(written.before) : {}) }
}

export const deleteItem = (session: Session, input: unknown): object => {
  const given = readStrictly(DeleteInput, input)
  assertWhole(given.ReturnValues)
  const marks = marksOf(given, ['ConditionExpression'])
  const condition = conditionOf(given.ConditionExpression, marks)
  marks.assertAllUsed()
  const table = tableOf(session, given.TableName)
  const write: Write = { table, key: keyOf(table.schema, readItem(given.Key)), condition, effect: { is: 'delete' } }
  const { written, answer } = perform(session, write, given)
  return { ...answer, ...(given.ReturnValues === 'ALL_OLD' ? attributes(written.before) : {}) }
}

const returned = (
  requested: z.infer<typeof UpdateInput>['ReturnValues'],
  { before, after }: Written,
  actions: readonly Action[],
): object => {
  const project = projector(actions.map(({ path }) => path))
  if (requested === 'ALL_OLD') return attributes(before)
  if (requested === 'ALL_NEW') return attributes(after)
  if (requested === 'UPDATED_OLD') return attributes(before && project(before))
  return requested === 'UPDATED_NEW' ? attributes(after && project(after)) : {}
}

export const updateItem = (session: Session, input: unknown): object => {
  const given = readStrictly(UpdateInput, input)
  const marks = marksOf(given, ['UpdateExpression', 'ConditionExpression'])
  const actions = given.UpdateExpression === undefined ? [] : parseUpdate(given.UpdateExpression, marks)
  const condition = conditionOf(given.ConditionExpression, marks)
  marks.assertAllUsed()
  const table = tableOf(session, given.TableName)
  const Key = readItem(given.Key)
  const key = keyOf(table.schema, Key)
  const write: Write = { table, key, condition, effect: { is: 'update', key: Key, actions } }
  const { written, answer } = perform(session, write, given)
  return { ...answer, ...returned(given.ReturnValues, written, actions) }
}
