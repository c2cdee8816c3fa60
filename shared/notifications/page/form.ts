import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { parseOrRefuse } from '../../http/parse-input.ts'
import type { Visit } from '../../pages/page-endpoint.ts'
import { registerDevice } from '../devices/register.ts'
import { removeDevice } from '../devices/remove.ts'
import { RegisterDevice } from '../devices/request.ts'
import { channels, notificationKinds } from '../kinds.ts'
import { sendTest } from '../send-test.ts'
import { ChangeNotificationSettings, updateSettings } from '../settings.ts'

/** The actions of the page's forms. */
export const acts = ['register', 'remove', 'test', 'save'] as const

export const NotificationsForm = z.object({
  act: z.enum(acts),
  device: z.optional(z.string().check(z.maxLength(100))),
})

/** The name of a checkbox. A browser sends only those that are checked. */
export const boxOf = (kind: string, channel: string): string => `${kind}:${channel}`

const register = (ctx: Context, userId: string, { endpoint, p256dh, auth, name }: Visit['sent']) => {
  const request = parseOrRefuse(RegisterDevice, { endpoint, keys: { p256dh, auth }, name: name || undefined }, 'form')
  return registerDevice(ctx, userId, request)
}

const save = (ctx: Context, userId: string, sent: Visit['sent']) => {
  const choices = notificationKinds.map((kind) => [
    kind,
    Object.fromEntries(channels.map((channel) => [channel, sent[boxOf(kind, channel)] === 'on'])),
  ])
  return updateSettings(ctx, userId, z.parse(ChangeNotificationSettings, Object.fromEntries(choices)))
}

/** Performs the action of a form of the page. */
export const submitNotifications = async ({
  ctx,
  form: { act, device = '' },
  sent,
  visitor: {
    session: { userId },
  },
}: Visit<'required', unknown, z.infer<typeof NotificationsForm>>): Promise<void> => {
  switch (act) {
    case 'register':
      return void (await register(ctx, userId, sent))
    case 'remove':
      return removeDevice(ctx, userId, device)
    case 'test':
      return void (await sendTest(ctx, userId, {}))
    case 'save':
      return void (await save(ctx, userId, sent))
  }
}
