import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'

/** How many hours the link in the email works. */
export const verificationHours = 24

/**
 * A pending sign-up. It has a separate password hash, so that a link never confirms a password that another person
 * chose for the same address.
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
 * The address in the email: a page with a button, because mail scanners open links. After a sign-up that started on one
 * of our pages, the person continues there.
 */
export const verificationLink = (ctx: Context, sentToken: string, returnTo?: string): string =>
  `${ctx.env('BASE_URL')}/verify-email?${new URLSearchParams({
    token: sentToken,
    ...(returnTo === undefined ? {} : { return: returnTo }),
  })}`
