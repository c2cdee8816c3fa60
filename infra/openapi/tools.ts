import type * as z from 'zod/mini'
import { routes } from '../../functions/routes.ts'
import { tools } from '../../functions/tools.ts'
import { catalog } from '../../shared/errors/catalog.ts'
import { isIdempotent } from '../../shared/http/remembered.ts'
import { inToolTerms, keyArgument, versionArgument } from '../../shared/mcp/route-arguments.ts'
import type { Tool, ToolEntry } from '../../shared/mcp/tool.ts'
import { exampleOf } from './examples.ts'
import { collectSchemas, componentPrefix, isSchema, type Schema } from './schemas.ts'

/**
 * The schema with its named parts inlined: some clients resolve no references. The names of members (`propertyNames`) and
 * the forms of texts are left to the operation, which names errors: a model pays for each schema in every conversation.
 */
const inlined = (node: unknown, components: ReadonlyMap<string, Schema>): unknown => {
  if (Array.isArray(node)) return node.map((each) => inlined(each, components))
  if (!isSchema(node)) return node
  const { $ref: reference, propertyNames: _names, minLength: _min, maxLength: _max, pattern: _pattern, ...rest } = node
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inlined(value, components)]))
  if (typeof reference !== 'string') return own
  const part = inlined(components.get(reference.slice(componentPrefix.length)), components)
  if (!isSchema(part)) throw new Error(`the schema ${reference} is not known`)
  const { examples: _examples, ...shape } = part
  return { ...shape, ...own }
}

/** The schema of one part of a request or response, without references. */
const wholeSchema = (type: z.ZodMiniType, io: 'input' | 'output'): Schema => {
  const { schemaOf, components } = collectSchemas()
  return inlined(schemaOf(type, io), components) as Schema
}

const propertiesOf = (schema: Schema | undefined): Record<string, unknown> =>
  (schema?.['properties'] ?? {}) as Record<string, unknown>
const requiredOf = (schema: Schema | undefined): string[] => (schema?.['required'] ?? []) as string[]

const objectSchema = (type: z.ZodMiniType | undefined): Schema | undefined => {
  if (type === undefined) return undefined
  const schema = wholeSchema(type, 'input')
  if (schema['type'] !== 'object') throw new Error('the arguments of a tool come from objects')
  return schema
}

/** If a repeat has no second effect: assistants may still send a key with each change. */
const unneededKeySchema = { type: 'string', description: 'Not needed: a repeat has no second effect.' }

const keySchema = {
  type: 'string',
  minLength: 8,
  maxLength: 100,
  description:
    'A new value of your choice for each thing that you create, such as a UUID. Repeat a call with the same value: within 24 hours it returns the first result, and nothing is done twice.',
}

const versionSchema = {
  type: 'integer',
  minimum: 1,
  description: 'The `version` that you read. If it has changed since, nothing is changed, and the result says so.',
}

/** The members of an item are those of another tool, which the description names: a model pays for them once. */
const rowsSchema = ({ max, description }: NonNullable<Tool['rows']>, required: readonly string[]) => ({
  type: 'array',
  minItems: 1,
  maxItems: max,
  description,
  items: { type: 'object', required },
})

/** Times without an offset are accepted, too, which are no `date-time` of JSON Schema. */
const asTaken = (name: string, schema: unknown): [string, unknown] => {
  if (!isMoment([name, schema])) return [name, schema]
  const { format: _, description, ...rest } = schema as Schema
  const text = String(description).replace(
    'RFC 3339 with a time zone',
    'RFC 3339 (without an offset: on the clocks of the workspace)',
  )
  return [name, { ...rest, description: text }]
}

const isMoment = ([, schema]: [string, unknown]): boolean => isSchema(schema) && schema['format'] === 'date-time'

const effects = {
  read: { readOnlyHint: true },
  add: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  change: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  remove: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  publish: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Record<Tool['effect'], object>

const operationOf = ({ endpoint }: Tool): string => {
  const route = routes.find((candidate) => candidate.endpoint.contract === endpoint.contract)
  if (route === undefined) throw new Error(`${endpoint.contract.path} is no operation of the API`)
  return route.operation
}

const exampleKey = 'announce-stollen-2026-12-18'

/** The arguments of the reference's example. */
const exampleArguments = (tool: Tool, takesKey: boolean) => {
  const { params = {}, query = {}, request = {} } = exampleOf(operationOf(tool))
  const own = tool.namesWorkspace ? {} : params
  const all = { ...query, ...(request as object), ...own }
  const included = Object.fromEntries(Object.entries(all).filter(([name]) => !tool.without?.includes(name)))
  return {
    ...(tool.rows === undefined ? included : { [tool.rows.argument]: [included] }),
    ...(tool.picks === undefined ? {} : { [tool.picks.argument]: tool.picks.values[0] }),
    ...(takesKey ? { [keyArgument]: exampleKey } : {}),
  }
}

const takesNull = (schema: unknown): boolean => JSON.stringify(schema).includes('"null"')

/**
 * The fields that a result always has. Decided: not the schemas of its members, which were three quarters of the list. A
 * model reads the list in every conversation, and the members where they occur.
 */
const outputOf = ({ endpoint: { contract }, picks, adds, rows }: Tool): Schema => {
  if (contract.data === undefined) throw new Error(`${contract.path} returns no data`)
  const schema = wholeSchema(contract.data, 'output')
  if (rows !== undefined) return { type: 'object', required: ['items', 'refused'] }
  const isList = schema['type'] === 'array'
  if (isList && picks === undefined) return { type: 'object', required: ['items'] }
  const one = isList ? (schema['items'] as Schema) : schema
  const properties = propertiesOf(one)
  // A member without a value is left out.
  const always = requiredOf(one).filter((name) => !takesNull(properties[name]))
  return { type: 'object', required: [...always, ...(adds === 'now' ? ['now', 'localTime'] : [])] }
}

const textsIn = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(textsIn)
  if (!isSchema(node)) return node
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    key === 'description' && typeof value === 'string' ? inToolTerms(tools, value) : textsIn(value),
  ])
  return Object.fromEntries(entries)
}

const entryOf = (name: string, tool: Tool): ToolEntry => {
  const { contract } = tool.endpoint
  const takesKey = isIdempotent(contract)
  const takesVersion = contract.errors.some((code) => catalog[code].reason === 'stale')
  const params = tool.namesWorkspace ? undefined : objectSchema(contract.params)
  const query = objectSchema(contract.query)
  const body = objectSchema(contract.body)
  const without = new Set(tool.without)
  const { picks, rows } = tool
  const sent = { ...propertiesOf(query), ...propertiesOf(body), ...propertiesOf(params) }
  const own = Object.fromEntries(Object.entries(sent).map(([field, schema]) => asTaken(field, schema)))
  const properties = {
    ...(rows === undefined ? own : { [rows.argument]: rowsSchema(rows, requiredOf(body)) }),
    ...(picks === undefined
      ? {}
      : { [picks.argument]: { type: 'string', enum: picks.values, description: picks.description } }),
    ...(takesVersion ? { [versionArgument]: versionSchema } : {}),
    ...(takesKey
      ? { [keyArgument]: keySchema }
      : contract.method === 'GET'
        ? {}
        : { [keyArgument]: unneededKeySchema }),
  }
  const required = [
    ...requiredOf(params),
    ...requiredOf(query),
    ...(rows === undefined ? (contract.bodyOptional ? [] : requiredOf(body)) : [rows.argument]),
    ...(picks === undefined ? [] : [picks.argument]),
    ...(takesKey ? [keyArgument] : []),
  ]
  const description = [tool.description ?? contract.description ?? contract.summary, tool.hint]
    .filter(Boolean)
    .join(' ')
  const annotations = { ...effects[tool.effect], openWorldHint: tool.reachesPlatforms === true }
  return {
    name,
    listed: {
      name,
      title: contract.summary,
      description: inToolTerms(tools, description),
      inputSchema: textsIn({
        type: 'object',
        properties: Object.fromEntries(Object.entries(properties).filter(([field]) => !without.has(field))),
        required: [...new Set(required)],
        additionalProperties: false,
        examples: [exampleArguments(tool, takesKey)],
      }),
      outputSchema: outputOf(tool),
      annotations,
    },
    params: Object.keys(propertiesOf(params)),
    query: Object.keys(propertiesOf(query)),
    hasBody: contract.body !== undefined,
    moments: Object.entries(sent)
      .filter(isMoment)
      .map(([field]) => field),
    takesKey,
    takesVersion,
  }
}

/** Every tool as `tools/list` shows it, by name, and where its arguments go. */
export const toolEntries = (): ToolEntry[] =>
  Object.entries(tools)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, tool]) => entryOf(name, tool))
