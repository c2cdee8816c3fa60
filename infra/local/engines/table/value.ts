import { Fault, invalid } from '../aws-server.ts'
import { compareDecimals, decimalBytes, formatDecimal, parseDecimal } from './decimal.ts'

/** A value in DynamoDB's JSON: an object with one member, whose name is the type. */
export type Value =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: boolean }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: Value[] }
  | { M: Item }

export type Item = { [name: string]: Value }
export type TypeName = 'S' | 'N' | 'B' | 'BOOL' | 'NULL' | 'SS' | 'NS' | 'BS' | 'L' | 'M'

// AWS, "Constraints in Amazon DynamoDB": 32 levels of nested attributes, names of less than 64 KB.
const maxDepth = 32
const maxNameBytes = 65_535

export const parameter = (message: string) => invalid(`One or more parameter values were invalid: ${message}`)

export const typeOf = (value: Value): TypeName => Object.keys(value)[0] as TypeName

/** The value of the type. */
export const contentOf = (value: Value): unknown => Object.values(value)[0]

const isText = (content: unknown): content is string => typeof content === 'string'
const isTexts = (content: unknown): content is string[] => Array.isArray(content) && content.every(isText)

const wrongShape = () => new Fault('SerializationException', 'Start of structure or map found where not expected.')

const text = (content: unknown): string => {
  if (!isText(content)) throw wrongShape()
  return content
}

const number = (content: unknown): string => formatDecimal(parseDecimal(text(content)))

const base64 = (content: unknown): string => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text(content)) || text(content).length % 4 !== 0) {
    throw new Fault('SerializationException', 'Base64 encoded length is unexpected, or a character is none of Base64.')
  }
  return Buffer.from(text(content), 'base64').toString('base64')
}

const flag = (content: unknown): boolean => {
  if (typeof content !== 'boolean') throw wrongShape()
  return content
}

const set = (content: unknown, name: string, read: (content: unknown) => string): string[] => {
  if (!isTexts(content)) throw wrongShape()
  if (content.length === 0) {
    throw parameter(name === 'binary' ? 'Binary sets should not be empty' : `An ${name} set  may not be empty`)
  }
  const members = content.map(read)
  if (new Set(members).size < members.length) {
    throw parameter(`Input collection [${members.join(', ')}] contains duplicates.`)
  }
  return members.sort((a, b) => (name === 'number' ? compareDecimals(parseDecimal(a), parseDecimal(b)) : order(a, b)))
}

/** The order of texts by their bytes in UTF-8. */
export const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const readers: Readonly<Record<TypeName, (content: unknown, depth: number) => Value>> = {
  S: (content) => ({ S: text(content) }),
  N: (content) => ({ N: number(content) }),
  B: (content) => ({ B: base64(content) }),
  BOOL: (content) => ({ BOOL: flag(content) }),
  NULL: (content) => {
    if (!flag(content)) throw parameter('Null attribute value types must have the value of true')
    return { NULL: true }
  },
  SS: (content) => ({ SS: set(content, 'string', text) }),
  NS: (content) => ({ NS: set(content, 'number', number) }),
  BS: (content) => ({ BS: set(content, 'binary', base64) }),
  L: (content, depth) => {
    if (!Array.isArray(content)) throw wrongShape()
    return { L: content.map((member) => readValue(member, depth + 1)) }
  },
  M: (content, depth) => ({ M: readItem(content, depth + 1) }),
}

const isType = (name: string): name is TypeName => Object.hasOwn(readers, name)

/** Reads a value of a request: numbers in their normal form, sets sorted. Throws as DynamoDB does. */
export const readValue = (given: unknown, depth = 0): Value => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrongShape()
  if (depth >= maxDepth) throw tooDeep()
  const [entry, ...more] = Object.entries(given)
  if (entry === undefined || !isType(entry[0])) {
    throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')
  }
  if (more.length > 0) {
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    )
  }
  return readers[entry[0]](entry[1], depth)
}

const tooDeep = () => invalid('Nesting Levels have exceeded supported limits')

export const readItem = (given: unknown, depth = 0): Item => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw wrongShape()
  if (Object.keys(given).some((name) => Buffer.byteLength(name) > maxNameBytes)) {
    throw parameter(`Attribute name is too large, must be less than ${maxNameBytes + 1} bytes`)
  }
  if (Object.hasOwn(given, '')) throw invalid('Empty attribute name')
  // Names such as __proto__ are names as any other.
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, readValue(value, depth)]))
}

/** Rejects what an update has nested too deeply. */
export const assertDepth = (values: readonly Value[], depth = 0): void => {
  if (values.length > 0 && depth >= maxDepth) throw tooDeep()
  for (const value of values) {
    if ('L' in value) assertDepth(value.L, depth + 1)
    if ('M' in value) assertDepth(Object.values(value.M), depth + 1)
  }
}

const bytes = (content: string) => Buffer.byteLength(content)
const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)
const binaryBytes = (content: string) => Buffer.from(content, 'base64').length

/** The size of a value in bytes (DynamoDB developer guide, "DynamoDB item sizes and formats"). */
export const valueBytes = (value: Value): number => {
  if ('S' in value) return bytes(value.S)
  if ('N' in value) return decimalBytes(value.N)
  if ('B' in value) return binaryBytes(value.B)
  if ('SS' in value) return sum(value.SS.map(bytes))
  if ('NS' in value) return sum(value.NS.map(decimalBytes))
  if ('BS' in value) return sum(value.BS.map(binaryBytes))
  if ('L' in value) return 3 + sum(value.L.map((member) => 1 + valueBytes(member)))
  if ('M' in value) return 3 + itemBytes(value.M) + Object.keys(value.M).length
  return 1
}

/** The size of an item in bytes, names included. */
export const itemBytes = (item: Item): number => {
  let total = 0
  for (const [name, value] of Object.entries(item)) total += bytes(name) + valueBytes(value)
  return total
}

/** Whether two values of normal form are the same; the members of a map have no order. */
export const sameValue = (a: Value, b: Value): boolean => {
  const type = typeOf(a)
  if (type !== typeOf(b)) return false
  if ('L' in a && 'L' in b) {
    return a.L.length === b.L.length && a.L.every((member, at) => sameValue(member, b.L[at] ?? { NULL: true }))
  }
  if ('M' in a && 'M' in b) {
    const names = Object.keys(a.M)
    return (
      names.length === Object.keys(b.M).length &&
      names.every((name) => {
        const [one, other] = [memberOf(a.M, name), memberOf(b.M, name)]
        return one !== undefined && other !== undefined && sameValue(one, other)
      })
    )
  }
  return JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b))
}

/** The order of two values of one type that has an order (S, N, B); undefined for all others. */
export const compareValues = (a: Value, b: Value): number | undefined => {
  if ('S' in a && 'S' in b) return order(a.S, b.S)
  if ('N' in a && 'N' in b) return compareDecimals(parseDecimal(a.N), parseDecimal(b.N))
  if ('B' in a && 'B' in b) return Buffer.compare(Buffer.from(a.B, 'base64'), Buffer.from(b.B, 'base64'))
  return undefined
}

/** An own property of an item, by name only. */
export const memberOf = (item: Item, name: string): Value | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined
