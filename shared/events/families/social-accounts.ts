import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { platformIds } from '../../resources.ts'
import { defineEvent, firstOfSubject, order, secondOfSubject } from './define-event.ts'

/** Why a connection was lost, as codes for programs; `error` is the sentence for people. */
export const lossReasons = ['credentials_refused', 'permission_missing'] as const

const text = () => z.string()

const account = {
  socialAccountId: described(text(), 'The ID of the account, `acc_…`.'),
  platform: described(z.enum(platformIds), 'The platform of the account.'),
  username: described(z.nullable(text()), 'The name of the account at the platform; null if it has none.'),
  externalId: described(
    z.nullable(text()),
    'The id of the owner in your own system, as sent when the account was connected; null without one.',
  ),
}

const example = {
  socialAccountId: 'acc_3ujT0dY1wqz5N8rXbC2LmKpQe',
  platform: 'bluesky',
  username: 'alice.bsky.social',
  externalId: 'customer-42',
} as const

export const socialAccountEvents = {
  'social_account.reconnect_required': defineEvent({
    description: 'The connection to an account was lost; sent once for each loss.',
    data: z.object({
      ...account,
      reason: described(
        z.enum(lossReasons),
        '`credentials_refused`: the platform rejects the credentials. `permission_missing`: a permission was not granted or was revoked.',
      ),
      error: described(text(), 'Why the connection was lost, for people.'),
      ...order,
    }),
    example: {
      ...example,
      reason: 'credentials_refused',
      error: 'The session has ended.',
      ...secondOfSubject,
    },
  }),
  'social_account.connected': defineEvent({
    description:
      'An account was connected, or connected again; `reconnected` says which. Sent for each time it is connected.',
    data: z.object({
      ...account,
      reconnected: described(z.boolean(), 'Whether the workspace had this account before. Its id and its posts stay.'),
      ...order,
    }),
    example: {
      ...example,
      reconnected: false,
      ...firstOfSubject,
    },
  }),
  'social_account.disconnected': defineEvent({
    description: 'An account was disconnected with the API. Its scheduled posts stay.',
    data: z.object({ ...account, ...order }),
    example: { ...example, ...secondOfSubject },
  }),
  'social_account.access_ending': defineEvent({
    description:
      'Access to an account ends in seven days or less and cannot be refreshed; sent once for each time it is connected.',
    data: z.object({
      ...account,
      accessEndsAt: timestamp('When the access ends unless the account is connected again, in UTC.'),
      ...order,
    }),
    example: {
      ...example,
      platform: 'linkedin',
      username: null,
      accessEndsAt: '2026-12-08T09:00:00.000Z',
      ...secondOfSubject,
    },
  }),
}
