import { expect, test } from 'vitest'
import { type Client, client } from '../../../functions/client.ts'
import { routes } from '../../../functions/routes.ts'
import { createAccessToken } from '../../../shared/workspaces/create-access-token.ts'
import { tester } from '../../support/tester.ts'
import { ask, type Call } from '../../support/world/ask.ts'
import { makeStepRecorder, tripsOf } from '../../support/world/round-trips.ts'
import { unlike } from '../../support/world/tenants/neighbor.ts'
import { refusalOf, statusOf } from '../answers.ts'
import { serveNotes } from './notes.ts'

const { open, watch, before } = serveNotes()

/** A private collection of a member, and the workspace's owner, an admin and another member around it. */
const openDiary = async () => {
  const notes = await open()
  const { join, collect, remember, api: owner } = notes
  const [maker, admin, member] = [await join(), await join('admin'), await join()]
  const shared = await collect()
  const diary = await collect({ name: 'Diary', isPrivate: true }, maker.api)
  const entry = await remember(diary.id, 'Dear diary', maker.api)
  return { ...notes, maker, diary, entry, shared, others: { owner, admin: admin.api, member: member.api }, member }
}

type Diary = Awaited<ReturnType<typeof openDiary>>

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
  const route = routes.find((one) => one.operation === operation)
  if (route === undefined) throw new Error(`there is no ${operation}`)
  return route
}

/** What somebody hears of it and what that cost, with the id left out. */
const hear = async ({ url, workspaceId }: Diary, token: string, id: string, memoryId: string) => {
  const heard: string[] = []
  for (const [operation, call] of callsAbout(id, memoryId)) {
    const route = routeOf(operation)
    const recorder = makeStepRecorder()
    let told = ''
    const steps = await watch(recorder.observe, () =>
      recorder.during(async () => {
        const { status, text } = await ask(url, route, { ...call, token, workspaceId })
        told = `${status} ${text.replaceAll(id, '…').replaceAll(memoryId, '…')}`
      }),
    )
    heard.push(`${operation} ${told} ${tripsOf(steps, route.name)}`)
  }
  return heard
}

test('a private collection does not exist for anyone but its creator', async () => {
  const diary = await openDiary()
  const { id } = diary.diary
  const tokens = [diary.sessionToken, diary.member.session]
  for (const token of tokens) {
    const heard = await hear(diary, token, id, diary.entry.id)
    expect(heard).toEqual(await hear(diary, token, unlike(id), unlike(diary.entry.id)))
    expect(heard.filter((line) => !/ 404 .*collection_not_found.* BatchGetItem$/.test(line))).toEqual([])
  }
  expect(await diary.list(id, diary.maker.api)).toMatchObject({ total: 1, items: [diary.entry] })
  expect(await diary.get(id, diary.maker.api)).toEqual({ ...diary.diary, memoryCount: 1 })
})

test('it appears in no list or total except its creator’s', async () => {
  const { diary, shared, maker, others } = await openDiary()
  const listed = async ({ memory }: Client) => {
    const { items, total } = await memory.listCollections()
    return [total, ...items.map(({ id }) => id).sort()]
  }
  expect(await listed(maker.api)).toEqual([2, ...[diary.id, shared.id].sort()])
  for (const other of Object.values(others)) expect(await listed(other)).toEqual([1, shared.id])
})

test('its creator can also reach it with a personal access token; nobody else can with theirs', async () => {
  const { ctx, url, workspaceId, maker, member, diary, list, remember } = await openDiary()
  const by = async (userId: string) => {
    const wanted = { name: 'notes', workspaceId, scopes: ['memory:read', 'memory:write'] }
    const { token } = await createAccessToken(ctx, userId, wanted, tester)
    return client({ baseUrl: url, token, workspaceId })
  }
  await remember(diary.id, 'By program', await by(maker.userId))
  expect((await list(diary.id, await by(maker.userId))).total).toBe(2)
  expect(await statusOf(list(diary.id, await by(member.userId)))).toBe(404)
})

test('only the creator can make a collection private or shared again', async () => {
  const { collect, change, get, maker, others } = await openDiary()
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
  const { collect, remember, change, drop, forget, get, list, maker, others } = await openDiary()
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
