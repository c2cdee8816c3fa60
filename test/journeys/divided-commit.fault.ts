import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { transact } from '../../shared/db/table.ts'
import { countPosts, sumMoves } from '../../shared/posts/counts.ts'
import { connectOn } from '../support/connect.ts'
import { type Fault, refuse, type TableCall } from '../support/table-wire.ts'
import { startWired, type WiredKit } from '../support/wired.ts'
import { eventsOf, listen } from './author.ts'
import { expectCapOfRows, expectSound } from './invariants.ts'

const minute = 60_000

let kit: WiredKit
let x: string

beforeAll(async () => {
  kit = await startWired()
  await listen(kit)
  x = await connectOn(kit, 'x')
})
beforeEach(() => kit.wire.mend())
afterAll(async () => {
  kit.wire.mend()
  await expectSound(kit)
  await expectCapOfRows(kit)
  await kit.close()
})

interface Part {
  Put?: { Item: { type?: { S: string } } }
  Update?: { Key: { PK: { S: string }; SK: { S: string } } }
}

const typeOf = ({ Put, Update }: Part): string | undefined => {
  if (Update === undefined) return Put?.Item.type?.S
  if (Update.Key.PK.S.includes('#COUNT#')) return 'counts'
  return Update.Key.SK.S.startsWith('XCAP#') ? 'cap' : 'Post'
}

/** What a transaction writes. */
const writtenBy = ({ action, input }: TableCall): (string | undefined)[] =>
  action === 'TransactWriteItems' ? (input['TransactItems'] as Part[]).map(typeOf) : []

/** DynamoDB rejects the one transaction that ends a publication, but not the part about one tweet that is not sent. */
const rejectWhole = (call: TableCall): Fault | undefined => {
  const written = writtenBy(call)
  const isWhole = written.includes('Outbox') && written.includes('counts')
  const isPart = written.includes('cap') && written.filter((type) => type === 'Post').length === 1
  return isWhole && !isPart ? refuse('ValidationException') : undefined
}

/** The same, and the counts by themselves. */
const rejectCounts = (call: TableCall): Fault | undefined =>
  writtenBy(call).includes('counts') ? refuse('ValidationException') : undefined

const schedule = async (name: string) => {
  const tweets = [1, 2, 3].map((n) => ({ content: `${name} ${n}` }))
  const scheduledAt = new Date(kit.clock.now() + 10 * minute).toISOString()
  const { postIds } = await kit.api.posts.scheduleThread({ body: { socialAccountId: x, tweets, scheduledAt } })
  return postIds
}

const shown = (ids: readonly string[]) => Promise.all(ids.map((id) => kit.api.posts.get({ params: { id } })))
const live = (name: string) => kit.platforms.published().filter(({ text }) => text.startsWith(`${name} `)).length
const used = async () => (await kit.api.posts.xCapUsage()).used
const published = async () => (await kit.api.posts.list({ query: { status: 'published', limit: 1 } })).total
const leftOut = () => kit.logged.filter((line) => line.includes('part of a commit left out')).length
const divided = () => kit.logged.filter((line) => line.includes('commit divided')).length

test('a rejected commit is split: the thread continues, and nothing is sent twice', async () => {
  const ids = await schedule('divided')
  kit.wire.breakBy(rejectWhole)
  const before = divided()
  await kit.service.pass(12 * minute)
  expect((await shown(ids)).map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect([live('divided'), divided() - before]).toEqual([3, 3])
  for (const id of ids) {
    expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
  }
})

test('the split commit of a failure releases its share of the cap and ends the rest of the thread', async () => {
  const before = await used()
  const ids = await schedule('broken')
  expect(await used()).toBe(before + 3)
  kit.wire.breakBy(rejectWhole)
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
  const [before, leftBefore] = [await published(), leftOut()]
  kit.wire.breakBy(rejectCounts)
  await kit.service.pass(12 * minute)
  kit.wire.mend()
  const posts = await shown(ids)
  expect(posts.map(({ status }) => status)).toEqual(['published', 'published', 'published'])
  expect(await published()).toBe(before)
  const left = sumMoves(posts.map((post) => ({ post, from: 'scheduled', to: 'published' })))
  await transact(kit.ctx, () => countPosts(kit.workspaceId, left))
  expect(leftOut() - leftBefore).toBe(3)
})
