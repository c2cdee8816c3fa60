import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FaultInput } from '../../../infra/local/platforms/faults.ts'
import { pinterestSeed } from '../../../infra/local/platforms/pinterest.ts'
import { listen, reportedLosses } from '../../journeys/author.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
let bea: string
beforeAll(async () => {
  kit = await start()
  await listen(kit)
  bea = await connectOn(kit, 'pinterest')
}, 120_000)
afterAll(() => kit.close())
beforeEach(() => {
  kit.platforms.faults.clear()
  kit.clock.pass(6 * 60_000)
})

const list = (socialAccountId?: string) =>
  kit.api.socialAccounts.pinterestBoards({ query: socialAccountId === undefined ? {} : { socialAccountId } })
const make = (body: { name: string; privacy?: 'PUBLIC' | 'SECRET'; socialAccountId?: string }) =>
  // The default is the server's.
  kit.api.socialAccounts.createPinterestBoard({ body: body as typeof body & { privacy: 'PUBLIC' } })
const callCount = () => kit.platforms.calls().filter(({ operation }) => operation === 'boards').length
const fault = (more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) =>
  kit.platforms.faults.add({ platform: 'pinterest', operation: 'boards', times: 1, ...more })

test('returns all pages of boards, and caches them for five minutes', async () => {
  const before = callCount()
  const { boards } = await list()
  expect(boards.map(({ name }) => name)).toEqual(['Summer recipes', 'Für später', 'Gift ideas'])
  const pages = callCount() - before
  expect(pages).toBe(2)
  kit.clock.pass(5 * 60_000 - 1)
  expect(await list(bea)).toEqual({ boards })
  expect(callCount() - before).toBe(pages)
  kit.clock.pass(1)
  await list()
  expect(callCount() - before).toBe(2 * pages)
})

test('returns the last good list while Pinterest is unavailable', async () => {
  const otto = await connectOn(kit, 'pinterest', pinterestSeed.people[1]?.id)
  fault({ fault: 'html_503' })
  expect(await refusalOf(list(otto))).toMatchObject({ status: 503 })
  fault({ fault: 'rate_limited', retryAfterSeconds: 30 })
  expect(await refusalOf(list(otto))).toMatchObject({ status: 429 })
  const good = await list(otto)
  expect(good.boards.map(({ name }) => name)).toEqual(['Tree houses'])
  for (const kind of ['html_503', 'rate_limited', 'wrong_json'] as const) {
    kit.clock.pass(6 * 60_000)
    fault({ fault: kind })
    expect(await list(otto)).toEqual(good)
  }
})

test('creates a board, and the next list contains it', async () => {
  await list(bea)
  const made = await make({ name: '  Winter soups  ' })
  expect(made).toEqual({
    board: {
      id: expect.stringMatching(/^\d+$/),
      name: 'Winter soups',
      url: 'https://www.pinterest.com/bea_bakes/winter-soups/',
      privacy: 'PUBLIC',
    },
    socialAccountId: bea,
  })
  const { boards } = await list(bea)
  expect(boards).toContainEqual(made.board)
  expect((await make({ name: 'Hidden', privacy: 'SECRET', socialAccountId: bea })).board.privacy).toBe('SECRET')
  const taken = await refusalOf(make({ name: 'winter soups' }))
  expect(taken).toMatchObject({ status: 400, error: expect.stringContaining('invalid or duplicated') })
})

test('accepts board names of 1 to 50 characters', async () => {
  await make({ name: 'x'.repeat(49) })
  await make({ name: 'x'.repeat(50) })
  expect(await refusalOf(make({ name: 'x'.repeat(51) }))).toMatchObject({ status: 400, field: 'name' })
  expect(await refusalOf(make({ name: '   ' }))).toMatchObject({ status: 400, field: 'name' })
})

test('refreshes an expired token', async () => {
  fault({ fault: 'token_revoked' })
  expect((await list()).boards.length).toBeGreaterThan(2)
  kit.clock.pass(31 * 86_400_000)
  expect((await list()).boards.length).toBeGreaterThan(2)
})

test('returns 404 for an account that does not exist', async () => {
  expect(await refusalOf(list('acc_unknown'))).toMatchObject({ status: 404, code: 'account_not_found' })
  expect(await refusalOf(list(kit.accounts.discord))).toMatchObject({ status: 404 })
  expect(await refusalOf(make({ name: 'No', socialAccountId: 'acc_unknown' }))).toMatchObject({ status: 404 })
})

test('a lost connection returns 404 and requires a reconnect, reported once', async () => {
  const lossCount = reportedLosses(kit).length
  fault({ fault: 'token_revoked' })
  fault({ fault: 'status', status: 400, operation: 'login', times: 2, body: { error: 'invalid_grant' } })
  expect(await refusalOf(list(bea))).toMatchObject({ status: 404, code: 'account_access_revoked' })
  const account = (await kit.api.socialAccounts.list()).find(({ id }) => id === bea)
  expect(account).toMatchObject({ isConnected: false, needsReconnect: true })
  fault({ fault: 'token_revoked', operation: 'makeBoard' })
  expect(await refusalOf(make({ name: 'Lost', socialAccountId: bea }))).toMatchObject({ status: 404 })
  await kit.service.pass(3 * 60_000)
  expect(reportedLosses(kit).length - lossCount).toBe(1)
})
