import { Fault, invalid } from '../aws-server.ts'
import { sortableDecimal } from './decimal.ts'
import { type IndexSchema, type KeyAttribute, type Keys, keyNames, type TableSchema } from './schema.ts'
import { contentOf, type Item, memberOf, parameter, typeOf, type Value } from './value.ts'

/** A key as the store sorts it. */
export interface StoredKey {
  hash: string
  range: string
}

// AWS, "Quotas": a partition key has up to 2048 bytes, a sort key up to 1024.
const maxHashBytes = 2048
const maxRangeBytes = 1024

/** An empty key attribute. It is rejected before a transaction begins; other faults of keys cancel one. */
export class EmptyKey extends Fault {
  constructor(message: string) {
    super('ValidationException', `One or more parameter values are not valid. ${message}`)
  }
}

const cannotBeEmpty = (value: Value) =>
  `The AttributeValue for a key attribute cannot contain an empty ${'B' in value ? 'binary' : 'string'} value`

export const emptyKey = (value: Value, name: string) => new EmptyKey(`${cannotBeEmpty(value)}. Key: ${name}`)

/** Text whose order by UTF-8 bytes is that of the values; all values of one key attribute have one type. */
export const sortable = (value: Value): string => {
  if ('N' in value) return sortableDecimal(value.N)
  if ('B' in value) return Buffer.from(value.B, 'base64').toString('hex')
  return String(contentOf(value))
}

const bytesOf = (value: Value): number => {
  const content = String(contentOf(value))
  return 'B' in value ? Buffer.from(content, 'base64').length : Buffer.byteLength(content)
}

const assertHash = (value: Value): void => {
  if (bytesOf(value) <= maxHashBytes) return
  throw parameter(`Size of hashkey has exceeded the maximum size limit of ${maxHashBytes} bytes`)
}

/** The same for the value of a sort key, also in a condition. */
export const assertRange = (value: Value): void => {
  if (bytesOf(value) <= maxRangeBytes) return
  throw parameter(`Aggregated size of all range keys has exceeded the size limit of ${maxRangeBytes} bytes`)
}

const assertContent = (value: Value, { name }: KeyAttribute): void => {
  if (bytesOf(value) === 0) throw emptyKey(value, name)
}

/** The key in a `Key` parameter; throws if it does not match the schema. */
export const keyOf = (schema: TableSchema, given: Item): StoredKey => {
  const names = keyNames(schema)
  const mismatch = () => invalid('The provided key element does not match the schema')
  if (Object.keys(given).length !== names.length) throw mismatch()
  const read = (attribute: KeyAttribute): Value => {
    const value = memberOf(given, attribute.name)
    if (value === undefined || typeOf(value) !== attribute.type) throw mismatch()
    return value
  }
  return stored(schema, read)
}

/** The key of a whole item; throws if a key attribute is missing or has another type. */
export const keyIn = (schema: TableSchema, item: Item): StoredKey =>
  stored(schema, (attribute) => {
    const value = memberOf(item, attribute.name)
    if (value === undefined) throw parameter(`Missing the key ${attribute.name} in the item`)
    if (typeOf(value) !== attribute.type) {
      throw parameter(`Type mismatch for key ${attribute.name} expected: ${attribute.type} actual: ${typeOf(value)}`)
    }
    return value
  })

const stored = ({ hash, range }: Keys, read: (attribute: KeyAttribute) => Value): StoredKey => {
  const partition = read(hash)
  assertContent(partition, hash)
  assertHash(partition)
  if (range === undefined) return { hash: sortable(partition), range: '' }
  const sort = read(range)
  assertContent(sort, range)
  assertRange(sort)
  return { hash: sortable(partition), range: sortable(sort) }
}

/** The key of an item in an index; undefined if the item is not in it. */
export const indexKeyOf = (index: IndexSchema, item: Item): StoredKey | undefined => {
  const read = (attribute: KeyAttribute, assertSize: (value: Value) => void): string | undefined => {
    const value = memberOf(item, attribute.name)
    if (value === undefined) return undefined
    if (typeOf(value) !== attribute.type) {
      throw parameter(
        `Type mismatch for Index Key ${attribute.name} Expected: ${attribute.type} Actual: ${typeOf(value)} IndexName: ${index.name}`,
      )
    }
    if (contentOf(value) === '') {
      throw new EmptyKey(
        `A value specified for a secondary index key is not supported. ${cannotBeEmpty(value)}. IndexName: ${index.name}, IndexKey: ${attribute.name}`,
      )
    }
    assertSize(value)
    return sortable(value)
  }
  const hash = read(index.hash, assertHash)
  const range = index.range === undefined ? '' : read(index.range, assertRange)
  return hash === undefined || range === undefined ? undefined : { hash, range }
}

/** The key attributes of an item, and of an index if one is used: the start of the next page. */
export const pageKeyOf = (schema: TableSchema, index: IndexSchema | undefined, item: Item): Item => {
  const names = new Set([...keyNames(schema), ...(index ? keyNames(index) : [])])
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = memberOf(item, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** An item with only some of its attributes. */
export const only = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)))

/** Returns the part of an item that an index holds: the item itself, if that is all of it. */
export const projection = (schema: TableSchema, index: IndexSchema | undefined): ((item: Item) => Item) => {
  if (index?.included === undefined) return (item) => item
  const names = [...keyNames(schema), ...keyNames(index), ...index.included]
  return (item) => (Object.keys(item).every((name) => names.includes(name)) ? item : only(item, names))
}
