import { expect } from 'vitest'
import { readCounts } from '../../shared/db/counters.ts'
import type { Item } from '../../shared/db/table.ts'
import type { Event } from '../../shared/events/event.ts'
import { outbox } from '../../shared/events/outbox.ts'
import { countNames } from '../../shared/posts/counts.ts'
import { type Post, postStatuses, posts } from '../../shared/posts/lifecycle/row.ts'
import { awaitsTurn } from '../../shared/posts/lifecycle/state.ts'
import { lastTypes } from '../simulation/check.ts'
import type { Kit } from '../support/start.ts'
import { scanTable } from '../support/world/rows.ts'
import { expectAsDocumented } from './event-contract.ts'

/** What is looked at: the service, and one workspace of it. */
type Looked = Pick<Kit, 'ctx' | 'workspaceId' | 'api' | 'platforms'> & { accounts: Readonly<Record<string, string>> }

/** Totals and counts are what counting the rows gives. */
const expectCountsOfRows = async (kit: Looked, all: readonly Post[]) => {
  const truth = new Map<string, number>()
  for (const post of all) {
    for (const name of countNames(post, post.status)) truth.set(name, (truth.get(name) ?? 0) + 1)
  }
  const counts = await readCounts(kit.ctx, kit.workspaceId, 'POST')
  const accounts = Object.values(kit.accounts)
  for (const status of postStatuses) {
    for (const socialAccountId of accounts) {
      for (const name of countNames({ socialAccountId }, status)) {
        expect({ name, count: counts(name) }).toEqual({ name, count: truth.get(name) ?? 0 })
      }
    }
    const { total } = await kit.api.posts.list({ query: { status, limit: 1 } })
    expect({ status, total }).toEqual({ status, total: truth.get(`s:${status}`) ?? 0 })
  }
}

const expectDraftsCounted = async (kit: Looked, rows: readonly Item[]) => {
  const own = rows.filter(({ type, workspaceId }) => type === 'Draft' && workspaceId === kit.workspaceId)
  const { total } = await kit.api.drafts.list({ query: { limit: 1 } })
  expect({ drafts: total }).toEqual({ drafts: own.length })
}

/** Credentials may have to be renewed as long as they work; those that will never be let their account sleep. */
const expectAccountAsleepWhenLost = ({ SK, isConnected, needsReconnect, sweepAtMs, sweepShard }: Item) => {
  const works = isConnected === true && needsReconnect === false
  if (!works) expect({ SK, sweepAtMs, sweepShard }).toEqual({ SK, sweepAtMs: undefined, sweepShard: undefined })
}

/** An endpoint with parked deliveries has a drain job; one that has recovered may still get a last check. */
const expectParkedAwake = ({ SK, state, sweepAtMs }: Item) => {
  if (state === 'failing' || state === 'recovering')
    expect({ SK, state, sweepAtMs }).toMatchObject({ sweepAtMs: expect.any(Number) })
}

/** Rows that are there as long as there is something to do. */
const tasks = new Set([
  ...['AccountDeletion', 'BillingAccount', 'FirstComment', 'LiveDeletion', 'LiveEdit', 'MediaJob', 'MemoryRemoval'],
  ...['Notice', 'Push'],
])

/** What is unfinished will be found by the sweeper, and nothing else lies in its way. */
const expectOnlyUnfinishedAwake = (rows: readonly Item[]) => {
  const unfinished = new Map([
    ['Post', 'scheduled'],
    ['Delivery', 'pending'],
    ['MediaImport', 'pending'],
    ['Replay', 'running'],
    ['WorkspaceDeletion', 'pending'],
  ])
  for (const account of rows.filter(({ type }) => type === 'SocialAccount')) expectAccountAsleepWhenLost(account)
  for (const health of rows.filter(({ type }) => type === 'EndpointHealth')) expectParkedAwake(health)
  const sleepers = rows.filter((row) => row['type'] === 'Post' && awaitsTurn(posts.parse(row)))
  for (const { SK, sweepAtMs } of sleepers) expect({ SK, sweepAtMs }).toEqual({ SK, sweepAtMs: undefined })
  // An export stays awake while its file is there (test/export/crash.fault.ts).
  const others = rows.filter(
    (row) => !['SocialAccount', 'EndpointHealth', 'Export'].includes(String(row['type'])) && !sleepers.includes(row),
  )
  for (const { SK, type, status, deletedAtMs, dueAtMs, sweepAtMs, sweepShard } of others) {
    const awake = sweepAtMs !== undefined && sweepShard !== undefined
    const notSwept = sweepAtMs === undefined && sweepShard === undefined
    const goes = type === 'Collection' && deletedAtMs !== undefined
    const runs = type === 'AiJob' && (status === 'queued' || status === 'running')
    const waits = type === 'AlertTopic' && dueAtMs !== undefined
    const works =
      goes ||
      waits ||
      runs ||
      tasks.has(String(type)) ||
      (unfinished.get(String(type)) === status && status !== undefined)
    expect(
      works ? awake : notSwept,
      `${type} ${SK} (${status ?? 'no status'}) is ${works ? 'awake' : 'notSwept'}`,
    ).toBe(true)
  }
}

/** Of each thing the events are numbered without a gap, each names the one before it, and the last fits the row. */
const expectEventsInOrder = (events: readonly Event[], all: readonly Post[]) => {
  expect(new Set(events.map(({ id }) => id)).size, 'every event has a unique id').toBe(events.length)
  const subjectOf = ({ data }: Event) => String(data['postId'] ?? data['socialAccountId'] ?? data['jobId'])
  const ofSubject = Map.groupBy(events, subjectOf)
  for (const [subject, unsorted] of ofSubject) {
    const sorted = unsorted.toSorted((a, b) => Number(a.data['sequence']) - Number(b.data['sequence']))
    const order = sorted.map(({ data }) => [data['sequence'], data['previousEventId']])
    expect(order, `events of ${subject}`).toEqual(sorted.map((_, n) => [n + 1, sorted[n - 1]?.id ?? null]))
    ofSubject.set(subject, sorted)
  }
  for (const { id, status, sequence } of all) {
    const ownEvents = ofSubject.get(id) ?? []
    expect(lastTypes[status], `the last event of ${id}, which is ${status}`).toContain(ownEvents.at(-1)?.type)
    expect({ id, sequence }).toEqual({ id, sequence: ownEvents.length })
    expect(ownEvents.filter(({ type }) => type === 'post.published').length).toBe(status === 'published' ? 1 : 0)
  }
}

/** Each published post shows its own live post, if its platform returns a URL. */
const expectPublishedLive = (kit: Looked, all: readonly Post[]) => {
  const live = Map.groupBy(kit.platforms.published(), ({ url }) => url)
  const shown = all.flatMap(({ status, publishedPostUrl, liveDeletedAtMs }) =>
    status === 'published' && liveDeletedAtMs === undefined ? (publishedPostUrl ?? []) : [],
  )
  for (const [url, posts] of Map.groupBy(shown, (url) => url)) {
    // TikTok shows the profile's address for all that not everyone may see.
    expect({ url, shown: posts.length }).toEqual({
      url,
      shown: expect.toSatisfy((n) => n <= (live.get(url)?.length ?? 0)),
    })
  }
}

/** The cap on X counts the posts that use it: if no live post was deleted, the rows agree. */
export const expectCapOfRows = async (kit: Kit): Promise<void> => {
  const rows = await scanTable(kit)
  const cappedPosts = rows.filter(({ type, capMonth }) => type === 'Post' && capMonth !== undefined)
  const truth = Map.groupBy(cappedPosts, ({ capMonth }) => capMonth)
  for (const { month, used } of rows.filter(({ type }) => type === 'XCap')) {
    expect({ month, used }).toEqual({ month, used: truth.get(month)?.length ?? 0 })
  }
}

/** What holds after every journey, whatever happened in it: counts, unfinished work, events and what is live. */
export const expectSound = async (kit: Looked): Promise<void> => {
  const rows = await scanTable(kit)
  const all = rows.filter(({ type }) => type === 'Post').map(posts.parse)
  const allEvents = rows.filter(({ type }) => type === 'Outbox').flatMap((row) => outbox.parse(row).events)
  // Those of test deliveries are about the example of the catalog.
  const events = allEvents.filter(({ data }) => data['test'] !== true)
  await expectCountsOfRows(kit, all)
  await expectDraftsCounted(kit, rows)
  expectOnlyUnfinishedAwake(rows)
  expectEventsInOrder(events, all)
  expectAsDocumented(allEvents)
  expectPublishedLive(kit, all)
  for (const { id, status, leaseUntilMs } of all) {
    if (status !== 'scheduled') expect({ id, leaseUntilMs }).toEqual({ id, leaseUntilMs: undefined })
  }
}
