import * as fc from 'fast-check'
import * as z from 'zod/mini'

/** A JSON Schema as zod writes it. */
type Schema = Readonly<Record<string, unknown>>

/** Values that a good call has, by the name of their member: with them a generated one gets further. */
export type Known = ReadonlyMap<string, readonly unknown[]>

interface Making {
  root: Schema
  known: Known
  nowMs: number
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : [])
const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined)

const resolve = (root: Schema, reference: string) => {
  let node: unknown = root
  for (const name of reference.split('/').slice(1)) node = isSchema(node) ? node[name] : undefined
  if (!isSchema(node)) throw new Error(`the schema has no ${reference}`)
  return node
}

const moments = (nowMs: number) =>
  fc
    .tuple(fc.integer({ min: -86_400, max: 40 * 86_400 }), fc.constantFrom('Z', '+00:00', '-07:30', '+14:00'))
    .map(([inSeconds, zone]) => new Date(nowMs + inSeconds * 1000).toISOString().replace('Z', zone))

const texts = (schema: Schema, { nowMs }: Making): fc.Arbitrary<unknown> => {
  const { format, pattern } = schema
  if (format === 'date-time') return moments(nowMs)
  if (format === 'email') return fc.emailAddress()
  // Nothing outside is ever looked up.
  if (format === 'uri') return fc.webPath().map((path) => `https://nobody.invalid${path}`)
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
  const [least, max] = [numberIn(schema['minLength']) ?? 0, numberIn(schema['maxLength']) ?? 300]
  const ends = [least - 1, least, max, max + 1].filter((length) => length >= 0 && length <= 3_000)
  return fc.oneof(
    { weight: 5, arbitrary: fc.string({ minLength: least, maxLength: Math.min(max, least + 30), unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.constantFrom(...ends.map((length) => 'y'.repeat(length))) },
  )
}

const numbers = (schema: Schema, whole: boolean): fc.Arbitrary<unknown> => {
  const [least, max] = [numberIn(schema['minimum']) ?? -1_000, numberIn(schema['maximum']) ?? 1_000_000]
  const inside = whole
    ? fc.integer({ min: least, max: Math.min(max, least + 2 ** 30) })
    : fc.double({ min: least, max, noNaN: true })
  return fc.oneof({ weight: 4, arbitrary: inside }, fc.constantFrom(least, max, least - 1, max + 1, 1.5))
}

const objects = (schema: Schema, making: Making): fc.Arbitrary<unknown> => {
  const members = isSchema(schema['properties']) ? Object.entries(schema['properties']) : []
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const record = Object.fromEntries(
    members.map(([name, member]) => [name, valuesOf(isSchema(member) ? member : {}, making, name)]),
  )
  const others = schema['additionalProperties']
  const fixed = fc.record(record, { requiredKeys: required })
  if (!isSchema(others) && others !== true) return fixed
  const names = isSchema(schema['propertyNames']) ? valuesOf(schema['propertyNames'], making, '') : fc.string()
  const value = isSchema(others) ? valuesOf(others, making, '') : fc.jsonValue()
  const extra = fc.dictionary(names.map(String), value, { maxKeys: 4 })
  return fc.tuple(fixed, extra).map(([value, more]) => ({ ...more, ...value }))
}

const made = (schema: Schema, making: Making, name: string): fc.Arbitrary<unknown> => {
  const { $ref, enum: choices, const: only, anyOf, oneOf, allOf, type } = schema
  if (typeof $ref === 'string') return valuesOf(resolve(making.root, $ref), making, name)
  if (Array.isArray(choices)) return fc.constantFrom<unknown>(...choices)
  if (only !== undefined) return fc.constant(only)
  const forms = [...schemasIn(anyOf), ...schemasIn(oneOf)]
  if (forms.length > 0) return fc.oneof(...forms.map((form) => valuesOf(form, making, name)))
  if (schemasIn(allOf).length > 0) return valuesOf(Object.assign({}, ...schemasIn(allOf)), making, name)
  switch (type) {
    case 'string':
      return texts(schema, making)
    case 'integer':
    case 'number':
      return numbers(schema, type === 'integer')
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const items = isSchema(schema['items']) ? valuesOf(schema['items'], making, name) : fc.jsonValue()
      const least = numberIn(schema['minItems']) ?? 0
      return fc.array(items, { minLength: least, maxLength: least + 3 })
    }
    case 'object':
      return objects(schema, making)
    default:
      return fc.jsonValue()
  }
}

const valuesOf = (schema: Schema, making: Making, name: string): fc.Arbitrary<unknown> => {
  const known = making.known.get(name) ?? []
  const fresh = made(schema, making, name)
  return known.length === 0
    ? fresh
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 2, arbitrary: fresh })
}

/** Values that a schema takes, or nearly: in form and size as it says, beyond that as it happens. */
export const fromSchema = (type: z.ZodMiniType, known: Known, nowMs: number): fc.Arbitrary<unknown> => {
  const root = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
  return valuesOf(root, { root, known, nowMs }, '')
}
