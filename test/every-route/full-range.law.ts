import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Route, routes } from '../../functions/routes.ts'
import { openApiDocument } from '../../infra/openapi/document.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { type Call, callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { makeMemory } from '../support/world/preparations.ts'

// A response that breaks its own contract is a 500. So every value that a request may store has to pass the schema of
// every response that shows it, and not only the one of the request that stored it.

const document = JSON.parse(JSON.stringify(openApiDocument()))

const Schema = z.looseObject({
  $ref: z.optional(z.string()),
  type: z.optional(z.unknown()),
  enum: z.optional(z.array(z.unknown())),
  const: z.optional(z.unknown()),
  anyOf: z.optional(z.array(z.unknown())),
  oneOf: z.optional(z.array(z.unknown())),
  items: z.optional(z.unknown()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  maxLength: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
})
type Schema = z.infer<typeof Schema>

const schemaOf = (node: unknown): Schema => {
  const schema = z.parse(Schema, node ?? {})
  if (schema.$ref === undefined) return schema
  return schemaOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''])
}

/** Values at the bounds of a schema, and in each of its forms; the service may refuse some. */
const extremes = (node: unknown, depth = 0): unknown[] => {
  const schema = schemaOf(node)
  if (schema.enum !== undefined) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  const forms = schema.anyOf ?? schema.oneOf
  if (forms !== undefined) return forms.flatMap((form) => extremes(form, depth))
  if (schema.type === 'null') return [null]
  if (schema.type === 'boolean') return [true, false]
  if (schema.type === 'integer' || schema.type === 'number') {
    return [schema.minimum ?? -1, schema.maximum ?? Number.MAX_SAFE_INTEGER, 0, 1]
  }
  if (schema.type === 'array') {
    const inner = extremes(schema.items, depth + 1)
    return [[], ...inner.map((value) => [value]), inner.slice(0, schema.maxItems ?? 5)]
  }
  if (schema.type === 'object') {
    if (depth > 3) return [{}]
    const members = Object.entries(schema.properties ?? {})
    return [{}, ...members.flatMap(([name, schema]) => extremes(schema, depth + 1).map((value) => ({ [name]: value })))]
  }
  const longest = schema.maxLength ?? 2_000
  return [
    '',
    'a',
    'ab cd',
    '#aabbcc',
    'lime',
    '🍞',
    '<b>"&\\',
    'x'.repeat(longest),
    '你'.repeat(longest),
    'Europe/Berlin',
  ]
}

const bodySchemaOf = (path: string, method: string): Schema | undefined => {
  const body = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content?.['application/json']?.schema
  if (body === undefined) return undefined
  const forms = [schemaOf(body), ...(schemaOf(body).anyOf ?? []).map(schemaOf)]
  return forms.find(({ properties }) => properties !== undefined)
}

/** The operations that change a row, and those that show rows. */
const changing = routes.filter(({ endpoint }) => ['PATCH', 'PUT'].includes(endpoint.contract.method))
const showing = routes.filter(
  ({ endpoint, operation }) =>
    ['memory.search', 'posts.validate'].includes(operation) ||
    (endpoint.contract.method === 'GET' && endpoint.contract.access.kind !== 'anyone'),
)

/** Calls that replace the usual ones, about the changed row. */
const special: Readonly<Record<string, (kit: Kit) => Promise<{ change: Call; shows: Record<string, Call> }>>> = {
  'memory.updateCollection': async (kit) => {
    const { text, collectionId } = await makeMemory(kit)
    const shows = {
      'memory.search': { body: { prompt: text, collectionIds: [collectionId] } },
      'memory.list': { query: { collectionId } },
    }
    return { change: { params: { id: collectionId } }, shows }
  },
}

let kit: Kit
/** Made before anything changes. */
const calls = new Map<Route, Call>()
beforeAll(async () => {
  kit = await start()
  for (const route of [...changing, ...showing]) calls.set(route, await happyCall(route, kit))
}, 120_000)
afterAll(() => kit.close())

/** The options of all platforms have hundreds of values; each is followed by a read of everything. */
const sampled = (values: unknown[]): unknown[] => (values.length > 50 ? everyNth(8, values) : values)

const shorten = (value: unknown) => JSON.stringify(value).slice(0, 80)

test.each(
  everyNth(3, changing).map((route) => ({ operation: route.operation, route })),
)('$operation: whatever it stores, every response that shows it stays valid', async ({ operation, route }) => {
  const { method, path } = route.endpoint.contract
  const own = await special[operation]?.(kit)
  const change: Call = { ...calls.get(route), ...own?.change }
  const shows: { read: Route; call: Call }[] = []
  for (const read of showing.filter(({ group }) => group === route.group)) {
    const isAboutIt = read.endpoint.contract.path.startsWith(path)
    const call = { ...calls.get(read), ...own?.shows[read.operation] }
    shows.push({ read, call: isAboutIt && change.params ? { ...call, params: change.params } : call })
  }
  const faults: string[] = []
  let stored = 0
  for (const [name, schema] of Object.entries(bodySchemaOf(path, method)?.properties ?? {})) {
    for (const value of sampled(extremes(schema))) {
      const { status, text } = await callRoute(kit.url, route, { ...change, body: { [name]: value } })
      if (status >= 500) faults.push(`${name} ${shorten(value)}: ${text.slice(0, 200)}`)
      if (status >= 300) continue
      stored += 1
      for (const { read, call } of shows) {
        const answer = await callRoute(kit.url, read, call)
        if (answer.status < 500) continue
        faults.push(`${read.operation} after ${name} ${shorten(value)}: ${answer.text.slice(0, 200)}`)
      }
    }
  }
  expect(faults).toEqual([])
  expect(stored).toBeGreaterThan(0)
}, 240_000)
