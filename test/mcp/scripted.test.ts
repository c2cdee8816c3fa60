import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { start } from '../support/start.ts'
import { callTool, connectedAssistant, mcpClient } from './assistant.ts'

test('a scripted assistant finds accounts, validates, drafts, schedules, and reads the outcome', async () => {
  const kit = await start()
  const client = await mcpClient(kit, (await connectedAssistant(kit)).token)
  const accounts = (await callTool(client, 'list_accounts')).data['items'] as { id: string; providerId: string }[]
  const bluesky = accounts.find(({ providerId }) => providerId === 'bluesky')
  const rules = await callTool(client, 'get_platform_rules', { platform: 'bluesky' })
  expect(rules.data).toMatchObject({ id: 'bluesky', text: { measures: expect.any(Array) } })

  const tooLong = { socialAccountIds: [bluesky?.id], content: 'long '.repeat(80) }
  const refused = await callTool(client, 'validate_post', tooLong)
  expect(refused.data).toMatchObject({ valid: false })
  const post = { ...tooLong, content: 'The bakery opens at seven.' }
  expect((await callTool(client, 'validate_post', post)).data).toMatchObject({ valid: true })

  const draft = await callTool(client, 'create_draft', { ...post, idempotencyKey: 'script-draft' })
  expect((await callTool(client, 'get_draft', { id: draft.data['id'] })).data).toMatchObject({ content: post.content })

  const scheduledAt = new Date(kit.clock.now() + hourMs).toISOString()
  const sent = { ...post, scheduledAt, idempotencyKey: 'script-post' }
  const scheduled = await callTool(client, 'schedule_post', sent)
  const [{ id } = { id: '' }] = scheduled.data['items'] as { id: string }[]
  expect((await callTool(client, 'schedule_post', sent)).data).toEqual(scheduled.data)
  expect((await callTool(client, 'get_post', { id })).data).toMatchObject({ status: 'scheduled' })

  await kit.service.pass(hourMs + minuteMs)
  const fresh = await mcpClient(kit, (await connectedAssistant(kit)).token)
  const outcome = await callTool(fresh, 'get_post', { id })
  expect(outcome.data).toMatchObject({ status: 'published', publishedPostUrl: expect.stringContaining('http') })
  const attempts = await callTool(fresh, 'get_post_attempts', { id })
  expect(JSON.stringify(attempts.data)).toContain('published')
  expect((await callTool(fresh, 'delete_draft', { id: draft.data['id'] })).data).toMatchObject({ deleted: true })
}, 60_000)
