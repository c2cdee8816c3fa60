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

const makeDraft = async () => (await kit.api.drafts.create({ body: { content: 'A draft' } })).id
const remaining = async () => (await kit.api.drafts.list({ query: {} })).total

const answering = async (answer: { action: 'accept' | 'decline' | 'cancel'; content?: { confirm: boolean } }) => {
  const prompts: string[] = []
  const client = await mcpClient(kit, token, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler('elicitation/create', ({ params }) => {
    prompts.push(params.message)
    return answer
  })
  return { client, prompts }
}

test('a client with elicitation confirms the deletion of a draft', async () => {
  const id = await makeDraft()
  const { client, prompts } = await answering({ action: 'accept', content: { confirm: true } })
  expect((await callTool(client, 'delete_draft', { id })).data).toEqual({ id, deleted: true })
  expect(prompts).toEqual([`Delete the draft ${id}? It cannot be restored.`])
})

test.each([
  { action: 'decline' },
  { action: 'cancel' },
  { action: 'accept', content: { confirm: false } },
] as const)('nothing is deleted after the answer %j', async (answer) => {
  const id = await makeDraft()
  const before = await remaining()
  const { client, prompts } = await answering(answer)
  const { error } = await callTool(client, 'delete_draft', { id })
  expect(error).toMatch(/did not confirm/)
  expect(prompts).toHaveLength(1)
  expect(await remaining()).toBe(before)
})

test('the question shows what would be published', async () => {
  const { client, prompts } = await answering({ action: 'decline' })
  const post = {
    socialAccountIds: [kit.accounts.bluesky],
    content: 'The last rolls are out.',
    idempotencyKey: 'ask-now-1',
  }
  expect((await callTool(client, 'publish_post_now', post)).error).toMatch(/did not confirm/)
  expect(prompts).toEqual(['Publish now: "The last rolls are out."?'])
})

test('the question about a live post says that it changes, or goes, in public', async () => {
  const { client, prompts } = await answering({ action: 'decline' })
  const id = 'pst_1'
  await callTool(client, 'delete_post', { id, live: 'true' })
  await callTool(client, 'delete_post', { id })
  await callTool(client, 'update_post', { id, live: 'true', content: 'Open until six.' })
  expect(prompts).toEqual([
    'Delete the live post pst_1 at its platform, for everyone? It cannot be restored.',
    'Delete the record of the post pst_1? It cannot be restored. A published post stays on its platform.',
    'Change the live post pst_1 at its platform, in public, to: "Open until six."?',
  ])
  await callTool(client, 'update_post', { id, content: 'Open until six.' })
  expect(prompts).toHaveLength(3)
})

test('reading and scheduling need no confirmation, and neither does a call without its scope', async () => {
  const { client, prompts } = await answering({ action: 'decline' })
  await callTool(client, 'list_drafts')
  await callTool(client, 'create_draft', { content: 'x', idempotencyKey: 'no-question' })
  expect(prompts).toEqual([])
})

test('a client without elicitation, and one of an earlier revision, are served without confirmation', async () => {
  for (const wishes of [{}, { mode: 'legacy' as const, capabilities: { elicitation: {} } }]) {
    const client = await mcpClient(kit, token, wishes)
    expect((await callTool(client, 'delete_draft', { id: await makeDraft() })).data).toMatchObject({ deleted: true })
  }
})
