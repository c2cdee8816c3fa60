import * as z from 'zod/mini'

/** A JSON Schema as the document contains it. */
export type Schema = { [key: string]: unknown }

export const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

export const componentPrefix = '#/components/schemas/'

const rename = (reference: string, names: ReadonlyMap<string, string>) => {
  const id = reference.slice('#/$defs/'.length)
  return `${componentPrefix}${names.get(id) ?? id}`
}

/** One node in readable form: named parts by reference, defaults of the right type, formats instead of long patterns. */
const tidy = (node: unknown, names: ReadonlyMap<string, string>, io: 'input' | 'output'): unknown => {
  if (Array.isArray(node)) return node.map((each) => tidy(each, names, io))
  if (!isSchema(node)) return node
  const { $schema: _, $defs: __, ...rest } = node
  const tidied: Schema = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, tidy(value, names, io)]))
  if (typeof tidied['$ref'] === 'string') tidied['$ref'] = rename(tidied['$ref'], names)
  if (tidied['type'] === 'integer' && typeof tidied['default'] === 'string') {
    tidied['default'] = Number(tidied['default'])
  }
  if (tidied['maximum'] === Number.MAX_SAFE_INTEGER) delete tidied['maximum']
  if (tidied['minimum'] === Number.MIN_SAFE_INTEGER) delete tidied['minimum']
  if (tidied['format'] !== undefined) delete tidied['pattern']
  // Responses may grow: a client must not reject unknown fields.
  if (io === 'output' && tidied['additionalProperties'] === false) delete tidied['additionalProperties']
  return withDescriptions(tidied)
}

/** A nullable value has the description of the value, unless it has a separate one. */
const withDescriptions = (schema: Schema): Schema => {
  const kinds = Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isSchema) : []
  const [only, ...others] = kinds.filter(({ type }) => type !== 'null')
  if (kinds.length !== 2 || others.length > 0 || only?.['description'] === undefined) return schema
  const { description, ...value } = only
  const anyOf = kinds.map((kind) => (kind === only ? value : kind))
  return { description, ...schema, anyOf }
}

/** Collects the named schemas of a document while its operations are written. */
export const collectSchemas = () => {
  const components = new Map<string, Schema>()

  const register = (id: string, schema: Schema) => {
    const known = components.get(id)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) return false
    components.set(id, schema)
    return true
  }

  /** The schema of a request (`input`) or a response (`output`), with its named parts as references. */
  const schemaOf = (type: z.ZodMiniType, io: 'input' | 'output'): Schema => {
    const { $defs: parts = {}, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
    const unnamed = Object.keys(parts).find((id) => id.startsWith('__'))
    if (unnamed !== undefined) throw new Error('a schema that names itself needs an id for the document')
    const names = new Map<string, string>()
    for (const [id, part] of Object.entries(parts)) {
      // A request and a response may differ under one name.
      if (!register(id, tidy(part, names, io) as Schema)) names.set(id, `${id}${io === 'input' ? 'Input' : 'Output'}`)
    }
    for (const [id, name] of names) register(name, tidy(parts[id], names, io) as Schema)
    return tidy(schema, names, io) as Schema
  }

  return { schemaOf, components }
}

export type SchemaOf = ReturnType<typeof collectSchemas>['schemaOf']

/** Gives each named schema an example: the first matching part of an example in the document. */
export const addExamples = (document: unknown, components: ReadonlyMap<string, Schema>): void => {
  const add = (schema: unknown, value: unknown): void => {
    if (!isSchema(schema) || value === undefined || value === null) return
    const { $ref: reference, allOf = [], anyOf = [], properties, additionalProperties, items } = schema
    const part = typeof reference === 'string' && components.get(reference.slice(componentPrefix.length))
    if (part) {
      part['examples'] ??= [value]
      add(part, value)
    }
    const kinds = Array.isArray(anyOf) ? anyOf.filter((kind) => kind.type !== 'null') : []
    // Only a validator can determine which of several kinds a value is.
    for (const one of [allOf, kinds.length === 1 ? kinds : []].flat()) add(one, value)
    if (Array.isArray(value)) for (const one of value) add(items, one)
    else if (isSchema(value)) {
      const named = isSchema(properties) ? properties : {}
      for (const [name, one] of Object.entries(value)) add(named[name] ?? additionalProperties, one)
    }
  }
  const visit = (node: unknown): void => {
    if (!isSchema(node)) return
    const { schema, examples } = node
    if (isSchema(schema) && isSchema(examples)) {
      for (const example of Object.values(examples)) if (isSchema(example)) add(schema, example['value'])
    } else for (const one of Object.values(node)) visit(one)
  }
  visit(document)
}
