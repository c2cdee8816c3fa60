import type { Context } from '../../context.ts'
import { wasCurrent } from '../../db/condition-failed.ts'
import { absent, allOf, anyOf, atMost, begins, equal, present } from '../../db/expression.ts'
import { type Claimed, leaseFree } from '../../db/lease.ts'
import { batchGet, queryAll, transact, updateOnly, type Write } from '../../db/table.ts'
import { readTeam } from '../../workspaces/list-members.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { audienceOf } from '../kinds.ts'
import { emptyProfile, type Profile, profiles } from '../profile.ts'
import { isChosen } from '../settings.ts'
import { type Alert, alerts, alertsPartition, type Topic, topics } from './alert.ts'
import { copyOf } from './copy.ts'
import { type MessageRow, type Messages, messagesOf } from './messages.ts'
import { windowMs } from './raise.ts'
import { type TopicMessage, topicWork } from './work.ts'

/** The people whom a topic is for: active members of its audience who have not turned it off. */
const recipientsOf = async (ctx: Context, { workspaceId, kind, channel }: Topic): Promise<Profile[]> => {
  const team = await readTeam(ctx, workspaceId)
  const people = team.filter(
    ({ status, role }) => status === 'active' && (audienceOf[kind] === 'members' || role !== 'member'),
  )
  const rows = await batchGet(
    ctx,
    people.map(({ userId }) => profiles.key({ userId })),
  )
  return people
    .map(({ userId }) => profiles.from(rows, { userId }) ?? emptyProfile(userId))
    .filter((profile) => isChosen(profile, kind, channel))
}

/** Alerts of one notification; more are part of the next one. */
const maxAlerts = 1_000

/** The rows of one transaction in addition to the topic, and the writes made in parallel. */
const maxRows = 80
const atOnce = 25

/** Moves a topic that is due within the window of its last notification to the end of that window. */
const waitForWindow = async (ctx: Context, { workspaceId, id, notBeforeMs = 0 }: Topic): Promise<void> => {
  const nowMs = ctx.clock.now()
  const free = allOf(present('dueAtMs'), equal('notBeforeMs', notBeforeMs), leaseFree('leaseUntilMs', nowMs))
  const change = { set: topicWork.dueAt(id, notBeforeMs, nowMs) }
  const isMoved = await wasCurrent(updateOnly(ctx, topics.key({ workspaceId, id }), change, free))
  if (isMoved) await topicWork.enqueueAt(ctx, { workspaceId, id }, notBeforeMs)
}

/** Claims a topic with waiting alerts; undefined if it is not due, or another worker holds it. */
const claim = async (ctx: Context, { workspaceId, topicId: id }: TopicMessage): Promise<Claimed<Topic> | undefined> => {
  const isOpen = anyOf(absent('notBeforeMs'), atMost('notBeforeMs', ctx.clock.now()))
  const claimed = await topicWork.claim(ctx, { workspaceId, id }, { when: isOpen })
  if (claimed !== undefined) return claimed
  const topic = await topics.get(ctx, { workspaceId, id })
  const nowMs = ctx.clock.now()
  const { dueAtMs, notBeforeMs = 0 } = topic ?? {}
  if (topic && dueAtMs !== undefined && dueAtMs <= nowMs && notBeforeMs > nowMs) await waitForWindow(ctx, topic)
  return undefined
}

/**
 * The alerts of the next notification. The alerts of a notification that an earlier worker has started stay together, so
 * that no alert is counted twice or left out.
 */
const takeAlerts = async (ctx: Context, { workspaceId, id: topicId }: Topic, flush: number): Promise<Alert[]> => {
  const key = allOf(equal('PK', alertsPartition(workspaceId)), begins('SK', `ALERT#${topicId}#`))
  const open = anyOf(absent('flush'), equal('flush', flush))
  const waiting = alerts.readable(ctx, await queryAll(ctx, { key, filter: open }, maxAlerts))
  const begun = waiting.filter((alert) => alert.flush === flush)
  if (begun.length > 0) return begun
  for (let from = 0; from < waiting.length; from += atOnce) {
    const some = waiting.slice(from, from + atOnce)
    await Promise.all(some.map((alert) => updateOnly(ctx, alerts.key(alert), { set: { flush } }, present('PK'))))
  }
  return waiting
}

/** The write that ends a notification. The topic stays due if alerts were raised since it was claimed. */
const release = (
  topic: Claimed<Topic>,
  set: object,
  { dueAtMs, nowMs, isUnchanged }: { dueAtMs: number; nowMs: number; isUnchanged: boolean },
): Write => {
  if (!isUnchanged) return topicWork.releaseWrite(topic, dueAtMs, nowMs, { set: { ...set }, remove: ['storedUpTo'] })
  const write = topicWork.endWrite(topic, { set: { ...set }, remove: ['storedUpTo', 'dueAtMs'] })
  return { ...write, when: allOf(write.when, equal('alerts', topic.alerts)) }
}

const byKey = (one: MessageRow, other: MessageRow): number => (one.key < other.key ? -1 : 1)

/**
 * Stores the messages and ends the lease, in one transaction as far as they fit. Those that do not fit are stored first, and
 * each transaction records its progress: a worker that continues does not store a message again, since it may have been sent
 * in the meantime. False if the lease was lost.
 */
const store = async (
  ctx: Context,
  topic: Claimed<Topic>,
  flush: number,
  { isEmpty, rows }: { isEmpty: boolean; rows: readonly MessageRow[] },
) => {
  const { storedUpTo = '', channel } = topic
  const left = rows.filter(({ key }) => key > storedUpTo).sort(byKey)
  while (left.length > maxRows) {
    const some = left.splice(0, maxRows)
    const change = { set: { storedUpTo: some.at(-1)?.key } }
    const progress: Write = { update: topics.key(topic), change, when: topicWork.ownsLease(topic) }
    if (!(await wasCurrent(transact(ctx, () => [progress, ...some.map(({ write }) => write)])))) return false
  }
  const nowMs = ctx.clock.now()
  const notBeforeMs = isEmpty ? nowMs : nowMs + windowMs[channel]
  const set = isEmpty ? {} : { flushes: flush, notBeforeMs }
  for (const isUnchanged of [true, false]) {
    const last = release(topic, set, { dueAtMs: notBeforeMs, nowMs, isUnchanged })
    if (!(await wasCurrent(transact(ctx, () => [last, ...left.map(({ write }) => write)])))) continue
    if (!isUnchanged) await topicWork.enqueueAt(ctx, topic, notBeforeMs)
    return true
  }
  return false
}

const nobody: Messages = { rows: [], enqueue: async () => undefined }

const prepare = async (
  ctx: Context,
  topic: Topic,
  flush: number,
  { taken, workspace }: { taken: readonly Alert[]; workspace: Workspace | undefined },
): Promise<Messages> => {
  const [first, ...rest] = taken
  if (first === undefined || workspace === undefined) return nobody
  const last = rest.reduce((latest, alert) => (alert.atMs >= latest.atMs ? alert : latest), first)
  const people = await recipientsOf(ctx, topic)
  const copy = copyOf(topic.kind, { facts: last.facts, count: taken.length, workspace })
  return messagesOf(ctx, topic, flush, { people, copy })
}

/** Turns the waiting alerts of a topic into one message for each device, or one email for each person. */
export const flushTopic = async (ctx: Context, message: TopicMessage): Promise<void> => {
  const topic = await claim(ctx, message)
  if (topic === undefined) return
  const flush = (topic.flushes ?? 0) + 1
  const { workspaceId } = topic
  const [taken, rows] = await Promise.all([
    takeAlerts(ctx, topic, flush),
    batchGet(ctx, [workspaces.key({ id: workspaceId })]),
  ])
  const messages = await prepare(ctx, topic, flush, { taken, workspace: workspaces.from(rows, { id: workspaceId }) })
  if (await store(ctx, topic, flush, { isEmpty: taken.length === 0, rows: messages.rows })) await messages.enqueue()
}
