import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { described } from '../http/described.ts'
import { type Channel, channels, type NotificationKind, notificationKinds } from './kinds.ts'
import { type Choices, changeProfile, type Profile, readProfile, saveProfile } from './profile.ts'

const descriptions: Readonly<Record<NotificationKind, string>> = {
  'post.publish_failed': 'A post failed.',
  'social_account.reconnect_required': 'A social account needs to be reconnected.',
  'social_account.access_ending': 'Access to a social account ends soon.',
  'webhook_endpoint.failing': 'Deliveries to a webhook endpoint keep failing. Only for owners and admins.',
  'webhook_endpoint.disabled': 'The service disabled a webhook endpoint that kept failing. Only for owners and admins.',
  'workspace.trial_ending': 'A trial ends soon. Only for owners and admins.',
  'workspace.payment_failed': 'A payment failed. Only for owners and admins.',
}

/** The sentence about a kind, for people. */
export const describeKind = (kind: NotificationKind): string => descriptions[kind]

/** A shape with an entry for each kind. */
const forEachKind = <S extends z.ZodMiniType>(shapeOf: (kind: NotificationKind) => S): Record<NotificationKind, S> =>
  Object.fromEntries(notificationKinds.map((kind) => [kind, shapeOf(kind)])) as Record<NotificationKind, S>

const channelsOf = (kind: NotificationKind) =>
  described(
    z.object({
      push: described(z.boolean(), 'Messages to the registered devices.'),
      mail: described(z.boolean(), 'Emails; at most one an hour about the same thing.'),
    }),
    descriptions[kind],
  )

/** What a person is notified about, by kind and channel. */
export const NotificationSettings = z.object(forEachKind(channelsOf)).register(z.globalRegistry, {
  id: 'NotificationSettings',
  description: 'What you are notified about, by kind and channel.',
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

const changeOf = (kind: NotificationKind) =>
  described(
    z.optional(
      z.strictObject({
        push: described(z.optional(z.boolean()), 'Whether to send push messages to your devices.'),
        mail: described(z.optional(z.boolean()), 'Whether to send emails, at most one an hour about the same thing.'),
      }),
    ),
    descriptions[kind],
  )

/** Decided: a change merges; omitted fields stay unchanged. */
export const ChangeNotificationSettings = z.strictObject(forEachKind(changeOf)).register(z.globalRegistry, {
  id: 'ChangeNotificationSettings',
  description: 'The changes. Kinds and channels that you omit do not change.',
})
type ChangeNotificationSettings = z.infer<typeof ChangeNotificationSettings>

/** Decided: everything is on until a person turns it off. */
export const isChosen = ({ settings }: Pick<Profile, 'settings'>, kind: NotificationKind, channel: Channel): boolean =>
  settings[kind]?.[channel] ?? true

/** All settings of a person, with the defaults. */
export const viewSettings = (profile: Pick<Profile, 'settings'>): NotificationSettings => {
  const entries = notificationKinds.map((kind) => [
    kind,
    Object.fromEntries(channels.map((channel) => [channel, isChosen(profile, kind, channel)])),
  ])
  return z.parse(NotificationSettings, Object.fromEntries(entries))
}

const merge = (settings: Choices, change: ChangeNotificationSettings): Choices => {
  const merged = notificationKinds.map((kind) => {
    const sent = Object.entries(change[kind] ?? {}).filter(([, value]) => value !== undefined)
    return [kind, { ...settings[kind], ...Object.fromEntries(sent) }]
  })
  return { ...settings, ...Object.fromEntries(merged) }
}

/** Changes what a person is notified about; returns all settings. */
export const updateSettings = (
  ctx: Context,
  userId: string,
  change: ChangeNotificationSettings,
): Promise<NotificationSettings> =>
  changeProfile(ctx, async () => {
    const profile = await readProfile(ctx, userId)
    const settings = merge(profile.settings, change)
    return { writes: [saveProfile(profile, { settings })], result: viewSettings({ settings }) }
  })
