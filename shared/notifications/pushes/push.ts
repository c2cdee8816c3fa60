import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { workFields } from '../../db/lease.ts'
import { sweepAt, sweepGraceMs } from '../../db/sweep-at.ts'
import type { Item } from '../../db/table.ts'
import { hourMs } from '../../time.ts'

/**
 * One message on its way to one device, until its provider reports delivery. The row is written together with what it
 * reports, and deleted at the end.
 */
export const Push = z.object({
  id: z.string(),
  userId: z.string(),
  deviceId: z.string(),
  /** The message (`providers/provider.ts`). */
  title: z.string(),
  body: z.string(),
  url: z.string(),
  tag: z.string(),
  urgency: z.enum(['normal', 'high']),
  data: z.record(z.string(), z.string()),
  createdAtMs: z.number(),
  /** Calls that were made. */
  attempts: z.int(),
  /** Set once the provider has accepted the message. */
  ticketId: z.optional(z.string()),
  /** `dueAtMs`: when it is sent again, or its ticket looked up. */
  ...workFields,
})
export type Push = z.infer<typeof Push>

export const pushes = entity({
  type: 'Push',
  shape: Push,
  key: ({ userId, id }: Pick<Push, 'userId' | 'id'>) => ({ PK: `USER#${userId}`, SK: `PUSH#${id}` }),
})

/** A message is of no use after this time: it is not sent any more. */
export const pushTtlMs = 6 * hourMs

/** Expo keeps receipts for a day. */
export const ticketRetentionMs = 24 * hourMs

/** The item of a new row, which the sweeper watches. */
export const newPushItem = (push: Omit<Push, 'attempts'>): Item => {
  const ttl = Math.ceil((push.createdAtMs + 2 * ticketRetentionMs) / 1000)
  return { ...pushes.item({ ...push, attempts: 0 }), ...sweepAt(push.id, push.createdAtMs + sweepGraceMs), ttl }
}
