import { afterAll, beforeAll, expect, test } from 'vitest'
import { tools } from '../../functions/tools.ts'
import type { AuditAction } from '../../shared/audit/actions.ts'
import { addedDuring } from '../audit/trail.ts'
import { type Kit, start } from '../support/start.ts'
import { makeStepRecorder, tripsOf } from '../support/world/round-trips.ts'
import { happyArguments, happyTool } from '../support/world/tool-calls.ts'
import { connectedAssistant } from './assistant.ts'

const recorder = makeStepRecorder()
let kit: Kit
let token: string
beforeAll(async () => {
  kit = await start({ observe: recorder.observe })
  recorder.readTimeFrom(kit.clock)
  token = (await connectedAssistant(kit)).token
})
afterAll(() => kit.close())

/** What each tool adds to the audit trail; a tool that is not here changes nothing but a link or a count. */
const recorded: Readonly<Record<string, AuditAction>> = {
  cancel_post: 'post.cancelled',
  create_draft: 'draft.created',
  create_memory: 'memory.created',
  delete_draft: 'draft.deleted',
  delete_memory: 'memory.deleted',
  delete_post: 'post.deleted',
  publish_post_now: 'post.created',
  publish_thread_now: 'post.created',
  reschedule_post: 'post.updated',
  schedule_post: 'post.created',
  schedule_posts: 'post.created',
  schedule_thread: 'post.created',
  update_draft: 'draft.updated',
  update_post: 'post.updated',
  upload_media: 'media.created',
}

test('every change by a tool is in the audit trail with its client; every call is one line of the log', async () => {
  const logged: Record<string, string> = {}
  for (const name of Object.keys(tools)) {
    const sent = await happyArguments(name, kit)
    const lines = kit.logged.length
    const added = await addedDuring(kit, () => happyTool(kit, token, name, sent))
    const [entry, ...more] = added
    expect(more, name).toEqual([])
    if (entry !== undefined) {
      logged[name] = entry.action
      expect(entry.actor.credential, name).toEqual({
        type: 'assistant',
        id: expect.stringMatching(/^\w{20}$/),
        client: 'Desk assistant',
      })
      expect(entry.actor, name).toMatchObject({
        userId: kit.user.id,
        ip: '127.0.0.1',
        requestId: expect.stringMatching(/^[\w-]{15}=$/),
      })
    }
    const callLines = kit.logged.slice(lines).filter((line) => line.includes('assistant called a tool'))
    expect(callLines, name).toHaveLength(1)
    expect(JSON.parse(callLines[0] ?? '{}'), name).toMatchObject({
      tool: name,
      code: 'ok',
      workspaceId: kit.workspaceId,
    })
  }
  expect(logged).toEqual(recorded)
})

test('the owner reads the entry of an assistant, with its name', async () => {
  const { items } = await kit.sessionApi.workspaces.listAudit({
    params: { id: kit.workspaceId },
    query: { action: 'draft.created' },
  })
  expect(items[0]).toMatchObject({ credential: { type: 'assistant', client: 'Desk assistant' } })
})

test('a call of a tool costs one round trip more than its operation, and none more for its limits and its entry', async () => {
  const limited = await connectedAssistant(kit, {
    fields: { posts_per_day: '9', quiet_from: '01:00', quiet_to: '02:00' },
  })
  const trips = async (name: string) => {
    const sent = await happyArguments(name, kit)
    kit.clock.pass(1_000)
    const steps = await recorder.during(() => happyTool(kit, limited.token, name, sent))
    return tripsOf(steps, 'oauth-mcp', { counted: true })
  }
  // The use of the connection is stored once a day.
  await trips('get_workspace')
  expect(await trips('get_workspace')).toBe('BatchGetItem + count')
  expect(await trips('get_post')).toBe('BatchGetItem + count | BatchGetItem')
  expect(await trips('schedule_post')).toBe(
    'BatchGetItem + count | BatchGetItem | TransactWriteItems | CreateSchedule + PutItem + PutItem + SendMessage',
  )
  expect(await trips('create_draft')).toBe('BatchGetItem + count | BatchGetItem | TransactWriteItems')
  expect(await trips('get_platform_rules')).toBe('BatchGetItem + count')
})
