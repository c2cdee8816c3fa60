import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { transact } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { stableId, ulid } from '../ids.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'
import { assertPushConfigured } from './configured.ts'
import { deviceNotFound } from './devices/remove.ts'
import { readProfile } from './profile.ts'
import { newPushItem } from './pushes/push.ts'
import { enqueuePushes } from './pushes/work.ts'

export const SendTestNotification = z
  .strictObject({
    title: z.optional(
      described(
        z.string().check(z.minLength(1), z.maxLength(100), singleLine, wellFormed),
        'The title; one that says that it is a test by default.',
      ),
    ),
    body: z.optional(described(z.string().check(z.maxLength(500), wellFormed), 'The text; a short one by default.')),
    deviceId: z.optional(
      described(z.string().check(z.maxLength(100)), 'The only device to send it to; all of yours by default.'),
    ),
  })
  .register(z.globalRegistry, {
    id: 'SendTestNotification',
    description: 'The message to send. Every field is optional.',
  })
type SendTestNotification = z.infer<typeof SendTestNotification>

export const SentTest = z
  .object({
    deviceIds: described(z.array(z.string()), 'The devices that the test is sent to.'),
  })
  .register(z.globalRegistry, {
    id: 'SentTest',
    description: 'Where a test is sent to.',
  })

/** Sends a test to one device of a person, or to all. Like every message, it is a row first. */
export const sendTest = async (
  ctx: Context,
  userId: string,
  { title = 'Test notification', body = 'This device gets notifications.', deviceId }: SendTestNotification,
): Promise<z.infer<typeof SentTest>> => {
  assertPushConfigured(ctx)
  const { devices } = await readProfile(ctx, userId)
  const chosen = devices.filter(({ id }) => deviceId === undefined || id === deviceId)
  if (chosen.length === 0) {
    if (deviceId !== undefined) throw deviceNotFound(deviceId)
    throw new Refusal('conflict', 'You have no device. Register one first.', { code: 'no_device' })
  }
  const createdAtMs = ctx.clock.now()
  const url = `${ctx.env('BASE_URL')}/notifications`
  const rows = chosen.map((device) => ({
    id: stableId('psh', ulid(createdAtMs), device.id),
    userId,
    deviceId: device.id,
    title,
    body,
    url,
    createdAtMs,
    // A test replaces the one before.
    tag: stableId('test', userId).slice(0, 32),
    urgency: 'high' as const,
    data: { kind: 'test' },
  }))
  await transact(ctx, () => rows.map((row) => ({ put: newPushItem(row) })))
  await enqueuePushes(ctx, rows)
  return { deviceIds: chosen.map(({ id }) => id) }
}
