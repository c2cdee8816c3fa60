import { expect, test } from 'vitest'
import { put } from '../../../shared/db/table.ts'
import { setPlan } from '../../../shared/workspaces/plan.ts'
import { type Member, members, membershipKey } from '../../../shared/workspaces/workspace.ts'
import { serveFile, startClient } from '../auth/client.ts'

serveFile()

const path = '/api/workspaces'
const unpaid = { status: 'canceled', planName: null, hasAccess: false, accessMessage: 'The plan has ended.' }

async function startOwner() {
  const client = startClient()
  const owner = await client.person()
  const { send, ctx } = client
  const create = async (name: string): Promise<string> =>
    (await send('POST', path, { token: owner.token, body: { name } })).body.data.id
  const list = async (token: string) => (await send('GET', path, { token })).body.data
  const join = async (workspaceId: string, userId: string, status: Member['status']) => {
    const member = { workspaceId, userId, role: 'member', status, createdAt: '2030-01-01T00:00:00.000Z' } as const
    await put(ctx, members.item(member))
    await put(ctx, { ...membershipKey(userId, workspaceId), type: 'Membership' })
  }
  return { ...client, owner, create, list, join }
}

test('lists all workspaces of a person, oldest first, with the role in each', async () => {
  const { person, owner, create, list, join, clock } = await startOwner()
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three']) {
    ids.push(await create(name))
    clock.pass(1)
  }
  const guest = await person()
  expect(await list(guest.token)).toEqual([])
  await join(ids[1] ?? '', guest.userId, 'active')
  expect((await list(owner.token)).map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(await list(guest.token)).toMatchObject([{ id: ids[1], role: 'member' }])
})

test('an unpaid workspace stays in the list with hasAccess false and can still be read', async () => {
  const { owner, create, list, ctx, send } = await startOwner()
  const id = await create('Acme')
  await setPlan(ctx, id, unpaid)
  expect(await list(owner.token)).toMatchObject([{ id, subscription: unpaid }])
  const one = await send('GET', `${path}/${id}`, { token: owner.token, headers: { 'X-Workspace-Id': id } })
  expect(one).toMatchObject({ status: 200, body: { data: { subscription: { hasAccess: false } } } })
})

test('a plan can only be set on an existing workspace', async () => {
  const { ctx } = await startOwner()
  expect(await setPlan(ctx, 'ws_none', unpaid)).toBeUndefined()
})

test('omits a workspace that suspended the person', async () => {
  const { person, create, list, join } = await startOwner()
  const [id, guest] = [await create('Acme'), await person()]
  await join(id, guest.userId, 'suspended')
  expect(await list(guest.token)).toEqual([])
  await join(id, guest.userId, 'active')
  expect(await list(guest.token)).toHaveLength(1)
})

test('lists more workspaces than one batch read holds', async () => {
  const { person, create, list, join } = await startOwner()
  const guest = await person()
  const id = await create('Acme')
  await join(id, guest.userId, 'active')
  // Memberships whose workspaces are gone cost a read and show nothing.
  await Promise.all(Array.from({ length: 60 }, (_, n) => join(`ws_0${n}`, guest.userId, 'active')))
  expect(await list(guest.token)).toMatchObject([{ id }])
})

test('a personal access token sees only its own workspace and needs workspace:read', async () => {
  const { owner, create, list, send, join } = await startOwner()
  const [id] = [await create('Mine'), await create('Other')]
  const mint = async (scopes: string[]) =>
    (await send('POST', '/api/cli/tokens', { token: owner.token, body: { name: 'ci', workspaceId: id, scopes } })).body
      .data.token
  const token = await mint(['workspace:read'])
  expect(await list(token)).toMatchObject([{ id, role: 'owner' }])
  expect(await send('GET', path, { token: await mint(['posts:read']) })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  })
  expect(await send('POST', path, { token, body: { name: 'More' } })).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  })
  await join(id, owner.userId, 'suspended')
  expect((await send('GET', path, { token })).status).toBe(403)
})
