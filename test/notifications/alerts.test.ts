import { expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { keyOf, transact, update } from '../../shared/db/table.ts'
import { eventIdAt, makeEvent } from '../../shared/events/event.ts'
import { enqueueRelay, recordEvents } from '../../shared/events/outbox.ts'
import { ulid } from '../../shared/ids.ts'
import { minuteMs } from '../../shared/time.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { type Kit, start } from '../support/start.ts'
import { makeDevice, makeHook, makeMember, makePost, phone, postBody } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'

/** Posts that Bluesky rejects, all due at one moment. */
const failPosts = async (kit: Kit, count: number) => {
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: count, fault: 'status', status: 400 })
  for (let n = 0; n < count; n += 1) await kit.api.posts.schedule({ body: postBody(kit, `Post ${n}`, minuteMs) })
}

const pushed = (kit: Kit) => kit.push.messages().map(({ title, body }) => ({ title, body }))
const mailed = (kit: Kit) => kit.mail.outbox().map(({ to, subject }) => ({ to, subject }))

test('a post that fails is pushed within half a minute and mailed within two', async () => {
  const kit = await start()
  await makeDevice(kit)
  await failPosts(kit, 1)
  await kit.service.pass(1.5 * minuteMs)
  expect(pushed(kit)).toEqual([{ title: 'A post failed on Bluesky', body: expect.stringMatching(/^Acme: \S/) }])
  await kit.service.pass(2 * minuteMs)
  expect(mailed(kit)).toEqual([{ to: [kit.user.email], subject: 'A post failed on Bluesky' }])
  expect(kit.mail.outbox().at(-1)?.text).toContain(`${kit.url}/notifications`)
})

test('an account with 40 failed posts sends one message with their number, and the next ones after ten minutes', async () => {
  const kit = await start()
  await makeDevice(kit)
  await failPosts(kit, 40)
  await kit.service.pass(3 * minuteMs)
  expect(pushed(kit).map(({ title }) => title)).toEqual(['40 posts failed on Bluesky'])
  expect(mailed(kit).map(({ subject }) => subject)).toEqual(['40 posts failed on Bluesky'])
  await failPosts(kit, 3)
  await kit.service.pass(5 * minuteMs)
  await failPosts(kit, 2)
  await kit.service.pass(2 * minuteMs)
  expect(pushed(kit)).toHaveLength(1)
  await kit.service.pass(5 * minuteMs)
  expect(pushed(kit).at(-1)?.title).toBe('5 posts failed on Bluesky')
  await kit.service.pass(60 * minuteMs)
  expect(pushed(kit)).toHaveLength(2)
  expect(
    mailed(kit)
      .map(({ subject }) => subject)
      .slice(1),
  ).toEqual(['5 posts failed on Bluesky'])
})

test('a lost account notifies the active members who want it, on the channels that they want', async () => {
  const kit = await start()
  await makeDevice(kit)
  const [colleague, away, silent] = [
    await makeMember(kit),
    await makeMember(kit, 'member', 'suspended'),
    await makeMember(kit),
  ]
  expect(away.userId).not.toBe(colleague.userId)
  await kit.sessionApi.notifications.updateSettings({
    body: { 'social_account.reconnect_required': { mail: false }, 'post.publish_failed': { push: false, mail: false } },
  })
  const settings = { 'social_account.reconnect_required': { mail: false }, 'post.publish_failed': { mail: false } }
  await client({ baseUrl: kit.url, token: silent.session }).notifications.updateSettings({ body: settings })
  kit.platforms.faults.add({ platform: 'bluesky', operation: '*', times: 4, fault: 'token_revoked' })
  await makePost(kit, 'By a lost account', minuteMs)
  await kit.service.pass(5 * minuteMs)
  expect(pushed(kit).map(({ title }) => title)).toEqual([expect.stringMatching(/^Reconnect \S+ on Bluesky$/)])
  const subjects = mailed(kit)
  expect(new Set(subjects.flatMap(({ to }) => to))).toEqual(new Set([colleague.email]))
  expect(subjects).toHaveLength(2)
})

test('an endpoint that fails its first probe is pushed to owners and admins, without an email', async () => {
  const kit = await start()
  await makeDevice(kit)
  const member = await makeMember(kit)
  await client({ baseUrl: kit.url, token: member.session }).notifications.registerDevice({ body: phone() })
  kit.inbox.behaviors.add({ name: 'down', times: 100, status: 500 })
  await makeHook(kit, 'down', ['post.scheduled'])
  for (let n = 0; n < 5; n += 1) await makePost(kit, `Post ${n}`)
  await kit.service.pass(5 * minuteMs)
  expect(kit.push.messages().map(({ kind, title, body }) => [kind, title, body])).toEqual([
    ['web_push', 'A webhook endpoint is failing', 'Acme: "down" accepts no deliveries. Its events are waiting.'],
  ])
  expect(mailed(kit)).toEqual([])
})

/** An event of billing, as its worker records it. */
const recordBilling = async (kit: Kit, type: 'workspace.trial_ending' | 'workspace.payment_failed') => {
  const { ctx, workspaceId, clock } = kit
  const workspace = await workspaces.get(ctx, { id: workspaceId })
  if (workspace === undefined) throw new Error('there is no workspace')
  const outboxId = ulid(clock.now())
  const order = { id: eventIdAt(outboxId, 0), sequence: 1, previousEventId: undefined }
  const data = { trialEndsAt: '2030-01-08T12:00:00.000Z', accessEndsAt: '2030-01-15T12:00:00.000Z' }
  const event = makeEvent(type, workspace, clock.now(), order, data)
  await transact(ctx, () => recordEvents(ctx, outboxId, event.workspace, [event]))
  await enqueueRelay(ctx, workspaceId, outboxId)
}

test('a trial that ends and a payment that failed lead owners and admins to the billing page', async () => {
  const kit = await start()
  await makeDevice(kit)
  await makeMember(kit)
  await recordBilling(kit, 'workspace.trial_ending')
  await recordBilling(kit, 'workspace.payment_failed')
  await kit.service.pass(3 * minuteMs)
  const shown = kit.push.messages().map(({ title, body, url }) => [title, body, new URL(url).pathname])
  expect(shown.sort()).toEqual([
    ['A payment for Acme failed', 'Check the payment method. Otherwise access ends on 2030-01-15.', '/billing'],
    ['The trial of Acme ends on 2030-01-08', 'The first payment follows.', '/billing'],
  ])
  expect(mailed(kit).map(({ to }) => to)).toEqual([[kit.user.email], [kit.user.email]])
})

test('an event that is relayed again notifies no one again', async () => {
  const kit = await start()
  await makeDevice(kit)
  await recordBilling(kit, 'workspace.payment_failed')
  await kit.service.pass(3 * minuteMs)
  const [row] = (await scanTable(kit)).filter(({ type }) => type === 'Outbox')
  if (row === undefined) throw new Error('there is no event')
  await update(kit.ctx, keyOf(row), { set: { sweepAtMs: kit.clock.now() } })
  await enqueueRelay(kit.ctx, kit.workspaceId, String(row['id']))
  await kit.service.pass(90 * minuteMs, { tickMinutes: 30 })
  expect([kit.push.messages().length, kit.mail.outbox().length]).toEqual([1, 1])
})
