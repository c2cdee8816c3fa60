import { Ajv2020 } from 'ajv/dist/2020.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { tools } from '../../functions/tools.ts'
import { toolEntries } from '../../infra/openapi/tools.ts'
import { assistantScopes } from '../../shared/oauth/scopes.ts'
import { mapTexts, replaceAll } from '../openapi/values.ts'
import { prepare } from '../openapi/world.ts'
import { type Kit, start } from '../support/start.ts'
import { callTool, connectedAssistant, mcpClient } from './assistant.ts'

let kit: Kit
let token: string
beforeAll(async () => {
  kit = await start({ startMs: Date.parse('2026-12-01T09:00:00Z') })
  token = (await connectedAssistant(kit)).token
})
afterAll(() => kit.close())

const entries = toolEntries()
const validator = new Ajv2020({ strict: false, validateFormats: false })

interface Listed {
  name: string
  title?: string
  description?: string
  inputSchema: { properties: Record<string, { description?: string }>; examples: [Record<string, unknown>] }
  outputSchema: object
  annotations: Record<string, unknown>
}
const listedOf = (entry: (typeof entries)[number]) => entry.listed as unknown as Listed

const routeOf = (name: string) => {
  const contract = tools[name]?.endpoint.contract
  const route = routes.find(({ endpoint }) => endpoint.contract === contract)
  if (route === undefined) throw new Error(`${name} calls no operation`)
  return route
}

test('the list has every tool with its description, schemas, and annotations, in the order of their names', async () => {
  const client = await mcpClient(kit, token)
  const listed = (await client.listTools()).tools
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools).sort())
  for (const { name, title, description, inputSchema, outputSchema, annotations } of listed) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/)
    expect(title, name).toMatch(/^[A-Z]/)
    expect(description?.length, name).toBeGreaterThan(12)
    expect(outputSchema?.['type'], name).toBe('object')
    expect(annotations, name).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) })
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect((schema as { description?: string }).description, `${name}.${field}`).toMatch(/\.$/)
    }
  }
})

test('the consent page requests the scopes that a tool needs, and no other', () => {
  const needed = Object.values(tools).flatMap(({ endpoint: { contract } }) => {
    const { access } = contract
    if (access.kind === 'anyone') return []
    return [access.scope, access.kind === 'workspace' ? access.orScope : undefined]
  })
  expect([...assistantScopes].sort()).toEqual([...new Set(needed.filter((scope) => scope !== undefined))].sort())
})

test('schemas are whole, small, and for any client: no references, no long patterns, no operations of HTTP', () => {
  for (const entry of entries) {
    const text = JSON.stringify(entry.listed)
    expect(text, entry.name).not.toContain('$ref')
    expect(text, entry.name).not.toMatch(/"pattern":"[^"]{80,}"/)
    const { description, inputSchema } = listedOf(entry)
    expect(JSON.stringify([description, inputSchema]), entry.name).not.toMatch(/If-Match|Idempotency-Key|ETag/)
    for (const { endpoint } of Object.values(tools)) {
      const { method, path } = endpoint.contract
      expect(text, entry.name).not.toContain(`${method} ${path}\``)
    }
  }
})

test('the whole list costs a model at most 12,000 tokens of o200k_base', async () => {
  const client = await mcpClient(kit, token)
  const { tools: listed } = await client.listTools()
  expect(listed).toHaveLength(entries.length)
  expect(countTokens(JSON.stringify(listed))).toBeLessThanOrEqual(12_000)
})

test('an assistant learns the present time, and reads no member without a value', async () => {
  const client = await mcpClient(kit, token)
  const changed = await fetch(`${kit.url}/api/workspaces/${kit.workspaceId}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${kit.sessionToken}`,
      'content-type': 'application/json',
      'x-workspace-id': kit.workspaceId,
    },
    body: JSON.stringify({ timezone: 'America/St_Johns' }),
  })
  expect(changed.status).toBe(200)
  const { data } = await callTool(client, 'get_workspace')
  const { now, localTime } = data as { now: string; localTime: string }
  expect(now).toBe(new Date(kit.clock.now()).toISOString())
  expect(localTime).toMatch(/^2026-12-01T0\d:\d\d:\d\d-03:30$/)
  expect(Date.parse(localTime)).toBe(Math.floor(Date.parse(now) / 1_000) * 1_000)
  const { content, structuredContent } = await client.callTool({ name: 'list_accounts', arguments: {} })
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
  expect(JSON.stringify([data, structuredContent])).not.toContain(':null')
})

test('no tool needs a session, a role, or another person’s token', () => {
  for (const [name, { endpoint }] of Object.entries(tools)) {
    const { access } = endpoint.contract
    if (access.kind === 'anyone') continue
    expect(access, name).toMatchObject({ kind: 'workspace', role: 'member', scope: expect.any(String) })
  }
})

test('annotations say what a tool does: reading tools write nothing, and what is removed or published is marked', () => {
  for (const entry of entries) {
    const { readOnlyHint, destructiveHint } = listedOf(entry).annotations
    const { method } = routeOf(entry.name).endpoint.contract
    if (method === 'GET') expect(readOnlyHint, entry.name).toBe(true)
    if (method === 'DELETE' || /^publish/.test(entry.name)) expect(destructiveHint, entry.name).toBe(true)
    const question = tools[entry.name]?.question
    expect(question?.({}) !== undefined, entry.name).toBe(method === 'DELETE' || /^publish/.test(entry.name))
    if ('live' in listedOf(entry).inputSchema.properties) {
      expect(question?.({ live: 'true' }), entry.name).toContain('live post')
    }
  }
})

test.each(entries.map(({ name }) => name))('%s accepts its example, and returns what it declares', async (name) => {
  const entry = entries.find((candidate) => candidate.name === name)
  if (entry === undefined) throw new Error(name)
  const { inputSchema, outputSchema } = listedOf(entry)
  const [example] = inputSchema.examples
  expect(validator.validate(inputSchema, example), JSON.stringify(validator.errors)).toBe(true)
  const { world } = await prepare(routeOf(name), kit)
  const sent = mapTexts(example, (text) => replaceAll(text, world)) as Record<string, unknown>
  const client = await mcpClient(kit, token)
  const withKey = entry.takesKey ? { ...sent, idempotencyKey: `example-of-${name}` } : sent
  const { data, error } = await callTool(client, name, withKey)
  expect(error).toBeUndefined()
  expect(validator.validate(outputSchema, data), JSON.stringify(validator.errors)).toBe(true)
  if (!entry.takesKey) return
  const again = await callTool(client, name, withKey)
  expect(again.data).toEqual(data)
})
