import * as z from 'zod/mini'
import { dayMs } from '../../time.ts'
import type { Credentials } from '../account.ts'
import type { CredentialLifecycle } from '../connector.ts'
import { readClaims, refresh, sessionOf, xrpc } from './session.ts'

const credentialsExpireAtMs = (credentials: Credentials): number | undefined => {
  const claims = readClaims(String(credentials['accessJwt']))
  return claims && claims.exp * 1000
}

/** A refresh token lasts 90 idle days (com.atproto.server.refreshSession); a new one is requested this long before. */
const renewedBeforeMs = 30 * dayMs

const renewAtMs = (credentials: Credentials): number | undefined => {
  const claims = readClaims(String(credentials['refreshJwt']))
  return claims && claims.exp * 1000 - renewedBeforeMs
}

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
