import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { walkConnect } from '../../../infra/local/demo/walk-connect.ts'
import { dayMs, hourMs } from '../../../shared/time.ts'
import { setPlan } from '../../../shared/workspaces/plan.ts'
import { selfHosted } from '../../../shared/workspaces/subscription.ts'
import { type Kit, start } from '../../support/start.ts'
import { pixel } from '../../support/world/preparations.ts'

const budgetMicroUsd = 700
let kit: Kit
let token: string

const inWorkspace = (workspaceId: string, by = token) => client({ baseUrl: kit.url, token: by, workspaceId })

const openChild = async (more: object = {}) => {
  const body = { name: 'Customer', timezone: 'UTC', ...more }
  const child = await kit.sessionApi.application.createWorkspace({ body })
  return { ...child, api: inWorkspace(child.id) }
}
type Child = Awaited<ReturnType<typeof openChild>>

const close = async ({ id, slug, api }: Child) => {
  await api.workspaces.delete({ params: { id }, query: { confirm: slug } })
  await kit.service.drain()
}

beforeAll(async () => {
  kit = await start({
    startMs: Date.UTC(2030, 0, 30, 12),
    ai: { budgetMicroUsd },
    quotas: { storageBytes: 300, uploadMebibytes: 20 },
  })
  await kit.sessionApi.application.register({ body: { name: 'Planner' } })
  token = (await kit.sessionApi.application.createToken({ body: { name: 'Backend' } })).token
})
afterAll(() => kit.close())

const generate = ({ api }: Pick<Child, 'api'>) => api.ai.generate({ body: { prompt: 'A loaf', platforms: ['x'] } })

test('concurrent AI calls of many children and of the home spend one budget', async () => {
  const children = await Promise.all([openChild(), openChild(), openChild()])
  const all = [{ api: kit.sessionApi }, ...children]
  const ended = await Promise.allSettled(all.flatMap((child) => Array.from({ length: 6 }, () => generate(child))))
  const refused = ended.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(ended.length)
  for (const reason of refused) {
    expect(reason).toMatchObject({ status: 402, code: 'ai_budget_exceeded', body: { limitMicroUsd: budgetMicroUsd } })
  }
  const home = await kit.sessionApi.ai.getUsage()
  const ofChildren = await Promise.all(children.map(({ api }) => api.ai.getUsage()))
  const sum = ofChildren.reduce((used, { usedMicroUsd }) => used + usedMicroUsd, 0)
  expect(sum).toBeGreaterThan(0)
  expect(home).toMatchObject({ reservedMicroUsd: 0, limitMicroUsd: budgetMicroUsd, childWorkspacesMicroUsd: sum })
  expect(home.usedMicroUsd).toBe(sum + home.byKind.text.microUsd)
  expect(home.usedMicroUsd).toBeLessThanOrEqual(budgetMicroUsd)
  expect(ofChildren).toMatchObject(children.map(() => ({ limitMicroUsd: budgetMicroUsd, reservedMicroUsd: 0 })))
})

test('a call that fails, and a child that is closed with a job waiting, give the budget back', async () => {
  kit.clock.pass(2 * dayMs)
  const child = await openChild()
  const before = await kit.sessionApi.ai.getUsage()
  expect(before).toMatchObject({ usedMicroUsd: 0, reservedMicroUsd: 0 })
  kit.service.ai.model.answerWith(() => {
    throw new Error('the model fails')
  })
  await expect(generate(child)).rejects.toMatchObject({ status: 503 })
  expect(await kit.sessionApi.ai.getUsage()).toEqual(before)
  kit.service.ai.model.answerWith(undefined)
  await child.api.ai.createJob({ body: { prompt: 'A loaf', platforms: ['x'] } })
  expect((await kit.sessionApi.ai.getUsage()).reservedMicroUsd).toBeGreaterThan(0)
  await close(child)
  expect(await kit.sessionApi.ai.getUsage()).toEqual(before)
})

const add = ({ api }: Pick<Child, 'api'>) =>
  api.media.create({ body: { content: pixel.toString('base64'), filename: 'a.png' } })

const used = async (name: string) => {
  const { quotas } = await kit.sessionApi.workspaces.listQuotas({ params: { id: kit.workspaceId } })
  return quotas.find((quota) => quota.name === name)?.used
}

test('the files of all children are in the storage of one plan, and leave it when they go', async () => {
  const [a, b] = [await openChild(), await openChild()]
  const fits = Math.floor(300 / pixel.length)
  const file = await add(a)
  for (let n = 1; n < fits; n += 1) await add(n % 2 === 0 ? a : b)
  const full = { status: 409, body: { code: 'quota_exceeded', quota: 'storageBytes' } }
  for (const caller of [a, b, { api: kit.sessionApi }]) await expect(add(caller)).rejects.toMatchObject(full)
  expect(await used('storageBytes')).toBe(fits * pixel.length)
  await a.api.media.delete({ params: { id: file.id }, query: {} })
  expect(await used('storageBytes')).toBe((fits - 1) * pixel.length)
  await add(b)
  await close(b)
  await close(a)
  expect(await used('storageBytes')).toBe(0)
  await kit.service.pass(2 * hourMs)
  expect(await used('storageBytes')).toBe(0)
})

test('the uploads of all children count in the limit of one plan, at the same time as well', async () => {
  kit.clock.pass(2 * dayMs)
  const children = [await openChild(), await openChild(), await openChild()]
  const body = { filename: 'a.png', mimeType: 'image/png' as const, fileSize: 200 }
  const requestUpload = ({ api }: Child) => api.media.createUploadUrl({ body })
  const ended = await Promise.allSettled(
    children.flatMap((child) => Array.from({ length: 10 }, () => requestUpload(child))),
  )
  const refused = ended.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(ended.length - refused.length).toBe(20)
  for (const reason of refused) {
    expect(reason).toMatchObject({ status: 429, body: { quota: 'uploadMebibytes', limit: 20 } })
  }
  expect(String(refused[0]?.message)).toContain('all workspaces of the application together')
})

/** A child with an account on X and this part of the cap. */
const openOnX = async (xMonthlyCap: number) => {
  const child = await openChild({ xMonthlyCap })
  await walkConnect({ baseUrl: kit.url, token, workspaceId: child.id }, 'x')
  const [account] = await child.api.socialAccounts.list()
  const post = (inDays = 1) =>
    child.api.posts.schedule({
      body: {
        socialAccountIds: [account?.id ?? ''],
        content: `post ${Math.random()}`,
        scheduledAt: new Date(kit.clock.now() + inDays * dayMs).toISOString(),
      },
    })
  return { ...child, post }
}

const capped = { status: 429, body: { code: 'x_cap_exceeded' } }

test('the home and its children have one cap on X, which a smaller plan lowers immediately', async () => {
  await setPlan(kit.ctx, kit.workspaceId, selfHosted, { xMonthlyCap: 6 })
  const [a, b] = [await openOnX(4), await openOnX(2)]
  const ended = await Promise.allSettled([a, b].flatMap(({ post }) => Array.from({ length: 5 }, () => post())))
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  expect(await kit.api.posts.xCapUsage()).toMatchObject({ used: 6, limit: 6, remaining: 0 })
  const [first] = (await a.api.posts.list()).items
  await a.api.posts.cancel({ params: { id: first?.id ?? '' } })
  expect(await kit.api.posts.xCapUsage()).toMatchObject({ used: 5, remaining: 1 })
  expect(await a.api.posts.xCapUsage()).toMatchObject({ used: 3, limit: 4, remaining: 1 })
  await setPlan(kit.ctx, kit.workspaceId, selfHosted, { xMonthlyCap: 5 })
  expect(await a.api.posts.xCapUsage()).toMatchObject({ used: 3, limit: 4, remaining: 0 })
  await expect(a.post()).rejects.toMatchObject(capped)
  expect(await kit.sessionApi.application.get()).toMatchObject({ xCapAllotted: 6, xCapLimit: 5 })
  // Each month has its own cap, and the posts of a closed child no longer count.
  for (let n = 0; n < 4; n += 1) await a.post(40)
  await expect(a.post(40)).rejects.toMatchObject(capped)
  await b.post(40)
  await expect(b.post(40)).rejects.toMatchObject(capped)
  await close(a)
  await b.post(40)
  await close(b)
})

test('a child workspace does not have its own application', async () => {
  const child = await openChild()
  await expect(child.api.application.register({ body: { name: 'Nested' } })).rejects.toMatchObject({
    status: 409,
    body: { code: 'child_workspace' },
  })
  await expect(child.api.application.get()).rejects.toMatchObject({ body: { code: 'application_not_found' } })
})
