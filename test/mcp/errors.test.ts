import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { callTool, connectedAssistant, mcpClient } from './assistant.ts'

let kit: Kit
let token: string
beforeAll(async () => {
  kit = await start()
  token = (await connectedAssistant(kit)).token
})
afterAll(() => kit.close())

const soon = () => new Date(kit.clock.now() + 3_600_000).toISOString()

test('wrong arguments name the field, the rule, and the fix, in a result that the assistant can read', async () => {
  const client = await mcpClient(kit, token)
  const post = { socialAccountIds: [kit.accounts.bluesky], content: 'Hello', scheduledAt: soon() }
  const cases: [name: string, sent: Record<string, unknown>, field: string, text: RegExp][] = [
    ['schedule_post', post, 'idempotencyKey', /required/],
    ['schedule_post', { ...post, idempotencyKey: 'short' }, 'idempotencyKey', /too short: it must be 8 to 100/],
    ['schedule_post', { ...post, idempotencyKey: 'long-enough', contents: 'x' }, 'contents', /content/],
    ['schedule_post', { ...post, idempotencyKey: 'long-enough', scheduledAt: 'tomorrow' }, 'scheduledAt', /RFC 3339/],
    [
      'schedule_post',
      { ...post, idempotencyKey: 'long-enough', socialAccountIds: ['acc_x'] },
      'socialAccountIds',
      /list_accounts/,
    ],
    ...['0001-01-01T09:00', '0500-01-01 09:00', '9999-12-31T23:59'].map((scheduledAt): (typeof cases)[number] => [
      'schedule_post',
      { ...post, idempotencyKey: 'long-enough', scheduledAt },
      'scheduledAt',
      /must be a day from 1970-01-01 to 9998-12-31/,
    ]),
    ['list_posts', { limit: 1_000 }, 'limit', /1 to 200/],
    ['list_posts', { limit: { a: 1 } }, 'limit', /1 to 200/],
    ['list_posts', { nonsense: true }, 'nonsense', /nonsense/],
    ['get_post', { id: 'nope', more: 1 }, 'more', /more/],
    ['get_post', {}, 'id', /id/],
    ['get_post', { id: '../posts' }, 'id', /id/],
    ['get_platform_rules', { platform: 'myspace' }, 'platform', /bluesky/],
    ['update_draft', { id: 'drf_x', ifVersion: 'two' }, 'ifVersion', /whole number/],
    ['get_workspace', { id: 'ws_other' }, 'id', /id/],
  ]
  for (const [name, sent, field, text] of cases) {
    const { error, details } = await callTool(client, name, sent)
    expect(error, `${name} ${JSON.stringify(sent)}`).toMatch(text)
    expect(details, name).toMatchObject({ field, code: expect.any(String), fix: expect.any(String) })
    expect(String(details['docUrl'])).toContain('/api/docs/errors/')
  }
})

test('a post that breaks the rules of its platform is explained, and nothing is stored', async () => {
  const client = await mcpClient(kit, token)
  const sent = { socialAccountIds: [kit.accounts.bluesky], content: 'x'.repeat(301), scheduledAt: soon() }
  const checked = await callTool(client, 'validate_post', sent)
  expect(checked.data).toMatchObject({ valid: false })
  const { error, details } = await callTool(client, 'schedule_post', { ...sent, idempotencyKey: 'too-long-1' })
  expect(error).toMatch(/300/)
  expect(details['issues']).toHaveLength(1)
  expect((await callTool(client, 'list_posts')).data).toMatchObject({ total: 0 })
})

test('errors name tools instead of operations, and no tool names itself', async () => {
  const client = await mcpClient(kit, token)
  const post = { socialAccountIds: [kit.accounts.bluesky], content: 'Hello', mediaUrls: ['med_x'], scheduledAt: soon() }
  const checked = await callTool(client, 'validate_post', post)
  expect(checked.data['issues']).toMatchObject([
    { message: expect.stringMatching(/Upload a file first with upload_media/) },
  ])
  const missing = await callTool(client, 'schedule_post', { ...post, idempotencyKey: 'no-media-1' })
  expect(missing.error).toContain('Upload a file first with upload_media.')
  const stranger = { ...post, socialAccountIds: ['acc_x'] }
  expect(JSON.stringify((await callTool(client, 'validate_post', stranger)).data)).toContain('from list_accounts.')
  const content = Buffer.alloc(4_000_001).toString('base64')
  const large = { content, filename: 'a.png', idempotencyKey: 'too-large-1' }
  const { error } = await callTool(client, 'upload_media', large)
  expect(error).toMatch(/Send its public address in "mediaUrls" of a post\.$/)
})

test('all mistakes of a call are in one answer, and any tool accepts an idempotency key', async () => {
  const client = await mcpClient(kit, token)
  const wrong = { accounts: [kit.accounts.bluesky], text: 'Hello', scheduledAt: 'tomorrow', idempotencyKey: 'ab' }
  const { error, details } = await callTool(client, 'schedule_post', wrong)
  const fields = (details['issues'] as { field: string }[]).map(({ field }) => field)
  expect(fields).toEqual(
    expect.arrayContaining(['idempotencyKey', 'socialAccountIds', 'scheduledAt', 'accounts', 'text']),
  )
  expect(error).toMatch(/too short[\s\S]+socialAccountIds/)
  const idempotencyKey = 'for-every-tool-1'
  const post = { socialAccountIds: [kit.accounts.bluesky], content: 'Hello', scheduledAt: soon(), idempotencyKey }
  expect((await callTool(client, 'validate_post', post)).data).toMatchObject({ valid: true })
  const made = await callTool(client, 'schedule_post', post)
  const [{ id } = { id: '' }] = made.data['items'] as { id: string }[]
  const scheduledAt = new Date(kit.clock.now() + 7_200_000).toISOString()
  for (const name of ['reschedule_post', 'reschedule_post']) {
    expect((await callTool(client, name, { id, scheduledAt, idempotencyKey })).data).toMatchObject({ id, scheduledAt })
  }
  expect((await callTool(client, 'get_post', { id, idempotencyKey })).data).toMatchObject({ id })
  expect((await callTool(client, 'cancel_post', { id, idempotencyKey })).data).toMatchObject({ status: 'cancelled' })
})

test('a missing scope is explained, and its tools are not listed', async () => {
  const { token: reader } = await connectedAssistant(kit, { scope: 'posts:read' })
  const client = await mcpClient(kit, reader)
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('list_posts')
  expect(names).not.toContain('schedule_post')
  const { error, details } = await callTool(client, 'create_draft', { content: 'x', idempotencyKey: 'no-scope-1' })
  expect(error).toMatch(/lacks the scope "drafts:write"/)
  expect(details).toMatchObject({ code: 'insufficient_scope', fix: expect.stringContaining('connect the assistant') })
})

test('a tool, a prompt, or a resource that does not exist is an error of the protocol', async () => {
  const client = await mcpClient(kit, token)
  for (const name of ['no_tool', 'constructor', '__proto__', 'toString']) {
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/no tool/)
    await expect(client.getPrompt({ name })).rejects.toThrow(/no prompt/)
  }
  await expect(client.readResource({ uri: 'social://guides/nope' })).rejects.toThrow()
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow()
})

test('resources are the rules of the platforms and the guides; prompts are the common jobs', async () => {
  const client = await mcpClient(kit, token)
  const { resources } = await client.listResources()
  expect(resources.length).toBeGreaterThan(30)
  for (const { uri } of resources) {
    const [content] = (await client.readResource({ uri })).contents
    expect(content !== undefined && 'text' in content ? content.text.length : 0, uri).toBeGreaterThan(100)
  }
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['announce', 'explain_failures', 'plan_week'])
  const { messages } = await client.getPrompt({ name: 'announce', arguments: { news: 'We open at seven.' } })
  expect(messages).toHaveLength(1)
  expect(JSON.stringify(messages)).toContain('We open at seven.')
  await expect(client.getPrompt({ name: 'plan_week' })).rejects.toThrow(/"topic" is required/)
})
