import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../../functions/client.ts'
import type { Item } from '../../../shared/db/table.ts'
import type { EventType } from '../../../shared/events/types.ts'
import { minuteMs } from '../../../shared/time.ts'
import { setPlan } from '../../../shared/workspaces/plan.ts'
import { type Kit, start } from '../../support/start.ts'
import { channelId, inviteGuest, makeAsset, makeHook, postBody, upload } from '../../support/world/preparations.ts'
import { listFiles } from '../../workspaces/files.ts'
import { tracesOf } from '../../workspaces/full-workspace.ts'
import { refusalOf, statusOf } from '../answers.ts'

let kit: Kit
/** Loses what the endpoint sends to the queue. */
let isLosing = false

beforeAll(async () => {
  kit = await start({
    observe: (effect, run) => {
      const isLost = isLosing && effect.functionName === 'workspaces-delete' && effect.action === 'SendMessage'
      return isLost ? Promise.reject(new Error('lost on the way to the queue')) : run()
    },
  })
})
afterAll(() => kit.close())

const openAnother = async () => {
  const { id, slug } = await kit.sessionApi.workspaces.create({ body: { name: 'Another', timezone: 'UTC' } })
  const api = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: id })
  const remove = (confirm?: string) =>
    api.workspaces.delete({ params: { id }, query: confirm === undefined ? {} : { confirm } })
  return { id, slug, api, remove }
}

const kindsOf = (rows: readonly Item[]) => [...new Set(rows.map(({ type }) => String(type)))].sort()

const everyEvent: EventType[] = ['post.scheduled', 'post.cancelled', 'post.published', 'post.publish_failed']

/** Fills the seed's workspace with all that one can hold, and with what is left of things that were deleted in it. */
const furnish = async () => {
  const { api, sessionApi, accounts, clock, workspaceId } = kit
  await makeHook(kit, 'kept', everyEvent)
  const dropped = await makeHook(kit, 'dropped', everyEvent)
  const [shown, doomed] = [await makeAsset(kit), await makeAsset(kit)]
  // Arrived in the bucket, never completed.
  await upload(kit)
  const now = (content: string, mediaUrls: string[] = []) => {
    const { scheduledAt: _, ...body } = postBody(kit, content)
    return api.posts.publishNow({ body: { ...body, mediaUrls } })
  }
  const [first] = await now('Seen', [shown.id, doomed.id])
  const [second] = await now('Withdrawn')
  await kit.service.pass(3 * minuteMs)
  await api.posts.delete({ params: { id: second?.id ?? '' } })
  await api.media.delete({ params: { id: doomed.id } })
  await sessionApi.webhooks.delete({ params: { id: dropped.id } })
  const body = { socialAccountIds: [accounts.discord], metadata: { discord: { channelId } } }
  const scheduledAt = new Date(clock.now() + 120 * minuteMs).toISOString()
  await api.posts.schedule({ body: { ...body, content: '€'.repeat(1400), scheduledAt }, idempotencyKey: 'long one' })
  await api.socialAccounts.discordChannels({ query: { socialAccountId: accounts.discord } })
  await sessionApi.socialAccounts.connect({ params: { platform: 'discord' } })
  await sessionApi.workspaces.updateVoice({ params: { id: workspaceId }, body: { tone: 'warm' } })
  await api.drafts.create({ body: { content: 'Not yet' } })
  const { id: collectionId } = await api.memory.createCollection({ body: { name: 'Notes', isPrivate: true } })
  const [, gone] = await Promise.all(
    ['Kept', 'Dropped'].map((text) => api.memory.create({ body: { text, collectionId } })),
  )
  await api.memory.delete({ params: { id: gone?.id ?? '' }, body: { collectionId } })
  const { guest, token } = await inviteGuest(kit)
  await client({ baseUrl: kit.url, token: guest.session }).team.acceptInvitation({ body: { token } })
  const waiting = await inviteGuest(kit)
  const guestApi = client({ baseUrl: kit.url, token: guest.session })
  const { token: pat } = await guestApi.cli.createToken({ body: { name: 'guest', workspaceId } })
  return { guest, pat, waiting, postId: first?.id ?? '' }
}

test('a deleted workspace is closed immediately, then removed without a trace; other workspaces are not affected', async () => {
  const { api, sessionApi, workspaceId } = kit
  const other = await openAnother()
  await other.api.workspaces.updateVoice({ params: { id: other.id }, body: { tone: 'calm' } })
  await other.api.media.complete({ body: await upload(other) })
  await kit.service.drain()
  const untouched = [await tracesOf(kit, other.id), await listFiles(kit, other.id)]
  const { guest, pat, waiting, postId } = await furnish()
  expect(kindsOf(await tracesOf(kit, workspaceId))).toEqual(
    [
      ...['AccessToken', 'Asset', 'AuditEntry', 'Body', 'Collection', 'Delivery', 'Draft', 'CachedAnswer', 'Endpoint'],
      ...['Invitation', 'Member', 'Memory', 'MemoryRemoval'],
      ...[
        'InvitationPointer',
        'MediaUse',
        'Membership',
        'ConnectLink',
        'Outbox',
        'Post',
        'RecentText',
        'Slug',
        'SocialAccount',
      ],
      ...['Count', 'Voice', 'Workspace', 'undefined'],
    ].sort(),
  )
  const params = { id: workspaceId }
  const { slug } = await sessionApi.workspaces.get({ params })
  const delivered = kit.inbox.deliveries().length
  expect(await sessionApi.workspaces.delete({ params, query: { confirm: slug } })).toEqual({
    id: workspaceId,
    deleted: true,
  })
  const inside = (token: string) => client({ baseUrl: kit.url, token, workspaceId })
  const shut = [api, sessionApi, inside(guest.session), inside(pat)]
  for (const call of shut) {
    expect(await refusalOf(call.workspaces.get({ params }))).toMatchObject({ status: 403, code: 'not_a_member' })
    expect(await refusalOf(call.posts.get({ params: { id: postId } }))).toMatchObject({ status: 403 })
  }
  expect((await sessionApi.workspaces.list()).map(({ id }) => id)).toEqual([other.id])
  const mint = sessionApi.cli.createToken({ body: { name: 'late', workspaceId } })
  expect(await refusalOf(mint)).toMatchObject({ status: 403, code: 'not_a_member' })
  const late = client({ baseUrl: kit.url, token: waiting.guest.session })
  expect(await refusalOf(late.team.acceptInvitation({ body: { token: waiting.token } }))).toMatchObject({ status: 404 })
  const create = () => sessionApi.workspaces.create({ body: { name: 'Heir', timezone: 'UTC', slug } })
  expect(await refusalOf(create())).toMatchObject({ status: 409, code: 'slug_taken' })

  await kit.service.drain()
  expect(kindsOf(await tracesOf(kit, workspaceId))).toEqual([
    'Collection',
    'ConnectLink',
    'Endpoint',
    'Member',
    'Slug',
    'WorkspaceDeletion',
  ])
  expect(await listFiles(kit, workspaceId)).toEqual([])
  expect(await statusOf(inside(pat).workspaces.get({ params }))).toBe(401)
  // Past the time of the post that was scheduled: its message, if one comes, meets no row.
  await kit.service.pass(130 * minuteMs, { tickMinutes: 5 })
  expect(await tracesOf(kit, workspaceId)).toEqual([])
  expect(await listFiles(kit, workspaceId)).toEqual([])
  expect([await tracesOf(kit, other.id), await listFiles(kit, other.id)]).toEqual(untouched)
  expect(kit.inbox.deliveries().length).toBe(delivered)
  expect((await create()).slug).toBe(slug)
  expect(kit.logged.filter((line) => line.includes('"error"'))).toEqual([])
}, 60_000)

test('a deletion requires the slug as confirmation, and the error says which', async () => {
  const { id, slug, api, remove } = await openAnother()
  for (const confirm of [undefined, '', 'other', slug.toUpperCase()]) {
    const refused = await refusalOf(remove(confirm))
    expect(refused).toMatchObject({ status: 400, code: 'confirmation_required', field: 'confirm' })
    expect(JSON.stringify(refused)).toContain(`?confirm=${slug}`)
  }
  expect(await api.workspaces.get({ params: { id } })).toMatchObject({ id })
})

test('one of several concurrent deletes succeeds; a workspace without a plan can also be deleted', async () => {
  const { id, slug, remove } = await openAnother()
  await setPlan(kit.ctx, id, { status: 'canceled', planName: null, hasAccess: false })
  const statuses = await Promise.all([remove(slug), remove(slug), remove(slug)].map(statusOf))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  for (const status of statuses) expect([200, 403, 409]).toContain(status)
})

test('the sweeper finds a deletion whose message was lost', async () => {
  const { id, slug, remove } = await openAnother()
  isLosing = true
  await remove(slug)
  isLosing = false
  await kit.service.drain()
  expect((await tracesOf(kit, id)).length).toBeGreaterThan(3)
  await kit.service.pass(70 * minuteMs, { tickMinutes: 5 })
  expect(await tracesOf(kit, id)).toEqual([])
})

/** Other requests that change rows of a workspace, from a user who was authorized before it was deleted. */
const changes: Readonly<Record<string, (api: Client, id: string) => Promise<unknown>>> = {
  'its name': (api, id) => api.workspaces.update({ params: { id }, body: { name: 'Late' } }),
  'its webhooks': (api) =>
    api.webhooks.create({
      body: { name: 'late', url: `${kit.service.inboxUrl}/hooks/late`, events: ['post.published'] },
    }),
  'its invitations': (api, id) =>
    api.team.invite({ params: { id }, body: { email: 'late@mail.test', role: 'member' } }),
}

test.each(Object.keys(changes))('a concurrent change to %s does not restore a deleted workspace', async (name) => {
  const { id, slug, api, remove } = await openAnother()
  const removeAgain = async () => {
    // The change may come first.
    const status = await statusOf(remove(slug))
    return status === 409 ? statusOf(remove(slug)) : status
  }
  const [changed, deleted] = await Promise.all([statusOf(changes[name]?.(api, id) ?? api.meta.health()), removeAgain()])
  expect(deleted).toBe(200)
  expect([200, 403, 404, 409]).toContain(changed)
  expect(await statusOf(api.workspaces.get({ params: { id } }))).toBe(403)
  await kit.service.pass(70 * minuteMs, { tickMinutes: 10 })
  expect(await tracesOf(kit, id)).toEqual([])
})
