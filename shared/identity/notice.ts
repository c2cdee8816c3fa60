import * as z from 'zod/mini'
import { enqueueOrSweep } from '../aws/queue.ts'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { sweepAt } from '../db/sweep-at.ts'
import type { Write } from '../db/table.ts'
import { ulid } from '../ids.ts'

/** What people get emails about. */
export const noticeKinds = [
  'password-changed',
  'password-reset',
  'signed-in-elsewhere',
  'token-created',
  'token-expiring',
  'assistant-connected',
  'two-factor-on',
  'two-factor-off',
  'recovery-code-used',
  'recovery-codes-replaced',
  /** About a workspace (shared/notifications), which writes the text. */
  'notification',
  'export-completed',
  'export-failed',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * An email to a person about their account, written in the transaction that makes the change and removed once SES has
 * accepted the email. `facts` are the values in the text and never contain a secret.
 */
export const Notice = z.object({
  id: z.string(),
  userId: z.string(),
  kind: z.enum(noticeKinds),
  facts: z.record(z.string(), z.string()),
  /** When the mail is due. */
  dueAtMs: z.number(),
  /** The lease of the worker that sends the email, and its fencing token. */
  leaseUntilMs: z.optional(z.number()),
  leaseToken: z.optional(z.int()),
})
export type Notice = z.infer<typeof Notice>

/** How long the service tries to send an email. */
export const noticeDays = 3

/** When the sweeper resends a lost message. */
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
  { facts = {}, dueAtMs = ctx.clock.now() }: { facts?: Notice['facts'] | undefined; dueAtMs?: number | undefined } = {},
): Notice => ({ id: ulid(ctx.clock.now()), userId, kind, facts, dueAtMs })

export const storeNotice = (notice: Notice): Write => ({ put: notices.item(notice) })

/** The message that names an email to send. */
export const NoticeMessage = z.object({ userId: z.string(), noticeId: z.string() })
export type NoticeMessage = z.infer<typeof NoticeMessage>

/** Enqueues a stored email. */
export const enqueueNotice = (ctx: Context, { userId, id: noticeId }: Notice): Promise<void> => {
  const body: NoticeMessage = { userId, noticeId }
  return enqueueOrSweep(ctx, 'drain', { body, group: userId })
}
