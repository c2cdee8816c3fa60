/** The shape of a value: answers what is wrong with it. */
export interface Shape {
  faults(value: unknown, at: string): string[]
}

const wrong = (at: string, value: unknown, expected: string) => [`${at} is ${JSON.stringify(value)}, not ${expected}`]

const leaf = (expected: string, holds: (value: unknown) => boolean): Shape => ({
  faults: (value, at) => (holds(value) ? [] : wrong(at, value, expected)),
})

export const text = leaf('a string', (value) => typeof value === 'string')
export const filled = leaf('a string that is not empty', (value) => typeof value === 'string' && value !== '')
export const number = leaf('a number', (value) => typeof value === 'number')
export const integer = leaf('an integer', Number.isInteger)
export const boolean = leaf('a boolean', (value) => typeof value === 'boolean')
export const anything = leaf('any value', (value) => value !== undefined)
export const empty = leaf('an empty array', (value) => Array.isArray(value) && value.length === 0)
export const date = leaf('a date-time', (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)))
export const uri = leaf('a URI', (value) => typeof value === 'string' && URL.canParse(value))
export const is = (expected: unknown): Shape => leaf(JSON.stringify(expected), (value) => value === expected)
export const oneOf = (...expected: readonly unknown[]): Shape =>
  leaf(`one of ${expected.join(', ')}`, (value) => expected.includes(value))
export const matching = (pattern: RegExp): Shape =>
  leaf(String(pattern), (value) => typeof value === 'string' && pattern.test(value))

export const orNull = (shape: Shape): Shape => ({
  faults: (value, at) => (value === null ? [] : shape.faults(value, at)),
})

/** A field that may be left out. */
export const maybe = (shape: Shape): Shape => ({
  faults: (value, at) => (value === undefined ? [] : shape.faults(value, at)),
})

export const list = (item: Shape, { least = 0 } = {}): Shape => ({
  faults(value, at) {
    if (!Array.isArray(value) || value.length < least) return wrong(at, value, `an array of at least ${least}`)
    return value.flatMap((element, n) => item.faults(element, `${at}[${n}]`))
  },
})

/** An object with these fields; more may be there. */
export const object = (members: Readonly<Record<string, Shape>>): Shape => ({
  faults(value, at) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(at, value, 'an object')
    const properties = new Map(Object.entries(value))
    return Object.entries(members).flatMap(([name, shape]) => shape.faults(properties.get(name), `${at}.${name}`))
  },
})

/** The page of a list with an offset. */
export const page = (item: Shape, least = 0): Shape =>
  object({ items: list(item, { least }), total: integer, limit: integer, offset: integer, hasMore: boolean })
