import fc from 'fast-check'
import { type Attempt, neverClaimed, type Post } from '../../../shared/posts/lifecycle/row.ts'

/** The moment at which the rows are looked at. */
export const nowMs = 1_000_000

const around = fc.constantFrom(nowMs - 1, nowMs, nowMs + 1)

const attempt: fc.Arbitrary<Attempt> = fc
  .tuple(fc.integer({ min: 1, max: 2 }), fc.boolean())
  .map(([version, isReconciling]) => ({
    version,
    clientKey: 'key',
    startedAtMs: nowMs - 10,
    ref: {},
    ...(isReconciling ? { reconciliation: { sinceMs: nowMs - 5, negativeProbes: 1 } } : {}),
  }))

const base: Post = {
  id: 'p1',
  workspaceId: 'w1',
  groupId: 'g1',
  socialAccountId: 'a1',
  platform: 'x',
  status: 'scheduled',
  content: 'words',
  media: [],
  scheduledAt: new Date(nowMs).toISOString(),
  scheduledAtMs: nowMs,
  createdAt: new Date(nowMs).toISOString(),
  publishedPostUrl: null,
  error: null,
  version: 1,
  sequence: 1,
  ...neverClaimed,
}

/** Every part of it is there or not; more combinations than the service writes. */
const parts = fc.record(
  {
    leaseUntilMs: around,
    attempt,
    clientKey: fc.constantFrom('key', 'other key'),
    prepareLeaseUntilMs: around,
    replyTo: fc.constant('tweet 1'),
  },
  { requiredKeys: [] },
)

const state = fc.record({
  status: fc.constantFrom('scheduled', 'scheduled', 'scheduled', 'published', 'failed', 'cancelled'),
  version: fc.integer({ min: 1, max: 2 }),
  leaseToken: fc.integer({ min: 0, max: 1 }),
})

const thread = fc.option(fc.constantFrom({ index: 0, total: 2 }, { index: 1, total: 2 }), { nil: undefined })

/** A post as a caller read it, and its state when they write. */
export const seenAndStored = fc
  .tuple(thread, state, parts, state, parts)
  .map(([threadPosition, seenState, seenParts, storedState, storedParts]) => {
    const post = { ...base, ...(threadPosition === undefined ? {} : { thread: threadPosition }) }
    const seen: Post = { ...post, ...seenState, ...seenParts }
    const stored: Post = { ...post, ...storedState, ...storedParts }
    return { seen, stored }
  })
