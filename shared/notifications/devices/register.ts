import type { Context } from '../../context.ts'
import { absent, equal } from '../../db/expression.ts'
import { batchGet, type Write } from '../../db/table.ts'
import { idempotencyWrites } from '../../http/idempotency-writes.ts'
import { stableId } from '../../ids.ts'
import { assertQuota } from '../../quotas/count.ts'
import { assertPushConfigured } from '../configured.ts'
import { changeProfile, emptyProfile, type Profile, profiles, readProfile, saveProfile } from '../profile.ts'
import { type Device, type DeviceView, deviceOwners, viewDevice } from './device.ts'
import { type Destination, destinationOf, type RegisterDevice } from './request.ts'

/** The same app or browser is always the same device. */
const deviceIdOf = (to: Destination): string =>
  to.kind === 'expo' ? stableId('dev', 'expo', to.token) : stableId('dev', 'web_push', to.endpoint)

const without = ({ devices }: Profile, id: string): Device[] => devices.filter((device) => device.id !== id)

/**
 * Registers a device. The same token or endpoint again is the same device, with its new keys and name. It belongs to the
 * person who registered it last: someone who signs in on a borrowed phone no longer notifies its former user.
 */
export const registerDevice = async (ctx: Context, userId: string, request: RegisterDevice): Promise<DeviceView> => {
  const to = destinationOf(ctx, request)
  assertPushConfigured(ctx, to.kind)
  const id = deviceIdOf(to)
  return changeProfile(ctx, async () => {
    const rows = await batchGet(ctx, [profiles.key({ userId }), deviceOwners.key({ deviceId: id })])
    const profile = profiles.from(rows, { userId }) ?? emptyProfile(userId)
    const owner = deviceOwners.from(rows, { deviceId: id })
    const known = profile.devices.find((device) => device.id === id)
    if (known === undefined) assertQuota(ctx, undefined, 'notificationDevices', { used: profile.devices.length })
    const name = request.name ?? known?.name ?? null
    const device: Device = { ...to, id, name, createdAt: known?.createdAt ?? new Date(ctx.clock.now()).toISOString() }
    const claimed: Write = {
      put: deviceOwners.item({ deviceId: id, userId }),
      when: owner === undefined ? absent('PK') : equal('userId', owner.userId),
    }
    const former = owner === undefined || owner.userId === userId ? undefined : await readProfile(ctx, owner.userId)
    const result = viewDevice(device)
    const writes = [
      saveProfile(profile, { devices: [...without(profile, id), device] }),
      claimed,
      ...(former === undefined ? [] : [saveProfile(former, { devices: without(former, id) })]),
      ...idempotencyWrites(ctx, { data: result, id }),
    ]
    return { writes, result }
  })
}
