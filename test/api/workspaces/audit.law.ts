import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../../functions/client.ts'
import type { AuditAction, AuditTarget } from '../../../shared/audit/actions.ts'
import { auditEntries } from '../../../shared/audit/entry.ts'
import { recordAudit } from '../../../shared/audit/record.ts'
import { removeRows } from '../../../shared/db/bulk.ts'
import { transact } from '../../../shared/db/table.ts'
import { users } from '../../../shared/identity/user.ts'
import { dayMs, minuteMs } from '../../../shared/time.ts'
import { setPlan } from '../../../shared/workspaces/plan.ts'
import { type Kit, start } from '../../support/start.ts'
import { tester } from '../../support/tester.ts'
import { makeMember, makeSignedIn } from '../../support/world/preparations.ts'
import { makeStepRecorder, tripsOf } from '../../support/world/round-trips.ts'

const recorder = makeStepRecorder()
let kit: Kit
beforeAll(async () => {
  kit = await start({ observe: recorder.observe })
})
afterAll(() => kit.close())

type Query = NonNullable<Parameters<Client['workspaces']['listAudit']>[0]['query']>

/** The workspace of a new user, whose trail has only the creation. */
const open = async () => {
  const { token } = await makeSignedIn(kit)
  const alone = client({ baseUrl: kit.url, token })
  const { id } = await alone.workspaces.create({ body: { name: 'Acme', timezone: 'UTC' } })
  const api = client({ baseUrl: kit.url, token, workspaceId: id })
  const userId = (await api.team.listMembers({ params: { id } })).items[0]?.userId ?? ''
  kit.clock.pass(1000)
  const list = (query: Query = {}) => api.workspaces.listAudit({ params: { id }, query })
  return { id, token, userId, api, list }
}

/** Every entry of a filter, page by page. */
const readAll = async (list: (query: Query) => ReturnType<Client['workspaces']['listAudit']>, query: Query) => {
  const items = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await list({ ...query, ...(cursor === undefined ? {} : { cursor }) })
    items.push(...page.items)
    expect(page.hasMore).toBe(page.nextCursor !== null)
    cursor = page.nextCursor ?? undefined
    pages += 1
  } while (cursor !== undefined)
  return { items, pages }
}

/** Writes entries, each a second after the one before. */
const lay = async (
  workspaceId: string,
  entries: readonly { action: AuditAction; userId: string; target: AuditTarget }[],
) => {
  const startMs = kit.clock.now() - entries.length * 1000 - minuteMs
  const writes = entries.map(({ action, userId, target }, n) => {
    const ctx = { ...kit.ctx, clock: { ...kit.ctx.clock, now: () => startMs + n * 1000 } }
    return recordAudit(
      ctx,
      { ...tester, userId },
      { workspaceId, action, target: { type: target, id: `${target}${n % 3}` } },
    )
  })
  for (let from = 0; from < writes.length; from += 100) await transact(kit.ctx, () => writes.slice(from, from + 100))
  return startMs
}

test('shows who changed what, when, by which session, from where, and in which request', async () => {
  const { id, api, list, userId } = await open()
  await api.workspaces.update({ params: { id }, body: { name: 'Bakery', timezone: 'UTC' } })
  const { items, hasMore, nextCursor } = await list()
  expect(items.map(({ action }) => action)).toEqual(['workspace.updated', 'workspace.created'])
  expect({ hasMore, nextCursor }).toEqual({ hasMore: false, nextCursor: null })
  const person = await users.get(kit.ctx, { id: userId })
  expect(items[0]).toEqual({
    id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    createdAt: new Date(kit.clock.now()).toISOString(),
    action: 'workspace.updated',
    target: { type: 'workspace', id },
    actor: { userId, name: person?.name, email: person?.email },
    credential: { type: 'session', id: expect.stringMatching(/^\w{8}$/) },
    ip: expect.stringMatching(/127\.0\.0\.1$/),
    userAgent: expect.any(String),
    requestId: expect.stringMatching(/^[\w-]{15}=$/),
    clientRequestId: null,
    before: { name: 'Acme' },
    after: { name: 'Bakery' },
    truncated: [],
  })
})

test('a change that changes nothing adds nothing', async () => {
  const { id, api, list } = await open()
  await api.workspaces.update({ params: { id }, body: { name: 'Acme' } })
  await api.workspaces.updateVoice({ params: { id }, body: { tone: '' } })
  expect((await list()).items.map(({ action }) => action)).toEqual(['workspace.created'])
})

test('the entry of each concurrent change has the value that it replaced', async () => {
  const { id, api, list } = await open()
  const params = { id }
  const names = ['One', 'Two', 'Three', 'Four']
  await Promise.all(names.map((name) => api.workspaces.update({ params, body: { name } })))
  await Promise.all(names.map((tone) => api.workspaces.updateVoice({ params, body: { tone } })))
  const { items } = await list()
  const chainOf = (action: string, field: string, first: unknown, last: unknown) => {
    const steps = items
      .filter((entry) => entry.action === action)
      .map(({ before, after }) => [before[field], after[field]])
    expect(steps).toHaveLength(names.length)
    const next = new Map(steps as [unknown, unknown][])
    let value = first
    for (let n = 0; n < names.length; n += 1) value = next.get(value)
    expect(value).toBe(last)
  }
  const { name } = await api.workspaces.get({ params })
  chainOf('workspace.updated', 'name', 'Acme', name)
  chainOf('workspace.voice_settings_updated', 'tone', undefined, (await api.workspaces.getVoice({ params }))?.tone)
})

test('names are those of today; of a person who no longer exists, only the id is left', async () => {
  const { list, userId } = await open()
  const person = await users.get(kit.ctx, { id: userId })
  if (person === undefined) throw new Error('there is no such person')
  await transact(kit.ctx, () => [{ put: users.item({ ...person, name: 'Ada King' }) }])
  expect((await list()).items[0]?.actor).toMatchObject({ userId, name: 'Ada King' })
  const gone = { userId, name: null, email: null }
  // The beginning of the deletion of an account, and its end. Their session still reads: only the profile is gone.
  await transact(kit.ctx, () => [{ put: users.item({ ...person, name: '', email: '' }) }])
  expect((await list()).items[0]?.actor).toEqual(gone)
  await removeRows(kit.ctx, [users.key({ id: userId })])
  expect((await list()).items[0]?.actor).toEqual(gone)
})

test('owners and admins read the trail, also without a plan; members and tokens do not', async () => {
  const params = { id: kit.workspaceId }
  const admin = await makeMember(kit, 'admin')
  const member = await makeMember(kit)
  const as = (token: string) =>
    client({ baseUrl: kit.url, token, workspaceId: kit.workspaceId }).workspaces.listAudit({ params })
  expect((await as(admin.session)).items.length).toBeGreaterThan(0)
  const refused = (code: string) => ({ status: 403, body: expect.objectContaining({ code }) })
  await expect(as(member.session)).rejects.toMatchObject(refused('insufficient_role'))
  await expect(as(kit.pat)).rejects.toMatchObject(refused('session_required'))
  const { id, list } = await open()
  await setPlan(kit.ctx, id, { status: 'canceled', planName: null, hasAccess: false })
  const { items } = await list()
  expect(items[0]).toMatchObject({
    action: 'billing.plan_changed',
    actor: { userId: null, name: null },
    credential: { type: 'operator', id: 'set-plan' },
    after: { hasAccess: false, status: 'canceled' },
  })
})

test('an entry belongs to one workspace', async () => {
  const [one, other] = [await open(), await open()]
  await one.api.workspaces.update({ params: { id: one.id }, body: { name: 'One' } })
  expect((await other.list()).items.map(({ target }) => target.id)).toEqual([other.id])
  const [{ id: cursor = '' } = {}] = (await one.list()).items
  expect((await other.list({ cursor })).items.every(({ target }) => target.id === other.id)).toBe(true)
})

test('an entry is shown for a year, even if its row is still there', async () => {
  const { id, list } = await open()
  const old = (days: number) => {
    const clock = { ...kit.ctx.clock, now: () => kit.clock.now() - days * dayMs }
    const target = { type: 'workspace' as const, id }
    const write = recordAudit({ ...kit.ctx, clock }, tester, { workspaceId: id, action: 'workspace.updated', target })
    // The table removes an expired row when it has time to.
    return 'put' in write ? { put: { ...write.put, ttl: 4_000_000_000 } } : write
  }
  await transact(kit.ctx, () => [old(364), old(366)])
  expect((await list()).items.map(({ action }) => action)).toEqual(['workspace.created', 'workspace.updated'])
})

const actions = ['token.created', 'token.revoked', 'member.removed', 'webhook_endpoint.updated'] as const
const people = ['personone000', 'persontwo000'] as const
const targets = ['token', 'member', 'webhook_endpoint'] as const
const entry = fc.record({
  action: fc.constantFrom(...actions),
  userId: fc.constantFrom(...people),
  target: fc.constantFrom(...targets),
})

test('every filter, in pages of any size, finds what a filter over the whole trail finds, in its order', async () => {
  const { id, list } = await open()
  const entries = fc.sample(entry, { numRuns: 90, seed: 16 })
  const startMs = await lay(id, entries)
  const { items: all } = await readAll(list, { limit: 200 })
  expect(all).toHaveLength(entries.length + 1)
  const moment = fc.integer({ min: -5, max: entries.length + 5 }).map((n) => new Date(startMs + n * 1000).toISOString())
  const filters = fc.record(
    {
      action: fc.subarray([...actions], { minLength: 1 }).map((some) => some.join(',')),
      actorId: fc.constantFrom(...people, 'nobody'),
      targetType: fc.constantFrom(...targets),
      targetId: fc.constantFrom('token0', 'member1', 'none'),
      from: moment,
      to: moment,
      limit: fc.constantFrom(1, 7, 50),
    },
    { requiredKeys: ['limit'] },
  )
  const model = ({ action, actorId, targetType, targetId, from, to }: Query) =>
    all.filter(
      (entry) =>
        (action === undefined || String(action).split(',').includes(entry.action)) &&
        (actorId === undefined || entry.actor.userId === actorId) &&
        (targetType === undefined || entry.target.type === targetType) &&
        (targetId === undefined || entry.target.id === targetId) &&
        (from === undefined || entry.createdAt >= from) &&
        (to === undefined || entry.createdAt <= to),
    )
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      fc.pre(!(filter.from !== undefined && filter.to !== undefined && filter.from > filter.to))
      const { items } = await readAll(list, filter as Query)
      expect(items.map(({ id }) => id)).toEqual(model(filter as Query).map(({ id }) => id))
    }),
    { numRuns: 60, seed: 16 },
  )
}, 60_000)

test('a page of 10,000 entries costs one Query of bounded size, with any filter', async () => {
  const { id, list } = await open()
  const count = 10_000
  await lay(
    id,
    Array.from({ length: count }, (_, n) => ({
      action: actions[n % 4] ?? actions[0],
      userId: people[0],
      target: 'token',
    })),
  )
  const steps = await recorder.during(() => list({ actorId: 'nobody' }))
  expect(tripsOf(steps, 'workspaces-list-audit')).toBe('BatchGetItem | Query')
  const { items, pages } = await readAll(list, { actorId: 'nobody', limit: 200 })
  expect({ listedCount: items.length, pages }).toEqual({ listedCount: 0, pages: 21 })
  const some = await readAll(list, { action: 'token.revoked', limit: 200 })
  expect(some.items).toHaveLength(count / 4)
  expect(some.items.map((entry) => entry.id)).toEqual(
    some.items
      .map((entry) => entry.id)
      .toSorted()
      .toReversed(),
  )
}, 60_000)

test('rejects a filter that names nothing known', async () => {
  const { list } = await open()
  const rejected = { status: 400, body: expect.objectContaining({ code: 'invalid_input' }) }
  await expect(list({ action: 'post.published' })).rejects.toMatchObject(rejected)
  await expect(list({ cursor: 'dlv_1' })).rejects.toMatchObject(rejected)
  await expect(list({ from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' })).rejects.toMatchObject(rejected)
})

test('rows have neither names nor addresses of people', async () => {
  const { id, api, list, userId } = await open()
  await api.team.invite({ params: { id }, body: { email: 'guest.of.honor@mail.test', role: 'member' } })
  const [invited] = (await list({ action: 'invitation.created' })).items
  expect(invited?.after).toMatchObject({ email: 'g…@m….test', role: 'member' })
  const row = await auditEntries.get(kit.ctx, { workspaceId: id, id: invited?.id ?? '' })
  const person = await users.get(kit.ctx, { id: userId })
  expect(JSON.stringify(row)).not.toContain('guest.of.honor')
  expect(JSON.stringify(row)).not.toContain(person?.email)
  expect(row?.actor.userId).toBe(userId)
})
