import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Context } from '../../../shared/context.ts'
import { withinLogins } from '../../../shared/social-accounts/open-logins.ts'
import { type Kit, start } from '../../support/start.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const busy = 'Other logins wait for their servers.'

test('a person who connects accounts at a slow server holds three calls; more are refused, and all else goes on', async () => {
  kit.platforms.faults.add({ platform: 'mastodon', times: 3, fault: 'slow', delayMs: 2_000 })
  const connect = () =>
    kit.api.socialAccounts.connect({ params: { platform: 'mastodon' }, body: { server: 'slow.mastodon.test' } })
  const logins = Array.from({ length: 12 }, () => refusalOf(connect()).catch(() => undefined))
  expect((await kit.api.posts.list()).items).toEqual(expect.any(Array))
  const refusals = (await Promise.all(logins)).filter((refusal) => refusal !== undefined)
  expect(refusals.length).toBeGreaterThan(0)
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ status: 503, code: 'platform_unavailable', error: expect.stringContaining(busy) })
  }
  await connect()
})

describe('logins that wait', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const of = (userId: string): Context => ({
    ...kit.ctx,
    environment: kit.ctx,
    request: { requestId: 'r', route: 'GET /', ip: '::1', userId },
  })

  test('are three of a caller and eight in all, and each ends after ten seconds', async () => {
    const ends: (() => void)[] = []
    const login = (userId: string) => withinLogins(of(userId), () => new Promise<void>((end) => ends.push(end)))
    const waiting = ['ann', 'ann', 'ann', 'bob', 'bob', 'bob', 'cem', 'cem'].map(login)
    await expect(login('ann')).rejects.toThrow(busy)
    await expect(login('dee')).rejects.toThrow(busy)
    ends[0]?.()
    await waiting[0]
    waiting[0] = login('dee')
    await expect(login('cem')).rejects.toThrow(busy)
    const ended = Promise.allSettled(waiting)
    await vi.advanceTimersByTimeAsync(10_000)
    for (const result of await ended) {
      expect(result).toMatchObject({ reason: { message: 'The server did not answer within 10 seconds.' } })
    }
    // A running call keeps its slot until it ends.
    await expect(login('dee')).rejects.toThrow(busy)
    for (const end of ends) end()
    await turn()
    const free = login('dee')
    ends.at(-1)?.()
    await free
  })
})
