import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'

/** A person with a verified address. */
export const User = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Counts how often all sessions were ended; a session of an older generation is rejected. */
  sessionGeneration: z.optional(z.number()),
  /** Whether sign-in requires a second factor. */
  twoFactor: z.optional(z.boolean()),
})
export type User = z.infer<typeof User>

export const users = entity({
  type: 'User',
  shape: User,
  key: ({ id }: Pick<User, 'id'>) => ({ PK: `USER#${id}`, SK: 'PROFILE' }),
})

/** A signed-in person as the API shows them. */
export const UserView = z
  .object({ id: z.string(), email: z.string(), name: z.string(), emailVerified: z.literal(true) })
  .register(z.globalRegistry, { id: 'User' })
