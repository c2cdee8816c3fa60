import type { Context } from '../context.ts'
import { hasCheck, withCheck } from '../identity/token.ts'
import { digest, random62 } from '../ids.ts'
import type { ConnectionKey } from '../workspaces/assistant-connection.ts'

/** An access token, a refresh token, or an authorization code of a connection. */
export type ConnectionTokenKind = 'oat' | 'ort' | 'oac'

const pattern = /^svc_(oat|ort|oac)_([0-9A-Za-z]{12})([0-9A-Za-z]{8})([0-9A-Z]{26})_([0-9A-Za-z]{43})[0-9A-Za-z]{6}$/

/** A new id of a connection, below its person. */
export const newConnectionId = (): string => random62(8)

export interface ConnectionTokenParts extends ConnectionKey {
  hash: string
}

/**
 * A new token of a connection, and the hash to store. Its text names the person, the connection, and the workspace, so that
 * one read finds everything that decides a call.
 */
export const mintConnectionToken = async (
  ctx: Context,
  kind: ConnectionTokenKind,
  { userId, id, workspaceId }: ConnectionKey,
): Promise<{ token: string; hash: string }> => {
  const secret = random62(43)
  const body = `svc_${kind}_${userId}${id}${workspaceId.slice('ws_'.length)}_${secret}`
  return { token: await withCheck(ctx, body), hash: digest(secret) }
}

/** The parts of a token of this kind that this service issued, without a read of the table. */
export const readConnectionToken = async (
  ctx: Context,
  kind: ConnectionTokenKind,
  token: string,
): Promise<ConnectionTokenParts | undefined> => {
  const [, itsKind, userId, id, workspace, secret] = pattern.exec(token) ?? []
  if (itsKind !== kind || !userId || !id || !workspace || !secret) return undefined
  if (!(await hasCheck(ctx, token))) return undefined
  return { userId, id, workspaceId: `ws_${workspace}`, hash: digest(secret) }
}
