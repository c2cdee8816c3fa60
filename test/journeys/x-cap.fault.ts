import { afterAll, beforeAll, expect, test } from 'vitest'
import { update } from '../../shared/db/table.ts'
import { capKey, monthOf } from '../../shared/posts/x-cap.ts'
import { minuteMs } from '../../shared/time.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { expectSound } from './invariants.ts'

const cap = 40
let kit: Kit
let x: string

beforeAll(async () => {
  kit = await start()
  x = await connectOn(kit, 'x')
  await update(kit.ctx, workspaces.key({ id: kit.workspaceId }), { set: { xMonthlyCap: cap } })
})

afterAll(async () => {
  await kit.service.drain()
  await expectSound(kit)
  await kit.close()
})

const at = (inMs: number) => new Date(kit.clock.now() + inMs).toISOString()
const usage = () => kit.api.posts.xCapUsage()
const postOf = (content: string, inMs = 10 * minuteMs) => ({ socialAccountIds: [x], content, scheduledAt: at(inMs) })
const schedule = async (content: string, inMs?: number) => {
  const [post] = await kit.api.posts.schedule({ body: postOf(content, inMs) })
  return { params: { id: post?.id ?? '' } }
}

/** As if so many had been used this month. */
const fill = (used: number) => update(kit.ctx, capKey(kit.workspaceId, monthOf(kit.clock.now())), { set: { used } })

const exceeded = { status: 429, body: { error: 'X monthly posting cap reached', code: 'x_cap_exceeded' } }

test('usage returns the month, the used amount, and the reset time', async () => {
  const before = await usage()
  expect(before).toEqual({
    month: '2030-01',
    used: 0,
    limit: cap,
    remaining: cap,
    resetsAt: '2030-02-01T00:00:00.000Z',
  })
  await schedule('counted')
  await kit.api.posts.publishNow({ body: { socialAccountIds: [x, kit.accounts.bluesky], content: 'counted at once' } })
  expect(await usage()).toMatchObject({ used: 2, remaining: cap - 2 })
  await kit.service.pass(11 * minuteMs)
  expect(await usage()).toMatchObject({ used: 2 })
})

test('cancel, delete, and failure release the quota; a publication keeps it', async () => {
  const before = (await usage()).used
  await kit.api.posts.cancel(await schedule('cancelled'))
  await kit.api.posts.delete(await schedule('deleted'))
  const body = { title: 'Invalid Request', detail: 'no', type: 'x/invalid-request' }
  kit.platforms.faults.add({ platform: 'x', operation: 'create', times: 1, fault: 'status', status: 400, body })
  const refused = await schedule('refused')
  await kit.service.pass(11 * minuteMs)
  expect((await usage()).used).toBe(before)
  // A rescheduled post counts again; deleting a live one frees nothing.
  await kit.api.posts.reschedule({ ...refused, body: { scheduledAt: at(minuteMs) } })
  expect((await usage()).used).toBe(before + 1)
  await kit.service.pass(2 * minuteMs)
  await kit.api.posts.delete(refused)
  expect((await usage()).used).toBe(before + 1)
})

test('a post counts in the month of its time and moves with it', async () => {
  const before = (await usage()).used
  const { params } = await schedule('later', 40 * 24 * 60 * minuteMs)
  expect((await usage()).used).toBe(before)
  await kit.api.posts.reschedule({ params, body: { scheduledAt: at(minuteMs) } })
  expect((await usage()).used).toBe(before + 1)
  await kit.api.posts.reschedule({ params, body: { scheduledAt: at(40 * 24 * 60 * minuteMs) } })
  expect((await usage()).used).toBe(before)
  await kit.api.posts.cancel({ params })
})

test('200 concurrent schedule requests at one below the cap: exactly one is accepted', async () => {
  await fill(cap - 1)
  const calls = Array.from({ length: 200 }, (_, n) =>
    kit.api.posts.schedule({ body: postOf(`rush ${n}`, 60 * minuteMs) }),
  )
  const outcomes = await Promise.allSettled(calls)
  const accepted = outcomes.filter(({ status }) => status === 'fulfilled')
  expect(accepted).toHaveLength(1)
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(exceeded)
  expect((await usage()).used).toBe(cap)
})

test('at the cap, validate agrees with schedule, other platforms continue, and nothing is partially written', async () => {
  await fill(cap)
  const both = { ...postOf('both'), socialAccountIds: [x, kit.accounts.bluesky] }
  const { total } = await kit.api.posts.list({ query: { limit: 1 } })
  const { valid, issues } = await kit.api.posts.validate({ body: both })
  expect([valid, issues]).toMatchObject([
    false,
    [{ socialAccountId: x, platform: 'x', code: 'x_cap_exceeded', message: `X: ${cap + 1}/${cap} posts in 2030-01.` }],
  ])
  await expect(kit.api.posts.schedule({ body: both })).rejects.toMatchObject(exceeded)
  await expect(kit.api.posts.publishNow({ body: { socialAccountIds: [x], content: 'now' } })).rejects.toMatchObject(
    exceeded,
  )
  await fill(cap - 1)
  const tweets = [{ content: 'one' }, { content: 'two' }]
  const thread = { socialAccountId: x, tweets, scheduledAt: at(minuteMs) }
  await expect(kit.api.posts.scheduleThread({ body: thread })).rejects.toMatchObject(exceeded)
  expect((await kit.api.posts.list({ query: { limit: 1 } })).total).toBe(total)
  await kit.api.posts.schedule({ body: { ...both, socialAccountIds: [kit.accounts.bluesky] } })
})

test('a thread on another platform is accepted when the cap of X is used up', async () => {
  const before = (await usage()).used
  await fill(cap)
  const body = { socialAccountId: kit.accounts.bluesky, tweets: [{ content: 'one' }, { content: 'two' }] }
  const { postIds } = await kit.api.posts.publishThreadNow({ body })
  await expect(kit.api.posts.publishThreadNow({ body: { ...body, socialAccountId: x } })).rejects.toMatchObject(
    exceeded,
  )
  await kit.service.drain()
  const shown = await Promise.all(postIds.map((id) => kit.api.posts.get({ params: { id } })))
  expect(shown.map(({ status }) => status)).toEqual(['published', 'published'])
  expect((await usage()).used).toBe(cap)
  await fill(before)
})
