import * as z from 'zod/mini'
import { invalid } from '../../aws-server.ts'
import { Capacity, readUnits } from '../capacity.ts'
import { capacityOf, chargesOf } from '../charges.ts'
import { parseProjection, projector } from '../expression/project.ts'
import { keyOf, type StoredKey } from '../keys.ts'
import { readStrictly } from '../read-strictly.ts'
import { Attributes, consumedByTable, marksOf, Names, ReturnCapacity, type Session, tableOf } from '../request.ts'
import type { Throttled } from '../throttling.ts'
import { type Item, readItem } from '../value.ts'
import { assertStorable, carryOut, decide, type Write } from '../write.ts'

// AWS, "Quotas": 100 items or 16 MB of a BatchGetItem, 25 writes of a BatchWriteItem; these can never have its 16 MB.
const maxGets = 100
const maxWrites = 25
const maxBytes = 16 * 1024 * 1024

const GetInput = z.strictObject({
  RequestItems: z.record(
    z.string(),
    z.strictObject({
      Keys: z.array(Attributes).check(z.minLength(1)),
      ConsistentRead: z.optional(z.boolean()),
      ProjectionExpression: z.optional(z.string()),
      ExpressionAttributeNames: Names,
    }),
  ),
  ReturnConsumedCapacity: ReturnCapacity,
})
const WriteInput = z.strictObject({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.strictObject({
        PutRequest: z.optional(z.strictObject({ Item: Attributes })),
        DeleteRequest: z.optional(z.strictObject({ Key: Attributes })),
      }),
    ),
  ),
  ReturnConsumedCapacity: ReturnCapacity,
})

const distinct = (keys: readonly StoredKey[], message: string): void => {
  if (new Set(keys.map(({ hash, range }) => JSON.stringify([hash, range]))).size < keys.length) throw invalid(message)
}

/** A batch whose items are all throttled is rejected as a whole (API reference, BatchGetItem and BatchWriteItem). */
const assertAnyLetIn = (refusals: readonly (Throttled | undefined)[]): void => {
  const [first] = refusals
  if (first !== undefined && !refusals.includes(undefined)) throw first
}

export const batchGetItem = (session: Session, input: unknown): object => {
  const { RequestItems, ReturnConsumedCapacity } = readStrictly(GetInput, input)
  const tables = Object.entries(RequestItems)
  if (tables.length === 0) throw invalid('The requestItems parameter is required for BatchGetItem')
  const long = tables.find(([, { Keys }]) => Keys.length > maxGets)
  if (long !== undefined) {
    throw invalid(
      `1 validation error detected: Value at 'RequestItems.${long[0]}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to ${maxGets}`,
    )
  }
  if (tables.flatMap(([, { Keys }]) => Keys).length > maxGets) {
    throw invalid('Too many items requested for the BatchGetItem call')
  }
  const Responses: Record<string, Item[]> = {}
  const UnprocessedKeys: Record<string, object> = {}
  const capacities = new Map<string, Capacity>()
  const refusals: (Throttled | undefined)[] = []
  let bytes = 0
  for (const [name, { Keys, ...rest }] of tables) {
    const table = tableOf(session, name)
    const marks = marksOf(rest, ['ProjectionExpression'])
    const project = projector(
      rest.ProjectionExpression === undefined ? undefined : parseProjection(rest.ProjectionExpression, marks),
    )
    marks.assertAllUsed()
    const keys = Keys.map((key) => keyOf(table.schema, readItem(key)))
    distinct(keys, 'Provided list of item keys contains duplicates')
    const consistent = rest.ConsistentRead === true
    const capacity = new Capacity()
    const items: Item[] = []
    const left: unknown[] = []
    for (const [at, key] of keys.entries()) {
      const row = bytes > maxBytes ? undefined : session.view(consistent).get(table, key)
      const units = readUnits(row?.bytes ?? 0, consistent)
      const charges = () => [{ hash: key.hash, units, item: row?.item }]
      const refusal = session.meter.refusalOf('Read', table, charges)
      refusals.push(refusal)
      bytes += row?.bytes ?? 0
      if (refusal !== undefined || bytes > maxBytes) {
        left.push(Keys[at])
        continue
      }
      session.meter.spend('Read', table, charges)
      capacity.add(units)
      if (row) items.push(project(row.item))
    }
    Responses[name] = items
    if (left.length > 0) UnprocessedKeys[name] = { ...rest, Keys: left }
    capacities.set(name, capacity)
  }
  assertAnyLetIn(refusals)
  return { Responses, UnprocessedKeys, ...consumedByTable(ReturnConsumedCapacity, () => capacities) }
}

export const batchWriteItem = (session: Session, input: unknown): object => {
  const { RequestItems, ReturnConsumedCapacity } = readStrictly(WriteInput, input)
  const tables = Object.entries(RequestItems)
  if (tables.length === 0) throw invalid('The requestItems parameter is required for BatchWriteItem')
  if (tables.some(([, requests]) => requests.length < 1 || requests.length > maxWrites)) {
    const shown = tables.map(([name, requests]) => `${name}=[${requests.length} members]`).join(', ')
    throw invalid(
      `1 validation error detected: Value '{${shown}}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to ${maxWrites}, Member must have length greater than or equal to 1]`,
    )
  }
  if (tables.flatMap(([, requests]) => requests).length > maxWrites) {
    throw invalid('Too many items requested for the BatchWriteItem call')
  }
  const capacities = new Map<string, Capacity>()
  const writes = tables.flatMap(([name, requests]) => {
    const table = tableOf(session, name)
    const ofTable = requests.map(({ PutRequest, DeleteRequest }): Write => {
      if ((PutRequest === undefined) === (DeleteRequest === undefined)) {
        throw invalid(
          'Supplied AttributeValue has more than one datatypes set, must contain exactly one of PutRequest and DeleteRequest',
        )
      }
      if (PutRequest) {
        const item = readItem(PutRequest.Item)
        return { table, key: assertStorable(table, item), effect: { is: 'put', item } }
      }
      return { table, key: keyOf(table.schema, readItem(DeleteRequest?.Key ?? {})), effect: { is: 'delete' } }
    })
    distinct(
      ofTable.map(({ key }) => key),
      'Provided list of item keys contains duplicates',
    )
    return ofTable.map((write, at) => ({ name, write, request: requests[at] }))
  })
  const UnprocessedItems: Record<string, unknown[]> = {}
  const refusals: (Throttled | undefined)[] = []
  session.store.atomically(() => {
    for (const { name, write, request } of writes) {
      const written = decide(session.store, write)
      const charges = () => chargesOf(write, written)
      const refusal = session.meter.refusalOf('Write', write.table, charges)
      refusals.push(refusal)
      if (refusal !== undefined || session.holds.has(write.table, write.key)) {
        UnprocessedItems[name] = [...(UnprocessedItems[name] ?? []), request]
        continue
      }
      session.meter.spend('Write', write.table, charges)
      carryOut(session.store, write, written)
      const capacity = capacities.get(name) ?? new Capacity()
      capacity.merge(capacityOf(charges()))
      capacities.set(name, capacity)
    }
  })
  assertAnyLetIn(refusals)
  return { UnprocessedItems, ...consumedByTable(ReturnConsumedCapacity, () => capacities) }
}
