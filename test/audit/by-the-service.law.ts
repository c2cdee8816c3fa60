import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { transact } from '../../shared/db/table.ts'
import { accessTokens } from '../../shared/identity/access-token.ts'
import { passwordResets } from '../../shared/identity/password-reset.ts'
import { digest } from '../../shared/ids.ts'
import { setPlan } from '../../shared/workspaces/plan.ts'
import { selfHosted } from '../../shared/workspaces/subscription.ts'
import { browserOf } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import { hookBody, makePost, minuteMs, requestReset } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'
import { addedDuring } from './trail.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const noActor = { userId: null, ip: null, userAgent: null, requestId: null }

test('an endpoint that the service disables is recorded, with the reason', async () => {
  const { id } = await kit.sessionApi.webhooks.create({ body: hookBody(kit, 'leaving', ['post.published']) })
  kit.inbox.behaviors.add({ name: 'leaving', times: 1, status: 410 })
  await makePost(kit, 'Published', minuteMs)
  const added = await addedDuring(kit, () => kit.service.pass(3 * minuteMs))
  expect(added).toEqual([
    expect.objectContaining({
      action: 'webhook_endpoint.disabled',
      workspaceId: kit.workspaceId,
      targetType: 'webhook_endpoint',
      targetId: id,
      actor: { ...noActor, credential: { type: 'system', id: 'webhooks' } },
      after: { enabled: false, disabledReason: expect.stringContaining('410') },
    }),
  ])
})

test('a connection that the platform ends is recorded once', async () => {
  kit.platforms.faults.add({ platform: 'bluesky', operation: '*', times: 4, fault: 'token_revoked' })
  await makePost(kit, 'By a lost account', minuteMs)
  const added = await addedDuring(kit, () => kit.service.pass(10 * minuteMs, { tickMinutes: 1 }))
  kit.platforms.faults.clear()
  expect(added).toEqual([
    expect.objectContaining({
      action: 'social_account.connection_lost',
      targetId: kit.accounts.bluesky,
      actor: { ...noActor, credential: { type: 'system', id: 'platform' } },
      after: { platform: 'bluesky', username: expect.any(String), reason: 'credentials_refused' },
    }),
  ])
})

test("an operator's plan is recorded with what it was before", async () => {
  const added = await addedDuring(kit, () =>
    setPlan(kit.ctx, kit.workspaceId, selfHosted, { xMonthlyCap: 7, quotas: { drafts: 2 } }),
  )
  expect(added).toEqual([
    expect.objectContaining({
      action: 'billing.plan_changed',
      actor: { ...noActor, credential: { type: 'operator', id: 'set-plan' } },
      before: { xMonthlyCap: null, quotas: [] },
      after: { xMonthlyCap: 7, quotas: ['drafts=2'] },
    }),
  ])
})

/** A user with two tokens in a workspace, and a link to reset their password. */
const resetter = async () => {
  const token = await requestReset(kit)
  const rows = await scanTable(kit)
  const reset = await passwordResets.get(kit.ctx, { tokenHash: digest(token) })
  const userId = String(rows.find(({ type, email }) => type === 'User' && email === reset?.email)?.['id'])
  return { token, userId }
}

test.each(['route', 'page'])('a reset by the %s that revokes tokens records each of them', async (door) => {
  const { token, userId } = await resetter()
  expect(userId).toMatch(/^\w{12}$/)
  const mine = accessTokens.key({ userId, id: '' })
  const give = (id: string) =>
    accessTokens.item({
      id,
      userId,
      workspaceId: kit.workspaceId,
      name: `Token ${id}`,
      scopes: ['posts:read'],
      secretHash: 'none',
      createdAt: new Date(kit.clock.now()).toISOString(),
      expiresAt: null,
      revokedAt: null,
    })
  const ids = Array.from({ length: 50 }, (_, n) => `tk${String(n).padStart(2, '0')}`)
  await transact(kit.ctx, () => ids.map((id) => ({ put: give(id) })))
  const newPassword = 'another good password'
  const send = () =>
    door === 'route'
      ? client({ baseUrl: kit.url }).auth.resetPassword({ body: { token, newPassword, revokeTokens: true } })
      : browserOf(kit).send('/reset-password', { token, newPassword, revokeTokens: 'yes' })
  const added = await addedDuring(kit, send)
  expect(added.map(({ action }) => action)).toEqual(ids.map(() => 'token.revoked'))
  expect(added.map(({ targetId }) => targetId).sort()).toEqual(ids.map((id) => `${userId}${id}`).sort())
  expect(added[0]).toMatchObject({
    workspaceId: kit.workspaceId,
    actor: { userId, credential: { type: 'link', id: null }, ip: expect.stringMatching(/127\.0\.0\.1$/) },
    before: { userId, name: expect.stringMatching(/^Token/), scopes: ['posts:read'] },
  })
  const live = (await scanTable(kit)).filter(({ PK, revokedAt }) => PK === mine.PK && revokedAt === null)
  expect(live).toEqual([])
})
