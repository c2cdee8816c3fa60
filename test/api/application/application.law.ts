import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../../functions/client.ts'
import { routes } from '../../../functions/routes.ts'
import { walkConnect } from '../../../infra/local/demo/walk-connect.ts'
import { type Key, transact, update } from '../../../shared/db/table.ts'
import { minuteMs } from '../../../shared/time.ts'
import { setPlan } from '../../../shared/workspaces/plan.ts'
import { selfHosted } from '../../../shared/workspaces/subscription.ts'
import { members } from '../../../shared/workspaces/workspace.ts'
import { download, exportOnce } from '../../export/exports.ts'
import { readArchive, recordsIn } from '../../export/read-archive.ts'
import { type Kit, start } from '../../support/start.ts'
import { callRoute } from '../../support/world/ask.ts'
import { receivedBy } from '../../webhooks/hooks.ts'

let kit: Kit
let token: string
let api: Client

const inWorkspace = (workspaceId: string, by = token) => client({ baseUrl: kit.url, token: by, workspaceId })

const openChild = async (externalId: string, more: object = {}) => {
  const child = await api.application.createWorkspace({
    body: { name: 'Mill Street', timezone: 'UTC', externalId, ...more },
  })
  return { ...child, api: inWorkspace(child.id) }
}

/** A child workspace with an account on X, connected by a link that the application made. */
const openConnected = async (externalId: string) => {
  const child = await openChild(externalId)
  const page = await walkConnect({ baseUrl: kit.url, token, workspaceId: child.id }, 'x')
  const [account] = await child.api.socialAccounts.list()
  if (account === undefined) throw new Error(`nothing was connected: ${page}`)
  const post = (content: string, inMs = 20 * minuteMs) =>
    child.api.posts.schedule({
      body: {
        socialAccountIds: [account.id],
        content,
        scheduledAt: new Date(kit.clock.now() + inMs).toISOString(),
      },
    })
  return { ...child, page, account, post }
}

beforeAll(async () => {
  kit = await start()
  await kit.sessionApi.application.register({ body: { name: 'Planner', logo: 'https://planner.test/logo.png' } })
  token = (await kit.sessionApi.application.createToken({ body: { name: 'Backend' } })).token
  api = inWorkspace(kit.workspaceId)
})
afterAll(() => kit.close())

test('an application creates a child workspace and finds it by the ID of the customer', async () => {
  const child = await openChild('customer-1', { callsPerMinute: 30, quotas: { drafts: 5 } })
  expect(child).toMatchObject({
    externalId: 'customer-1',
    callsPerMinute: 30,
    quotas: { drafts: 5 },
    xMonthlyCap: null,
  })
  const { items, total } = await api.application.listWorkspaces({ query: { externalId: 'customer-1' } })
  expect([total, items.map(({ id }) => id)]).toEqual([1, [child.id]])
  expect(await child.api.workspaces.get({ params: { id: child.id } })).toMatchObject({ role: 'owner' })
})

test('a customer has one workspace, and a second one is refused with the ID of the first', async () => {
  const first = await openChild('customer-2')
  await expect(openChild('customer-2')).rejects.toMatchObject({
    status: 409,
    body: { code: 'external_id_taken', field: 'externalId', workspaceId: first.id },
  })
})

test('a repeat with the same Idempotency-Key creates one workspace', async () => {
  const create = () =>
    api.application.createWorkspace({ body: { name: 'Once', timezone: 'UTC' }, idempotencyKey: 'customer-once' })
  const [first, again] = [await create(), await create()]
  expect(again).toEqual(first)
})

test('a link of the application shows its name and logo, and connects an account to the child', async () => {
  const child = await openChild('customer-3')
  const { authorizeUrl } = await child.api.socialAccounts.connect({ params: { platform: 'x' } })
  const page = await (await fetch(authorizeUrl)).text()
  expect(page).toContain('Planner wants to post to your X account. Continue only if you trust Planner.')
  expect(page).toContain('https://planner.test/logo.png')
  expect(page).not.toContain('Mill Street')
  const { page: end, account } = await openConnected('customer-4')
  expect(end).toContain('is connected to Planner')
  expect(account).toMatchObject({ providerId: 'x', isConnected: true })
})

test('one endpoint and one feed have the events of all children, each with its workspace', async () => {
  const { webhooks } = api
  const url = `${kit.service.inboxUrl}/hooks/every-child`
  const events = ['post.scheduled' as const, 'post.published' as const]
  const body = { name: 'Every child', url, events, includeChildWorkspaces: true }
  const endpoint = await webhooks.create({ body })
  expect(endpoint.includeChildWorkspaces).toBe(true)
  await webhooks.create({ body: { name: 'Own', url: `${kit.service.inboxUrl}/hooks/own`, events } })
  const [a, b] = [await openConnected('customer-5'), await openConnected('customer-6')]
  await a.api.webhooks.create({ body: { name: 'A', url: `${kit.service.inboxUrl}/hooks/child-a`, events } })
  await a.post('of a')
  await b.post('of b')
  await kit.service.pass(25 * minuteMs)
  const received = (name: string) =>
    receivedBy(kit, name)
      .map(({ rawBody }) => JSON.parse(rawBody))
      .map(({ id, type, workspace }) => ({ id, type, workspaceId: workspace.id }))
  const all = received('every-child')
  expect(all.map(({ type, workspaceId }) => `${type} ${workspaceId}`).sort()).toEqual(
    [a, b].flatMap(({ id }) => events.map((type) => `${type} ${id}`)).sort(),
  )
  // The child's own endpoint gets the same events, by the same IDs.
  expect(received('child-a')).toEqual(all.filter(({ workspaceId }) => workspaceId === a.id))
  expect(received('own')).toEqual([])
  const onBus = kit.bus.events().filter(({ detail }) => all.some(({ id }) => JSON.stringify(detail).includes(id)))
  expect(onBus).toHaveLength(all.length)
  const feed = await webhooks.listEventLog({ query: { workspaces: 'all', types: events.join(',') } })
  expect(feed.items.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort())
  const [first] = feed.items
  const rest = await webhooks.listEventLog({
    query: { workspaces: 'all', types: events.join(','), after: first?.id ?? '' },
  })
  expect(rest.items).toEqual(feed.items.slice(1))
  expect((await webhooks.listEventLog({ query: { types: events.join(',') } })).items).toEqual([])
  // Accounts of children are found by whose they are, each in its own workspace.
  await b.api.socialAccounts.update({ params: { id: b.account.id }, body: { externalId: 'shop-2' } })
  const ofShop = { workspaces: 'all', types: events.join(','), accountExternalId: 'shop-2' } as const
  const { items } = await webhooks.listEventLog({ query: ofShop })
  expect(items.map(({ id }) => id)).toEqual(
    feed.items.filter(({ workspace }) => workspace.id === b.id).map(({ id }) => id),
  )
  const posts = ({ api: child }: typeof a) => child.posts.list({ query: { accountExternalId: 'shop-2' } })
  expect([await posts(a), await posts(b)]).toMatchObject([{ total: 0 }, { total: 1, items: [{ content: 'of b' }] }])
})

test('a replay sends the events of children again only to an endpoint that includes them', async () => {
  const child = await openConnected('customer-7')
  const url = `${kit.service.inboxUrl}/hooks/late`
  await child.post('before the endpoint')
  const since = new Date(kit.clock.now() - minuteMs).toISOString()
  await kit.service.pass(3 * minuteMs)
  const late = await api.webhooks.create({ body: { name: 'Late', url, events: ['post.scheduled'] } })
  const replay = async () => {
    const { replayId } = await api.webhooks.replay({ params: { id: late.id }, body: { since, scope: 'all' } })
    await kit.service.pass(minuteMs)
    return api.webhooks.getReplay({ params: { replayId } })
  }
  expect(await replay()).toMatchObject({ matched: 0 })
  await api.webhooks.update({ params: { id: late.id }, body: { includeChildWorkspaces: true } })
  expect(await replay()).toMatchObject({ matched: 1 })
  expect(receivedBy(kit, 'late')).toHaveLength(1)
})

test('closing a child ends its connections and posts, and frees its seat and external ID', async () => {
  const child = await openConnected('customer-8')
  const { id, slug, post } = child
  await post('never live')
  const { workspaceCount } = await api.application.get()
  await child.api.workspaces.delete({ params: { id }, query: { confirm: slug } })
  expect((await api.application.get()).workspaceCount).toBe(workspaceCount - 1)
  expect((await api.application.listWorkspaces({ query: { externalId: 'customer-8' } })).total).toBe(0)
  await expect(child.api.socialAccounts.list()).rejects.toMatchObject({ status: 403 })
  await kit.service.pass(2 * 60 * minuteMs)
  expect(kit.platforms.published().filter(({ text }) => text === 'never live')).toEqual([])
  await openChild('customer-8')
})

test('an application cannot act for people, nor in its own workspace beyond what is meant for it', async () => {
  const child = await openChild('customer-9')
  const refused = { status: 403, body: { code: 'session_required' } }
  const unscoped = { status: 403, body: { code: 'insufficient_scope' } }
  await expect(child.api.workspaces.list()).rejects.toMatchObject(unscoped)
  await expect(child.api.workspaces.create({ body: { name: 'More', timezone: 'UTC' } })).rejects.toMatchObject(refused)
  await expect(
    child.api.team.invite({ params: { id: child.id }, body: { email: 'a@mail.test', role: 'member' } }),
  ).rejects.toMatchObject(refused)
  await expect(api.posts.list()).rejects.toMatchObject(unscoped)
  await expect(api.application.createToken({ body: { name: 'Another' } })).rejects.toMatchObject({ status: 403 })
  expect((await child.api.team.listMembers({ params: { id: child.id } })).total).toBe(0)
})

test('the audit trail names the token of the application, and its workspace has what happens to children', async () => {
  const child = await openConnected('customer-10')
  const { id, slug } = child
  const byApplication = { actor: { userId: null }, credential: { type: 'application', id: expect.any(String) } }
  const own = await child.api.workspaces.listAudit({ params: { id } })
  expect(own.items).toMatchObject([
    { action: 'social_account.connected', credential: { type: 'link', id: expect.any(String) } },
  ])
  kit.clock.pass(1)
  await api.application.updateWorkspace({ params: { id }, body: { callsPerMinute: 5 } })
  kit.clock.pass(1)
  await child.api.workspaces.delete({ params: { id }, query: { confirm: slug } })
  const { items } = await kit.sessionApi.workspaces.listAudit({ params: { id: kit.workspaceId } })
  expect(items.filter(({ target }) => target.id === id)).toMatchObject([
    { action: 'workspace.deleted', ...byApplication },
    { action: 'application.workspace_updated', ...byApplication },
    { action: 'application.workspace_created', ...byApplication },
  ])
})

test('one plan pays for all children, and its end ends their access', async () => {
  const child = await openChild('customer-11')
  await setPlan(kit.ctx, kit.workspaceId, { status: 'canceled', planName: null, hasAccess: false })
  await expect(child.api.posts.list()).rejects.toMatchObject({ status: 402 })
  await setPlan(kit.ctx, kit.workspaceId, selfHosted)
  await child.api.posts.list()
  await expect(setPlan(kit.ctx, child.id, selfHosted)).rejects.toThrow(`Its plan is that of ${kit.workspaceId}`)
})

test('the children get their parts of the cap on X, and no more than the plan has', async () => {
  await setPlan(kit.ctx, kit.workspaceId, selfHosted, { xMonthlyCap: 10 })
  const child = await openChild('customer-12')
  expect(child.xMonthlyCap).toBe(0)
  const set = (xMonthlyCap: number) =>
    api.application.updateWorkspace({ params: { id: child.id }, body: { xMonthlyCap } })
  expect(await set(7)).toMatchObject({ xMonthlyCap: 7 })
  const over = {
    status: 409,
    body: { code: 'quota_exceeded', field: 'xMonthlyCap', quota: 'xMonthlyCap', limit: 10, used: 7 },
  }
  await expect(openChild('customer-13', { xMonthlyCap: 4 })).rejects.toMatchObject(over)
  await expect(set(11)).rejects.toMatchObject(over)
  expect(await set(3)).toMatchObject({ xMonthlyCap: 3 })
  await openChild('customer-13', { xMonthlyCap: 7 })
  expect(await api.application.get()).toMatchObject({ xCapAllotted: 10, xCapLimit: 10 })
})

test('a quota of a child is at most that of the workspace of the application', async () => {
  await expect(openChild('customer-14', { quotas: { drafts: 10_001 } })).rejects.toMatchObject({
    status: 400,
    body: { code: 'invalid_input', field: 'quotas.drafts' },
  })
})

test('an application with children or tokens is not removed', async () => {
  await expect(kit.sessionApi.application.remove()).rejects.toMatchObject({
    status: 409,
    body: { code: 'application_in_use' },
  })
})

test('a revoked token is rejected, and so is one that was never created', async () => {
  const short = await kit.sessionApi.application.createToken({ body: { name: 'Short' } })
  expect(short.token).toMatch(/^svc_app_/)
  await kit.service.drain()
  const email = kit.mail.outbox().find(({ text }) => text.includes(short.id))
  expect(email?.subject).toBe('A token of an application was created')
  expect(email?.text).toContain(`svc_app_${short.id}… "Short"`)
  await inWorkspace(kit.workspaceId, short.token).application.get()
  await kit.sessionApi.application.revokeToken({ params: { id: short.id } })
  await expect(inWorkspace(kit.workspaceId, short.token).application.get()).rejects.toMatchObject({ status: 401 })
  const listed = await kit.sessionApi.application.listTokens()
  expect(listed.find(({ id }) => id === short.id)).toMatchObject({ name: 'Short', revokedAt: expect.any(String) })
})

test('another application reaches no child and no route of this one', async () => {
  const child = await openChild('customer-15')
  const { id } = await kit.sessionApi.workspaces.create({ body: { name: 'Elsewhere', timezone: 'UTC' } })
  const elsewhere = inWorkspace(id, kit.sessionToken)
  await elsewhere.application.register({ body: { name: 'Other' } })
  const { token: other } = await elsewhere.application.createToken({ body: { name: 'Backend' } })
  for (const route of routes) {
    if (route.endpoint.contract.access.kind !== 'workspace') continue
    for (const workspaceId of [child.id, kit.workspaceId]) {
      const { status, body } = await callRoute(kit.url, route, {
        token: other,
        workspaceId,
        params: { id: workspaceId },
      })
      expect([route.operation, status, body?.['code']]).toEqual([route.operation, 403, 'not_a_member'])
    }
  }
  await expect(
    inWorkspace(id, other).application.updateWorkspace({ params: { id: child.id }, body: { callsPerMinute: 1 } }),
  ).rejects.toMatchObject({ status: 404, body: { code: 'child_workspace_not_found' } })
})

test('a team route answers about the membership of an application as about a stranger', async () => {
  const { id: userId } = await kit.sessionApi.application.get()
  const aboutMembers = routes.filter(({ endpoint: { contract } }) => contract.errors?.includes('member_not_found'))
  expect(aboutMembers.length).toBeGreaterThanOrEqual(5)
  for (const route of aboutMembers) {
    const bodies = { 'PATCH /api/workspaces/{id}/members/{userId}': { role: 'member' } }
    const { method, path, body: hasBody } = route.endpoint.contract
    const sent = hasBody && { body: bodies[`${method} ${path}` as keyof typeof bodies] ?? { userId } }
    const call = { token: kit.sessionToken, workspaceId: kit.workspaceId, params: { id: kit.workspaceId, userId } }
    const { status, body } = await callRoute(kit.url, route, { ...call, ...sent })
    expect([route.operation, status, body?.['code']]).toEqual([route.operation, 404, 'member_not_found'])
  }
  await api.application.get()
})

test('an export lists the people of a workspace, not its application', async () => {
  const files = await readArchive(await download(kit, await exportOnce(kit)))
  expect(recordsIn(files, 'members').map(({ userId }) => userId)).toEqual([kit.user.id])
})

/** An application in its own workspace, with one child, whose membership a test changes in the table. */
const openDamaged = async (damage: (row: Key) => Promise<unknown>) => {
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name: 'Damaged', timezone: 'UTC' } })
  const owner = inWorkspace(workspaceId, kit.sessionToken).application
  const { id: userId } = await owner.register({ body: { name: 'Damaged' } })
  const child = await owner.createWorkspace({ body: { name: 'Child', timezone: 'UTC' } })
  await damage(members.key({ workspaceId, userId }))
  return { owner, workspaceId, child }
}

test.each([
  ['removed', (row: Key) => transact(kit.ctx, () => [{ delete: row }])],
  ['suspended', (row: Key) => update(kit.ctx, row, { set: { status: 'suspended' } })],
  ['demoted', (row: Key) => update(kit.ctx, row, { set: { role: 'member' } })],
] as const)('an application whose membership was %s gets it back with its next token', async (_, damage) => {
  const { owner, workspaceId, child } = await openDamaged(damage)
  const { token: own, id } = await owner.createToken({ body: { name: 'Backend' } })
  const inChild = inWorkspace(child.id, own)
  await inWorkspace(workspaceId, own).application.createWorkspace({ body: { name: 'Second', timezone: 'UTC' } })
  const { items } = await inWorkspace(workspaceId, own).application.listWorkspaces()
  expect(items).toHaveLength(2)
  for (const { id: childId, slug } of items) {
    await inWorkspace(childId, own).workspaces.delete({ params: { id: childId }, query: { confirm: slug } })
  }
  await expect(inChild.posts.list()).rejects.toMatchObject({ status: 403 })
  await owner.revokeToken({ params: { id } })
  await owner.remove()
  await owner.register({ body: { name: 'Again' } })
})

test('an application without a membership can be removed and registered again', async () => {
  const { owner, child, workspaceId } = await openDamaged(async () => undefined)
  const { token: own, id } = await owner.createToken({ body: { name: 'Backend' } })
  await inWorkspace(child.id, own).workspaces.delete({ params: { id: child.id }, query: { confirm: child.slug } })
  await owner.revokeToken({ params: { id } })
  const { id: userId } = await owner.get()
  await transact(kit.ctx, () => [{ delete: members.key({ workspaceId, userId }) }])
  await owner.remove()
  await owner.register({ body: { name: 'Again' } })
})
