import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'

/** How long the link in the mail works. */
export const verificationHours = 24

/**
 * A sign-up that waits for its link. It carries its own password, so that a link never confirms a password that
 * somebody else chose for the same address.
 */
export const Verification = z.object({
  tokenHash: z.string(),
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  passwordHash: z.string(),
  expiresAt: z.string(),
  usedAt: z.optional(z.string()),
})
export type Verification = z.infer<typeof Verification>

export const verifications = entity({
  type: 'Verification',
  shape: Verification,
  key: ({ tokenHash }: Pick<Verification, 'tokenHash'>) => ({ PK: `EVT#${tokenHash}`, SK: 'EVT' }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})

/**
 * The address in the mail: a page with a button, since programs that scan mails open links. Where the sign-up was on
 * the way to one of our pages, the link leads there in the end.
 */
export const verificationLink = (ctx: Context, sentToken: string, returnTo?: string): string =>
  `${ctx.env('BASE_URL')}/verify-email?${new URLSearchParams({
    token: sentToken,
    ...(returnTo === undefined ? {} : { return: returnTo }),
  })}`
