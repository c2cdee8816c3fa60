import * as z from 'zod/mini'
import { backlog, send } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { all, atMost, equal } from '../db/expression.ts'
import { ConditionFailed, query, update } from '../db/table.ts'
import { platformIds, type QueueName, wakeShards } from '../resources.ts'

/** What the wake index shows of a row (infra, wake index). */
const Waking = z.object({
  PK: z.string(),
  SK: z.string(),
  type: z.string(),
  wakeAt: z.number(),
  wakes: z.optional(z.number()),
  /** Absent in the rows of people. */
  workspaceId: z._default(z.string(), ''),
  id: z.string(),
  platform: z.optional(z.enum(platformIds)),
  socialAccountId: z.optional(z.string()),
  scheduledAtMs: z.optional(z.number()),
  version: z.optional(z.number()),
  endpointId: z.optional(z.string()),
})
type Waking = z.infer<typeof Waking>

const waitsMinutes = [1, 2, 4, 8, 15] as const
const perShard = 500
const fullQueue = 1000
const prepareLeadMs = 20_000

/** Whose row it is: the person in its key. */
const personOf = ({ PK }: Waking): string => PK.slice('USER#'.length)

/** The message that gets a row's work going again, and the queue it belongs to. */
const messageFor = (row: Waking, now: number): { queue: QueueName; body: unknown } | undefined => {
  const { workspaceId, id, version } = row
  if (row.type === 'Post' && row.platform && row.scheduledAtMs !== undefined) {
    if (row.scheduledAtMs - now > prepareLeadMs) return { queue: 'prepare', body: { workspaceId, postId: id, version } }
    const body = { workspaceId, postId: id, socialAccountId: row.socialAccountId, platform: row.platform, version }
    return { queue: `publish-${row.platform}`, body }
  }
  if (row.type === 'Outbox') return { queue: 'events', body: { workspaceId, outboxId: id } }
  if (row.type === 'Delivery')
    return { queue: 'deliver', body: { workspaceId, endpointId: row.endpointId, deliveryId: id } }
  if (row.type === 'EndpointHealth') return { queue: 'drain', body: { workspaceId, endpointId: id } }
  if (row.type === 'Replay') return { queue: 'replay', body: { workspaceId, replayId: id } }
  if (row.type === 'SocialAccount') return { queue: 'prepare', body: { workspaceId, socialAccountId: id } }
  if (row.type === 'Collection') return { queue: 'purge', body: { workspaceId, collectionId: id } }
  if (row.type === 'MemoryIndex' || row.type === 'MemoryRemoval') {
    return { queue: 'index', body: { workspaceId, collectionId: id } }
  }
  if (row.type === 'MediaJob') return { queue: 'preview', body: { workspaceId, assetId: id } }
  if (row.type === 'Notice') return { queue: 'drain', body: { userId: personOf(row), noticeId: id } }
  if (row.type === 'WorkspaceDeletion') return { queue: 'purge', body: { workspaceId } }
  return undefined
}

/** Moves the row's next look, on condition that nobody else has touched it since. */
const postpone = async (ctx: Context, row: Waking, now: number): Promise<boolean> => {
  const minutes = waitsMinutes[Math.min(row.wakes ?? 0, waitsMinutes.length - 1)] ?? 15
  try {
    const change = { set: { wakeAt: now + minutes * 60_000 }, add: { wakes: 1 } }
    await update(ctx, { PK: row.PK, SK: row.SK }, change, equal('wakeAt', row.wakeAt))
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

/** Puts the work of the rows that wake until a moment back on their queues, each where `take` says yes. */
const putBack = async (ctx: Context, now: number, untilMs: number, take: (row: Waking) => Promise<boolean>) => {
  const shards = Array.from({ length: wakeShards }, (_, n) => `WAKE#${n}`)
  const full = new Map<QueueName, Promise<boolean>>()
  const isFull = (queue: QueueName) => {
    const known = full.get(queue) ?? backlog(ctx, queue).then((count) => count > fullQueue)
    full.set(queue, known)
    return known
  }
  await Promise.all(
    shards.map(async (shard) => {
      const key = all(equal('wakeShard', shard), atMost('wakeAt', untilMs))
      const page = await query(ctx, { index: 'wake', key, limit: perShard })
      for (const row of page.items.map((item) => z.parse(Waking, item))) {
        const message = messageFor(row, now)
        if (!message || (await isFull(message.queue))) continue
        if (await take(row)) {
          await send(ctx, message.queue, { body: message.body, group: row.workspaceId || personOf(row) })
        }
      }
    }),
  )
}

/** Every row whose time has come and whose work is not done is put back on its queue. It only sends messages again. */
export const sweep = async (ctx: Context): Promise<void> => {
  const now = ctx.clock.now()
  await putBack(ctx, now, now, (row) => postpone(ctx, row, now))
}

/**
 * Sends the messages of all rows that wake within a time, where those that were under way may be lost. It changes no row,
 * so that it may be done again and again: each look by `sweep` comes when it would have come.
 */
export const sendAgain = async (ctx: Context, withinMs: number): Promise<void> => {
  const now = ctx.clock.now()
  await putBack(ctx, now, now + withinMs, async () => true)
}
