import * as z from 'zod/mini'
import { enqueueOrSweep } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { sweepAt } from '../db/sweep-at.ts'
import type { Write } from '../db/table.ts'
import { ulid } from '../ids.ts'

/** What people are mailed about their account. */
export const noticeKinds = [
  'password-changed',
  'password-reset',
  'signed-in-elsewhere',
  'token-created',
  'token-expiring',
  'two-factor-on',
  'two-factor-off',
  'recovery-code-used',
  'recovery-codes-replaced',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * A mail to somebody about their account, written in the transaction that makes the change and removed once SES has it.
 * `facts` are what the mail says, and never a secret.
 */
export const Notice = z.object({
  id: z.string(),
  userId: z.string(),
  kind: z.enum(noticeKinds),
  facts: z.record(z.string(), z.string()),
  /** When the mail is due. */
  dueAtMs: z.number(),
  /** The worker that sends it has it to itself until then. */
  heldUntilMs: z.optional(z.number()),
})
export type Notice = z.infer<typeof Notice>

/** How long the sending of a mail is tried. */
export const noticeDays = 3

/** When the sweeper looks for a mail whose message was lost. */
const overdueMs = 60_000

export const notices = entity({
  type: 'Notice',
  shape: Notice,
  key: ({ userId, id }: Pick<Notice, 'userId' | 'id'>) => ({ PK: `USER#${userId}`, SK: `NOTICE#${id}` }),
  indexes: ({ id, dueAtMs }) => ({
    ...sweepAt(id, dueAtMs + overdueMs),
    ttl: Math.ceil(dueAtMs / 1000) + (noticeDays + 1) * 86_400,
  }),
})

export const makeNotice = (
  ctx: Context,
  userId: string,
  kind: NoticeKind,
  facts: Notice['facts'] = {},
  dueAtMs = ctx.clock.now(),
): Notice => ({ id: ulid(ctx.clock.now()), userId, kind, facts, dueAtMs })

export const storeNotice = (notice: Notice): Write => ({ put: notices.item(notice) })

/** Which mail a message is about. */
export const NoticeMessage = z.object({ userId: z.string(), noticeId: z.string() })
export type NoticeMessage = z.infer<typeof NoticeMessage>

/** Enqueues a stored mail. */
export const enqueueNotice = (ctx: Context, { userId, id: noticeId }: Notice): Promise<void> => {
  const body: NoticeMessage = { userId, noticeId }
  return enqueueOrSweep(ctx, 'drain', { body, group: userId })
}
