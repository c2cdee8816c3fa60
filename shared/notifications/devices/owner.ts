import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'

/** Whose device it is: the person who registered it last. */
const DeviceOwner = z.object({ deviceId: z.string(), userId: z.string() })
type DeviceOwner = z.infer<typeof DeviceOwner>

export const deviceOwners = entity({
  type: 'DeviceOwner',
  shape: DeviceOwner,
  key: ({ deviceId }: Pick<DeviceOwner, 'deviceId'>) => ({ PK: `DEVICE#${deviceId}`, SK: 'OWNER' }),
})
