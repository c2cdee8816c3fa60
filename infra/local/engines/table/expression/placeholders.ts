import { invalid } from '../../aws-server.ts'
import { readValue, type Value, valueBytes } from '../value.ts'

// AWS, "Constraints in Amazon DynamoDB", "Expression parameters" and "Attributes".
const maxMarkBytes = 255
const maxBytes = 2 * 1024 * 1024
const maxNameBytes = 65_535

const assertMarks = (marks: object, pattern: RegExp, what: string): void => {
  for (const mark of Object.keys(marks)) {
    if (!pattern.test(mark)) throw invalid(`${what} contains invalid key: Syntax error; key: "${mark}"`)
    if (mark.length <= maxMarkBytes) continue
    throw invalid(
      `${what} contains invalid key: The expression attribute map contains a key that is too long; size of key: ${mark.length}`,
    )
  }
}

const assertNames = (names: ReadonlyMap<string, string>): void => {
  for (const [mark, name] of names) {
    if (name === '') {
      throw invalid(`ExpressionAttributeNames contains invalid value: Empty attribute name for key ${mark}`)
    }
    if (Buffer.byteLength(name) <= maxNameBytes) continue
    throw invalid(
      `ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than ${maxNameBytes + 1} bytes for key ${mark}`,
    )
  }
}

const assertTotal = (names: ReadonlyMap<string, string>, values: ReadonlyMap<string, Value>): void => {
  const ofNames = [...names].map(([mark, name]) => mark.length + Buffer.byteLength(name))
  const ofValues = [...values].map(([mark, value]) => mark.length + valueBytes(value))
  const bytes = [...ofNames, ...ofValues].reduce((sum, size) => sum + size, 0)
  if (bytes > maxBytes) throw invalid('ExpressionAttributeValues exceeds max size')
}

/** The names and values that the expressions of one request may use; each of them must be used. */
export class Placeholders {
  readonly #names: ReadonlyMap<string, string>
  readonly #values: ReadonlyMap<string, Value>
  readonly #used = new Set<string>()

  constructor(names: Readonly<Record<string, string>> = {}, values: Readonly<Record<string, unknown>> = {}) {
    assertMarks(names, /^#\w+$/, 'ExpressionAttributeNames')
    assertMarks(values, /^:\w+$/, 'ExpressionAttributeValues')
    this.#names = new Map(Object.entries(names))
    this.#values = new Map(Object.entries(values).map(([mark, value]) => [mark, readValue(value)]))
    assertNames(this.#names)
    assertTotal(this.#names, this.#values)
  }

  name(mark: string, what: string): string {
    this.#used.add(mark)
    const name = this.#names.get(mark)
    if (name !== undefined) return name
    throw invalid(
      `Invalid ${what}: An expression attribute name used in the document path is not defined; attribute name: ${mark}`,
    )
  }

  value(mark: string, what: string): Value {
    this.#used.add(mark)
    const value = this.#values.get(mark)
    if (value !== undefined) return value
    throw invalid(
      `Invalid ${what}: An expression attribute value used in expression is not defined; attribute value: ${mark}`,
    )
  }

  /** Throws if the request defines a placeholder that none of its expressions uses. */
  assertAllUsed(): void {
    const unused = (marks: Iterable<string>) => [...marks].filter((mark) => !this.#used.has(mark))
    const values = unused(this.#values.keys())
    if (values.length > 0) {
      throw invalid(`Value provided in ExpressionAttributeValues unused in expressions: keys: {${values.join(', ')}}`)
    }
    const names = unused(this.#names.keys())
    if (names.length > 0) {
      throw invalid(`Value provided in ExpressionAttributeNames unused in expressions: keys: {${names.join(', ')}}`)
    }
  }
}
