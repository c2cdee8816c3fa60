import * as z from 'zod/mini'
import type { CredentialLifecycle } from '../connector.ts'
import { callWordPress } from './api.ts'

const path = '/wp/v2/users/me/application-passwords'

/** An application password does not expire. Disconnecting deletes it at the site, which reports the one that the call uses. */
export const wordpress: CredentialLifecycle = {
  async revoke(ctx, account) {
    const query = { _fields: 'uuid' }
    const reply = z.object({ uuid: z.string() })
    const { uuid } = await callWordPress(ctx, account, { path: `${path}/introspect`, query, reply })
    const request = { method: 'DELETE', path: `${path}/{uuid}`, params: { uuid }, reply: z.unknown() } as const
    await callWordPress(ctx, account, request)
  },
}
