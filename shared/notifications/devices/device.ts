import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { platformsOfApps } from './request.ts'

const base = { id: z.string(), name: z.nullable(z.string()), createdAt: z.string() }

const ExpoDevice = z.object({
  ...base,
  kind: z.literal('expo'),
  token: z.string(),
  platform: z.nullable(z.enum(platformsOfApps)),
})
export type ExpoDevice = z.infer<typeof ExpoDevice>

const WebPushDevice = z.object({
  ...base,
  kind: z.literal('web_push'),
  endpoint: z.string(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
})
export type WebPushDevice = z.infer<typeof WebPushDevice>

/** A device as stored: an app with an Expo token, or a browser with a push subscription. */
export const Device = z.union([ExpoDevice, WebPushDevice])
export type Device = z.infer<typeof Device>

/** A device as shown to its person, without the keys for sending messages. */
export const DeviceView = z
  .object({
    id: described(z.string(), 'The ID of the device, `dev_…`.'),
    kind: described(z.enum(['expo', 'web_push']), '`expo`: an app. `web_push`: a browser.'),
    platform: described(
      z.nullable(z.enum([...platformsOfApps, 'web'])),
      '`web` for a browser; null if an app did not say.',
    ),
    name: described(z.nullable(z.string()), 'The name given at the registration.'),
    createdAt: timestamp('When the device was registered first.'),
  })
  .register(z.globalRegistry, {
    id: 'NotificationDevice',
    description: 'A device that gets push messages.',
  })
export type DeviceView = z.infer<typeof DeviceView>

export const viewDevice = (device: Device): DeviceView => {
  const { id, kind, name, createdAt } = device
  return { id, kind, name, createdAt, platform: device.kind === 'expo' ? device.platform : 'web' }
}

/** The owner of the device: the person who registered it last. */
const DeviceOwner = z.object({ deviceId: z.string(), userId: z.string() })
type DeviceOwner = z.infer<typeof DeviceOwner>

export const deviceOwners = entity({
  type: 'DeviceOwner',
  shape: DeviceOwner,
  key: ({ deviceId }: Pick<DeviceOwner, 'deviceId'>) => ({ PK: `DEVICE#${deviceId}`, SK: 'OWNER' }),
})
