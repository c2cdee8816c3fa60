import * as z from 'zod/mini'
import { Capacity, readUnits } from '../capacity.ts'
import { parseProjection, projector } from '../expression/project.ts'
import { keyOf } from '../keys.ts'
import { readStrictly } from '../read-strictly.ts'
import { Attributes, consumed, marksOf, Names, ReturnCapacity, type Session, TableName, tableOf } from '../request.ts'
import { readItem } from '../value.ts'

const GetInput = z.strictObject({
  TableName,
  Key: Attributes,
  ConsistentRead: z.optional(z.boolean()),
  ProjectionExpression: z.optional(z.string()),
  ExpressionAttributeNames: Names,
  ReturnConsumedCapacity: ReturnCapacity,
})

export const getItem = (session: Session, input: unknown): object => {
  const given = readStrictly(GetInput, input)
  const marks = marksOf(given, ['ProjectionExpression'])
  const project = projector(
    given.ProjectionExpression === undefined ? undefined : parseProjection(given.ProjectionExpression, marks),
  )
  marks.assertAllUsed()
  const table = tableOf(session, given.TableName)
  const consistent = given.ConsistentRead === true
  const key = keyOf(table.schema, readItem(given.Key))
  const row = session.view(consistent).get(table, key)
  const units = readUnits(row?.bytes ?? 0, consistent)
  session.meter.take('Read', table, () => [{ hash: key.hash, units, item: row?.item }])
  const capacity = new Capacity()
  capacity.add(units)
  return {
    ...(row ? { Item: project(row.item) } : {}),
    ...consumed(given.ReturnConsumedCapacity, given.TableName, () => capacity),
  }
}
