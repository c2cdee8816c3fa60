import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../functions/client.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { removePreviousKeys, rotateTokenKeys } from '../../../shared/identity/rotate-token-keys.ts'
import { dayMs, minuteMs } from '../../../shared/time.ts'
import { getSharedSetup } from '../../support/shared-setup.ts'
import { type Kit, start } from '../../support/start.ts'

type Read = (api: Client, token: string) => Promise<unknown>

/** Each route is a function with its own cache: a warm environment. */
const environments: readonly Read[] = [
  (api, token) => api.workspaces.list({ token }),
  (api, token) => api.posts.list({ token }),
  (api, token) => api.drafts.list({ token }),
  (api, token) => api.media.list({ token }),
  (api, token) => api.socialAccounts.list({ token }),
  (api, token) => api.memory.listCollections({ token }),
]

/** A session from an environment that has just started: it signs with the current keys. */
const makeSession = async ({ ctx, user }: Kit): Promise<string> =>
  (await openSession({ ...ctx }, { email: user.email, userId: user.id, name: 'Ada', userAgent: 'node' })).token

const statusOf = (run: Promise<unknown>): Promise<number> =>
  run.then(
    () => 200,
    (error: { status: number }) => error.status,
  )

const makeToken = async (kit: Kit): Promise<string> => {
  const body = { name: 'script', workspaceId: kit.workspaceId, scopes: ['*'], expiresInDays: null }
  return (await kit.sessionApi.cli.createToken({ body })).token
}

const readEach = (kit: Kit, token: string): Promise<number[]> =>
  Promise.all(environments.map((read) => statusOf(read(kit.api, token))))

const all = (status: number) => environments.map(() => status)

// The first start waits for what all services of a test run share.
beforeAll(async () => void (await getSharedSetup()))

test('no caller gets a 401 while the token keys are rotated', async () => {
  const kit = await start()
  const tokens = [kit.pat, kit.sessionToken]
  const statuses = new Set<number>()
  /** An hour in which tokens are created and used; environments read the keys at different times. */
  const passAnHour = async () => {
    for (let n = 0; n < 6; n += 1) {
      tokens.push(await makeToken(kit), await makeSession(kit))
      for (const [at, read] of environments.entries()) {
        if (n % (at + 1) > 0) continue
        for (const token of [...tokens.slice(0, 2), ...tokens.slice(-2)])
          statuses.add(await statusOf(read(kit.api, token)))
      }
      kit.clock.pass(10 * minuteMs)
    }
  }
  await passAnHour()
  for (const kind of ['added', 'switched', 'added', 'switched']) {
    expect(await rotateTokenKeys(kit.ctx)).toMatchObject({ kind })
    await passAnHour()
  }
  expect([...statuses]).toEqual([200])
  expect(tokens).toHaveLength(2 + 5 * 6 * 2)
}, 120_000)

test('a token from another environment works one second after the keys change', async () => {
  const kit = await start()
  await rotateTokenKeys(kit.ctx)
  kit.clock.pass(30 * minuteMs)
  expect(await readEach(kit, kit.pat)).toEqual(all(200))
  await rotateTokenKeys(kit.ctx)
  kit.clock.pass(1_000)
  expect(await readEach(kit, await makeSession(kit))).toEqual(all(200))
})

test('a step that is too early changes nothing and says when it is possible', async () => {
  const kit = await start()
  const startedMs = kit.clock.now()
  const readyAtMs = startedMs + 30 * minuteMs
  expect(await rotateTokenKeys(kit.ctx)).toEqual({ kind: 'added', readyAtMs })
  kit.clock.pass(29 * minuteMs)
  expect(await rotateTokenKeys(kit.ctx)).toEqual({ kind: 'too-early', readyAtMs, changedAtMs: startedMs })
  expect(await removePreviousKeys(kit.ctx, false)).toEqual({ kind: 'nothing-to-remove' })
  kit.clock.pass(minuteMs)
  expect(await rotateTokenKeys(kit.ctx)).toMatchObject({ kind: 'switched' })
  kit.clock.pass(29 * minuteMs)
  expect(await removePreviousKeys(kit.ctx, true)).toMatchObject({ kind: 'too-early' })
  kit.clock.pass(364 * dayMs)
  expect(await removePreviousKeys(kit.ctx, false)).toMatchObject({ kind: 'too-early' })
})

test('tokens of a removed key are rejected, and those of the new key work', async () => {
  const kit = await start()
  const old = await makeToken(kit)
  await rotateTokenKeys(kit.ctx)
  kit.clock.pass(30 * minuteMs)
  await rotateTokenKeys(kit.ctx)
  // The environment that creates tokens reads the keys again.
  kit.clock.pass(15 * minuteMs)
  const young = await makeToken(kit)
  kit.clock.pass(15 * minuteMs)
  expect(await readEach(kit, old)).toEqual(all(200))
  expect(await removePreviousKeys(kit.ctx, true)).toEqual({ kind: 'removed' })
  kit.clock.pass(15 * minuteMs)
  expect(await readEach(kit, old)).toEqual(all(401))
  expect(await readEach(kit, young)).toEqual(all(200))
})
