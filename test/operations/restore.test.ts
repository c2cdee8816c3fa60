import { expect, test } from 'vitest'
import { changePauses } from '../../infra/operator/pauses.ts'
import { settleRestore } from '../../infra/operator/settle-restore.ts'
import { type Item, keyOf, put, transact } from '../../shared/db/table.ts'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import { minuteMs } from '../../shared/time.ts'
import { eventsOf, listen, scheduleOn } from '../journeys/author.ts'
import { look, type Placed, scheduleSubject } from '../journeys/doubt-matrix/run.ts'
import { subjects } from '../journeys/doubt-matrix/subjects.ts'
import { expectSound } from '../journeys/invariants.ts'
import { scanTable } from '../laws/rows.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'

const nameOf = (item: Item) => Object.values(keyOf(item)).join(' ')

/** Makes the table what it was, as a restore to a time does. */
const putBack = async (kit: Kit, rows: readonly Item[]): Promise<void> => {
  const kept = new Set(rows.map(nameOf))
  const now = await scanTable(kit)
  for (const row of now.filter((one) => !kept.has(nameOf(one)))) await transact(kit.ctx, () => [{ delete: keyOf(row) }])
  for (const row of rows) await put(kit.ctx, row)
}

/** A post of every kind, due in 13 minutes. */
const scheduleAll = async (kit: Kit): Promise<{ placed: Placed[]; dueMs: number }> => {
  await listen(kit)
  // In an empty channel of Discord a probe can tell nothing.
  await scheduleOn(kit, 'discord', 'the first one', 1000)
  await kit.service.pass(minuteMs)
  const dueMs = kit.clock.now() + 13 * minuteMs
  const placed: Placed[] = []
  // First comments have a test of their own below; deletions and edits are asked for when their posts are live.
  const ofPosts = subjects.filter(({ commentedBy, asks }) => commentedBy === undefined && asks === undefined)
  for (const subject of ofPosts) placed.push(await scheduleSubject(kit, subject, dueMs))
  return { placed, dueMs }
}

/** The runbook: pause, put the rows back, presume that what was due is sent, resume. */
const restore = async (kit: Kit, rows: readonly Item[], atMs: number): Promise<void> => {
  await changePauses(kit.ctx, 'pause', {})
  await putBack(kit, rows)
  await changePauses(kit.ctx, 'pause', {})
  await settleRestore(kit.ctx, new Date(atMs).toISOString())
  await changePauses(kit.ctx, 'resume', {})
}

const lookAll = async (kit: Kit, placed: readonly Placed[]) =>
  (await Promise.all(placed.map((one) => look(kit, one)))).map(
    ({ cell, status, reason, live }) => `${cell}: ${live} live, ${reason ?? status}`,
  )

test.each([
  ['right after they were scheduled', 0],
  ['half a minute before they were due', 12.5],
])('posts that are published and whose rows are restored to %s are not published again', async (_when, minutes) => {
  const kit = await start()
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

test('posts that were not sent since the restored time are published once, where their platform proves it', async () => {
  const kit = await start()
  const { placed, dueMs } = await scheduleAll(kit)
  const [rows, atMs] = [await scanTable(kit), kit.clock.now()]
  await changePauses(kit.ctx, 'pause', {})
  await kit.service.pass(dueMs + 10 * minuteMs - kit.clock.now())
  await restore(kit, rows, atMs)
  await kit.service.pass(90 * minuteMs, { tickMinutes: 5 })
  const seen = await lookAll(kit, placed)
  expect(seen.filter((line) => !/: (1 live, published|0 live, outcome_unknown)$/.test(line))).toEqual([])
  expect(seen.filter((line) => line.endsWith('published')).length).toBeGreaterThan(8)
  await expectSound(kit)
})

test('the command that is killed in the middle is repeated, and nothing is published twice', async () => {
  const kit = await start()
  const { placed, dueMs } = await scheduleAll(kit)
  const [rows, atMs] = [await scanTable(kit), kit.clock.now()]
  await kit.service.pass(dueMs + 10 * minuteMs - kit.clock.now())
  await putBack(kit, rows)
  const restoredTo = new Date(atMs).toISOString()
  await expect(settleRestore(kit.ctx, restoredTo)).rejects.toThrow('The deployment is not paused. Pause it first.')
  await changePauses(kit.ctx, 'pause', {})
  for (let reads = 1; reads <= 40; reads += 4) {
    let left = reads
    const now = () => {
      left -= 1
      if (left < 0) throw new Error('killed')
      return kit.clock.now()
    }
    await settleRestore({ ...kit.ctx, clock: { ...kit.ctx.clock, now } }, restoredTo).catch(() => undefined)
  }
  expect(await settleRestore(kit.ctx, restoredTo)).toMatch(/^No post was due since then/)
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
  const kit = await start()
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
    if (platform === 'threads') expect(seen?.status).toMatch(/^(failed|cancelled)$/)
    else expect([status, seen?.status, seen?.mayBeLive], platform).toEqual(['published', 'published', false])
  }
})
