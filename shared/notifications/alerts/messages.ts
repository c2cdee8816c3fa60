import type { Context } from '../../context.ts'
import type { Write } from '../../db/table.ts'
import { enqueueNotice, type Notice, storeNotice } from '../../identity/notice.ts'
import { stableId } from '../../ids.ts'
import { isPushConfigured } from '../configured.ts'
import type { Profile } from '../profile.ts'
import { newPushItem } from '../pushes/push.ts'
import { enqueuePushes } from '../pushes/work.ts'
import type { Topic } from './alert.ts'
import type { AlertCopy } from './copy.ts'

/** The row of a message; `key` orders the rows of one notification, and is the same whenever they are made. */
export interface MessageRow {
  key: string
  write: Write
}

/** The rows of one notification, one for each device or email, and how their messages are enqueued. */
export interface Messages {
  rows: MessageRow[]
  enqueue(): Promise<void>
}

const pushesOf = (
  ctx: Context,
  topic: Topic,
  flush: number,
  { people, copy }: { people: readonly Profile[]; copy: AlertCopy },
): Messages => {
  const { title, body, path } = copy
  const url = `${ctx.env('BASE_URL')}${path}`
  const { id: tag, kind, workspaceId, targetId } = topic
  const rows = people.flatMap(({ userId, devices }) =>
    devices
      .filter((device) => isPushConfigured(ctx, device.kind))
      .map((device) => ({
        id: stableId('psh', tag, flush, device.id),
        userId,
        deviceId: device.id,
        title,
        body,
        url,
        tag,
        urgency: 'high' as const,
        data: { kind, workspaceId, targetId },
        createdAtMs: ctx.clock.now(),
      })),
  )
  return {
    rows: rows.map((row) => ({ key: row.id, write: { put: newPushItem(row) } })),
    enqueue: () => enqueuePushes(ctx, rows),
  }
}

const mailsOf = (
  ctx: Context,
  topic: Topic,
  flush: number,
  { people, copy }: { people: readonly Profile[]; copy: AlertCopy },
): Messages => {
  const notices = people.map(
    ({ userId }): Notice => ({
      id: stableId('ntf', topic.id, flush),
      userId,
      kind: 'notification',
      facts: { subject: copy.title, text: copy.email },
      dueAtMs: ctx.clock.now(),
    }),
  )
  return {
    rows: notices.map((notice) => ({ key: notice.userId, write: storeNotice(notice) })),
    enqueue: async () => {
      await Promise.all(notices.map((notice) => enqueueNotice(ctx, notice)))
    },
  }
}

/** The messages of one notification to people. */
export const messagesOf = (
  ctx: Context,
  topic: Topic,
  flush: number,
  { people, copy }: { people: readonly Profile[]; copy: AlertCopy },
): Messages => (topic.channel === 'push' ? pushesOf : mailsOf)(ctx, topic, flush, { people, copy })
