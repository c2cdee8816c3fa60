import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { slackSeed } from '../../../infra/local/platforms/slack.ts'
import { listen, reportedLosses } from '../../journeys/author.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
let acme: string
beforeAll(async () => {
  kit = await start()
  await listen(kit)
  acme = await connectOn(kit, 'slack')
}, 120_000)
afterAll(() => kit.close())
beforeEach(() => {
  kit.platforms.faults.clear()
  kit.clock.pass(6 * 60_000)
})

const list = (socialAccountId?: string) =>
  kit.api.socialAccounts.slackChannels({ query: socialAccountId === undefined ? {} : { socialAccountId } })
const callCount = () => kit.platforms.calls().filter(({ operation }) => operation === 'channels').length
const fault = (more: object) =>
  kit.platforms.faults.add({ platform: 'slack', operation: 'channels', times: 1, fault: 'html_503', ...more })

test('returns all pages of channels, an empty one included, and caches them for five minutes', async () => {
  const before = callCount()
  const first = await list()
  expect(first).toEqual({
    teamId: 'T0DEMO001',
    source: 'live',
    channels: [
      { id: 'C0DEMO001', name: 'general', type: 'public', isMember: true },
      { id: 'C0DEMO002', name: 'random', type: 'public', isMember: false },
      { id: 'C0DEMO004', name: 'launch', type: 'private', isMember: true },
      { id: 'C0DEMO006', name: 'showcase', type: 'public', isMember: false },
    ],
  })
  expect(callCount() - before).toBe(3)
  kit.clock.pass(5 * 60_000 - 1)
  expect(await list(acme)).toEqual({ ...first, source: 'cache' })
  expect(callCount() - before).toBe(3)
  kit.clock.pass(1)
  expect((await list()).source).toBe('live')
})

test('returns the last good list while Slack is unavailable', async () => {
  const other = await connectOn(kit, 'slack', slackSeed.teams[1]?.id)
  fault({})
  expect(await refusalOf(list(other))).toMatchObject({ status: 503 })
  fault({ fault: 'rate_limited', retryAfterSeconds: 30 })
  expect(await refusalOf(list(other))).toMatchObject({ status: 429 })
  const { channels } = await list(other)
  for (const trouble of [{}, { fault: 'rate_limited' }, { fault: 'wrong_json' }]) {
    kit.clock.pass(6 * 60_000)
    fault(trouble)
    expect(await list(other)).toEqual({ teamId: 'T0DEMO002', source: 'cache', channels })
  }
  // A token that has ended is renewed on the way.
  kit.clock.pass(13 * 3_600_000)
  expect((await list(other)).source).toBe('live')
})

test('returns 404 for an account that does not exist', async () => {
  expect(await refusalOf(list('acc_unknown'))).toMatchObject({ status: 404, code: 'account_not_found' })
  expect(await refusalOf(list(kit.accounts.bluesky))).toMatchObject({ status: 404 })
})

test('a removed app returns 404 and requires a reconnect, reported once', async () => {
  const lossCount = reportedLosses(kit).length
  for (let n = 0; n < 2; n += 1) {
    fault({ fault: 'token_revoked' })
    expect(await refusalOf(list(acme))).toMatchObject({ status: 404, code: 'account_access_revoked' })
  }
  const account = (await kit.api.socialAccounts.list()).find(({ id }) => id === acme)
  expect(account).toMatchObject({ isConnected: false, needsReconnect: true })
  await kit.service.pass(3 * 60_000)
  expect(reportedLosses(kit).length - lossCount).toBe(1)
})
