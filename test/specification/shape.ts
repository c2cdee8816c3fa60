/** The shape of a value: answers what is wrong with it. */
export interface Shape {
  faults(value: unknown, at: string): string[]
}

const wrong = (at: string, value: unknown, wanted: string) => [`${at} is ${JSON.stringify(value)}, not ${wanted}`]

const leaf = (wanted: string, holds: (value: unknown) => boolean): Shape => ({
  faults: (value, at) => (holds(value) ? [] : wrong(at, value, wanted)),
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
export const is = (wanted: unknown): Shape => leaf(JSON.stringify(wanted), (value) => value === wanted)
export const oneOf = (...wanted: readonly unknown[]): Shape =>
  leaf(`one of ${wanted.join(', ')}`, (value) => wanted.includes(value))
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
    return value.flatMap((one, n) => item.faults(one, `${at}[${n}]`))
  },
})

/** An object with these fields; more may be there. */
export const object = (members: Readonly<Record<string, Shape>>): Shape => ({
  faults(value, at) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(at, value, 'an object')
    const held = new Map(Object.entries(value))
    return Object.entries(members).flatMap(([name, shape]) => shape.faults(held.get(name), `${at}.${name}`))
  },
})

/** The page of a list with an offset. */
export const page = (item: Shape, least = 0): Shape =>
  object({ items: list(item, { least }), total: integer, limit: integer, offset: integer, hasMore: boolean })
