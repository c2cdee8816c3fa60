import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { absent, anyOf, equal } from '../db/expression.ts'

/** The account and the password hash of an address; the row's key makes the address unique. */
export const Credential = z.object({
  email: z.string(),
  userId: z.string(),
  name: z.string(),
  passwordHash: z.string(),
  verified: z.boolean(),
  /**
   * The same as in the user's row, and changed with it: a new session gets the generation that its password check has
   * read.
   */
  sessionGeneration: z.optional(z.number()),
  /** Set by the first sign-in: later sign-ins from a new network are reported by email. */
  signedInAt: z.optional(z.string()),
  /** How many sign-ups are pending for this address until it is verified. */
  signUps: z.optional(z.number()),
  /** Until the address is verified, the row is only the latest sign-up and expires with its link. */
  ttl: z.optional(z.number()),
})
export type Credential = z.infer<typeof Credential>

export const credentials = entity({
  type: 'Credential',
  shape: Credential,
  key: ({ email }: Pick<Credential, 'email'>) => ({ PK: `EMAIL#${email}`, SK: 'EMAIL' }),
})

/** An address is free until a person proves that it is theirs. */
export const addressIsFree = anyOf(absent('PK'), equal('verified', false))
