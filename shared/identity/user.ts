import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { absent } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { described } from '../http/described.ts'

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
  /** The account was deleted: the row ends its sessions until nothing can write for it anymore. */
  deletedAt: z.optional(z.string()),
})
export type User = z.infer<typeof User>

export const users = entity({
  type: 'User',
  shape: User,
  key: ({ id }: Pick<User, 'id'>) => ({ PK: `USER#${id}`, SK: 'PROFILE' }),
})

/** Requires that a person's account was not deleted in the meantime: nothing new may belong to it. */
export const personExists = (id: string): Write => ({ check: users.key({ id }), when: absent('deletedAt') })

/** A signed-in person as the API shows them. */
export const UserView = z
  .object({
    id: described(z.string(), 'The ID of the person.'),
    email: described(z.string(), 'The email address of the person.'),
    name: described(z.string(), 'The name of the person.'),
    emailVerified: described(z.literal(true), 'Always true: only a verified address can sign in.'),
  })
  .register(z.globalRegistry, { id: 'User', description: 'A person with an account.' })
