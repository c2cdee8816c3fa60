import { expect, test } from 'vitest'
import { type Client, client } from '../../../functions/client.ts'
import { routes } from '../../../functions/routes.ts'
import { createAccessToken } from '../../../shared/workspaces/create-access-token.ts'
import { tester } from '../../support/tester.ts'
import { type Call, callRoute } from '../../support/world/ask.ts'
import { makeStepRecorder, tripsOf } from '../../support/world/round-trips.ts'
import { unlike } from '../../support/world/tenants/neighbor.ts'
import { refusalOf, statusOf } from '../answers.ts'
import { startMemoryService } from './notes.ts'

const { open, watch, before } = startMemoryService()

/** A private collection of a member, and the workspace's owner, an admin and another member around it. */
const createPrivateCollection = async () => {
  const notes = await open()
  const { join, collect, remember, api: owner } = notes
  const [maker, admin, member] = [await join(), await join('admin'), await join()]
  const shared = await collect()
  const fixture = await collect({ name: 'Diary', isPrivate: true }, maker.api)
  const entry = await remember(fixture.id, 'Dear diary', maker.api)
  return { ...notes, maker, fixture, entry, shared, others: { owner, admin: admin.api, member: member.api }, member }
}

type Fixture = Awaited<ReturnType<typeof createPrivateCollection>>

/** Every call of a route that can name a collection, with this id in it. */
const callsAbout = (id: string, memoryId: string): readonly (readonly [operation: string, call: Call])[] => [
  ['memory.getCollection', { params: { id } }],
  ['memory.updateCollection', { params: { id }, body: { name: 'Mine' } }],
  ['memory.updateCollection', { params: { id }, body: { isPrivate: true } }],
  ['memory.deleteCollection', { params: { id } }],
  ['memory.list', { query: { collectionId: id } }],
  ['memory.create', { body: { collectionId: id, text: 'Hi' } }],
  ['memory.delete', { params: { id: memoryId }, body: { collectionId: id } }],
]

const routeOf = (operation: string) => {
  const route = routes.find((candidate) => candidate.operation === operation)
  if (route === undefined) throw new Error(`there is no ${operation}`)
  return route
}

/** The responses that a caller gets about it and their cost, without the id. */
const collectResponses = async ({ url, workspaceId }: Fixture, token: string, id: string, memoryId: string) => {
  const responses: string[] = []
  for (const [operation, call] of callsAbout(id, memoryId)) {
    const route = routeOf(operation)
    const recorder = makeStepRecorder()
    let response = ''
    const steps = await watch(recorder.observe, () =>
      recorder.during(async () => {
        const { status, text } = await callRoute(url, route, { ...call, token, workspaceId })
        response = `${status} ${text.replaceAll(id, '…').replaceAll(memoryId, '…')}`
      }),
    )
    responses.push(`${operation} ${response} ${tripsOf(steps, route.name)}`)
  }
  return responses
}

test('a private collection does not exist for anyone but its creator', async () => {
  const fixture = await createPrivateCollection()
  const { id } = fixture.fixture
  const tokens = [fixture.sessionToken, fixture.member.session]
  for (const token of tokens) {
    const responses = await collectResponses(fixture, token, id, fixture.entry.id)
    expect(responses).toEqual(await collectResponses(fixture, token, unlike(id), unlike(fixture.entry.id)))
    expect(responses.filter((line) => !/ 404 .*collection_not_found.* BatchGetItem$/.test(line))).toEqual([])
  }
  expect(await fixture.list(id, fixture.maker.api)).toMatchObject({ total: 1, items: [fixture.entry] })
  expect(await fixture.get(id, fixture.maker.api)).toEqual({ ...fixture.fixture, memoryCount: 1 })
})

test('it appears in no list or total except its creator’s', async () => {
  const { fixture, shared, maker, others } = await createPrivateCollection()
  const listed = async ({ memory }: Client) => {
    const { items, total } = await memory.listCollections()
    return [total, ...items.map(({ id }) => id).sort()]
  }
  expect(await listed(maker.api)).toEqual([2, ...[fixture.id, shared.id].sort()])
  for (const other of Object.values(others)) expect(await listed(other)).toEqual([1, shared.id])
})

test('its creator can also reach it with a personal access token; no one else can with theirs', async () => {
  const { ctx, url, workspaceId, maker, member, fixture, list, remember } = await createPrivateCollection()
  const by = async (userId: string) => {
    const tokenInput = { name: 'notes', workspaceId, scopes: ['memory:read', 'memory:write'] }
    const { token } = await createAccessToken(ctx, userId, tokenInput, tester)
    return client({ baseUrl: url, token, workspaceId })
  }
  await remember(fixture.id, 'By program', await by(maker.userId))
  expect((await list(fixture.id, await by(maker.userId))).total).toBe(2)
  expect(await statusOf(list(fixture.id, await by(member.userId)))).toBe(404)
})

test('only the creator can make a collection private or shared again', async () => {
  const { collect, change, get, maker, others } = await createPrivateCollection()
  const { id } = await collect({}, maker.api)
  for (const other of Object.values(others)) {
    const refusal = await refusalOf(change(id, { isPrivate: true, name: 'Taken' }, other))
    expect(refusal).toMatchObject({ status: 403, code: 'creator_required', field: 'isPrivate' })
  }
  expect(await get(id, others.member)).toMatchObject({ isPrivate: false, name: 'Notes' })
  await change(id, { isPrivate: true }, maker.api)
  expect(await statusOf(get(id, others.owner))).toBe(404)
  await change(id, { isPrivate: false }, maker.api)
  expect(await statusOf(get(id, others.owner))).toBe(200)
})

test('a write in progress when the collection becomes private stores nothing', async () => {
  const { collect, remember, change, drop, forget, get, list, maker, others } = await createPrivateCollection()
  const { member } = others
  const { id } = await collect({}, maker.api)
  const memory = await remember(id, 'Stays', maker.api)
  const writes = {
    'memory-create': () => remember(id, 'Late', member),
    'memory-delete': () => forget(memory, member),
    'memory-update-collection': () => change(id, { name: 'Late' }, member),
    'memory-delete-collection': () => drop(id, member),
  }
  for (const [functionName, write] of Object.entries(writes)) {
    await change(id, { isPrivate: false }, maker.api)
    const close = () => change(id, { isPrivate: true }, maker.api)
    const refusal = await before(functionName, close, () => refusalOf(write()))
    expect({ functionName, ...refusal }).toMatchObject({ functionName, status: 404, code: 'collection_not_found' })
  }
  expect(await list(id, maker.api)).toMatchObject({ total: 1, items: [memory] })
  expect(await get(id, maker.api)).toMatchObject({ name: 'Notes', memoryCount: 1, isPrivate: true })
})
