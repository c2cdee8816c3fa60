import * as z from 'zod/mini'
import { invalid } from '../aws-server.ts'
import { readStrictly } from './read-strictly.ts'
import { parameter } from './value.ts'

const Name = z.string().check(z.minLength(3), z.maxLength(255), z.regex(/^[a-zA-Z0-9_.-]+$/))
const KeySchema = z
  .array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
  .check(z.minLength(1), z.maxLength(2))
const Projection = z.object({
  ProjectionType: z.enum(['ALL', 'INCLUDE', 'KEYS_ONLY']),
  NonKeyAttributes: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(20))),
})
const CreateTableInput = z.object({
  TableName: Name,
  KeySchema,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['B', 'N', 'S']) })),
  GlobalSecondaryIndexes: z.optional(z.array(z.object({ IndexName: Name, KeySchema, Projection }))),
  BillingMode: z.optional(z.enum(['PROVISIONED', 'PAY_PER_REQUEST'])),
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

/** A global secondary index; `included` names the attributes it holds in addition to all keys, undefined for all of them. */
export interface IndexSchema extends Keys {
  name: string
  included: readonly string[] | undefined
}

export interface TableSchema extends Keys {
  name: string
  indexes: readonly IndexSchema[]
  createdAtMs: number
  /** The attribute with the second in which an item expires. */
  ttl?: string | undefined
}

type Input = z.infer<typeof CreateTableInput>
type Types = ReadonlyMap<string, KeyAttribute['type']>

const namesIn = (schema: Input['KeySchema']) => schema.map(({ AttributeName }) => AttributeName)

const assertOrder = ([first, second]: Input['KeySchema']): void => {
  if (first?.KeyType !== 'HASH') throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type')
  if (second !== undefined && second.KeyType !== 'RANGE') {
    throw invalid('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type')
  }
}

const keysOf = (schema: Input['KeySchema'], types: Types): Keys => {
  assertOrder(schema)
  const [hash, range] = namesIn(schema).map((name): KeyAttribute => ({ name, type: types.get(name) ?? 'S' }))
  if (hash === undefined) throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type')
  if (hash.name === range?.name) {
    throw invalid('Both the Hash Key and the Range Key element in the KeySchema have the same name')
  }
  return { hash, range }
}

const tableKeysOf = ({ KeySchema: schema, AttributeDefinitions: definitions }: Input, types: Types): Keys => {
  if (schema.length > definitions.length || namesIn(schema).some((name) => !types.has(name))) {
    throw invalid('Invalid KeySchema: Some index key attribute have no definition')
  }
  return keysOf(schema, types)
}

type Index = NonNullable<Input['GlobalSecondaryIndexes']>[number]

const includedIn = ({ ProjectionType, NonKeyAttributes }: Index['Projection']): readonly string[] | undefined => {
  if ((ProjectionType === 'INCLUDE') !== (NonKeyAttributes !== undefined)) {
    const specified = NonKeyAttributes === undefined ? 'not specified' : 'specified'
    throw parameter(`ProjectionType is ${ProjectionType}, but NonKeyAttributes is ${specified}`)
  }
  return ProjectionType === 'ALL' ? undefined : (NonKeyAttributes ?? [])
}

const indexOf = ({ IndexName, KeySchema: schema, Projection: projection }: Index, types: Types): IndexSchema => {
  const names = namesIn(schema)
  if (names.some((name) => !types.has(name))) {
    throw parameter(
      `Some index key attributes are not defined in AttributeDefinitions. Keys: [${names.join(', ')}], AttributeDefinitions: [${[...types.keys()].join(', ')}]`,
    )
  }
  return { name: IndexName, ...keysOf(schema, types), included: includedIn(projection) }
}

/** Rejects an attribute that is defined and is no key. */
const assertUsed = (types: Types, keys: Keys, indexes: readonly IndexSchema[]): void => {
  const used = new Set([keys, ...indexes].flatMap(keyNames))
  if (used.size === types.size) return
  throw parameter(
    indexes.length === 0
      ? 'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions'
      : `Some AttributeDefinitions are not used. AttributeDefinitions: [${[...types.keys()].join(', ')}], keys used: [${[...used].join(', ')}]`,
  )
}

// AWS, "Service, account, and table quotas in Amazon DynamoDB", "Secondary indexes".
const maxIndexes = 20
const maxIncluded = 100

const assertIndexes = (indexes: readonly IndexSchema[]): void => {
  const names = indexes.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw parameter(`Duplicate index name: ${twice}`)
  if (indexes.length > maxIndexes) {
    throw parameter(`GlobalSecondaryIndex count exceeds the per-table limit of ${maxIndexes}`)
  }
  if (indexes.flatMap(({ included }) => included ?? []).length > maxIncluded) {
    throw parameter(`Number of projected attributes exceeds the per-table limit of ${maxIncluded}`)
  }
}

const assertSupported = (input: object, { BillingMode }: Input): void => {
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(CreateTableInput.shape, name))
  if (unknown.length > 0) throw invalid(`The embedded table does not support: ${unknown.join(', ')}`)
  if (BillingMode !== 'PAY_PER_REQUEST') {
    throw invalid('The embedded table does not support: BillingMode PROVISIONED, which is the default')
  }
}

/**
 * Reads CreateTable. Local indexes, streams and provisioned throughput are rejected: they are not built here. Without a local
 * index, an item collection has no bound of 10 GB either (AWS, "Using Local Secondary Indexes", "Item collection size limit").
 */
export const readSchema = (input: unknown, createdAtMs: number): TableSchema => {
  const request = Object(input) as object
  if (!('TableName' in request)) {
    throw invalid("The parameter 'TableName' is required but was not present in the request")
  }
  const given = readStrictly(CreateTableInput, request)
  const types = new Map(
    given.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
  )
  const keys = tableKeysOf(given, types)
  const indexes = (given.GlobalSecondaryIndexes ?? []).map((index) => indexOf(index, types))
  assertIndexes(indexes)
  // An attribute that only a rejected parameter uses counts as used.
  assertSupported(request, given)
  assertUsed(types, keys, indexes)
  return { name: given.TableName, ...keys, indexes, createdAtMs }
}

export const keyNames = ({ hash, range }: Keys): string[] => [hash.name, ...(range ? [range.name] : [])]

const keySchemaOf = ({ hash, range }: Keys) => [
  { AttributeName: hash.name, KeyType: 'HASH' },
  ...(range ? [{ AttributeName: range.name, KeyType: 'RANGE' }] : []),
]

export const arnOf = ({ name }: TableSchema): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`

const projectionOf = ({ included }: IndexSchema) => {
  if (included === undefined) return { ProjectionType: 'ALL' }
  if (included.length === 0) return { ProjectionType: 'KEYS_ONLY' }
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: included }
}

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
            Projection: projectionOf(index),
          })),
        }),
  }
}
