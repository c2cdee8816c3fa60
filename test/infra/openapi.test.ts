import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describedRoutes } from '../../functions/routes.ts'
import { openApiDocument } from '../../infra/openapi/document.ts'
import { eventTypes } from '../../shared/events/types.ts'
import { version } from '../../shared/version.ts'

const document: unknown = JSON.parse(JSON.stringify(openApiDocument()))

const Reference = z.object({ $ref: z.string() })
const Operation = z.object({
  operationId: z.string(),
  summary: z.string().check(z.minLength(3)),
  description: z.optional(z.string()),
  tags: z.array(z.string()).check(z.length(1)),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(
    z.union([
      Reference,
      z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean(), schema: z.unknown() }),
    ]),
  ),
  requestBody: z.optional(z.object({ required: z.boolean(), content: z.record(z.string(), z.unknown()) })),
  responses: z.record(
    z.string().check(z.regex(/^[2-5]\d\d$/)),
    z.union([Reference, z.looseObject({ description: z.string() })]),
  ),
})
const Document = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.literal(version) }),
  paths: z.record(z.string(), z.record(z.string().check(z.regex(/^(get|post|patch|delete)$/)), Operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.object({ bearer: z.object({ type: z.literal('http'), scheme: z.literal('bearer') }) }),
  }),
})
const { paths, components } = z.parse(Document, document)

const operationOf = (operationId: string) => {
  const listedOperations = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find((operation) => operation.operationId === operationId)
  if (listedOperations === undefined) throw new Error(`there is no operation ${operationId}`)
  return listedOperations
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const withComponents = (schema: object) => ajv.compile({ ...schema, components })

const walk = (node: unknown, visit: (node: Record<string, unknown>) => void): void => {
  if (typeof node !== 'object' || node === null) return
  // Whatever is an object here has text for keys: it came from JSON.
  if (!Array.isArray(node)) visit(node as Record<string, unknown>)
  for (const child of Object.values(node)) walk(child, visit)
}

const resolve = (reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key.replace('~1', '/')], document)

test('every route appears once, under its operation id', () => {
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId))
  expect(ids.sort()).toEqual(describedRoutes.map(({ operation }) => operation).sort())
  for (const { operation, endpoint } of describedRoutes) {
    const { method, path, status } = endpoint.contract
    const described = paths[path]?.[method.toLowerCase()]
    expect(described?.operationId).toBe(operation)
    expect(Object.keys(described?.responses ?? {})).toEqual(expect.arrayContaining([`${status}`, '429', '500']))
  }
})

test('"Schedule a post" is the first operation of its group, and creating comes before deleting in every group', () => {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const inGroup = (group: string) =>
    operations.filter(({ tags }) => tags[0] === group).map(({ operationId }) => operationId.split('.')[1])
  const posts = [
    ...['schedule', 'publishNow', 'validate', 'list', 'calendar', 'get', 'update', 'delete', 'reschedule', 'cancel'],
    ...['listAttempts', 'listDeliveries', 'scheduleThread', 'publishThreadNow', 'xCapUsage', 'getStatistics'],
  ]
  expect(inGroup('posts').slice(0, posts.length)).toEqual(posts)
  for (const group of ['drafts', 'webhooks', 'workspaces']) {
    expect(inGroup(group).slice(0, 5), group).toEqual(['create', 'list', 'get', 'update', 'delete'])
  }
})

test('every reference resolves', () => {
  const references: string[] = []
  walk(document, ({ $ref }) => {
    if (typeof $ref === 'string') references.push($ref)
  })
  expect(references.length).toBeGreaterThan(100)
  expect(references.filter((reference) => resolve(reference) === undefined)).toEqual([])
})

test('no schema contains inline parts, and none is unused', () => {
  const text = JSON.stringify(document)
  walk(document, (node) => expect(node).not.toHaveProperty('$defs'))
  for (const name of Object.keys(components.schemas)) expect(text).toContain(`"#/components/schemas/${name}"`)
})

test('every path parameter is described', () => {
  for (const [path, item] of Object.entries(paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const operation of Object.values(item)) {
      const described = operation.parameters.flatMap((each) => ('in' in each && each.in === 'path' ? [each.name] : []))
      expect(described, path).toEqual(names)
    }
  }
})

test('integers have integer defaults', () => {
  const defaults: unknown[] = []
  walk(document, (node) => {
    if (node['type'] === 'integer' && 'default' in node) defaults.push(node['default'])
  })
  expect(defaults.length).toBeGreaterThan(0)
  expect(defaults.filter((value) => !Number.isInteger(value))).toEqual([])
})

test('inputs and errors of a route follow from its contract', () => {
  const schedule = operationOf('posts.schedule')
  expect(schedule.security).toEqual([{ bearer: ['posts:schedule'], workspace: [] }])
  expect(schedule.parameters).toEqual(expect.arrayContaining([{ $ref: '#/components/parameters/Idempotency-Key' }]))
  expect(Object.keys(schedule.responses)).toEqual(
    expect.arrayContaining(['201', '400', '401', '402', '403', '413', '422', '429', '500']),
  )
  expect(Object.keys(operationOf('posts.cancel').responses)).toEqual(expect.arrayContaining(['200', '404', '409']))
  const health = operationOf('meta.health')
  expect(health.security).toEqual([])
  expect(Object.keys(health.responses)).toEqual(['200', '400', '429', '500', '503'])
  expect(operationOf('workspaces.get').responses).not.toHaveProperty('402')
})

test('the reference asks for the workspace once, and sends no optional header that was left empty', () => {
  expect(resolve('#/components/securitySchemes/workspace')).toMatchObject({ in: 'header', name: 'X-Workspace-Id' })
  expect(JSON.stringify(document)).not.toContain('#/components/parameters/X-Workspace-Id')
  for (const name of ['If-Match', 'If-None-Match', 'Idempotency-Key', 'X-Request-Id']) {
    expect(JSON.stringify(resolve(`#/components/parameters/${name}`)), name).not.toContain('"example')
  }
})

test('each operation names its rate limit and, if it needs the table, the 503', () => {
  const rateLimitDocs = (operationId: string) => {
    const { description, responses } = operationOf(operationId)
    return [description?.split('\n\n').at(-1), '503' in responses, JSON.stringify(responses).includes('X-RateLimit')]
  }
  const about = (name: string, calls: number, seconds: number) =>
    `Counts against the rate limit \`${name}\`: about ${calls} calls in ${seconds} seconds.`
  expect(rateLimitDocs('posts.schedule')).toEqual([about('general', 100, 60), true, true])
  expect(rateLimitDocs('auth.signIn')).toEqual([about('auth', 20, 900), true, true])
  expect(rateLimitDocs('meta.health')).toEqual(['Is not counted against a rate limit.', true, false])
})

test('versioned objects describe their ETag, accept If-Match, and return 412 with the current ETag', () => {
  const inHeader = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } })
  for (const operation of ['drafts.create', 'drafts.get', 'drafts.update']) {
    const { responses } = operationOf(operation)
    expect(responses['200'] ?? responses['201']).toMatchObject({ headers: inHeader('ETag') })
  }
  for (const operation of ['drafts.update', 'drafts.delete']) {
    const { parameters, responses } = operationOf(operation)
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/If-Match' })
    expect(responses['412']).toEqual({ $ref: '#/components/responses/draft_changed' })
  }
  expect(resolve('#/components/responses/draft_changed')).toMatchObject({ headers: inHeader('ETag') })
  expect(JSON.stringify(operationOf('drafts.list').responses)).not.toContain('ETag')
})

test('each operation lists its error codes by status, each with an example that matches its schema', () => {
  const Answer = z.object({
    content: z.object({
      'application/json': z.object({ schema: z.looseObject({}), examples: z.record(z.string(), Reference) }),
    }),
  })
  const cancel = operationOf('posts.cancel').responses
  const answerOf = (status: string) => {
    const response = cancel[status]
    return z.parse(Answer, response && '$ref' in response ? resolve(String(response.$ref)) : response)
  }
  expect(Object.keys(answerOf('409').content['application/json'].examples)).toEqual([
    'publish_in_progress',
    'concurrent_update',
    'newer_release',
  ])
  expect(Object.keys(answerOf('404').content['application/json'].examples)).toEqual(['post_not_found'])
  const answers = Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        Number(status) < 400 || '$ref' in response ? [] : [{ operationId, status, response }],
      ),
    )
  expect(answers.length).toBeGreaterThan(90)
  for (const { operationId, status, response } of answers) {
    const { schema, examples } = z.parse(Answer, response).content['application/json']
    const takes = withComponents(schema)
    for (const [code, { $ref }] of Object.entries(examples)) {
      const { value } = z.parse(z.object({ value: z.looseObject({ code: z.literal(code) }) }), resolve($ref))
      expect([takes(value), takes.errors], `${operationId} ${status}`).toEqual([true, null])
    }
    expect(takes({ success: false, error: 'Unheard of.', code: 'unheard_of' }), `${operationId} ${status}`).toBe(false)
  }
})

test('every named schema has an example that it accepts', () => {
  /** Schemas that no example of an operation shows: errors, which have their own examples, and failures of posts. */
  const unshown = ['FieldIssue', 'PostAttemptFailure', 'PostFailure', 'SubscriptionRequired', 'Success']
  const schemas = Object.entries(z.parse(z.record(z.string(), z.looseObject({})), components.schemas))
  expect(schemas.flatMap(([name, { examples }]) => (examples === undefined ? [name] : [])).sort()).toEqual(unshown)
  for (const [name, { examples }] of schemas) {
    if (!Array.isArray(examples)) continue
    const takes = withComponents({ $ref: `#/components/schemas/${name}` })
    for (const example of examples) expect([takes(example), takes.errors], name).toEqual([true, null])
  }
})

test('webhook payloads are described by type, with an example that matches the schema', () => {
  const Sent = z.object({
    summary: z.string(),
    requestBody: z.object({
      content: z.object({ 'application/json': z.object({ schema: z.looseObject({}), example: z.looseObject({}) }) }),
    }),
  })
  const { webhooks } = z.parse(z.object({ webhooks: z.record(z.string(), z.object({ post: Sent })) }), document)
  expect(Object.keys(webhooks)).toEqual([...eventTypes])
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { schema, example } = post.requestBody.content['application/json']
    const takes = ajv.compile(schema)
    expect([takes(example), takes.errors], type).toEqual([true, null])
    expect(takes({ ...example, type: 'post.unknown' })).toBe(false)
    expect(takes({ ...example, data: {} })).toBe(false)
  }
})
