import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../functions/client.ts'
import { verifyAssistant } from '../../shared/oauth/verify.ts'
import { refusalOf } from '../api/answers.ts'
import { browserOf, unescaped } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import { makeMember } from '../support/world/preparations.ts'
import { connected, consent, refreshed, registered, requestOf } from './assistant.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const verify = (token: unknown) => verifyAssistant(kit.ctx, String(token), '/api/mcp')
const isValid = async (token: unknown) => (await verify(token)).ok
const apiOf = (token: string) => client({ baseUrl: kit.url, token, workspaceId: kit.workspaceId })
const listOf = async (api: Client) => api.workspaces.listConnections({ params: { id: kit.workspaceId } })
const idsOf = async (api: Client) => (await listOf(api)).items.map(({ id }) => id)
const end = (api: Client, connectionId: string) =>
  api.workspaces.revokeConnection({ params: { id: kit.workspaceId, connectionId } })

/** A member of the workspace, and an assistant that acts for them. */
const withAssistant = async (role: 'member' | 'admin' = 'member') => {
  const { userId, session } = await makeMember(kit, role)
  const { tokens, ...assistant } = await connected(kit, { posts_per_day: '3' }, session)
  const api = apiOf(session)
  const { items } = await listOf(api)
  const id = items.find((item) => item.userId === userId)?.id ?? ''
  return { userId, session, api, id, assistant, token: tokens.access_token }
}

test('a connection is listed with who allowed what, with its limits, and with its last use', async () => {
  const { api, id, userId, assistant, token } = await withAssistant()
  const { items, total, hasMore } = await listOf(api)
  expect({ total, hasMore }).toEqual({ total: 1, hasMore: false })
  expect(items).toEqual([
    {
      id,
      userId,
      userName: expect.any(String),
      clientId: assistant.client.client_id,
      clientName: 'Desk assistant',
      clientHost: null,
      scopes: ['posts:read', 'drafts:write'],
      safety: { postsPerDay: 3, draftsOnly: false },
      createdAt: new Date(kit.clock.now()).toISOString(),
      lastUsedAt: null,
      expiresAt: new Date(kit.clock.now() + 30 * 86_400_000).toISOString(),
    },
  ])
  const verified = await verify(token)
  if (verified.ok) await verified.assistant.noted
  expect((await listOf(api)).items[0]?.lastUsedAt).toBe(new Date(kit.clock.now()).toISOString())
})

test('a member sees and ends their own connections, owners and admins those of all', async () => {
  const [ann, ben, admin] = [await withAssistant(), await withAssistant(), await withAssistant('admin')]
  expect(await idsOf(ann.api)).toEqual([ann.id])
  expect(await refusalOf(end(ann.api, ben.id))).toMatchObject({ status: 404, code: 'connection_not_found' })
  expect(await isValid(ben.token)).toBe(true)
  for (const api of [admin.api, kit.sessionApi]) {
    expect(await idsOf(api)).toEqual(expect.arrayContaining([ann.id, ben.id, admin.id]))
  }
  expect(await end(ann.api, ann.id)).toEqual({ id: ann.id, deleted: true })
  // The trail is in the order of time.
  kit.clock.pass(1_000)
  await end(admin.api, ben.id)
  kit.clock.pass(1_000)
  await end(kit.sessionApi, admin.id)
  for (const { token, assistant } of [ann, ben, admin]) {
    expect(await isValid(token)).toBe(false)
    const again = await refreshed(kit, assistant, assistant.refreshToken)
    expect([again.status, again.body['error']]).toEqual([400, 'invalid_grant'])
  }
  expect(await refusalOf(end(ann.api, ann.id))).toMatchObject({ status: 404, code: 'connection_not_found' })
  const { items } = await kit.sessionApi.workspaces.listAudit({ params: { id: kit.workspaceId } })
  const entries = items.filter(({ action }) => action === 'connection.revoked')
  expect(entries.map(({ actor, target }) => [actor.userId, target.id])).toEqual([
    [kit.user.id, admin.id],
    [admin.userId, ben.id],
    [ann.userId, ann.id],
  ])
})

test('two concurrent requests end a connection once', async () => {
  const { api, id } = await withAssistant()
  const ends = await Promise.allSettled([end(api, id), end(kit.sessionApi, id)])
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a code that was not exchanged is not listed, and ids of no connection are unknown', async () => {
  const { session } = await makeMember(kit)
  const api = apiOf(session)
  const { path } = await requestOf(kit, await registered(kit))
  const { back } = await consent(kit, path, {}, session)
  expect(back?.searchParams.has('code')).toBe(true)
  expect(await idsOf(api)).toEqual([])
  for (const id of ['nothing', 'a'.repeat(20), '.-_', 'x'.repeat(100)]) {
    expect(await refusalOf(end(api, id)), id).toMatchObject({ status: 404, code: 'connection_not_found' })
  }
})

test('a connection of another workspace is unknown, and tokens list and end none', async () => {
  const { id } = await withAssistant()
  const other = await kit.sessionApi.workspaces.create({ body: { name: 'Elsewhere', timezone: 'UTC' } })
  const inOther = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: other.id })
  const params = { id: other.id, connectionId: id }
  expect(await refusalOf(inOther.workspaces.revokeConnection({ params }))).toMatchObject({
    code: 'connection_not_found',
  })
  expect(await refusalOf(listOf(kit.api))).toMatchObject({ status: 403 })
  expect(await refusalOf(end(kit.api, id))).toMatchObject({ status: 403 })
})

test('the page of the workspace shows the assistants by name, and disconnects one', async () => {
  const { session, id, token } = await withAssistant()
  const browser = browserOf(kit, session)
  const path = `/workspace?id=${kit.workspaceId}`
  const page = await browser.open(path)
  const text = unescaped(page.text)
  for (const message of [
    'Desk assistant',
    'See posts and their outcomes',
    'Write drafts',
    'up to 3 posts a day',
    'Never',
  ]) {
    expect(text).toContain(`>${message}<`)
  }
  expect(text).not.toContain('Turn assistants')
  const forged = await browser.send('/workspace-assistants', { id: kit.workspaceId, act: 'disconnect', connection: id })
  expect(forged.status).toBe(403)
  expect(await isValid(token)).toBe(true)
  const { to = '' } = await browser.submit(page, 'workspace-assistants')
  expect(to).toBe(`${path}&done=disconnect`)
  expect(await isValid(token)).toBe(false)
  const after = await browser.open(to)
  expect(after.text).toContain('The assistant is disconnected.')
  expect(after.text).toContain('You haven’t connected an assistant.')
  const again = await browser.submit(page, 'workspace-assistants')
  expect([again.status, again.heading]).toEqual([404, 'Acme'])
})

test('only the owner switches assistants off, and on again, on the page', async () => {
  const { session, token } = await withAssistant('admin')
  const path = `/workspace?id=${kit.workspaceId}`
  const [owner, admin] = [browserOf(kit, kit.sessionToken), browserOf(kit, session)]
  const refused = await admin.submit(await admin.open(path), 'workspace-assistants', { act: 'off' })
  expect([refused.status, refused.text.includes('Only the owner of the workspace can do this.')]).toEqual([403, true])
  expect(await isValid(token)).toBe(true)
  const off = await owner.submit(await owner.open(path), 'workspace-assistants', { act: 'off' })
  expect(await verify(token)).toMatchObject({ refusal: { reason: 'assistants_disabled' } })
  const page = await owner.open(off.to ?? '')
  expect(page.text).toContain('Turn assistants on')
  expect((await admin.open(path)).text).toContain('Assistants are off in this workspace.')
  await owner.submit(page, 'workspace-assistants', { act: 'on' })
  expect(await isValid(token)).toBe(true)
})

test('the consent page says what an assistant does that only writes drafts, or has used up its posts', async () => {
  const request = await requestOf(kit, await registered(kit))
  const { text } = await browserOf(kit, kit.sessionToken).open(request.path)
  expect(text).toContain('changes nothing but drafts')
  expect(text).toContain('Moving a post to another time doesn’t.')
})
