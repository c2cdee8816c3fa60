import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as z from 'zod/mini'

/** A position where a body violates the platform's description. */
export interface Mismatch {
  /** Where, as keys from the outside in. */
  path: readonly string[]
  message: string
}

/** The keywords of a schema that are evaluated; its other keywords are retained. */
interface Schema {
  [keyword: string]: unknown
  $ref?: string | undefined
  type?: unknown
  nullable?: boolean | undefined
  properties?: Record<string, Schema> | undefined
  items?: Schema | undefined
  additionalProperties?: boolean | Schema | undefined
  allOf?: Schema[] | undefined
  anyOf?: Schema[] | undefined
  oneOf?: Schema[] | undefined
}
const Schema: z.ZodMiniType<Schema> = z.looseObject({
  $ref: z.optional(z.string()),
  nullable: z.optional(z.boolean()),
  get properties() {
    return z.optional(z.record(z.string(), Schema))
  },
  get items() {
    return z.optional(Schema)
  },
  get additionalProperties() {
    return z.optional(z.union([z.boolean(), Schema]))
  },
  get allOf() {
    return z.optional(z.array(Schema))
  },
  get anyOf() {
    return z.optional(z.array(Schema))
  },
  get oneOf() {
    return z.optional(z.array(Schema))
  },
})
type Schemas = Readonly<Record<string, Schema>>

const Response = z.object({ content: z.optional(z.record(z.string(), z.object({ schema: Schema }))) })
const Operation = z.object({ responses: z.record(z.string(), Response) })
const Description = z.object({
  paths: z._default(z.record(z.string(), z.record(z.string(), Operation)), {}),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

/** Fields that a platform's documents describe otherwise than its schema. */
type Corrections = Readonly<Record<string, Readonly<Record<string, Schema>>>>

/** The schemas, closed: an unknown field is an error. Parts of another schema are closed with it. */
function closer(schemas: Schemas) {
  const branchesOf = ({ allOf = [], anyOf = [], oneOf = [] }: Schema) => [...allOf, ...anyOf, ...oneOf]
  const namesFields = (schema: Schema): boolean =>
    schema.properties !== undefined ||
    (schema.$ref !== undefined && namesFields(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})) ||
    branchesOf(schema).some(namesFields)

  const mapped = (parts: Schema[] | undefined, change: (schema: Schema) => Schema) => parts?.map(change)
  const closeParts = (schema: Schema): Schema => {
    const { properties, items, additionalProperties: rest, allOf, anyOf, oneOf } = schema
    // A choice next to direct fields is a part of them.
    const closeChoice = properties || allOf ? closeParts : close
    const closed = {
      ...schema,
      properties:
        properties && Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, close(field)])),
      items: items && close(items),
      additionalProperties: typeof rest === 'object' ? close(rest) : rest,
      allOf: mapped(allOf, closeParts),
      anyOf: mapped(anyOf, closeChoice),
      oneOf: mapped(oneOf, closeChoice),
    }
    return Object.fromEntries(Object.entries(closed).filter(([, value]) => value !== undefined))
  }
  const close = ({ nullable = false, ...schema }: Schema): Schema => {
    const closed = namesFields(schema) ? { ...closeParts(schema), unevaluatedProperties: false } : closeParts(schema)
    return nullable ? { anyOf: [{ type: 'null' }, closed] } : closed
  }
  return { close, closeParts }
}

/** The formats that are the same everywhere; the others are the platforms' own names for numbers and ids. */
const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/,
  uri: (text: string) => URL.canParse(text),
}

function load(file: string, corrections: Corrections) {
  const description = Description.parse(JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')))
  const schemas = Object.fromEntries(
    Object.entries(description.components.schemas).map(([name, schema]) => [
      name,
      corrections[name] ? { ...schema, properties: { ...schema.properties, ...corrections[name] } } : schema,
    ]),
  )
  const { close, closeParts } = closer(schemas)
  const closed = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closeParts(schema)]))
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats, logger: false })
  ajv.addSchema({ $id: 'official', components: { schemas: closed } })
  const compile = (schema: Schema) => {
    const local = JSON.stringify(close(schema)).replaceAll('"#/components/', '"official#/components/')
    return ajv.compile(JSON.parse(local))
  }
  return { paths: description.paths, compile }
}

function mismatchesOf(validate: ValidateFunction, body: unknown): readonly Mismatch[] {
  if (validate(body)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra: unknown = params['unevaluatedProperty'] ?? params['additionalProperty']
    const path = instancePath.split('/').slice(1)
    return {
      path: typeof extra === 'string' ? [...path, extra] : path,
      message: message ?? 'is not allowed',
    }
  })
}

/** Checks bodies against one schema of a platform's API description; a trimmed copy is next to the stand-in. */
export function officialCheck(
  file: string,
  name: string,
  corrections: Corrections = {},
): (body: unknown) => readonly Mismatch[] {
  let compiled: ValidateFunction | undefined
  return (body) => {
    compiled ??= load(file, corrections).compile({ $ref: `#/components/schemas/${name}` })
    return mismatchesOf(compiled, body)
  }
}

export interface AnswerToCheck {
  method: string
  /** As the description has it, without the address of the server. */
  path: string
  status: number
  /** The media type of the body. */
  type: string
  /** JSON; undefined without one. */
  body?: unknown
}

/**
 * Checks responses against the operations of a platform's API description. Returns undefined for an operation or a status
 * that the description does not have.
 */
export function officialAnswers(
  file: string,
  corrections: Corrections = {},
): (answer: AnswerToCheck) => readonly Mismatch[] | undefined {
  const { paths, compile } = load(file, corrections)
  // Of two matching templates, the one with more literal text wins.
  const templates = Object.keys(paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  const compiled = new Map<object, ValidateFunction>()
  return ({ method, path, status, type, body }) => {
    const template = templates.find(({ pattern }) => pattern.test(path))?.path ?? ''
    const responses = paths[template]?.[method.toLowerCase()]?.responses
    const response = responses?.[status] ?? responses?.[`${Math.floor(status / 100)}XX`] ?? responses?.['default']
    if (response === undefined) return undefined
    if (body === undefined && response.content === undefined) return []
    const schema = response.content?.[type]?.schema
    if (schema === undefined) return [{ path: [], message: `must not be ${type}` }]
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    return mismatchesOf(validate, body)
  }
}
