import { Fault } from '../../aws-server.ts'
import { readValue, type Value } from '../value.ts'

const invalid = (message: string) => new Fault('ValidationException', message)

const assertMarks = (marks: object, sign: '#' | ':', what: string): void => {
  const wrong = Object.keys(marks).find((mark) => !mark.startsWith(sign) || mark.length < 2)
  if (wrong !== undefined) throw invalid(`${what} contains invalid key: Syntax error; key: "${wrong}"`)
}

/** The names and values that the expressions of one request may use; each of them must be used. */
export class Placeholders {
  readonly #names: ReadonlyMap<string, string>
  readonly #values: ReadonlyMap<string, Value>
  readonly #used = new Set<string>()

  constructor(names: Readonly<Record<string, string>> = {}, values: Readonly<Record<string, unknown>> = {}) {
    assertMarks(names, '#', 'ExpressionAttributeNames')
    assertMarks(values, ':', 'ExpressionAttributeValues')
    this.#names = new Map(Object.entries(names))
    this.#values = new Map(Object.entries(values).map(([mark, value]) => [mark, readValue(value)]))
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

  /** Throws where the request defines what none of its expressions uses. */
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
