import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { update } from '../../shared/db/table.ts'
import { encryptCredentials } from '../../shared/social-accounts/encrypt-credentials.ts'
import { decryptCredentials } from '../../shared/social-accounts/refresh-credentials.ts'
import { socialAccounts } from '../../shared/social-accounts/social-account.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { inLanes } from '../laws/lanes.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { liveCount } from './author.ts'

/** The token of an account is about to end, as the service knows it. */
const endSoon = async ({ ctx, workspaceId }: Kit, id: string) => {
  const account = await socialAccounts.get(ctx, { workspaceId, id })
  const workspace = await workspaces.get(ctx, { id: workspaceId })
  if (!account || !workspace) throw new Error('there is no such account')
  const known = await decryptCredentials(ctx, workspace, account)
  const ending = { ...known, expiresAtMs: ctx.clock.now() + 60_000 }
  const credentials = await encryptCredentials(ctx, workspace, account, ending)
  await update(ctx, socialAccounts.key(account), { set: { credentials } })
}

const untilLive = async (kit: Kit, texts: readonly string[]) => {
  for (let look = 0; look < 300; look += 1) {
    if (texts.every((text) => liveCount(kit, text) > 0)) return
    await sleep(200)
  }
}

// In real time: where time stands still until somebody sleeps, fifty who wait outlast any lease.
test('fifty concurrent publications with an expiring token cause one refresh, and all are published once', async () => {
  const kit = await start({ time: 'real' })
  const x = await connectOn(kit, 'x')
  await endSoon(kit, x)
  const logins = () => kit.platforms.calls().filter(({ operation }) => operation === 'login').length
  const before = logins()
  const texts = Array.from({ length: 50 }, (_, n) => `one of fifty ${n}`)
  const scheduledAt = new Date(Date.now() + 15_000).toISOString()
  const schedule = (content: string) =>
    kit.api.posts.schedule({ body: { socialAccountIds: [x], content, scheduledAt } })
  // Two at a time: each takes a place of the same monthly cap, and on a busy machine five would meet too often.
  await inLanes(texts, 2, schedule)
  await untilLive(kit, texts)
  for (const text of texts) expect({ text, live: liveCount(kit, text) }).toEqual({ text, live: 1 })
  expect(logins() - before).toBe(1)
}, 120_000)
