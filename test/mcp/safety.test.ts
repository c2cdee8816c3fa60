import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { callTool, connectedAssistant, mcpClient } from './assistant.ts'

let kit: Kit
beforeAll(async () => {
  // Noon in UTC; the workspace of the seed has the time zone UTC.
  kit = await start({ startMs: Date.UTC(2030, 0, 1, 12) })
})
afterAll(() => kit.close())

const clientWith = async (fields: Record<string, string>) =>
  mcpClient(kit, (await connectedAssistant(kit, { fields })).token)

const at = (ms: number) => new Date(ms).toISOString()
const postAt = (ms: number, key: string) => ({
  socialAccountIds: [kit.accounts.bluesky],
  content: `Post ${key}`,
  scheduledAt: at(ms),
  idempotencyKey: `safety-${key}`,
})

test('a budget holds for schedules, publications, and threads, and is new on the next day', async () => {
  const client = await clientWith({ posts_per_day: '3' })
  const due = kit.clock.now() + 40 * hourMs
  const two = { ...postAt(due, 'two'), socialAccountIds: [kit.accounts.bluesky, kit.accounts.discord] }
  const discord = { metadata: { discord: { channelId: '1300000000000000101' } } }
  const first = await callTool(client, 'schedule_post', { ...two, ...discord })
  expect(first.error).toBeUndefined()
  const more = await callTool(client, 'schedule_post', { ...two, ...discord, idempotencyKey: 'safety-more-than-left' })
  expect(more.error).toMatch(
    /at most 3 posts a day, and fewer than 2 are left\. Continue after 2030-01-02T00:00:00\.000Z/,
  )
  expect(more.details).toMatchObject({ code: 'assistant_budget_used', fix: expect.stringContaining('next day') })
  const { scheduledAt: _, ...now } = postAt(due, 'last-one')
  expect((await callTool(client, 'publish_post_now', now)).error).toBeUndefined()
  expect((await callTool(client, 'publish_post_now', { ...now, idempotencyKey: 'safety-none-left' })).error).toMatch(
    /fewer than 1 are left/,
  )
  // A repeat takes nothing, and neither does what was refused.
  expect((await callTool(client, 'publish_post_now', now)).error).toBeUndefined()
  expect(
    (await callTool(client, 'create_draft', { content: 'x', idempotencyKey: 'safety-draft' })).error,
  ).toBeUndefined()
  // Other connections, and the person, have no part in it.
  expect(
    (await kit.api.posts.publishNow({ body: { socialAccountIds: [kit.accounts.bluesky], content: 'By hand' } }))[0]?.id,
  ).toBeDefined()
  await kit.service.pass(12 * hourMs, { tickMinutes: 30 })
})

test('exactly 5 of 20 concurrent posts are created with a budget of 5', async () => {
  const client = await clientWith({ posts_per_day: '5' })
  const before = (await kit.api.posts.list({ query: { limit: 1 } })).total
  const due = kit.clock.now() + 50 * hourMs
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) => callTool(client, 'schedule_post', postAt(due, `race-${n}`))),
  )
  expect(results.filter(({ error }) => error === undefined)).toHaveLength(5)
  for (const { error, details } of results.filter(({ error }) => error !== undefined)) {
    expect([details['code'], error]).toEqual([
      'assistant_budget_used',
      expect.stringContaining('at most 5 posts a day'),
    ])
  }
  expect((await kit.api.posts.list({ query: { limit: 1 } })).total).toBe(before + 5)
})

test('a repeated request at the end of a budget returns the first result, also at the same moment', async () => {
  const client = await clientWith({ posts_per_day: '1' })
  const post = postAt(kit.clock.now() + 51 * hourMs, 'same-key')
  const results = await Promise.all([1, 2, 3].map(() => callTool(client, 'schedule_post', post)))
  const ids = results.map(({ data }) => JSON.stringify(data['items']))
  expect(new Set(ids).size).toBe(1)
  expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
})

test('an assistant whose budget is used up rewrites no scheduled post', async () => {
  const client = await clientWith({ posts_per_day: '2' })
  const due = kit.clock.now() + 52 * hourMs
  const { idempotencyKey: _, ...body } = postAt(due, 'by a person')
  const [post] = await kit.api.posts.schedule({ body })
  const { id = '' } = post ?? {}
  const rewrite = (content: string) => callTool(client, 'update_post', { id, content })
  const shown = async () => (await kit.api.posts.get({ params: { id } })).content
  expect((await rewrite('First')).error).toBeUndefined()
  // The same text again is no change.
  expect((await rewrite('First')).error).toBeUndefined()
  // Moving a post or naming it does not rewrite it.
  expect((await callTool(client, 'reschedule_post', { id, scheduledAt: at(due + hourMs) })).error).toBeUndefined()
  const both = await Promise.all([rewrite('Second'), rewrite('Third')])
  expect(both.filter(({ error }) => error === undefined)).toHaveLength(1)
  const last = await shown()
  const refused = await rewrite('Fourth')
  expect(refused.details['code']).toBe('assistant_budget_used')
  expect(refused.error).toMatch(/creates, rewrites, or removes at most 2 posts a day, and fewer than 1 are left\./)
  expect(await shown()).toBe(last)
  const more = await callTool(client, 'schedule_post', postAt(due, 'after-rewriting'))
  expect(more.details['code']).toBe('assistant_budget_used')
  expect((await kit.api.posts.update({ params: { id }, body: { content: 'By the person' } })).content).toBe(
    'By the person',
  )
})

test('an assistant whose budget is used up removes no live post', async () => {
  const client = await clientWith({ posts_per_day: '1' })
  const { idempotencyKey: _, scheduledAt: __, ...body } = postAt(0, 'live')
  const made = [await kit.api.posts.publishNow({ body }), await kit.api.posts.publishNow({ body })].flat()
  await kit.service.pass(minuteMs)
  const remove = (id = '') => callTool(client, 'delete_post', { id, live: 'true' })
  const [first, second] = made
  expect((await remove(first?.id)).data).toMatchObject({ liveDeletion: 'pending' })
  // The same deletion again is none.
  expect((await remove(first?.id)).error).toBeUndefined()
  expect((await remove(second?.id)).details['code']).toBe('assistant_budget_used')
  await kit.service.pass(minuteMs)
  const live = await Promise.all(made.map(({ id }) => kit.api.posts.get({ params: { id } })))
  expect(live.map(({ liveDeletedAt }) => liveDeletedAt !== null)).toEqual([true, false])
})

test('in quiet hours nothing is published, and the result says when it can be', async () => {
  const client = await clientWith({ quiet_from: '22:00', quiet_to: '07:30' })
  const day = Date.UTC(2030, 0, 3)
  const schedule = (hour: number, key: string) => callTool(client, 'schedule_post', postAt(day + hour * hourMs, key))
  for (const [hour, key] of [
    [22, 'start'],
    [23.99, 'late'],
    [24, 'midnight'],
    [31.49, 'end'],
  ] as const) {
    const { error, details } = await schedule(hour, `quiet-${key}`)
    expect(error, key).toMatch(/from 22:00 to 07:30 \(UTC\)\. Schedule it for 2030-01-04T07:30:00\.000Z or later\./)
    expect(details, key).toMatchObject({ code: 'assistant_quiet_hours', nextAllowedAt: '2030-01-04T07:30:00.000Z' })
  }
  const allowed = await schedule(21.99, 'quiet-before')
  expect(allowed.error).toBeUndefined()
  expect((await schedule(31.5, 'quiet-after')).error).toBeUndefined()
  const [post] = allowed.data['items'] as { id: string }[]
  const moved = await callTool(client, 'reschedule_post', { id: post?.id, scheduledAt: at(day + 23 * hourMs) })
  expect(moved.details['code']).toBe('assistant_quiet_hours')
  const patched = await callTool(client, 'update_post', { id: post?.id, scheduledAt: at(day + 23 * hourMs) })
  expect(patched.details['code']).toBe('assistant_quiet_hours')
  expect((await callTool(client, 'update_post', { id: post?.id, content: 'Another text' })).error).toBeUndefined()
  await kit.service.pass(day - 1 * hourMs - kit.clock.now(), { tickMinutes: 30 })
  const { scheduledAt: _, ...now } = postAt(0, 'quiet-now')
  const later = await clientWith({ quiet_from: '22:00', quiet_to: '07:30' })
  expect((await callTool(later, 'publish_post_now', now)).details['code']).toBe('assistant_quiet_hours')
}, 60_000)

test('an assistant that may only write drafts changes nothing else', async () => {
  const client = await clientWith({ drafts_only: 'on' })
  const [post] = await kit.api.posts.schedule({
    body: {
      socialAccountIds: [kit.accounts.bluesky],
      content: 'By hand',
      scheduledAt: at(kit.clock.now() + 60 * hourMs),
    },
  })
  const { scheduledAt, ...now } = postAt(kit.clock.now() + 60 * hourMs, 'drafts-only')
  const id = post?.id
  const calls: [string, Record<string, unknown>][] = [
    ['schedule_post', { ...now, scheduledAt }],
    ['schedule_posts', { posts: [{ ...now, scheduledAt }], idempotencyKey: 'drafts-only-rows' }],
    ['schedule_thread', { ...now, scheduledAt }],
    ['publish_thread_now', now],
    ['create_memory', { collectionId: 'x', content: 'y', idempotencyKey: 'drafts-only-memory' }],
    ['delete_memory', { id: 'x' }],
    ['connect_account', { platform: 'x', idempotencyKey: 'drafts-only-connect' }],
    ['publish_post_now', now],
    ['reschedule_post', { id, scheduledAt }],
    ['update_post', { id, content: 'Changed' }],
    ['cancel_post', { id }],
    ['delete_post', { id }],
  ]
  for (const [name, sent] of calls) {
    const { error, details } = await callTool(client, name, sent)
    expect(error, name).toBe('This connection may only write drafts. Save a draft, and leave the rest to the person.')
    expect(details, name).toMatchObject({ code: 'assistant_drafts_only' })
  }
  expect(await kit.api.posts.get({ params: { id: id ?? '' } })).toMatchObject({
    status: 'scheduled',
    content: 'By hand',
  })
  const draft = await callTool(client, 'create_draft', { content: 'A draft', idempotencyKey: 'drafts-only-1' })
  const changed = await callTool(client, 'update_draft', { id: draft.data['id'], content: 'Better', ifVersion: 1 })
  expect(changed.data).toMatchObject({ content: 'Better', version: 2 })
  const stale = await callTool(client, 'update_draft', { id: draft.data['id'], content: 'Worse', ifVersion: 1 })
  expect(stale.details['code']).toBe('draft_changed')
  expect((await callTool(client, 'delete_draft', { id: draft.data['id'] })).error).toBeUndefined()
})
