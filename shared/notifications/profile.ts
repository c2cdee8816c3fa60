import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { absent, type Condition, equal } from '../db/expression.ts'
import { type Retries, retryOnConflict } from '../db/retry-on-conflict.ts'
import { transact, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { Device } from './devices/device.ts'

/** What a person has turned off or on by kind and channel, also of a newer release; absent keys have the default. */
const Choices = z.record(z.string(), z.record(z.string(), z.boolean()))
export type Choices = z.infer<typeof Choices>

/**
 * How a person is notified: their devices and settings in one row, so that one read serves all members of a workspace
 * (at most 20 devices by default).
 */
export const Profile = z.object({
  userId: z.string(),
  devices: z.array(Device),
  settings: Choices,
  /** Increases with every change. */
  version: z.int(),
})
export type Profile = z.infer<typeof Profile>

export const profiles = entity({
  type: 'NotificationProfile',
  shape: Profile,
  key: ({ userId }: Pick<Profile, 'userId'>) => ({ PK: `USER#${userId}`, SK: 'NOTIFICATIONS' }),
})

/** The profile of a person who has none yet. */
export const emptyProfile = (userId: string): Profile => ({ userId, devices: [], settings: {}, version: 0 })

export const readProfile = async (ctx: Context, userId: string): Promise<Profile> =>
  (await profiles.get(ctx, { userId })) ?? emptyProfile(userId)

const unchanged = ({ version }: Profile): Condition => (version === 0 ? absent('PK') : equal('version', version))

/** The write of a changed profile; its condition fails if another request has changed it since it was read. */
export const saveProfile = (read: Profile, change: Partial<Pick<Profile, 'devices' | 'settings'>>): Write => ({
  update: profiles.key(read),
  // Attributes that a newer release has added to the row stay.
  change: { set: { ...read, ...change, version: read.version + 1, type: profiles.type } },
  when: unchanged(read),
})

const profileRetries: Retries = {
  tries: 25,
  refusal: () =>
    new Refusal('conflict', 'Your devices changed during the request. Try again.', { code: 'concurrent_update' }),
}

/**
 * Changes a profile in a transaction that is planned again if other requests change its preconditions. A plan without writes
 * ends it.
 */
export const changeProfile = <T>(
  ctx: Context,
  plan: () => Promise<{ writes: readonly Write[]; result: T }>,
): Promise<T> =>
  retryOnConflict(profileRetries, async () => {
    const { writes, result } = await plan()
    if (writes.length > 0) await transact(ctx, () => writes)
    return result
  })
