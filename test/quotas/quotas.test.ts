import { expect, test } from 'vitest'
import type { QuotaLimits } from '../../shared/quotas/quotas.ts'
import { hourMs } from '../../shared/time.ts'
import { setPlan } from '../../shared/workspaces/plan.ts'
import { selfHosted } from '../../shared/workspaces/subscription.ts'
import { refusalOf } from '../api/answers.ts'
import { type Kit, start } from '../support/start.ts'
import { makePerson, password, upload } from '../support/world/preparations.ts'

const begin = (quotas: QuotaLimits) => start({ quotas })

const shown = async ({ sessionApi, workspaceId }: Kit, name: string) => {
  const { quotas } = await sessionApi.workspaces.listQuotas({ params: { id: workspaceId } })
  return quotas.find((quota) => quota.name === name)
}

const draft = ({ api }: Kit) => api.drafts.create({ body: { content: 'An idea' } })

test('rejects a draft above the quota with an explanation, and accepts it after a deletion', async () => {
  const kit = await begin({ drafts: 2 })
  const first = await draft(kit)
  await draft(kit)
  expect(await refusalOf(draft(kit))).toMatchObject({
    status: 409,
    code: 'quota_exceeded',
    quota: 'drafts',
    limit: 2,
    used: 2,
    error:
      'The limit is 2 drafts in a workspace, and 2 are used. Delete drafts that you no longer need, or ask the operator for a higher limit.',
  })
  expect(await shown(kit, 'drafts')).toEqual({ name: 'drafts', per: 'workspace', limit: 2, used: 2, remaining: 0 })
  await kit.api.drafts.delete({ params: { id: first.id } })
  await draft(kit)
})

test('the quota of a plan applies, and without one that of the deployment', async () => {
  const kit = await begin({ drafts: 1 })
  await draft(kit)
  await setPlan(kit.ctx, kit.workspaceId, selfHosted, { quotas: { drafts: 2 } })
  await draft(kit)
  expect(await refusalOf(draft(kit))).toMatchObject({ status: 409, limit: 2 })
  await setPlan(kit.ctx, kit.workspaceId, selfHosted)
  expect(await shown(kit, 'drafts')).toMatchObject({ limit: 1, used: 2, remaining: 0 })
})

test('the memory quota of a workspace covers all of its collections', async () => {
  const kit = await begin({ memories: 2 })
  const collection = async (name: string) => (await kit.api.memory.createCollection({ body: { name } })).id
  const save = (collectionId: string) => kit.api.memory.create({ body: { collectionId, text: 'Bread at six' } })
  const [one, other] = [await collection('One'), await collection('Other')]
  const first = await save(one)
  await save(other)
  expect(await refusalOf(save(other))).toMatchObject({ status: 409, quota: 'memories', limit: 2, used: 2 })
  expect(await shown(kit, 'memories')).toMatchObject({ used: 2, remaining: 0 })
  await kit.api.memory.delete({ params: { id: first.id }, body: { collectionId: one } })
  await save(other)
})

test('a file that exceeds the storage quota gets no upload URL, and cannot complete above the quota', async () => {
  const kit = await begin({ storageBytes: 120 })
  const second = await upload(kit)
  const asset = await kit.api.media.complete({ body: await upload(kit) })
  expect(await shown(kit, 'storageBytes')).toMatchObject({ limit: 120, used: asset.fileSize })
  const full = { status: 409, quota: 'storageBytes', limit: 120, used: asset.fileSize }
  const announce = () =>
    kit.api.media.createUploadUrl({ body: { filename: 'a.png', mimeType: 'image/png', fileSize: 100 } })
  expect(await refusalOf(announce())).toMatchObject(full)
  expect(await refusalOf(kit.api.media.complete({ body: second }))).toMatchObject(full)
  await kit.api.media.delete({ params: { id: asset.id } })
  expect(await shown(kit, 'storageBytes')).toMatchObject({ used: 0, remaining: 120 })
  await kit.api.media.complete({ body: second })
})

test('uploads that are announced and never sent count against a daily quota that recovers over time', async () => {
  const kit = await begin({ uploadMebibytes: 24 })
  const announce = (mebibytes: number) =>
    kit.api.media.createUploadUrl({
      body: { filename: 'a.mp4', mimeType: 'video/mp4', fileSize: mebibytes * 2 ** 20 },
    })
  expect(await refusalOf(announce(25))).toMatchObject({ status: 429, quota: 'uploadMebibytes', limit: 24 })
  expect(await refusalOf(announce(25))).toMatchObject({
    error: expect.stringMatching(/alone exceeds the limit of 24/),
  })
  await announce(20)
  expect(await shown(kit, 'uploadMebibytes')).toMatchObject({ used: 20, remaining: 4, windowSeconds: 86_400 })
  expect(await refusalOf(announce(5))).toMatchObject({
    status: 429,
    code: 'quota_rate_exceeded',
    error: 'This workspace has reached its limit of uploads. Try again in 60 minutes.',
  })
  await announce(4)
  kit.clock.pass(hourMs)
  await announce(1)
})

test('invitations of a workspace and to an address have a daily quota', async () => {
  const kit = await begin({ invitations: 3, invitationMails: 2 })
  const invite = (email: string) =>
    kit.sessionApi.team.invite({ params: { id: kit.workspaceId }, body: { email, role: 'member' } })
  await invite('ada@mail.test')
  await invite('ADA@mail.test')
  expect(await refusalOf(invite('ada@mail.test'))).toMatchObject({ status: 429, quota: 'invitationMails' })
  await invite('bob@mail.test')
  expect(await refusalOf(invite('cyd@mail.test'))).toMatchObject({ status: 429, quota: 'invitations' })
  kit.clock.pass(12 * hourMs)
  await invite('ada@mail.test')
})

test('a stranger who requests emails for an address cannot flood its mailbox, and the response does not reveal it', async () => {
  const kit = await begin({ verificationMails: 2, passwordResetMails: 2 })
  const received = () => kit.mail.outbox().filter(({ to }) => to.includes('victim@mail.test')).length
  const post = async (path: string, body: object) => {
    const response = await kit.api.$raw('POST', path, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return [response.status, await response.json()]
  }
  const email = 'victim@mail.test'
  const ways = [
    ['/api/auth/sign-up/email', { email, password, name: 'Eve' }],
    ['/api/auth/request-password-reset', { email }],
  ] as const
  for (const [path, body] of ways) {
    const before = received()
    const answers = []
    for (let times = 0; times < 5; times += 1) answers.push(await post(path, body))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(received() - before).toBe(2)
  }
  kit.clock.pass(hourMs * 2.6)
  await post('/api/auth/request-password-reset', { email })
  expect(received()).toBe(5)
})

test('a person has a quota of owned workspaces and of active tokens', async () => {
  const kit = await begin({ ownedWorkspaces: 2, accessTokens: 2 })
  const open = () => kit.sessionApi.workspaces.create({ body: { name: 'Acme', timezone: 'UTC' } })
  await open()
  expect(await refusalOf(open())).toMatchObject({ status: 409, quota: 'ownedWorkspaces', used: 2 })
  const mint = () => kit.sessionApi.cli.createToken({ body: { name: 'ci', workspaceId: kit.workspaceId } })
  const token = await mint()
  expect(await refusalOf(mint())).toMatchObject({ status: 409, quota: 'accessTokens', limit: 2, used: 2 })
  await kit.sessionApi.cli.revokeToken({ params: { id: token.id } })
  await mint()
  expect(await shown(kit, 'accessTokens')).toMatchObject({ per: 'person', used: 2, remaining: 0 })
})

test('a sign-in above the session quota succeeds and ends the oldest session', async () => {
  const kit = await begin({ sessions: 2 })
  const body = await makePerson(kit)
  const signIn = async () => {
    kit.clock.pass(1000)
    return (await kit.api.auth.signIn({ body })).token
  }
  const [first, second, third] = [await signIn(), await signIn(), await signIn()]
  const isIn = async (token: string) => (await kit.api.$raw('GET', '/api/auth/get-session', { token })).status === 200
  expect([await isIn(first), await isIn(second), await isIn(third)]).toEqual([false, true, true])
})

test("a token sees the quotas of its workspace, not its owner's usage elsewhere", async () => {
  const kit = await begin({})
  const { quotas } = await kit.api.workspaces.listQuotas({ params: { id: kit.workspaceId } })
  const personal = quotas.filter(({ per }) => per !== 'workspace')
  expect(personal.length).toBeGreaterThan(4)
  expect(personal.every(({ used, remaining }) => used === null && remaining === null)).toBe(true)
  expect(quotas.filter(({ per }) => per === 'workspace').map(({ used }) => used)).toEqual([0, 0, 0, 0, 0, 0, 0])
})
