import { maxDelaySeconds } from '../../aws/queue.ts'
import type { Context } from '../../context.ts'
import { ConditionFailed, wasCurrent } from '../../db/condition-failed.ts'
import { absent, allOf, anyOf, atMost, begins, type Condition, equal, present } from '../../db/expression.ts'
import { leaseFree } from '../../db/lease.ts'
import { leaseGraceMs, notSwept, sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import { batchGet, queryAll, transact, update, updateOnly, type Write } from '../../db/table.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { type Alert, alerts, alertsPartition, type Topic, topics } from './alert.ts'
import { enqueueTopic, type TopicMessage } from './enqueue.ts'
import { type MessageRow, type Messages, messagesOf } from './messages.ts'
import { recipientsOf } from './recipients.ts'
import { windowMs } from './windows.ts'
import { wordsOf } from './words.ts'

/** Longer than the function's timeout: when the lease ends, its holder is dead. */
const leaseMs = 60_000

/** A queue can deliver early by the difference of two clocks. */
const clockSkewMs = 500

/** Alerts of one notification; more are part of the next one. */
const maxAlerts = 1_000

/** The rows of one transaction beside the topic, and the writes made at once. */
const maxRows = 80
const atOnce = 25

/** A leased topic. */
type Leased = Topic & { leaseUntilMs: number }

/** Moves a topic that is due within the window of its last notification to the end of that window. */
const waitForWindow = async (ctx: Context, { workspaceId, id, notBeforeMs = 0 }: Topic): Promise<void> => {
  const nowMs = ctx.clock.now()
  const set = { dueAtMs: notBeforeMs, ...sweepAt(id, notBeforeMs + sweepGraceMs) }
  const free = allOf(present('dueAtMs'), equal('notBeforeMs', notBeforeMs), leaseFree('leaseUntilMs', nowMs))
  const moved = await wasCurrent(updateOnly(ctx, topics.key({ workspaceId, id }), { set }, free))
  const seconds = Math.ceil((notBeforeMs - nowMs) / 1000)
  if (moved && seconds <= maxDelaySeconds) await enqueueTopic(ctx, { workspaceId, id }, seconds)
}

/** Leases a topic with waiting alerts; undefined if it is not due, or another worker holds it. */
const lease = async (ctx: Context, { workspaceId, topicId: id }: TopicMessage): Promise<Leased | undefined> => {
  const nowMs = ctx.clock.now()
  const leaseUntilMs = nowMs + leaseMs
  const isDue = atMost('dueAtMs', nowMs + clockSkewMs)
  const isOpen = anyOf(absent('notBeforeMs'), atMost('notBeforeMs', nowMs + clockSkewMs))
  const change = { set: { leaseUntilMs, ...sweepAt(id, leaseUntilMs + leaseGraceMs) } }
  const when = allOf(present('dueAtMs'), isDue, isOpen, leaseFree('leaseUntilMs', nowMs))
  try {
    return { ...topics.parse(await update(ctx, topics.key({ workspaceId, id }), change, when)), leaseUntilMs }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const topic = error.row && topics.parse(error.row)
    const { dueAtMs, notBeforeMs = 0 } = topic ?? {}
    const isEarly = dueAtMs !== undefined && dueAtMs <= nowMs + clockSkewMs && notBeforeMs > nowMs + clockSkewMs
    if (topic !== undefined && isEarly) await waitForWindow(ctx, topic)
    return undefined
  }
}

/**
 * The alerts of the next notification. Those of one that an earlier worker has begun stay together, so that no alert is
 * counted twice or left out.
 */
const takeAlerts = async (ctx: Context, { workspaceId, id: topicId }: Topic, flush: number): Promise<Alert[]> => {
  const key = allOf(equal('PK', alertsPartition(workspaceId)), begins('SK', `ALERT#${topicId}#`))
  const open = anyOf(absent('flush'), equal('flush', flush))
  const found = alerts.readable(ctx, await queryAll(ctx, { key, filter: open }, maxAlerts))
  const begun = found.filter((alert) => alert.flush === flush)
  if (begun.length > 0) return begun
  for (let from = 0; from < found.length; from += atOnce) {
    const some = found.slice(from, from + atOnce)
    await Promise.all(some.map((alert) => updateOnly(ctx, alerts.key(alert), { set: { flush } }, present('PK'))))
  }
  return found
}

const isHeld = (leaseUntilMs: number): Condition => equal('leaseUntilMs', leaseUntilMs)

/** The write that ends a lease. The topic stays due if alerts were raised since it was leased. */
const release = (topic: Leased, flush: number, isEmpty: boolean, nowMs: number, isUnchanged: boolean): Write => {
  const { workspaceId, id, leaseUntilMs, channel, alerts: raised } = topic
  const held = isHeld(leaseUntilMs)
  const notBeforeMs = isEmpty ? nowMs : nowMs + windowMs[channel]
  const set = isEmpty ? {} : { flushes: flush, notBeforeMs }
  const change = isUnchanged
    ? { set, remove: ['leaseUntilMs', 'storedUpTo', 'dueAtMs', ...notSwept] }
    : { set: { ...set, dueAtMs: notBeforeMs, ...sweepAt(id, notBeforeMs) }, remove: ['leaseUntilMs', 'storedUpTo'] }
  const when = isUnchanged ? allOf(held, equal('alerts', raised)) : held
  return { update: topics.key({ workspaceId, id }), change, when }
}

const byKey = (one: MessageRow, other: MessageRow): number => (one.key < other.key ? -1 : 1)

/**
 * Stores the messages and ends the lease, in one transaction as far as they fit. Those that do not fit go first, and each
 * transaction notes how far it came: a worker that continues stores no message again, which may have been sent meanwhile.
 * False if the lease was lost.
 */
const store = async (ctx: Context, topic: Leased, flush: number, isEmpty: boolean, rows: readonly MessageRow[]) => {
  const { workspaceId, id, leaseUntilMs, storedUpTo = '' } = topic
  const left = rows.filter(({ key }) => key > storedUpTo).sort(byKey)
  while (left.length > maxRows) {
    const some = left.splice(0, maxRows)
    const change = { set: { storedUpTo: some.at(-1)?.key } }
    const progress: Write = { update: topics.key({ workspaceId, id }), change, when: isHeld(leaseUntilMs) }
    if (!(await wasCurrent(transact(ctx, () => [progress, ...some.map(({ write }) => write)])))) return false
  }
  for (const isUnchanged of [true, false]) {
    const last = release(topic, flush, isEmpty, ctx.clock.now(), isUnchanged)
    if (await wasCurrent(transact(ctx, () => [last, ...left.map(({ write }) => write)]))) return true
  }
  return false
}

const nobody: Messages = { rows: [], enqueue: async () => undefined }

const prepare = async (
  ctx: Context,
  topic: Topic,
  flush: number,
  taken: readonly Alert[],
  workspace: Workspace | undefined,
): Promise<Messages> => {
  const [first, ...rest] = taken
  if (first === undefined || workspace === undefined) return nobody
  const last = rest.reduce((latest, alert) => (alert.atMs >= latest.atMs ? alert : latest), first)
  const people = await recipientsOf(ctx, topic)
  const words = wordsOf(topic.kind, { facts: last.facts, count: taken.length, workspace })
  return messagesOf(ctx, topic, flush, people, words)
}

/** Turns the waiting alerts of a topic into one message for each device, or one email for each person. */
export const flushTopic = async (ctx: Context, message: TopicMessage): Promise<void> => {
  const topic = await lease(ctx, message)
  if (topic === undefined) return
  const flush = (topic.flushes ?? 0) + 1
  const { workspaceId } = topic
  const [taken, found] = await Promise.all([
    takeAlerts(ctx, topic, flush),
    batchGet(ctx, [workspaces.key({ id: workspaceId })]),
  ])
  const messages = await prepare(ctx, topic, flush, taken, workspaces.from(found, { id: workspaceId }))
  if (await store(ctx, topic, flush, taken.length === 0, messages.rows)) await messages.enqueue()
}
