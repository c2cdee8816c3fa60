import { expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import type { RateLimits } from '../../../shared/limits/limits.ts'
import { minuteMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { scanTable } from '../../support/world/rows.ts'

const inWorkspace = ({ url }: Kit, token: string, workspaceId: string) => client({ baseUrl: url, token, workspaceId })

/** An application in a service with these limits, and the API as its token sees its own workspace. */
const openApplication = async (rateLimits: RateLimits) => {
  const kit = await start({ rateLimits })
  await kit.sessionApi.application.register({ body: { name: 'Planner' } })
  const { token } = await kit.sessionApi.application.createToken({ body: { name: 'Backend' } })
  const api = inWorkspace(kit, token, kit.workspaceId)
  const open = async (more: object = {}) => {
    const child = await api.application.createWorkspace({ body: { name: 'Customer', timezone: 'UTC', ...more } })
    return { ...child, api: inWorkspace(kit, token, child.id) }
  }
  return { kit, token, api, open }
}

const limited = { status: 429, body: { code: 'rate_limited' } }

test('a child that has used up its calls leaves those of the others', async () => {
  const { kit, open } = await openApplication({ general: { calls: 5, perSeconds: 60 } })
  const [a, b, slow] = [await open(), await open(), await open({ callsPerMinute: 2 })]
  for (let n = 0; n < 5; n += 1) await a.api.posts.list()
  await expect(a.api.posts.list()).rejects.toMatchObject(limited)
  for (let n = 0; n < 5; n += 1) await b.api.posts.list()
  for (let n = 0; n < 2; n += 1) await slow.api.posts.list()
  await expect(slow.api.posts.list()).rejects.toMatchObject(limited)
  // Neither are they those of the person who owns the application.
  await kit.sessionApi.application.get()
})

test('an application cannot use up the calls of a child of another one', async () => {
  const { kit, open } = await openApplication({ general: { calls: 3, perSeconds: 60 } })
  const child = await open()
  kit.clock.pass(minuteMs)
  const { id } = await kit.sessionApi.workspaces.create({ body: { name: 'Elsewhere', timezone: 'UTC' } })
  const elsewhere = inWorkspace(kit, kit.sessionToken, id)
  await elsewhere.application.register({ body: { name: 'Other' } })
  const { token } = await elsewhere.application.createToken({ body: { name: 'Backend' } })
  for (let n = 0; n < 5; n += 1) {
    await expect(inWorkspace(kit, token, child.id).posts.list()).rejects.toMatchObject({ status: 403 })
  }
  await child.api.posts.list()
})

test('all calls of an application together have a limit', async () => {
  const { open } = await openApplication({ application: { calls: 6, perSeconds: 60 } })
  const children = [await open(), await open()]
  for (const { api } of children) for (let n = 0; n < 2; n += 1) await api.posts.list()
  await expect(children[0]?.api.posts.list()).rejects.toMatchObject(limited)
})

test('the child workspaces of an application have a quota', async () => {
  const kit = await start({ quotas: { childWorkspaces: 1 } })
  await kit.sessionApi.application.register({ body: { name: 'Planner' } })
  const open = () => kit.sessionApi.application.createWorkspace({ body: { name: 'Customer', timezone: 'UTC' } })
  await open()
  await expect(open()).rejects.toMatchObject({
    status: 409,
    body: { code: 'quota_exceeded', quota: 'childWorkspaces', limit: 1, used: 1 },
  })
  const { quotas } = await kit.sessionApi.workspaces.listQuotas({ params: { id: kit.workspaceId } })
  expect(quotas.find(({ name }) => name === 'childWorkspaces')).toMatchObject({ limit: 1, used: 1, remaining: 0 })
})

test('the child workspaces are deleted with the workspace of their application', async () => {
  const { kit, token, open } = await openApplication({})
  const child = await open({ externalId: 'customer-1' })
  const { slug } = await kit.sessionApi.workspaces.get({ params: { id: kit.workspaceId } })
  await kit.sessionApi.workspaces.delete({ params: { id: kit.workspaceId }, query: { confirm: slug } })
  await kit.service.pass(3 * 60 * minuteMs)
  for (const api of [child.api, inWorkspace(kit, token, kit.workspaceId)]) {
    await expect(api.posts.list()).rejects.toMatchObject({ status: 401 })
  }
  const left = (await scanTable(kit)).filter((row) => JSON.stringify(row).includes(child.id))
  expect(left).toEqual([])
})
