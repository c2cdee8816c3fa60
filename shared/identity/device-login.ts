import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { Name } from './name.ts'

/** How long a device login is valid, and how long the device waits between two polls (RFC 8628, 3.2). */
export const deviceLoginSeconds = 600
export const pollSeconds = 5

/** A device that waits until a person signs it in from a browser. */
export const DeviceLogin = z.object({
  deviceHash: z.string(),
  status: z.enum(['pending', 'approved', 'denied', 'redeemed']),
  /** Shown to the person on the page; unverified. */
  clientName: z.nullable(z.string()),
  userAgent: z.string(),
  ip: z.string(),
  startedAt: z.string(),
  expiresAt: z.string(),
  polledAtMs: z.optional(z.number()),
  /** The person who approved, as in their session. */
  person: z.optional(z.object({ userId: z.string(), email: z.string(), name: z.string(), generation: z.number() })),
})
export type DeviceLogin = z.infer<typeof DeviceLogin>

export const deviceLogins = entity({
  type: 'DeviceLogin',
  shape: DeviceLogin,
  key: ({ deviceHash }: Pick<DeviceLogin, 'deviceHash'>) => ({ PK: `DEV#${deviceHash}`, SK: 'DEV' }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})

export const StartDeviceLogin = z.strictObject({
  clientName: described(
    z.optional(Name),
    'The name of the program, shown to the person who approves. 1 to 80 characters.',
  ),
})
export type StartDeviceLogin = z.infer<typeof StartDeviceLogin>

/** What a device needs to show its code and to poll. */
export const StartedDeviceLogin = z.object({
  deviceCode: described(z.string(), 'The secret to poll with.'),
  userCode: described(z.string(), 'The code to show to the person.'),
  verificationUri: described(z.string(), 'The page where the person enters the code.'),
  verificationUriComplete: described(z.string(), 'The same page with the code filled in.'),
  expiresIn: described(z.int(), 'Seconds until both codes expire.'),
  interval: described(z.int(), 'Seconds to wait between two polls.'),
})

export const PollDeviceLogin = z.strictObject({
  deviceCode: described(
    z.string().check(z.minLength(1), z.maxLength(100)),
    'The `deviceCode` that the start of the login returned.',
  ),
})
