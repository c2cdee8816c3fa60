import type { Key } from '../db/table.ts'
import { batchGet } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { accessTokens } from '../identity/access-token.ts'
import { sessions } from '../identity/session.ts'
import { readToken, sameHash, type TokenParts } from '../identity/token.ts'
import { members } from '../workspaces/member.ts'
import { workspaces } from '../workspaces/workspace.ts'
import type { Principal, Scope } from './contract.ts'
import { type Exchange, header, type Step } from './exchange.ts'
import { recordKey } from './idempotency.ts'
import { peekInput } from './peek-input.ts'

const refuse = (text: string) => new Refusal('unauthenticated', text, { code: 'unauthenticated' })

const bearer = (exchange: Exchange) => {
  const sent = header(exchange.event, 'Authorization')
  if (sent === undefined) throw refuse('The header "Authorization: Bearer <token>" is missing.')
  const [, token] = /^Bearer +(\S+)$/i.exec(sent) ?? []
  if (token === undefined) throw refuse('The Authorization header must read "Bearer <token>".')
  return token
}

const principalOf = (exchange: Exchange, parts: TokenParts): Principal => {
  const gone = refuse('The token is not valid: it is unknown, expired or revoked. Sign in again or create a new one.')
  const now = exchange.ctx.clock.now()
  const { userId, tokenId: id } = parts
  if (parts.kind === 'ses') {
    const session = sessions.from(exchange.found, { userId, id })
    if (!session || !sameHash(session.secretHash, parts.secretHash) || Date.parse(session.expiresAt) <= now) throw gone
    return { kind: 'session', userId, session }
  }
  const token = accessTokens.from(exchange.found, { userId, id })
  if (!token || !sameHash(token.secretHash, parts.secretHash) || token.revokedAt !== null) throw gone
  if (token.expiresAt !== null && Date.parse(token.expiresAt) <= now) throw gone
  // Scopes were parsed when the token was created.
  const scopes = token.scopes as readonly (Scope | '*')[]
  return { kind: 'pat', userId, tokenId: id, workspaceId: token.workspaceId, scopes }
}

/** What can be part of a key; anything else names no workspace and is refused as such. */
const plausibleId = (text: string | undefined) => (text !== undefined && /^\w{1,64}$/.test(text) ? text : undefined)

/** Proves the token and, in the same single read, fetches membership, workspace and the rows the route named. */
export const authenticate = (): Step => ({
  before: async ({ event: exchange }) => {
    const { contract, ctx } = exchange
    if (contract.access.kind === 'anyone') return
    const parts = await readToken(ctx, bearer(exchange))
    if (parts === undefined) throw refuse('The token is not one of ours: copy it whole, or create a new one.')
    const tokenKey = { userId: parts.userId, id: parts.tokenId }
    const keys: Key[] = [parts.kind === 'ses' ? sessions.key(tokenKey) : accessTokens.key(tokenKey)]
    const workspaceId = plausibleId(header(exchange.event, 'X-Workspace-Id'))
    if (contract.access.kind === 'workspace' && workspaceId !== undefined) {
      keys.push(workspaces.key({ id: workspaceId }), members.key({ workspaceId, userId: parts.userId }))
    }
    const record = recordKey(exchange, parts.userId)
    if (record !== undefined) keys.push(record)
    keys.push(...peekInput(exchange, workspaceId))
    exchange.found = await batchGet(ctx, keys)
    exchange.principal = principalOf(exchange, parts)
  },
})
