import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, anyOf, atMost } from '../db/expression.ts'
import { transact } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest, random62 } from '../ids.ts'
import {
  type DeviceLogin,
  deviceLoginSeconds,
  deviceLogins,
  pollSeconds,
  type StartDeviceLogin,
  type StartedDeviceLogin,
} from './device-login.ts'
import { hashUserCode, newUserCode, showUserCode, userCodes } from './user-code.ts'

const tries = 3

/** Stores a login under a user code; false if another pending device has that code. */
const store = (ctx: Context, login: DeviceLogin, userCode: string): Promise<boolean> => {
  const { deviceHash, startedAt, expiresAt } = login
  const code = { codeHash: hashUserCode(userCode), deviceHash, expiresAt }
  const writes = [
    { put: userCodes.item(code), when: anyOf(absent('PK'), atMost('expiresAt', startedAt)) },
    { put: deviceLogins.item(login), when: absent('PK') },
  ]
  return wasCurrent(transact(ctx, () => writes))
}

/** Starts a device login (RFC 8628, 3.1): both codes are returned once and stored only as hashes. */
export const startDeviceLogin = async (
  ctx: Context,
  { clientName }: StartDeviceLogin,
  { ip, userAgent }: Pick<DeviceLogin, 'ip' | 'userAgent'>,
): Promise<z.infer<typeof StartedDeviceLogin>> => {
  const deviceCode = random62(43)
  const nowMs = ctx.clock.now()
  const login: DeviceLogin = {
    deviceHash: digest(deviceCode),
    status: 'pending',
    clientName: clientName ?? null,
    userAgent,
    ip,
    startedAt: new Date(nowMs).toISOString(),
    expiresAt: new Date(nowMs + deviceLoginSeconds * 1000).toISOString(),
  }
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const letters = newUserCode()
    if (!(await store(ctx, login, letters))) continue
    const userCode = showUserCode(letters)
    const verificationUri = `${ctx.env('BASE_URL')}/device`
    return {
      deviceCode,
      userCode,
      verificationUri,
      verificationUriComplete: `${verificationUri}?user_code=${userCode}`,
      expiresIn: deviceLoginSeconds,
      interval: pollSeconds,
    }
  }
  throw new Refusal('unavailable', 'No free device code was found. Nothing was changed. Try again.', {
    code: 'unavailable',
  })
}
