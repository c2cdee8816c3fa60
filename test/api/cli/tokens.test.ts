import { expect, test } from 'vitest'
import { put } from '../../../shared/db/table.ts'
import { accessTokens } from '../../../shared/identity/access-token.ts'
import { tokenPattern } from '../../../shared/identity/token.ts'
import { members } from '../../../shared/workspaces/workspace.ts'
import { serveFile, startClient } from '../auth/client.ts'

serveFile()

const path = '/api/cli/tokens'

async function startOwner() {
  const client = startClient()
  const { send } = client
  const owner = await client.person()
  const { token } = owner
  const created = await send('POST', '/api/workspaces', { token, body: { name: 'Acme' } })
  const workspaceId: string = created.body.data.id
  const create = (over: object = {}, headers: Record<string, string> = {}) =>
    send('POST', path, { token, body: { name: 'ci', workspaceId, ...over }, headers })
  const list = async () => (await send('GET', path, { token })).body.data
  /** What the token is good for: its own workspace by id. */
  const use = (pat: string, headers: Record<string, string> = { 'X-Workspace-Id': workspaceId }) =>
    send('GET', `/api/workspaces/${workspaceId}`, { token: pat, headers })
  return { ...client, owner, workspaceId, create, list, use }
}

test('a token is shown once, works in its workspace, and is listed without its secret', async () => {
  const { create, list, use, workspaceId } = await startOwner()
  const { status, body } = await create({ scopes: ['workspace:read', 'posts:read', 'posts:read'], expiresInDays: 7 })
  expect(status).toBe(201)
  const { token, id, createdAt, expiresAt } = body.data
  expect(body.data).toEqual({
    id: token.split('_')[2],
    name: 'ci',
    workspaceId,
    scopes: ['workspace:read', 'posts:read'],
    createdAt,
    expiresAt,
    token: expect.stringMatching(tokenPattern),
  })
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 86_400_000)
  expect((await use(token)).status).toBe(200)
  const { token: _, ...shown } = body.data
  expect(await list()).toEqual([{ ...shown, lastUsedAt: createdAt, revokedAt: null }])
  expect(await use(token, { 'X-Workspace-Id': 'ws_other' })).toMatchObject({ status: 403 })
  expect(id).toHaveLength(16)
})

test.each([[undefined], [[]]])('scopes %j default to reading workspace and posts', async (scopes) => {
  const { create } = await startOwner()
  expect((await create({ scopes })).body.data).toMatchObject({ scopes: ['workspace:read', 'posts:read'] })
})

test('shows the day of the last use, which costs one write a day and ignores rejected requests', async () => {
  const { create, list, use, clock, send, workspaceId } = await startOwner()
  const { token } = (await create({ scopes: ['posts:read'] })).body.data
  const lastUse = async () => (await list())[0].lastUsedAt
  const forged = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
  expect((await use(forged)).status).toBe(401)
  expect(await lastUse()).toBeNull()
  const firstMs = clock.now()
  // A token counts as used even if its request was denied.
  const headers = { 'X-Workspace-Id': workspaceId }
  expect((await send('GET', '/api/media', { token, headers })).status).toBe(403)
  expect(await lastUse()).toBe(new Date(firstMs).toISOString())
  clock.pass(86_400_000 - 1)
  await send('GET', '/api/posts', { token, headers })
  expect(await lastUse()).toBe(new Date(firstMs).toISOString())
  clock.pass(1)
  await Promise.all(Array.from({ length: 4 }, () => send('GET', '/api/posts', { token, headers })))
  expect(await lastUse()).toBe(new Date(clock.now()).toISOString())
})

test('lists tokens oldest first, each only to its owner', async () => {
  const { create, list, person, send, clock } = await startOwner()
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) {
    ids.push((await create({ name, scopes: ['*'] })).body.data.id)
    clock.pass(1000)
  }
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual(ids)
  const stranger = await person()
  expect((await send('GET', path, { token: stranger.token })).body.data).toEqual([])
})

test('a revoked token is rejected with the next request and stays in the list', async () => {
  const { create, list, use, send, owner } = await startOwner()
  const { id, token } = (await create()).body.data
  const other = (await create()).body.data
  expect((await use(token)).status).toBe(200)
  expect(await send('DELETE', `${path}/${id}`, { token: owner.token })).toMatchObject({
    status: 200,
    body: { data: { id, deleted: true } },
  })
  expect((await use(token)).status).toBe(401)
  expect((await use(other.token)).status).toBe(200)
  const revoked = (await list()).find((row: { id: string }) => row.id === id)
  expect(revoked.revokedAt).toEqual(expect.any(String))
})

test('no user can revoke the token of another user', async () => {
  const { create, use, send, owner, person } = await startOwner()
  const { id, token } = (await create()).body.data
  const stranger = await person()
  const revoke = (name: string, bearer: string) =>
    send('DELETE', `${path}/${encodeURIComponent(name)}`, { token: bearer })
  const missing = { status: 404, body: { success: false } }
  expect(await revoke(id, stranger.token)).toMatchObject(missing)
  expect(await revoke(stranger.userId + id.slice(12), stranger.token)).toMatchObject(missing)
  const { userId } = owner
  const otherUser = `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`
  const names = ['x', userId, otherUser, `${userId}#abc`, `${userId}0000`, userId + 'x'.repeat(5_000)]
  for (const name of names) {
    expect(await revoke(name, owner.token)).toMatchObject(missing)
  }
  expect((await use(token)).status).toBe(200)
})

test('an expired token is rejected even while its row exists', async () => {
  const { create, use, clock } = await startOwner()
  const { token } = (await create({ expiresInDays: 1 })).body.data
  clock.pass(86_400_000 - 60_000)
  expect((await use(token)).status).toBe(200)
  clock.pass(60_000)
  expect((await use(token)).status).toBe(401)
})

test('only active members of a workspace get tokens for it, and the tokens end with the membership', async () => {
  const { create, use, person, send, workspaceId, ctx } = await startOwner()
  const guest = await person()
  const mint = () => send('POST', path, { token: guest.token, body: { name: 'ci', workspaceId } })
  expect(await mint()).toMatchObject({ status: 403, body: { code: 'not_a_member' } })
  const membership = {
    workspaceId,
    userId: guest.userId,
    role: 'member',
    createdAt: '2030-01-01T00:00:00.000Z',
  } as const
  await put(ctx, members.item({ ...membership, status: 'active' }))
  const { token } = (await mint()).body.data
  expect((await use(token)).status).toBe(200)
  await put(ctx, members.item({ ...membership, status: 'suspended' }))
  expect(await use(token)).toMatchObject({ status: 403, body: { code: 'membership_suspended' } })
  expect(await mint()).toMatchObject({ status: 403, body: { code: 'membership_suspended' } })
  expect(await create({ workspaceId: 'ws_none' })).toMatchObject({ status: 403 })
})

test('a token cannot create, list, or revoke tokens, or show a session', async () => {
  const { create, send } = await startOwner()
  const { id, token } = (await create({ scopes: ['*'] })).body.data
  const calls: [string, string][] = [
    ['POST', path],
    ['GET', path],
    ['DELETE', `${path}/${id}`],
    ['GET', '/api/auth/get-session'],
    ['POST', '/api/auth/sign-out'],
  ]
  for (const [method, address] of calls) {
    expect(await send(method, address, { token }), `${method} ${address}`).toMatchObject({
      status: 403,
      body: { code: 'session_required' },
    })
  }
})

test('a repeated request with an Idempotency-Key creates one token and does not show its secret again', async () => {
  const { create, list } = await startOwner()
  const key = { 'Idempotency-Key': 'one' }
  const first = await create({}, key)
  expect(first.status).toBe(201)
  const second = await create({}, key)
  expect(second).toMatchObject({ status: 409, body: { code: 'secret_already_returned', id: first.body.data.id } })
  expect(second.text).not.toContain('svc_pat_')
  expect(await list()).toHaveLength(1)
})

test('the table stores no secret', async () => {
  const { create, owner, ctx } = await startOwner()
  const { id, token } = (await create()).body.data
  const row = await accessTokens.get(ctx, { userId: owner.userId, id: id.slice(12) })
  expect(row?.name).toBe('ci')
  expect(JSON.stringify(row)).not.toContain(token.split('_')[3].slice(0, 43))
})

test.each([
  [
    'scopes.1',
    { scopes: ['posts:read', 'posts:explode'] },
    'contains the unknown scope "posts:explode". Use workspace:read',
  ],
  ['scopes', { scopes: 'posts:read' }, 'must be an array'],
  ['name', { name: '' }, 'must have at least 1 character'],
  ['name', { name: 'x'.repeat(81) }, 'must have at most 80 characters'],
  ['workspaceId', { workspaceId: undefined }, 'is required'],
  ['workspaceId', { workspaceId: 'x'.repeat(3_000) }, 'must have at most 100 characters'],
  ['expiresInDays', { expiresInDays: 0 }, 'must be at least 1'],
  ['expiresInDays', { expiresInDays: 3651 }, 'must be at most 3650'],
  ['expiresInDays', { expiresInDays: 1.5 }, 'must be a whole number'],
  ['userId', { userId: 'somebody' }, 'is not a known field'],
])('rejects a wrong %s and states the rule', async (field, over, rule) => {
  const { create } = await startOwner()
  const { status, body } = await create(over)
  expect({ status, field: body.field }).toEqual({ status: 400, field })
  expect(body.error).toContain(`"${field}" ${rule}`)
})
