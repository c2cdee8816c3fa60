import * as z from 'zod/mini'
import type { CredentialLifecycle } from '../connector.ts'
import { credentialsExpireAtMs, refresh, renewAtMs, sessionOf } from './session.ts'
import { xrpc } from './xrpc.ts'

/** Bluesky is connected by an app password (`connect.ts`); to leave is to end the session. */
export const bluesky: CredentialLifecycle = {
  credentialsExpireAtMs,
  refresh,
  renewAtMs,
  async revoke(ctx, account) {
    const { service, refreshJwt: token } = sessionOf(account)
    const method = 'com.atproto.server.deleteSession'
    await xrpc(ctx, { service, method, token, input: 'none', reply: z.unknown() })
  },
}
