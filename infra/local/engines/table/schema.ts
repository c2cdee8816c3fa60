import * as z from 'zod/mini'
import { Fault, readInput } from '../aws-server.ts'

const Name = z.string().check(z.regex(/^[a-zA-Z0-9_.-]{3,255}$/))
const KeySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
const Projection = z.object({
  ProjectionType: z.enum(['ALL', 'INCLUDE', 'KEYS_ONLY']),
  NonKeyAttributes: z.optional(z.array(z.string())),
})
const CreateTableInput = z.object({
  TableName: Name,
  KeySchema,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: z.optional(z.array(z.object({ IndexName: Name, KeySchema, Projection }))),
  BillingMode: z.optional(z.literal('PAY_PER_REQUEST')),
})

/** An attribute of a key. */
export interface KeyAttribute {
  name: string
  type: 'S' | 'N' | 'B'
}

export interface Keys {
  hash: KeyAttribute
  range?: KeyAttribute | undefined
}

/** A global secondary index; `included` names the attributes it holds beside all keys, undefined for all of them. */
export interface IndexSchema extends Keys {
  name: string
  included: readonly string[] | undefined
}

export interface TableSchema extends Keys {
  name: string
  indexes: readonly IndexSchema[]
  createdAtMs: number
  /** The attribute that holds the second in which an item expires. */
  ttl?: string | undefined
}

const invalid = (message: string) =>
  new Fault('ValidationException', `One or more parameter values were invalid: ${message}`)

type Input = z.infer<typeof CreateTableInput>

const keysOf = (schema: Input['KeySchema'], types: ReadonlyMap<string, KeyAttribute['type']>): Keys => {
  const read = (kind: 'HASH' | 'RANGE'): KeyAttribute | undefined => {
    const name = schema.find(({ KeyType }) => KeyType === kind)?.AttributeName
    if (name === undefined) return undefined
    const type = types.get(name)
    if (type === undefined) throw invalid(`Some index key attributes are not defined in AttributeDefinitions: ${name}`)
    return { name, type }
  }
  const hash = read('HASH')
  if (hash === undefined || schema.length > 2)
    throw invalid('Invalid KeySchema: one HASH key, and at most one RANGE key')
  return { hash, range: read('RANGE') }
}

/** Reads CreateTable. Local indexes, streams and provisioned throughput are refused: they are not built here. */
export const readSchema = (input: unknown, createdAtMs: number): TableSchema => {
  const unknown = Object.keys(input as object).filter((name) => !Object.hasOwn(CreateTableInput.shape, name))
  if (unknown.length > 0) throw invalid(`not supported by the embedded table: ${unknown.join(', ')}`)
  const given = readInput(CreateTableInput, input)
  const types = new Map(
    given.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  )
  const indexes = (given.GlobalSecondaryIndexes ?? []).map(
    ({ IndexName, KeySchema: keys, Projection: { ProjectionType, NonKeyAttributes } }) => ({
      name: IndexName,
      ...keysOf(keys, types),
      included: ProjectionType === 'ALL' ? undefined : (NonKeyAttributes ?? []),
    }),
  )
  const keys = keysOf(given.KeySchema, types)
  const used = new Set([keys, ...indexes].flatMap(({ hash, range }) => [hash.name, ...(range ? [range.name] : [])]))
  const spare = [...types.keys()].filter((name) => !used.has(name))
  if (spare.length > 0) {
    throw invalid(
      `Some AttributeDefinitions are not used. AttributeDefinitions: [${[...types.keys()].join(', ')}], keys used: [${[...used].join(', ')}]`,
    )
  }
  return { name: given.TableName, ...keys, indexes, createdAtMs }
}

export const keyNames = ({ hash, range }: Keys): string[] => [hash.name, ...(range ? [range.name] : [])]

const keySchemaOf = ({ hash, range }: Keys) => [
  { AttributeName: hash.name, KeyType: 'HASH' },
  ...(range ? [{ AttributeName: range.name, KeyType: 'RANGE' }] : []),
]

export const arnOf = ({ name }: TableSchema): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`

/** A table as DescribeTable returns it. */
export const describeTable = (schema: TableSchema, items: { count: number; bytes: number }) => {
  const attributes = new Map(
    [schema, ...schema.indexes]
      .flatMap(({ hash, range }) => [hash, ...(range ? [range] : [])])
      .map(({ name, type }) => [name, type]),
  )
  return {
    TableName: schema.name,
    TableArn: arnOf(schema),
    TableStatus: 'ACTIVE',
    CreationDateTime: schema.createdAtMs / 1000,
    KeySchema: keySchemaOf(schema),
    AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    ItemCount: items.count,
    TableSizeBytes: items.bytes,
    ...(schema.indexes.length === 0
      ? {}
      : {
          GlobalSecondaryIndexes: schema.indexes.map((index) => ({
            IndexName: index.name,
            IndexStatus: 'ACTIVE',
            KeySchema: keySchemaOf(index),
            Projection:
              index.included === undefined
                ? { ProjectionType: 'ALL' }
                : { ProjectionType: 'INCLUDE', NonKeyAttributes: index.included },
          })),
        }),
  }
}
