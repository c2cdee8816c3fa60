import type { ErrorEntries } from '../reason.ts'

/** Devices and notifications. */
export const notificationErrors = {
  push_not_configured: {
    reason: 'unavailable',
    message: 'No push provider is configured. Contact the operator of this service.',
    meaning: 'The deployment has no push provider, or not the one for this kind of device.',
    fix: 'Ask the operator to configure Web Push or Expo. Emails are sent without them.',
  },
  device_not_found: {
    reason: 'missing',
    message: 'You have no device dev_3ujT0dY1wqz5N8rXbC2LmKpQe.',
    meaning: 'The caller has no device with this id, or it was removed because its provider no longer knows it.',
    fix: 'Use an id from GET /api/notifications/devices.',
  },
  no_device: {
    reason: 'conflict',
    message: 'You have no device. Register one first.',
    meaning: 'The caller has no device that a test could be sent to.',
    fix: 'Register a device with POST /api/user/devices.',
  },
} as const satisfies ErrorEntries
