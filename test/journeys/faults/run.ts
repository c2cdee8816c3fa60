import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ObserveFunction } from '../../../infra/local/service/invocation.ts'
import { minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { eventsOf, listen, reportedLosses } from '../author.ts'
import { expectSound } from '../invariants.ts'
import { impatient, lateCalls, makeTrouble } from '../trouble.ts'
import {
  type Cell,
  type Column,
  create,
  type Draft,
  endless,
  type FaultName,
  faultNames,
  type Script,
} from './column.ts'

/** Faults that are the same on every platform. */
const everywhere: Partial<Record<FaultName, readonly Script[]>> = {
  '429 with a reset': [{ ...create, fault: 'rate_limited', retryAfterSeconds: 40 }],
  '500': [{ ...create, fault: 'status', status: 500 }],
  '503 with an HTML page': [{ ...create, fault: 'html_503' }],
  hang: [{ ...create, fault: 'hang' }],
  'reset before a byte was read': [{ ...create, fault: 'reset_before' }],
  'reset after the last byte': [{ ...create, fault: 'reset_after' }],
  'landed, then reset': [{ ...create, fault: 'landed_then_reset' }],
  'landed, with JSON of another shape': [{ ...create, fault: 'wrong_json' }],
  'landed, with half of the JSON': [{ ...create, fault: 'truncated_json' }],
  'token expires during publishing': [{ ...create, fault: 'token_revoked' }],
}

const isAboutMedia = (name: FaultName) => name.startsWith('media')

/** In strides that grow: most cells end in the first ones, a doubt lasts six hours, and an outage is waited for all day. */
const stridesMinutes = [1, 1, 4, 10, 10, 20, ...Array.from({ length: 24 }, () => 60)]

/** Lets time pass until the post has ended; delayed messages arrive a minute after the post's time. */
const passUntilEnded = async (kit: Kit, id: string, arrive: () => Promise<unknown>) => {
  for (const [stride, minutes] of stridesMinutes.entries()) {
    await kit.service.pass(minutes * minuteMs, { tickMinutes: 5 })
    if (stride === 1) await arrive()
    const post = await kit.api.posts.get({ params: { id } })
    if (post.status !== 'scheduled') return post
  }
  throw new Error('the post never ended')
}

const nothing: ObserveFunction = (_effect, run) => run()

/** What the network does in a cell, in addition to the fault of the stand-in. */
const troubleOf = (column: Column, name: FaultName) => {
  if (name === 'hang') return { observe: impatient(column.platform), arrive: async () => undefined }
  if (name !== 'landed a minute after the timeout') return { observe: nothing, arrive: async () => undefined }
  return lateCalls(1, ({ service, action }) => service === column.platform && action === column.create)
}

/** The first post of a thread is published, and the second one fails for certain. */
const breaking: readonly Script[] = [
  { ...create, fault: 'slow', delayMs: 1 },
  { ...create, fault: 'status', status: 403 },
]

/** Schedules the post of a cell: by itself, or as the rest of a thread that broke after its first post. */
const scheduleIn = async (
  kit: Kit,
  { platform, isReply }: Column,
  accountId: string,
  draft: Draft,
): Promise<(scheduledAt: string) => Promise<string>> => {
  if (!isReply) {
    return async (scheduledAt) => {
      const [{ id = '' } = {}] = await kit.api.posts.schedule({
        body: { socialAccountIds: [accountId], scheduledAt, ...draft },
      })
      return id
    }
  }
  const { metadata, ...second } = draft
  kit.platforms.faults.add(breaking.map((script) => ({ ...script, platform })))
  const { postIds } = await kit.api.posts.publishThreadNow({
    body: {
      socialAccountId: accountId,
      tweets: [{ content: 'Head' }, second],
      ...(metadata === undefined ? {} : { metadata }),
    },
  })
  await kit.service.pass(2 * minuteMs)
  const [head = '', id = ''] = postIds
  return async (scheduledAt) => {
    await kit.api.posts.reschedule({ params: { id: head }, body: { scheduledAt } })
    return id
  }
}

/** Publishes one post through a fault, and asserts what its author sees and what the platform holds. */
const runCell = async (kit: Kit, column: Column, accountId: string, name: FaultName, seam: Seam) => {
  const cell: Cell = column.cells[name]
  const { outcome } = cell
  const draft = await column.draft(kit, name, cell.media === true || isAboutMedia(name))
  const platform = column.platform
  const schedule = await scheduleIn(kit, column, accountId, draft)
  const scripts = cell.scripts ?? everywhere[name] ?? []
  kit.platforms.faults.add(scripts.map((script) => ({ ...script, platform })))
  const { observe, arrive } = troubleOf(column, name)
  seam.begin(observe)
  const [before, lossesBefore, logged] = [kit.platforms.calls().length, reportedLosses(kit).length, kit.logged.length]

  const dueMs = kit.clock.now() + 3 * minuteMs
  const id = await schedule(new Date(dueMs).toISOString())
  await kit.service.pass(2 * minuteMs, { tickMinutes: 5 })
  const post = await passUntilEnded(kit, id, arrive)
  seam.end()

  expect(post).toMatchObject({
    status: outcome.status,
    error: outcome.error ? expect.stringMatching(outcome.error) : null,
    publishedPostUrl: outcome.status === 'failed' || outcome.withoutUrl ? null : expect.stringMatching(/^https:/),
  })
  const live = kit.platforms.published().filter((post) => post.platform === platform && post.text.includes(name))
  expect(live.length).toBe(outcome.live)
  for (const { publishedAt, url } of live) {
    if (post.publishedPostUrl !== null) expect(url).toBe(post.publishedPostUrl)
    if (!outcome.late) continue
    expect((publishedAt - dueMs) / 1000).toBeGreaterThanOrEqual(outcome.late[0])
    expect((publishedAt - dueMs) / 1000).toBeLessThanOrEqual(outcome.late[1])
  }
  const creates = kit.platforms
    .calls()
    .slice(before)
    .filter((call) => call.platform === platform)
  expect(creates.filter(({ operation }) => operation === 'create').length).toBe(outcome.creates)
  const [begun, ended, ...more] = eventsOf(kit, id).slice(column.isReply ? 1 : 0)
  expect([begun?.type, more]).toEqual([column.isReply ? 'post.rescheduled' : 'post.scheduled', []])
  const { reason, retrySafe } = outcome
  expect(ended).toMatchObject(
    outcome.status === 'published'
      ? { type: 'post.published', data: { publishedPostUrl: post.publishedPostUrl, error: null } }
      : { type: 'post.publish_failed', data: { reason, retrySafe, error: post.error } },
  )
  const account = (await kit.api.socialAccounts.list()).find((account) => account.id === accountId)
  expect(account).toMatchObject({
    isConnected: !outcome.lost,
    needsReconnect: outcome.lost ?? false,
  })
  expect(reportedLosses(kit).length - lossesBefore).toBe(outcome.lost ? 1 : 0)
  const isReported = kit.logged.slice(logged).some((line) => line.includes('operator action needed'))
  expect(isReported).toBe(outcome.operator ?? false)
  // Each trouble that was to come has come.
  expect(kit.platforms.faults.pending().filter(({ times }) => times < endless / 2)).toEqual([])
}

type Seam = ReturnType<typeof makeTrouble>

/** One row of tests: the twenty faults on one platform, each with its own post, in one service. */
export const runColumn = (column: Column): void => {
  const title = `${column.platform}${column.isReply ? ', a reply' : ''}`
  const seam = makeTrouble()
  const connect = column.connect ?? ((kit: Kit) => connectOn(kit, column.platform))
  let kit: Kit
  let accountId: string
  describe(title, () => {
    beforeAll(async () => {
      kit = await start({ observe: seam.observe })
      await listen(kit)
      accountId = await connect(kit)
    })
    afterAll(async () => {
      await expectSound(kit)
      await kit.close()
    })
    test.each(faultNames)(`${title}: %s`, async (name) => {
      try {
        await runCell(kit, column, accountId, name, seam)
      } finally {
        seam.end()
        kit.platforms.faults.clear()
        if (column.cells[name].outcome.lost) await connect(kit)
      }
    })
  })
}
