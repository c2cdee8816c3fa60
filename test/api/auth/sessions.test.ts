import { expect, test } from 'vitest'
import { openSession } from '../../../shared/identity/open-session.ts'
import { serveFile, startClient } from './client.ts'

serveFile()

const path = '/api/auth/sessions'

interface Listed {
  id: string
  current: boolean
}

const startOwner = async (count = 3) => {
  const client = startClient()
  const { send, resident, clock, ctx } = client
  const owner = await resident()
  const tokens = [owner.token]
  for (let n = 1; n < count; n += 1) {
    clock.pass(1_000)
    tokens.push((await openSession(ctx, { ...owner, name: 'Ann', userAgent: 'node' })).token)
  }
  const list = async (token: string, query = '') => (await send('GET', `${path}${query}`, { token })).body.data
  const live = async () => {
    const answers = await Promise.all(tokens.map((token) => send('GET', '/api/auth/get-session', { token })))
    return answers.map(({ status }) => status)
  }
  return { ...client, owner, tokens, list, live }
}

const idOf = (token: string) => token.slice(20, 28)

test("lists the user's own sessions, newest first, marks the current one, and shows no secrets", async () => {
  const { tokens, list, send, person } = await startOwner()
  const [first = '', second = '', third = ''] = tokens
  const { items, ...page } = await list(second)
  expect(page).toEqual({ total: 3, limit: 50, offset: 0, hasMore: false })
  expect(items.map(({ id, current }: Listed) => [id, current])).toEqual([
    [idOf(third), false],
    [idOf(second), true],
    [idOf(first), false],
  ])
  expect(Object.keys(items[0]).sort()).toEqual(['createdAt', 'current', 'expiresAt', 'id', 'userAgent'])
  expect((await list(second, '?limit=1&offset=1')).items).toEqual([items[1]])
  expect((await list(second, '?limit=2')).hasMore).toBe(true)
  const stranger = await person()
  expect((await send('GET', path, { token: stranger.token })).body.data.total).toBe(1)
})

test('ends one session by its id and removes it from the list', async () => {
  const { tokens, list, live, send } = await startOwner()
  const [first = '', second = '', third = ''] = tokens
  const ended = await send('DELETE', `${path}/${idOf(first)}`, { token: second })
  expect(ended).toMatchObject({ status: 200, body: { data: { id: idOf(first), deleted: true } } })
  expect(await live()).toEqual([401, 200, 200])
  expect((await list(second)).items.map(({ id }: Listed) => id)).toEqual([idOf(third), idOf(second)])
  expect(await send('DELETE', `${path}/${idOf(first)}`, { token: second })).toMatchObject({ status: 404 })
  expect((await send('DELETE', `${path}/${idOf(second)}`, { token: second })).status).toBe(200)
  expect(await live()).toEqual([401, 401, 200])
})

test("a user cannot end another user's session", async () => {
  const { tokens, live, send, person } = await startOwner(1)
  const stranger = await person()
  for (const id of [idOf(tokens[0] ?? ''), 'x', 'x'.repeat(100), `..%2F${idOf(tokens[0] ?? '')}`]) {
    const { status } = await send('DELETE', `${path}/${id}`, { token: stranger.token })
    expect([400, 404], id).toContain(status)
  }
  expect(await live()).toEqual([200])
})

test('ends all other sessions immediately; the current one stays, and a new sign-in works', async () => {
  const { tokens, list, live, send, signIn, owner } = await startOwner()
  const [, second = ''] = tokens
  const ended = await send('POST', `${path}/revoke-others`, { token: second })
  expect(ended).toMatchObject({ status: 200, body: { data: { othersRevoked: true } } })
  expect(await live()).toEqual([401, 200, 401])
  expect((await list(second)).total).toBe(1)
  const fresh = (await signIn(owner.email)).body.data.token
  expect((await list(fresh)).total).toBe(2)
  // One that has ended cannot be ended once more, nor end others.
  expect((await send('DELETE', `${path}/${idOf(tokens[0] ?? '')}`, { token: second })).status).toBe(404)
  expect((await send('POST', `${path}/revoke-others`, { token: tokens[0] ?? '' })).status).toBe(401)
})

test('when two sessions end each other concurrently, exactly one remains', async () => {
  const { tokens, live, send } = await startOwner(2)
  const answers = await Promise.all(tokens.map((token) => send('POST', `${path}/revoke-others`, { token })))
  // The loser was either overtaken in its write or had already ended.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await live()).sort()).toEqual([200, 401])
})
