import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import { absent } from '../../db/expression.ts'
import { put, updateOnly } from '../../db/table.ts'
import { type Event, isNotified, type NotifiedType } from '../../events/event.ts'
import { hourMs, minuteMs } from '../../time.ts'
import { type Channel, channels, type NotificationKind } from '../kinds.ts'
import { alerts, alertTtlSeconds, topicIdOf, topics } from './alert.ts'
import { topicWork } from './work.ts'

/** How long alerts are collected before the first notification: posts of one moment fail within seconds. */
const gatherSeconds: Readonly<Record<Channel, number>> = { push: 15, mail: 60 }

/**
 * Decided: about the same subject, a person gets at most one push message in ten minutes and one email an hour, with the
 * number of alerts since the last one.
 */
export const windowMs: Readonly<Record<Channel, number>> = { push: 10 * minuteMs, mail: hourMs }

/** Something that people of a workspace should know. */
export interface NewAlert {
  /** The same for every repeat of the same event: the event's ID. */
  id: string
  workspaceId: string
  kind: NotificationKind
  /** The subject: alerts of one kind about one subject are grouped. */
  targetId: string
  facts: Readonly<Record<string, string>>
  /** All of them by default. */
  channels?: readonly Channel[]
}

/** Counts alerts in their topic, and makes the topic due unless it already is. */
const makeDue = async (
  ctx: Context,
  { workspaceId, kind, targetId }: NewAlert,
  channel: Channel,
  count: number,
): Promise<void> => {
  const nowMs = ctx.clock.now()
  const id = topicIdOf(workspaceId, kind, channel, targetId)
  const dueAtMs = nowMs + gatherSeconds[channel] * 1000
  await updateOnly(ctx, topics.key({ workspaceId, id }), {
    set: {
      id,
      workspaceId,
      kind,
      channel,
      targetId,
      type: topics.type,
      ttl: Math.ceil(nowMs / 1000) + alertTtlSeconds,
    },
    setOnce: topicWork.dueAt(id, dueAtMs, nowMs),
    add: { alerts: count },
  })
  await topicWork.enqueueAt(ctx, { workspaceId, id }, dueAtMs)
}

const raiseIn = async (ctx: Context, raised: readonly NewAlert[], channel: Channel): Promise<void> => {
  const atMs = ctx.clock.now()
  const own = raised.filter((alert) => (alert.channels ?? channels).includes(channel))
  await Promise.all(
    own.map(({ id, workspaceId, kind, targetId, facts }) => {
      const topicId = topicIdOf(workspaceId, kind, channel, targetId)
      const item = alerts.item({ id, workspaceId, topicId, facts: { ...facts }, atMs })
      return ifCurrent(put(ctx, item, absent('PK')))
    }),
  )
  const byTopic = Map.groupBy(own, ({ workspaceId, kind, targetId }) => `${workspaceId}\n${kind}\n${targetId}`)
  await Promise.all(
    [...byTopic.values()].map(([first, ...rest]) => first && makeDue(ctx, first, channel, 1 + rest.length)),
  )
}

/**
 * Raises alerts. Each is a row before its topic is made due, so an interrupted call can be repeated: an existing alert is
 * not raised again, and a topic without new alerts notifies no one.
 */
export const raiseAlerts = async (ctx: Context, raised: readonly NewAlert[]): Promise<void> => {
  if (raised.length === 0) return
  await Promise.all(channels.map((channel) => raiseIn(ctx, raised, channel)))
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

type About = Pick<NewAlert, 'targetId' | 'facts'>

const ofAccount = ({ data }: Event): About => ({
  targetId: text(data['socialAccountId']),
  facts: {
    platform: text(data['platform']),
    username: text(data['username']),
    error: text(data['error']),
    endsAt: text(data['accessEndsAt']),
  },
})

const ofTrial = ({ workspace, data }: Event): About => ({
  targetId: workspace.id,
  facts: { endsAt: text(data['trialEndsAt']), isLast: data['cancelAtPeriodEnd'] === true ? 'true' : '' },
})

const ofPayment = ({ workspace, data }: Event): About => ({
  targetId: workspace.id,
  facts: { endsAt: text(data['accessEndsAt']) },
})

/** The events that people are notified about, each with its subject. */
const notifying: Readonly<Record<NotifiedType, (event: Event) => About>> = {
  'post.publish_failed': ofAccount,
  'social_account.reconnect_required': ofAccount,
  'social_account.access_ending': ofAccount,
  'workspace.trial_ending': ofTrial,
  'workspace.payment_failed': ofPayment,
} satisfies Partial<Record<NotificationKind, unknown>>

/** The alerts of events; a test of an endpoint raises none. */
export const alertsOf = (events: readonly Event[]): NewAlert[] =>
  events.flatMap((event) => {
    const { id, type, workspace, data } = event
    if (!isNotified(type) || data['test'] === true) return []
    return [{ id, workspaceId: workspace.id, kind: type, ...notifying[type](event) }]
  })
