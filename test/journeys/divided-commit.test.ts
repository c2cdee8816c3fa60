import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { equal } from '../../shared/db/expression.ts'
import { queryAll } from '../../shared/db/table.ts'
import { attemptsOf } from '../../shared/posts/attempt-log.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { type Fault, refuse, startTableWire, type TableCall } from '../support/table-wire.ts'
import { eventsOf, listen } from './author.ts'
import { expectCapOfRows, expectSound } from './invariants.ts'

const minute = 60_000

let kit: Kit
let wire: Awaited<ReturnType<typeof startTableWire>>
let x: string

beforeAll(async () => {
  kit = await start({
    tableThrough: async (table) => {
      wire = await startTableWire(table)
      return wire.endpoint
    },
  })
  await listen(kit)
  x = await connectOn(kit, 'x')
})
beforeEach(() => wire.mend())
afterAll(async () => {
  wire.mend()
  await expectSound(kit)
  await expectCapOfRows(kit)
  await kit.close()
  wire.close()
})

interface Part {
  Put?: { Item: { type?: { S: string } } }
}

const typesIn = ({ action, input }: TableCall): (string | undefined)[] =>
  action === 'TransactWriteItems' ? (input['TransactItems'] as Part[]).map(({ Put }) => Put?.Item.type?.S) : []

/** DynamoDB rejects the one transaction that ends a publication. */
const rejectWhole = (call: TableCall): Fault | undefined => {
  const types = typesIn(call)
  return types.includes('Outbox') && types.includes('Attempt') ? refuse('ValidationException') : undefined
}

/** The same, and the row of the attempt by itself. */
const rejectAttempts = (call: TableCall): Fault | undefined =>
  typesIn(call).includes('Attempt') ? refuse('ValidationException') : undefined

const schedule = async (name: string) => {
  const tweets = [1, 2, 3].map((n) => ({ content: `${name} ${n}` }))
  const scheduledAt = new Date(kit.clock.now() + 10 * minute).toISOString()
  const { postIds } = await kit.api.posts.scheduleThread({ body: { socialAccountId: x, tweets, scheduledAt } })
  return postIds
}

const shown = (ids: readonly string[]) => Promise.all(ids.map((id) => kit.api.posts.get({ params: { id } })))
const live = (name: string) => kit.platforms.published().filter(({ text }) => text.startsWith(`${name} `)).length
const used = async () => (await kit.api.posts.xCapUsage()).used
const attempts = async (id: string) =>
  (await queryAll(kit.ctx, { key: equal('PK', attemptsOf(kit.workspaceId)) })).filter(({ postId }) => postId === id)
const divided = () => kit.logged.filter((line) => line.includes('commit divided')).length

test('a rejected commit is split: the thread continues, and nothing is sent twice', async () => {
  const ids = await schedule('divided')
  wire.breakBy(rejectWhole)
  const before = divided()
  await kit.service.pass(12 * minute)
  expect((await shown(ids)).map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect([live('divided'), divided() - before]).toEqual([3, 3])
  for (const id of ids) {
    expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
    expect(await attempts(id)).toMatchObject([{ state: 'confirmed' }])
  }
})

test('the split commit of a failure releases its share of the cap and ends the rest of the thread', async () => {
  const before = await used()
  const ids = await schedule('broken')
  expect(await used()).toBe(before + 3)
  wire.breakBy(rejectWhole)
  kit.platforms.faults.add({ platform: 'x', operation: 'create', times: 1, fault: 'status', status: 403 })
  await kit.service.pass(12 * minute)
  expect((await shown(ids)).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
  expect([live('broken'), await used()]).toEqual([0, before])
  for (const id of ids) {
    expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.publish_failed'])
  }
})

test('a part that fails by itself is skipped and logged, and the others are written', async () => {
  const ids = await schedule('partly')
  wire.breakBy(rejectAttempts)
  await kit.service.pass(12 * minute)
  expect((await shown(ids)).map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect(await Promise.all(ids.map(attempts))).toEqual([[], [], []])
  expect(kit.logged.filter((line) => line.includes('part of a commit left out')).length).toBe(3)
})
