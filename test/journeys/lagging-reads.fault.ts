import { describe, expect, test } from 'vitest'
import type { LagOptions } from '../../infra/local/engines/table/lag.ts'
import { type Kit, start } from '../support/start.ts'
import { eventsOf, listen, liveCount, scheduleOn } from './author.ts'
import { expectSound } from './invariants.ts'

const boundMs = 900

const lags: readonly [string, LagOptions][] = [
  ['lag by all of their bound', { boundMs }],
  ['lag by any part of their bound', { boundMs, seed: 20_261_122 }],
]

const accounts = ['bluesky', 'discord', 'bluesky', 'discord'] as const

const scheduleAll = (kit: Kit, inMs: number) =>
  Promise.all(
    accounts.map(async (account, n) => ({
      text: `number ${n}`,
      ...(await scheduleOn(kit, account, `number ${n}`, inMs)),
    })),
  )

describe.each(lags)('reads of indexes that %s', (_name, lag) => {
  test('publish every post once and report it once, even when every message was lost', async () => {
    const kit = await start({ lag })
    await listen(kit)
    kit.clock.pass(boundMs)
    kit.service.queues.faults.onSend = () => 'lose'
    const posts = await scheduleAll(kit, 20 * 60_000)
    await kit.service.pass(19 * 60_000)
    kit.service.queues.faults.onSend = undefined
    await kit.service.pass(30 * 60_000)
    for (const { text, id } of posts) {
      expect({ text, live: liveCount(kit, text) }).toEqual({ text, live: 1 })
      expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
    }
    await expectSound(kit)
  })

  test('delay a list by status at most by the lag, while the total is exact immediately', async () => {
    const kit = await start({ lag })
    const posts = await scheduleAll(kit, 20 * 60_000)
    const listed = async () => {
      const { items, total } = await kit.api.posts.list({ query: { status: 'scheduled' } })
      return { total, ids: items.map(({ id }) => id).sort() }
    }
    expect((await listed()).total).toBe(posts.length)
    kit.clock.pass(boundMs)
    expect(await listed()).toEqual({ total: posts.length, ids: posts.map(({ id }) => id).sort() })
  })
})
