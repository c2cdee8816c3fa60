import { expect, test } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { changePauses, type PauseOptions } from '../../infra/operator/pauses.ts'
import { get, update } from '../../shared/db/table.ts'
import { pausesKey } from '../../shared/pauses/pauses.ts'
import { minuteMs } from '../../shared/time.ts'
import { eventsOf, listen, liveCount, scheduleOn } from '../journeys/author.ts'
import { expectSound } from '../journeys/invariants.ts'
import { type Kit, start } from '../support/start.ts'

const text = (n: number) => `paused ${n}`

/** What is paused, and how many posts on Bluesky and on Discord are live meanwhile. */
const scopes: { name: string; optionsOf(kit: Kit): PauseOptions; live: [number, number] }[] = [
  { name: 'the deployment', optionsOf: () => ({}), live: [0, 0] },
  { name: 'Bluesky', optionsOf: () => ({ platform: 'bluesky' }), live: [0, 1] },
  { name: 'the workspace', optionsOf: ({ workspaceId }) => ({ workspace: workspaceId }), live: [0, 0] },
]

const moments = ['before the publisher starts', 'after it has claimed'] as const

test.each(
  scopes.flatMap((scope) => moments.map((moment) => ({ ...scope, moment }))),
)('$name is paused $moment: posts are sent once, after it is resumed', async ({ optionsOf, live, moment }) => {
  let paused: Promise<unknown> | undefined
  let isArmed = false
  const observe: ObserveFunction = async ({ functionName, action }, run) => {
    const isLastLook = functionName === 'publish-post' && (paused !== undefined || action === 'UpdateItem')
    if (isArmed && isLastLook) {
      paused ??= changePauses(kit.ctx, 'pause', optionsOf(kit))
      await paused
    }
    return run()
  }
  const kit: Kit = await start({ observe })
  await listen(kit)
  await scheduleOn(kit, 'bluesky', text(0), 5 * minuteMs)
  await scheduleOn(kit, 'discord', text(1), 5 * minuteMs)
  await kit.service.pass(4 * minuteMs)
  if (moment === 'after it has claimed') isArmed = true
  else expect(await changePauses(kit.ctx, 'pause', { ...optionsOf(kit), reason: 'test' })).toMatch(/\(test\)\.$/)
  await kit.service.pass(30 * minuteMs, { tickMinutes: 1 })
  expect(await changePauses(kit.ctx, 'pauses', {})).toMatch(/^Paused: .* since 2030-/)
  expect([liveCount(kit, text(0)), liveCount(kit, text(1))]).toEqual(live)
  expect(await changePauses(kit.ctx, 'resume', optionsOf(kit))).toBe('Nothing is paused.')
  await kit.service.pass(2 * minuteMs)
  expect([liveCount(kit, text(0)), liveCount(kit, text(1))]).toEqual([1, 1])
  await expectSound(kit)
})

test('webhooks of a paused workspace arrive after it is resumed', async () => {
  const kit = await start()
  await listen(kit)
  const { id } = await scheduleOn(kit, 'discord', text(0), 20 * minuteMs)
  const before = kit.inbox.deliveries().length
  await changePauses(kit.ctx, 'pause', { workspace: kit.workspaceId })
  await kit.api.posts.cancel({ params: { id } })
  await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
  expect(kit.inbox.deliveries().length).toBe(before)
  await changePauses(kit.ctx, 'resume', { workspace: kit.workspaceId })
  await kit.service.pass(16 * minuteMs)
  expect(eventsOf(kit, id).at(-1)?.type).toBe('post.cancelled')
})

test('a pause that only a newer release knows stops everything with one alarm, until the deployment is resumed', async () => {
  const kit = await start()
  await listen(kit)
  await scheduleOn(kit, 'bluesky', text(0), 5 * minuteMs)
  await changePauses(kit.ctx, 'pause', { platform: 'discord' })
  const strange = { scope: { kind: 'queue', name: 'deliver' }, sinceMs: kit.clock.now(), by: 'ann' }
  const known = { scope: { kind: 'platform', id: 'discord' }, sinceMs: kit.clock.now() }
  await update(kit.ctx, pausesKey, { set: { pauses: [strange, known] } })
  await kit.service.pass(30 * minuteMs, { tickMinutes: 1 })
  expect(liveCount(kit, text(0))).toBe(0)
  const errors = kit.logged.filter((line) => line.includes('"level":"error"')).map((line) => JSON.parse(line))
  expect(new Set(errors.map(({ message }) => message))).toEqual(new Set(['operator action needed']))
  expect(errors[0]).toMatchObject({ reason: expect.stringContaining('newer release'), OperatorActionNeeded: 1 })
  expect(await changePauses(kit.ctx, 'pauses', {})).toMatch(/^Paused: the queue since .*; platform discord since /)
  // A change by this release keeps it whole.
  await changePauses(kit.ctx, 'resume', { platform: 'discord' })
  expect(await get(kit.ctx, pausesKey)).toMatchObject({ pauses: [strange] })
  expect(await changePauses(kit.ctx, 'resume', {})).toBe('Nothing is paused.')
  await kit.service.pass(2 * minuteMs)
  expect(liveCount(kit, text(0))).toBe(1)
  await expectSound(kit)
})

test('a scope that does not exist is rejected', async () => {
  const kit = await start()
  await expect(changePauses(kit.ctx, 'pause', { platform: 'myspace' })).rejects.toThrow(
    'There is no platform "myspace"',
  )
  await expect(changePauses(kit.ctx, 'pause', { workspace: 'ws_none' })).rejects.toThrow('no workspace "ws_none"')
})
