import * as z from 'zod/mini'
import { Fault } from '../../aws-server.ts'
import { readStrictly } from '../read-strictly.ts'
import { type Session, TableName, tableOf } from '../request.ts'
import { describeTable, readSchema } from '../schema.ts'

const TableInput = z.strictObject({ TableName })
const TtlInput = z.strictObject({
  TableName,
  TimeToLiveSpecification: z.strictObject({
    AttributeName: z.string().check(z.minLength(1), z.maxLength(255)),
    Enabled: z.boolean(),
  }),
})

export const createTable = (session: Session, input: unknown): object => {
  const schema = readSchema(input, session.nowMs)
  const { store, owner } = session
  if (store.tables(owner).some(({ schema: { name } }) => name === schema.name)) {
    throw new Fault('ResourceInUseException', `Table already exists: ${schema.name}`)
  }
  store.saveTable(owner, schema)
  return { TableDescription: describeTable(schema, { count: 0, bytes: 0 }) }
}

const wholeTable = (session: Session, name: string) => tableOf(session, name, `: Table: ${name} not found`)

const described = (session: Session, input: unknown) => {
  const table = wholeTable(session, readStrictly(TableInput, input).TableName)
  return { table, description: describeTable(table.schema, session.store.sizeOf(table)) }
}

export const describe = (session: Session, input: unknown): object => ({ Table: described(session, input).description })

export const deleteTable = (session: Session, input: unknown): object => {
  const { table, description } = described(session, input)
  session.store.atomically(() => session.store.dropTable(table))
  return { TableDescription: { ...description, TableStatus: 'DELETING' } }
}

export const updateTimeToLive = (session: Session, input: unknown): object => {
  const { TableName, TimeToLiveSpecification } = readStrictly(TtlInput, input)
  const { schema } = wholeTable(session, TableName)
  const { AttributeName, Enabled } = TimeToLiveSpecification
  if (schema.ttl !== undefined && schema.ttl !== AttributeName) {
    throw new Fault('ValidationException', 'TimeToLive is active on a different AttributeName')
  }
  if ((schema.ttl !== undefined) === Enabled) {
    throw new Fault('ValidationException', `TimeToLive is already ${Enabled ? 'enabled' : 'disabled'}`)
  }
  session.store.saveTable(session.owner, { ...schema, ttl: Enabled ? AttributeName : undefined })
  return { TimeToLiveSpecification }
}
