import * as z from 'zod/mini'
import type { PushServices } from '../push/start.ts'
import { type Caller, call } from './caller.ts'

const Listed = z.object({ total: z.int() })
const Status = z.object({ vapidPublicKey: z.nullable(z.string()) })
const Made = z.object({ id: z.string() })

/** Registers a browser and a phone of the person at the push services of this machine, once. */
export const addDevices = async (session: Caller, push: PushServices): Promise<void> => {
  const { total } = await call(session, 'GET /api/notifications/devices', Listed)
  const { vapidPublicKey } = await call(session, 'GET /api/notifications/status', Status)
  if (total > 0 || vapidPublicKey === null) return
  const browser = { ...push.subscribe(vapidPublicKey), name: 'Demo browser' }
  const phone = { token: 'ExponentPushToken[demo]', platform: 'ios', name: 'Demo phone' }
  for (const body of [browser, phone]) await call(session, 'POST /api/user/devices', Made, body)
}
