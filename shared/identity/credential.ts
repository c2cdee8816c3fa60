import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { absent, anyOf, equal } from '../db/expression.ts'

/** Who an address and a password belong to; the row's key makes the address unique. */
export const Credential = z.object({
  email: z.string(),
  userId: z.string(),
  name: z.string(),
  passwordHash: z.string(),
  verified: z.boolean(),
  /** The same as on the user's row and moved with it: a session is born with what its password check has read. */
  sessionGeneration: z.optional(z.number()),
  /** Set by the first sign-in: from then on a sign-in from a new place is mailed. */
  signedInAt: z.optional(z.string()),
  /** How many sign-ups wait for this address, as long as it is not verified. */
  signUps: z.optional(z.number()),
  /** Until it is verified, the row is only the latest sign-up and goes away with its link. */
  ttl: z.optional(z.number()),
})
export type Credential = z.infer<typeof Credential>

export const credentials = entity({
  type: 'Credential',
  shape: Credential,
  key: ({ email }: Pick<Credential, 'email'>) => ({ PK: `EMAIL#${email}`, SK: 'EMAIL' }),
})

/** The address is free as long as nobody has proven that it is theirs. */
export const addressIsFree = anyOf(absent('PK'), equal('verified', false))
