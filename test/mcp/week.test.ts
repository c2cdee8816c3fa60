import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { dayMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { callTool, connectedAssistant, mcpClient } from './assistant.ts'

const zone = 'Europe/Berlin'
const Outcome = z.object({
  row: z.number(),
  made: z.optional(z.array(z.object({ id: z.string(), plannedAt: z.string() }))),
  error: z.optional(z.looseObject({ error: z.string(), code: z.string(), field: z.optional(z.string()) })),
})
const Outcomes = z.strictObject({ items: z.array(Outcome), refused: z.number() })

let kit: Kit
let client: Awaited<ReturnType<typeof mcpClient>>
beforeAll(async () => {
  kit = await start({ startMs: Date.UTC(2030, 2, 25, 12) })
  const headers = { authorization: `Bearer ${kit.sessionToken}`, 'x-workspace-id': kit.workspaceId }
  const changed = await fetch(`${kit.url}/api/workspaces/${kit.workspaceId}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ timezone: zone }),
  })
  expect(changed.status).toBe(200)
})
beforeEach(async () => {
  client = await mcpClient(kit, (await connectedAssistant(kit)).token)
})
afterAll(() => kit.close())

const scheduleAll = async (posts: unknown, idempotencyKey: string) => {
  const { data, error, details } = await callTool(client, 'schedule_posts', { posts, idempotencyKey })
  return error === undefined ? { ...z.parse(Outcomes, data), details } : { items: [], refused: 0, error, details }
}
const total = async () => (await kit.api.posts.list({ query: { limit: 1 } })).total

test('a week of twenty posts is planned in three calls, in times of the workspace, and not twice by a repeat', async () => {
  const { data: workspace } = await callTool(client, 'get_workspace')
  expect(workspace).toMatchObject({ timezone: zone, localTime: expect.stringMatching(/\+01:00$/) })
  const { data: accounts } = await callTool(client, 'list_accounts')
  const listed = z.parse(z.array(z.object({ id: z.string(), providerId: z.string() })), accounts['items'])
  const socialAccountIds = listed.filter(({ providerId }) => providerId === 'bluesky').map(({ id }) => id)
  // The clocks are set forward on the last day but one.
  const posts = Array.from({ length: 20 }, (_, n) => ({
    socialAccountIds,
    content: `Loaf of the day, number ${n}`,
    scheduledAt: `2030-03-${26 + Math.floor(n / 4)}T${10 + (n % 4)}:30`,
  }))
  const before = await total()
  const planned = await scheduleAll(posts, 'week-of-loaves')
  expect(planned.items.filter(({ error }) => error)).toEqual([])
  expect(planned.refused).toBe(0)
  expect(planned.items.map(({ row, made }) => [row, made?.map(({ plannedAt }) => plannedAt)])).toEqual(
    posts.map(({ scheduledAt }, n) => {
      const offset = scheduledAt < '2030-03-31' ? '+01:00' : '+02:00'
      return [n + 1, [new Date(`${scheduledAt}${offset}`).toISOString()]]
    }),
  )
  expect(await total()).toBe(before + 20)
  expect(await scheduleAll(posts, 'week-of-loaves')).toEqual(planned)
  expect(await total()).toBe(before + 20)
  const ids = planned.items.flatMap(({ made = [] }) => made.map(({ id }) => id))
  const inOrder = await callTool(client, 'list_posts', {
    sort: 'scheduledAt',
    from: '2030-03-26T00:00',
    to: '2030-03-31',
  })
  expect(inOrder.details['code']).toBe('invalid_input')
  const week = { sort: 'scheduledAt', order: 'asc', from: '2030-03-26T00:00', to: '2030-04-01T00:00', limit: 50 }
  const { data: calendar } = await callTool(client, 'list_posts', week)
  expect(z.parse(z.array(z.looseObject({ id: z.string() })), calendar['items']).map(({ id }) => id)).toEqual(ids)
})

test('each row is accepted or refused alone, and a corrected one is sent again under another key', async () => {
  const good = { socialAccountIds: [kit.accounts.bluesky], content: 'Good', scheduledAt: '2030-04-02T09:00:00Z' }
  const { items, refused } = await scheduleAll(
    [
      { ...good, content: 'long '.repeat(80) },
      good,
      { ...good, scheduledAt: '2030-03-31T02:30' },
      { ...good, scheduledAt: '2030-02-30 09:00', content: 7 },
      { ...good, socialAccountIds: ['acc_unknown'] },
      {},
    ],
    'rows-of-each-kind',
  )
  expect(refused).toBe(5)
  expect(items.map(({ made, error }) => made?.length ?? error?.code)).toEqual([
    ...['content_length', 1, 'invalid_input', 'invalid_input', 'account_not_found', 'invalid_input'],
  ])
  expect(items[2]?.error).toMatchObject({
    field: 'scheduledAt',
    error: expect.stringContaining(`that the clocks of the workspace (${zone}) do not show: 2030-03-31T02:30`),
    fix: expect.any(String),
  })
  expect(items[3]?.error?.['issues']).toMatchObject([{ field: 'scheduledAt' }, { field: 'content' }])
  const corrected = await scheduleAll([{ ...good, content: 'Short' }], 'rows-corrected')
  expect(corrected).toMatchObject({ refused: 0, items: [{ row: 1, made: [{ id: expect.any(String) }] }] })
})

test.each([
  ['no list', { content: 'x' }],
  ['an empty list', []],
  ['a list of 26', Array.from({ length: 26 }, () => ({}))],
  ['a text in the list', ['x']],
  ['nothing', null],
])('input other than a list of 1 to 25 posts is refused as a whole: %s', async (_, posts) => {
  const before = await total()
  const { error, details } = await scheduleAll(posts, 'no-list-of-posts')
  expect(error).toBe('"posts" must be a list of 1 to 25 objects.')
  expect(details).toMatchObject({ code: 'invalid_input', field: 'posts' })
  expect(await total()).toBe(before)
})

test('without a key, or with an argument in addition to the list, nothing is scheduled', async () => {
  const posts = [{ socialAccountIds: [kit.accounts.bluesky], content: 'x', scheduledAt: '2030-04-02T10:00' }]
  const before = await total()
  const { details } = await callTool(client, 'schedule_posts', { posts, content: 'x' })
  expect(details['issues']).toMatchObject([{ field: 'idempotencyKey' }, { field: 'content' }])
  expect(await total()).toBe(before)
})

test('the limits of a connection hold for each row', async () => {
  const fields = { posts_per_day: '2', quiet_from: '22:00', quiet_to: '07:00' }
  client = await mcpClient(kit, (await connectedAssistant(kit, { fields })).token)
  const at = (time: string) => ({
    socialAccountIds: [kit.accounts.bluesky],
    content: `At ${time}`,
    scheduledAt: `2030-04-03T${time}`,
  })
  const { items } = await scheduleAll(['23:00', '09:00', '10:00', '11:00'].map(at), 'rows-within-limits')
  expect(items.map(({ made, error }) => made?.length ?? error?.code)).toEqual([
    ...['assistant_quiet_hours', 1, 1, 'assistant_budget_used'],
  ])
})

test('a call that ended in the middle is completed by its repeat', async () => {
  const posts = [1, 2, 3].map((n) => ({
    socialAccountIds: [kit.accounts.bluesky],
    content: `Part ${n}`,
    scheduledAt: '2030-04-05T09:00',
  }))
  const first = await scheduleAll(posts.slice(0, 2), 'rows-in-two-parts')
  await kit.service.pass(1_000)
  const whole = await scheduleAll(posts, 'rows-in-two-parts')
  expect(whole.items.slice(0, 2)).toEqual(first.items)
  expect([whole.items.length, whole.refused]).toEqual([3, 0])
  await kit.service.pass(12 * dayMs, { tickMinutes: 240 })
  expect(kit.platforms.published().filter(({ text }) => text.startsWith('Part'))).toHaveLength(3)
}, 60_000)
