import * as z from 'zod/mini'
import type { Call } from '../../support/world/ask.ts'

const Content = z.record(z.string(), z.looseObject({}))
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.optional(z.string()) })),
  requestBody: z.optional(z.looseObject({ content: Content })),
})
const Block = z.looseObject({ properties: z.record(z.string(), z.unknown()) })
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.looseObject({ PostMetadata: Block, DraftMetadata: Block }) }),
})
type Document = z.infer<typeof Document>

/** Calls that succeed, by the operation that they are of. */
type Calls = ReadonlyMap<string, Call>

export const readDocument = (text: string): Document => z.parse(Document, JSON.parse(text))

/** The names of all operations of a document. */
export const operationsIn = ({ paths }: Document): string[] =>
  Object.values(paths).flatMap((operations) => Object.values(operations).map(({ operationId }) => operationId))

/** Query and path hold texts; whole numbers among them are numbers in the document. */
const typed = (text: string): string | number => (/^\d{1,9}$/.test(text) ? Number(text) : text)

const withExamples = (operation: z.infer<typeof Operation>, { params, query, body }: Call) => {
  const values: Readonly<Record<string, string>> = { ...params, ...query }
  const parameters = operation.parameters.map((parameter) => {
    const value = values[parameter.name ?? '']
    return value === undefined ? parameter : { ...parameter, example: typed(value) }
  })
  const { content: { 'application/json': json, ...others } = {} } = operation.requestBody ?? {}
  if (json === undefined || body === undefined) return { ...operation, parameters }
  const { examples: _, ...content } = json
  const requestBody = {
    ...operation.requestBody,
    content: { 'application/json': { ...content, example: body }, ...others },
  }
  return { ...operation, parameters, requestBody }
}

// A post checks the blocks of the platforms that it goes to and ignores others, and a draft checks none.
const withAnyBlocks = ({ properties, ...metadata }: z.infer<typeof Block>) => ({
  ...metadata,
  properties: Object.fromEntries(Object.entries(properties).map(([id, block]) => [id, { anyOf: [block, {}] }])),
})

const refPrefix = '#/components/schemas/'

/** A schema with null for each field that may be absent, and without references: other operations keep them. */
const withNulls = (schema: unknown, schemas: Readonly<Record<string, unknown>>): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => withNulls(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, properties, required, ...rest }: Readonly<Record<string, unknown>> = { ...schema }
  if (typeof $ref === 'string') return withNulls(schemas[$ref.slice(refPrefix.length)], schemas)
  const others = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, withNulls(inner, schemas)]))
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  if (typeof properties !== 'object' || properties === null)
    return required === undefined ? others : { ...others, required }
  const nullable = Object.entries(properties).map(([name, field]) => {
    const own = withNulls(field, schemas)
    return [name, needed.includes(name) ? own : { anyOf: [own, { type: 'null' }] }]
  })
  return { ...others, required: needed, properties: Object.fromEntries(nullable) }
}

/** A body takes null for a field that may be absent, but in a PATCH (infra/openapi/guides/requests.md): no schema says it. */
const withNullBody = (
  method: string,
  operation: z.infer<typeof Operation>,
  schemas: Document['components']['schemas'],
) => {
  const { content: { 'application/json': json, ...others } = {} } = operation.requestBody ?? {}
  if (method === 'patch' || json === undefined) return operation
  const content = { 'application/json': { ...json, schema: withNulls(json['schema'], schemas) }, ...others }
  return { ...operation, requestBody: { ...operation.requestBody, content } }
}

/** The part of a document that is about these calls, with their inputs as its examples: the ids in it exist. */
export const documentWith = (document: Document, calls: Calls): string => {
  const { PostMetadata, DraftMetadata, ...others } = document.components.schemas
  const schemas = {
    ...others,
    PostMetadata: withAnyBlocks(PostMetadata),
    DraftMetadata: withAnyBlocks(DraftMetadata),
  }
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const called = Object.entries(operations).flatMap(([method, operation]) => {
      const call = calls.get(operation.operationId)
      return call === undefined ? [] : [[method, withNullBody(method, withExamples(operation, call), schemas)]]
    })
    return [path, Object.fromEntries(called)]
  })
  const components = { ...document.components, schemas }
  return JSON.stringify({ ...document, paths: Object.fromEntries(paths), components })
}

/** The texts in a body, by their paths in schemathesis notation: `body.tweets[*].content`. */
const textsIn = (value: unknown, location: string): [string, string][] => {
  if (typeof value === 'string') return [[location, value]]
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, `${location}[*]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, `${location}.${name}`))
}

/** How often schemathesis uses a known input instead of a generated one. */
const probability = 0.5

// What JSON writes, TOML reads (https://toml.io/en/v1.0.0#string).
const toml = (value: unknown) => JSON.stringify(value)
const table = (entries: readonly (readonly [string, string])[]) =>
  `{ ${entries.map(([name, value]) => `${toml(name)} = ${value}`).join(', ')} }`

/** Gives schemathesis the caller of each operation, valid inputs, and the lines for it. */
export const configurationWith = (calls: Calls, lines: Readonly<Record<string, string>>): string => {
  const dictionaries: string[] = []
  const bind = (values: readonly (string | number)[]) => {
    const name = `known${dictionaries.length}`
    dictionaries.push(`[dictionaries.${name}]\nvalues = ${toml(values)}`)
    return table([
      ['dictionary', toml(name)],
      ['probability', String(probability)],
    ])
  }
  const operations = [...calls].map(([operation, { token, workspaceId, params = {}, query = {}, body, headers }]) => {
    const bindings = [
      ...Object.entries(params).map(([name, value]) => [`path.${name}`, bind([typed(value)])] as const),
      ...Object.entries(query).map(([name, value]) => [`query.${name}`, bind([typed(value)])] as const),
      ...[...Map.groupBy(textsIn(body, 'body'), ([location]) => location)].map(
        ([location, texts]) => [location, bind(texts.map(([, text]) => text))] as const,
      ),
    ]
    const sent = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(workspaceId === undefined ? {} : { 'X-Workspace-Id': workspaceId }),
      ...headers,
    }
    return [
      '[[operations]]',
      `include-operation-id = ${toml(operation)}`,
      `headers = ${table(Object.entries(sent).map(([name, value]) => [name, toml(value)]))}`,
      `parameters = ${table(bindings)}`,
      lines[operation] ?? '',
    ].join('\n')
  })
  return [...dictionaries, ...operations].join('\n\n')
}
