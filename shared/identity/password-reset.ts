import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { absent } from '../db/expression.ts'
import { put } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import { hourMs } from '../time.ts'

/** How many hours the link in the email works. */
export const resetHours = 1

/** A link to choose a new password; it ends with the generation of sessions in which it was requested. */
export const PasswordReset = z.object({
  tokenHash: z.string(),
  email: z.string(),
  sessionGeneration: z.number(),
  expiresAt: z.string(),
  usedAt: z.optional(z.string()),
})
export type PasswordReset = z.infer<typeof PasswordReset>

export const passwordResets = entity({
  type: 'PasswordReset',
  shape: PasswordReset,
  key: ({ tokenHash }: Pick<PasswordReset, 'tokenHash'>) => ({ PK: `RST#${tokenHash}`, SK: 'RST' }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})

/** The address in the email: a page with a form for the new password. */
const resetLink = (ctx: Context, sentToken: string): string =>
  `${ctx.env('BASE_URL')}/reset-password?token=${sentToken}`

/** Creates a reset; its link is for a page with a form for the new password. */
export const createReset = async (
  ctx: Context,
  { email, sessionGeneration = 0 }: { email: string; sessionGeneration?: number | undefined },
): Promise<{ link: string; tokenHash: string; untilMs: number }> => {
  const sentToken = random62(43)
  const tokenHash = digest(sentToken)
  const untilMs = ctx.clock.now() + resetHours * hourMs
  const row = { tokenHash, email, sessionGeneration, expiresAt: new Date(untilMs).toISOString() }
  await put(ctx, passwordResets.item(row), absent('PK'))
  return { link: resetLink(ctx, sentToken), tokenHash, untilMs }
}
