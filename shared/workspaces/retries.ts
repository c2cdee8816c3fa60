import type { Retries } from '../db/retry-on-conflict.ts'
import { Refusal } from '../errors/refusal.ts'

/** The tries of a change that depends on the row of its workspace. */
export const workspaceRetries: Retries = {
  tries: 20,
  refusal: () =>
    new Refusal('conflict', 'The workspace changed during the request. Try again.', { code: 'concurrent_update' }),
}
