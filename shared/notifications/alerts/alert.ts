import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { workFields } from '../../db/lease.ts'
import type { Key } from '../../db/table.ts'
import { stableId } from '../../ids.ts'
import { dayMs } from '../../time.ts'
import { type Channel, channels, type NotificationKind, notificationKinds } from '../kinds.ts'

/** The partition of a workspace's alerts and topics. */
export const alertsPartition = (workspaceId: string): string => `WS#${workspaceId}#ALERT`

/** Something that people should know, to be sent through one channel. */
const Alert = z.object({
  /** The same for every repeat of the same event. */
  id: z.string(),
  workspaceId: z.string(),
  topicId: z.string(),
  /** The values in the text, and never a secret. */
  facts: z.record(z.string(), z.string()),
  atMs: z.number(),
  /** The number of the notification that includes it, within the topic; none while it waits. */
  flush: z.optional(z.int()),
})
export type Alert = z.infer<typeof Alert>

/** Longer than an event is relayed again. */
export const alertTtlSeconds = (7 * dayMs) / 1000

const alertKey = ({ workspaceId, topicId, id }: Pick<Alert, 'workspaceId' | 'topicId' | 'id'>): Key => ({
  PK: alertsPartition(workspaceId),
  SK: `ALERT#${topicId}#${id}`,
})

export const alerts = entity({
  type: 'Alert',
  shape: Alert,
  key: alertKey,
  indexes: ({ atMs }: Alert) => ({ ttl: Math.ceil(atMs / 1000) + alertTtlSeconds }),
})

/**
 * The group of one notification: the alerts of a kind about one subject, for one channel. An account that loses 200 posts
 * therefore notifies each person a few times, and not 200 times.
 */
export const Topic = z.object({
  id: z.string(),
  workspaceId: z.string(),
  kind: z.enum(notificationKinds),
  channel: z.enum(channels),
  targetId: z.string(),
  /** Counts the alerts that were ever raised. */
  alerts: z.int(),
  /** Counts the notifications. */
  flushes: z.optional(z.int()),
  /** The last message, in the order of keys, of a notification that is stored in several transactions. */
  storedUpTo: z.optional(z.string()),
  /** The end of the window of the last notification. */
  notBeforeMs: z.optional(z.number()),
  /** `dueAtMs`: when the waiting alerts become a notification; none while none waits. */
  ...workFields,
})
export type Topic = z.infer<typeof Topic>

export const topics = entity({
  type: 'AlertTopic',
  shape: Topic,
  key: ({ workspaceId, id }: Pick<Topic, 'workspaceId' | 'id'>) => ({
    PK: alertsPartition(workspaceId),
    SK: `TOPIC#${id}`,
  }),
})

export const topicIdOf = (workspaceId: string, kind: NotificationKind, channel: Channel, targetId: string): string =>
  stableId('top', workspaceId, kind, channel, targetId)
