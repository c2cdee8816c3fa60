import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import { absent } from '../../db/expression.ts'
import { put, updateOnly } from '../../db/table.ts'
import { type Channel, channels, type NotificationKind } from '../kinds.ts'
import { alerts, alertTtlSeconds, topicIdOf, topics } from './alert.ts'
import { gatherSeconds } from './windows.ts'
import { topicWork } from './work.ts'

/** Something that people of a workspace should know. */
export interface NewAlert {
  /** The same for every repeat of the same thing: an event's id. */
  id: string
  workspaceId: string
  kind: NotificationKind
  /** What it is about: alerts of one kind about one thing are collected. */
  targetId: string
  facts: Readonly<Record<string, string>>
  /** All of them by default. */
  channels?: readonly Channel[]
}

/** Counts alerts in their topic, and makes it due unless it is. */
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
      ...{ id, workspaceId, kind, channel, targetId },
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
 * Raises alerts. Each is a row before its topic is made due, so a call that dies can be repeated: an alert that is there
 * already is not raised again, and a topic without new alerts notifies nobody.
 */
export const raiseAlerts = async (ctx: Context, raised: readonly NewAlert[]): Promise<void> => {
  if (raised.length === 0) return
  await Promise.all(channels.map((channel) => raiseIn(ctx, raised, channel)))
}
