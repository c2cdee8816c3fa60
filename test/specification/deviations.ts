/**
 * Known deviations from the specification, each with its reason. What stands here is checked to be absent.
 *
 * Push notifications: the service has no push provider, and no such client exists.
 */
export const absent: readonly string[] = [
  'GET /api/notifications/status',
  'GET /api/notifications/devices',
  'DELETE /api/notifications/devices/{id}',
  'POST /api/notifications/test',
  'POST /api/user/devices',
]

/**
 * The specification asks no block of "a text or media post" on Bluesky and names no type of file. Ours takes pictures
 * there and refuses videos, with a clear error.
 */
export const withoutVideo = ['bluesky'] as const
