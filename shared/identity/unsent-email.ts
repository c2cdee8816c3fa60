import * as z from 'zod/mini'
import { type EmailMessage, sendEmail } from '../aws/email.ts'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { sweepAt } from '../db/sweep-at.ts'
import { put } from '../db/table.ts'
import { ulid } from '../ids.ts'

/** The emails to people who are not signed in: answers to their requests, and the end of their account. */
const kinds = [
  'verification',
  'address-taken',
  'sign-up-again',
  'password-reset',
  'no-account',
  'account-deleted',
] as const

/**
 * An email that SES rejected, or that is written before it is sent. The row stores no secret: a retry creates a new link for
 * the row that `tokenHash` names.
 */
export const UnsentEmail = z.object({
  id: z.string(),
  to: z.string(),
  kind: z.enum(kinds),
  tokenHash: z.string(),
  returnTo: z.optional(z.string()),
  failedAtMs: z.number(),
  /** After this time the email is of no use. */
  untilMs: z.number(),
  /** The lease of the worker that sends the email, and its fencing token. */
  leaseUntilMs: z.optional(z.number()),
  leaseToken: z.optional(z.int()),
})
export type UnsentEmail = z.infer<typeof UnsentEmail>

/** When the sweeper retries for the first time. */
const retryAfterMs = 60_000

export const unsentEmails = entity({
  type: 'UnsentEmail',
  shape: UnsentEmail,
  key: ({ id }: Pick<UnsentEmail, 'id'>) => ({ PK: `UNSENT#${id}`, SK: 'UNSENT' }),
  indexes: ({ id, failedAtMs, untilMs }) => ({
    ...sweepAt(id, failedAtMs + retryAfterMs),
    ttl: Math.ceil(untilMs / 1000) + 86_400,
  }),
})

/** The message that names an email to send again. */
export const UnsentEmailMessage = z.object({ emailId: z.string() })
export type UnsentEmailMessage = z.infer<typeof UnsentEmailMessage>

/** Sends an email. If SES rejects it, the sweeper retries it, and the request succeeds. */
export const sendOrRetry = async (
  ctx: Context,
  message: EmailMessage,
  about: Omit<UnsentEmail, 'id' | 'to' | 'failedAtMs'>,
): Promise<void> => {
  try {
    await sendEmail(ctx, message)
  } catch {
    // It is logged and counted where it failed.
    const failedAtMs = ctx.clock.now()
    await put(ctx, unsentEmails.item({ ...about, id: ulid(failedAtMs), to: message.to, failedAtMs }))
  }
}
