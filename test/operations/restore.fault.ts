import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { changePauses } from '../../infra/deploy/operator/pauses.ts'
import { readRestoreTime, settleRestore, witnessesIn } from '../../infra/deploy/operator/settle-restore.ts'
import { makeContext } from '../../shared/context.ts'
import { type Item, keyOf, put, transact } from '../../shared/db/table.ts'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import { sweep } from '../../shared/sweeper/sweep.ts'
import { dayMs, minuteMs } from '../../shared/time.ts'
import { eventsOf, listen, liveCount, scheduleOn } from '../journeys/author.ts'
import { look, type Placed, scheduleSubject } from '../journeys/doubt-matrix/run.ts'
import { subjects } from '../journeys/doubt-matrix/subjects.ts'
import { expectSound } from '../journeys/invariants.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { scanTable } from '../support/world/rows.ts'

const nameOf = (item: Item) => Object.values(keyOf(item)).join(' ')

/** Makes the table what it was, as a restore to a time does. Its name is another one then. */
const putBack = async (kit: Kit, were: readonly Item[]): Promise<void> => {
  const rows = were.map((row) => (row['type'] === 'Pauses' ? { ...row, table: 'the-table-before' } : row))
  const retained = new Set(rows.map(nameOf))
  const now = await scanTable(kit)
  for (const row of now.filter((candidate) => !retained.has(nameOf(candidate))))
    await transact(kit.ctx, () => [{ delete: keyOf(row) }])
  for (const row of rows) await put(kit.ctx, row)
}

/** A service whose sweeper has run, as it does each minute on AWS; here it runs when rows are due. */
const startSwept = async (): Promise<Kit> => {
  const kit = await start()
  await sweep(kit.service.contextOf('sweep'))
  return kit
}

/** A post of every kind, due in 13 minutes unless another time is given. */
const scheduleAll = async (kit: Kit, inMs = 13 * minuteMs): Promise<{ placed: Placed[]; dueMs: number }> => {
  await listen(kit)
  // In an empty channel of Discord a probe finds nothing out.
  await scheduleOn(kit, 'discord', 'the first one', 1000)
  await kit.service.pass(minuteMs)
  const dueMs = kit.clock.now() + inMs
  const placed: Placed[] = []
  // First comments have their own test below; deletions and edits are requested when their posts are live.
  const ofPosts = subjects.filter(
    ({ commentedBy, liveChange }) => commentedBy === undefined && liveChange === undefined,
  )
  for (const subject of ofPosts) placed.push(await scheduleSubject(kit, subject, dueMs))
  return { placed, dueMs }
}

/** Puts the rows back, and presumes that what may have been sent since is sent; functions run on the table from the start. */
const restore = async (kit: Kit, rows: readonly Item[], atMs: number, log?: string): Promise<void> => {
  await putBack(kit, rows)
  await kit.service.pass(3 * minuteMs)
  expect(await changePauses(kit.ctx, 'pauses', {})).toBe(
    'Everything is paused: the table was restored. Run after-restore.',
  )
  await settleRestore(kit.ctx, atMs, log === undefined ? undefined : witnessesIn(log))
  expect(await changePauses(kit.ctx, 'pauses', {})).toBe('Nothing is paused.')
}

const lookAll = async (kit: Kit, placed: readonly Placed[]) =>
  (await Promise.all(placed.map((post) => look(kit, post)))).map(
    ({ cell, status, reason, live }) => `${cell}: ${live} live, ${reason ?? status}`,
  )

test.each([
  ['right after they were scheduled', 0],
  ['half a minute before they were due', 12.5],
])('posts that are published and whose rows are restored to %s are not published again', async (_when, minutes) => {
  const kit = await startSwept()
  const { placed, dueMs } = await scheduleAll(kit)
  if (minutes > 0) await kit.service.pass(minutes * minuteMs, { tickMinutes: 5 })
  const [rows, atMs] = [await scanTable(kit), kit.clock.now()]
  await kit.service.pass(dueMs + 10 * minuteMs - kit.clock.now())
  expect((await lookAll(kit, placed)).filter((line) => !line.endsWith('1 live, published'))).toEqual([])
  await restore(kit, rows, atMs)
  await kit.service.pass(90 * minuteMs, { tickMinutes: 5 })
  const seen = await lookAll(kit, placed)
  expect(seen.filter((line) => !/: 1 live, (published|outcome_unknown)$/.test(line))).toEqual([])
  const texts = kit.platforms.published().map(({ platform, text }) => `${platform}: ${text}`)
  expect(texts.filter((text) => text === 'x: doubt x thread; 2')).toHaveLength(1)
  const again = placed.flatMap(({ ids }) => eventsOf(kit, ids[0] ?? '')).filter(({ data }) => data['afterRestore'])
  expect(again).toHaveLength(placed.length)
  await expectSound(kit)
})

test.each([
  ['one in each line', (lines: readonly string[]) => lines.join('\n')],
  ['as the AWS CLI prints it', (lines: readonly string[]) => JSON.stringify(lines, undefined, 4)],
])('with the log, %s, posts that were published end as published, whatever their platform shows', async (_form, print) => {
  const kit = await startSwept()
  const { placed, dueMs } = await scheduleAll(kit)
  const later = await scheduleOn(kit, 'bluesky', 'due after the restore', 40 * minuteMs)
  const [rows, atMs] = [await scanTable(kit), kit.clock.now()]
  await kit.service.pass(dueMs + 10 * minuteMs - kit.clock.now())
  const get = (ids: readonly string[]) => kit.api.posts.get({ params: { id: ids[0] ?? '' } })
  const before = await Promise.all(placed.map(({ ids }) => get(ids)))
  const calls = kit.platforms.calls().length
  await restore(kit, rows, atMs, print(kit.logged))
  await kit.service.pass(10 * minuteMs, { tickMinutes: 5 })
  expect((await lookAll(kit, placed)).filter((line) => !line.endsWith('1 live, published'))).toEqual([])
  const after = await Promise.all(placed.map(({ ids }) => get(ids)))
  const named = (some: typeof after) => some.map((post) => [post.platformPostId, post.publishedPostUrl])
  expect(named(after)).toEqual(named(before))
  // Only the post that is due later is looked up.
  const callsAfter = kit.platforms.calls().slice(calls)
  expect(new Set(callsAfter.map(({ platform }) => platform))).toEqual(new Set(['bluesky']))
  await kit.service.pass(later.dueMs + 5 * minuteMs - kit.clock.now(), { tickMinutes: 5 })
  expect(liveCount(kit, 'due after the restore')).toBe(1)
  await expectSound(kit)
})

test('a log without a published post is refused', () => {
  for (const text of [
    '',
    '[]',
    'START RequestId: 1',
    '{"message":"attempt ended","state":"retried","postId":"post_1"}',
  ])
    expect(() => witnessesIn(text)).toThrow('The log has no line "attempt ended" of a post that was published.')
})

test('posts that were not sent since the restored time are published once, where their platform proves it', async () => {
  const kit = await startSwept()
  const { placed, dueMs } = await scheduleAll(kit)
  const [rows, atMs] = [await scanTable(kit), kit.clock.now()]
  await changePauses(kit.ctx, 'pause', {})
  await kit.service.pass(dueMs + 10 * minuteMs - kit.clock.now())
  await changePauses(kit.ctx, 'resume', {})
  await restore(kit, rows, atMs)
  await kit.service.pass(90 * minuteMs, { tickMinutes: 5 })
  const seen = await lookAll(kit, placed)
  expect(seen.filter((line) => !/: (1 live, published|0 live, outcome_unknown)$/.test(line))).toEqual([])
  expect(seen.filter((line) => line.endsWith('published')).length).toBeGreaterThan(8)
  await expectSound(kit)
})

test('posts that were moved forward and published since the restored time are not published again at their old time', async () => {
  const kit = await startSwept()
  const { placed, dueMs } = await scheduleAll(kit, 8 * dayMs)
  const untouched = await scheduleOn(kit, 'bluesky', 'untouched', 8 * dayMs)
  const repeated = await scheduleOn(kit, 'discord', 'said each week', 7 * dayMs)
  await scheduleOn(kit, 'discord', 'said each week', 8 * dayMs)
  const [rows, atMs] = [await scanTable(kit), kit.clock.now()]
  const movedMs = kit.clock.now() + 13 * minuteMs
  for (const { ids } of placed) {
    const body = { scheduledAt: new Date(movedMs).toISOString() }
    await kit.api.posts.reschedule({ params: { id: ids[0] ?? '' }, body })
  }
  await kit.service.pass(25 * minuteMs)
  expect((await lookAll(kit, placed)).filter((line) => !line.endsWith('1 live, published'))).toEqual([])
  await restore(kit, rows, atMs)
  await kit.service.pass(30 * minuteMs, { tickMinutes: 5 })
  // The author learns early that a post cannot be looked up.
  const restoreError = expect.stringMatching(/restored from a backup.*reschedule the post/)
  const seen = await Promise.all(placed.map(({ ids: [id = ''] }) => kit.api.posts.get({ params: { id } })))
  const failed = seen.filter(({ status }) => status !== 'published')
  expect(failed.map(({ status, error }) => ({ status, error }))).toEqual(
    failed.map(() => ({ status: 'failed', error: restoreError })),
  )
  expect(seen.length - failed.length).toBeGreaterThan(8)
  expect(await kit.api.posts.get({ params: { id: repeated.id } })).toMatchObject({
    status: 'failed',
    error: restoreError,
  })
  const body = { scheduledAt: new Date(repeated.dueMs).toISOString() }
  await kit.api.posts.reschedule({ params: { id: repeated.id }, body })
  await kit.service.pass(dueMs + 30 * minuteMs - kit.clock.now(), { tickMinutes: 60 })
  expect((await lookAll(kit, placed)).filter((line) => !line.includes(': 1 live, '))).toEqual([])
  expect([liveCount(kit, 'untouched'), liveCount(kit, 'said each week')]).toEqual([1, 1])
  const [live] = kit.platforms.published().filter(({ text }) => text === 'untouched')
  expect((live?.publishedAt ?? 0) - untouched.dueMs).toBeLessThan(1000)
  expect(kit.logged.filter((line) => line.includes('work is overdue'))).toEqual([])
  await expectSound(kit)
})

test('the command that is killed in the middle is repeated, and nothing is published twice', async () => {
  const kit = await startSwept()
  const { placed, dueMs } = await scheduleAll(kit)
  const [rows, atMs] = [await scanTable(kit), kit.clock.now()]
  await kit.service.pass(dueMs + 10 * minuteMs - kit.clock.now())
  await expect(settleRestore(kit.ctx, atMs)).rejects.toThrow('The deployment is not paused. Pause it first.')
  await putBack(kit, rows)
  await changePauses(kit.ctx, 'pause', {})
  for (let reads = 1; reads <= 40; reads += 4) {
    let left = reads
    const now = () => {
      left -= 1
      if (left < 0) throw new Error('killed')
      return kit.clock.now()
    }
    await settleRestore({ ...kit.ctx, clock: { ...kit.ctx.clock, now } }, atMs).catch(() => undefined)
  }
  expect(await settleRestore(kit.ctx, atMs)).toMatch(/^No post waits that was accepted before 2030/)
  // Discord shows the nonce of a message: another one would hide it from the lookup.
  const rowsNow = (await scanTable(kit)).filter(({ type, platform }) => type === 'Post' && platform === 'discord')
  const keys = rowsNow.flatMap((row) => posts.parse(row).attempt?.clientKey ?? [])
  const sent = kit.platforms
    .calls()
    .filter(({ platform, operation }) => platform === 'discord' && operation === 'create')
  expect(keys).toHaveLength(1)
  expect(sent.map(({ body }) => JSON.parse(body.toString()).nonce)).toContain(keys[0])
  await changePauses(kit.ctx, 'resume', {})
  await kit.service.pass(90 * minuteMs, { tickMinutes: 5 })
  expect((await lookAll(kit, placed)).filter((line) => !line.includes(': 1 live, '))).toEqual([])
})

test.each([
  ['before the post was due', 0],
  ['between the post and its comment', 15],
])('a first comment that is live and whose rows are restored to %s is not published again', async (_when, minutes) => {
  const kit = await startSwept()
  await listen(kit)
  const platforms = ['x', 'facebook', 'threads'] as const
  const connected = await Promise.all(platforms.map((platform) => connectOn(kit, platform)))
  const socialAccountIds = [kit.accounts.bluesky, ...connected]
  const dueMs = kit.clock.now() + 13 * minuteMs
  const [text, scheduledAt] = ['A comment of its own', new Date(dueMs).toISOString()]
  const firstComment = { text, delaySeconds: 600 }
  const placed = await kit.api.posts.schedule({
    body: { socialAccountIds, content: 'A post with a comment', scheduledAt, firstComment },
  })
  if (minutes > 0) await kit.service.pass(minutes * minuteMs)
  const [rows, atMs] = [await scanTable(kit), kit.clock.now()]
  await kit.service.pass(dueMs + 20 * minuteMs - kit.clock.now())
  const commentedOn = () => kit.platforms.published().flatMap((post) => (post.text === text ? [post.platform] : []))
  expect(commentedOn().sort()).toEqual(['bluesky', 'facebook', 'threads', 'x'])
  await restore(kit, rows, atMs)
  await kit.service.pass(90 * minuteMs, { tickMinutes: 5 })
  expect(commentedOn().sort()).toEqual(['bluesky', 'facebook', 'threads', 'x'])
  for (const { id } of placed) {
    const { platform, status, firstComment: seen } = await kit.api.posts.get({ params: { id } })
    // Threads has no list in which a comment is found.
    if (platform === 'threads') {
      expect(seen).toMatchObject({ status: expect.stringMatching(/^(failed|cancelled)$/), mayBeLive: true })
    } else expect([status, seen?.status, seen?.mayBeLive], platform).toEqual(['published', 'published', false])
  }
})

test('the table of an earlier release does not name itself: posts are published, and its first sweep names it', async () => {
  const kit = await start()
  const earlier = { PK: 'PAUSES', SK: 'PAUSES', type: 'Pauses', version: 3, pauses: [] }
  await put(kit.ctx, earlier)
  await scheduleOn(kit, 'bluesky', 'before the first sweep', minuteMs)
  await kit.service.pass(2 * minuteMs)
  expect(liveCount(kit, 'before the first sweep')).toBe(1)
  await sweep(kit.service.contextOf('sweep'))
  const row = (await scanTable(kit)).find(({ type }) => type === 'Pauses')
  expect(row).toMatchObject({ version: 4, pauses: [], table: kit.ctx.env('TABLE_NAME') })
})

test('the time is the one that DynamoDB names, and a table that was not restored is refused', async () => {
  let table: object = { TableName: 'copy' }
  const dynamodb = createServer((_request, response) => {
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    response.end(JSON.stringify({ Table: table }))
  })
  onTestFinished(() => void dynamodb.close())
  await new Promise<void>((resolve) => dynamodb.listen(0, '127.0.0.1', resolve))
  const { port } = dynamodb.address() as AddressInfo
  const at = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1' }
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const ctx = makeContext({ TABLE_NAME: 'copy' }, { credentials, transport: () => at })
  await expect(readRestoreTime(ctx)).rejects.toThrow(/^DynamoDB did not restore the table copy/)
  table = { ...table, RestoreSummary: { RestoreDateTime: 1_893_456_000, RestoreInProgress: false } }
  expect(await readRestoreTime(ctx)).toBe(Date.UTC(2030, 0, 1))
})
