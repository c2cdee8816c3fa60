import type { Context } from '../../context.ts'
import { absent, anyOf, equal } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { changeProfile, readProfile, saveProfile } from '../profile.ts'
import { deviceOwners } from './device.ts'

/** Removes a device of a person; returns whether it was there. */
export const forgetDevice = (ctx: Context, userId: string, deviceId: string): Promise<boolean> =>
  changeProfile(ctx, async () => {
    const profile = await readProfile(ctx, userId)
    const devices = profile.devices.filter(({ id }) => id !== deviceId)
    if (devices.length === profile.devices.length) return { writes: [], result: false }
    const unclaimed: Write = {
      delete: deviceOwners.key({ deviceId }),
      when: anyOf(absent('PK'), equal('userId', userId)),
    }
    return { writes: [saveProfile(profile, { devices }), unclaimed], result: true }
  })

export const deviceNotFound = (id: string): Refusal =>
  new Refusal('missing', `You have no device ${id}.`, { code: 'device_not_found' })

/** Removes a device at its person's request; throws 404 if they have none with this id. */
export const removeDevice = async (ctx: Context, userId: string, deviceId: string): Promise<void> => {
  if (!(await forgetDevice(ctx, userId, deviceId))) throw deviceNotFound(deviceId)
}
