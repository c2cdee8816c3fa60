import type { Key } from '../db/table.ts'
import { type BatchRows, batchGet } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { recordKey } from '../http/idempotency.ts'
import { peekInput } from '../http/parse-input.ts'
import { header, recordCaller } from '../http/request-context.ts'
import { accessTokens, recordUse, tokenUses } from '../identity/access-token.ts'
import { tokenInCookie } from '../identity/cookie.ts'
import type { Scope } from '../identity/scope.ts'
import { liveSession, sessionKeys } from '../identity/session.ts'
import { readToken, sameHash, type TokenParts } from '../identity/token.ts'
import { intakeKeys, intakeRefusal, isIntakePaused } from '../pauses/intake.ts'
import { members, workspaces } from '../workspaces/workspace.ts'
import type { Principal } from './access.ts'
import type { AccessContext, AccessStep } from './access-context.ts'
import type { VerifiedCaller } from './in-process.ts'
import { countApplication, countChild, countForAddress, countRequest, enforceLimit, refundCall } from './rate-limit.ts'

const refuse = (text: string, audit: Readonly<Record<string, string>> = {}) =>
  new Refusal('unauthenticated', text, { code: 'unauthenticated', audit })

/**
 * The session in the cookie, for requests of the console only. `Sec-Fetch-Site` is set by the browser, which no script can
 * change, and a form cannot send the other header (https://www.w3.org/TR/fetch-metadata, OWASP Cross-Site Request Forgery
 * Prevention Cheat Sheet, "Custom Request Headers").
 */
const sessionOfConsole = async ({ ctx, event }: AccessContext): Promise<TokenParts | undefined> => {
  if (header(event, 'Sec-Fetch-Site') !== 'same-origin') return undefined
  if (header(event, 'X-Requested-With') !== 'console') return undefined
  const token = tokenInCookie(ctx, event)
  const parts = token === undefined ? undefined : await readToken(ctx, token)
  return parts?.kind === 'ses' ? parts : undefined
}

/** Parses the token, without a read. Returns the refusal if it is missing or malformed. */
const readCredential = async (request: AccessContext): Promise<TokenParts | Refusal> => {
  const sent = header(request.event, 'Authorization')
  if (sent === undefined) {
    const session = await sessionOfConsole(request)
    if (session !== undefined) return session
    const other = header(request.event, 'X-Api-Key') === undefined ? '' : ' The header "X-API-Key" is not read.'
    return refuse(`The header "Authorization: Bearer <token>" is required.${other}`)
  }
  const [, token] = /^Bearer +(\S+)$/i.exec(sent) ?? []
  if (token === undefined) return refuse('The header "Authorization" must be "Bearer <token>".')
  const parts = await readToken(request.ctx, token)
  return parts ?? refuse('The token is not a token of this service. Copy the whole token, or create a new one.')
}

const principalOf = (request: AccessContext, parts: TokenParts): Principal | Refusal => {
  const now = request.ctx.clock.now()
  const { userId, tokenId: id } = parts
  const gone = () =>
    refuse('The token is invalid. It is unknown, expired, or revoked. Sign in again, or create a new token.', {
      userId,
      [parts.kind === 'ses' ? 'sessionId' : 'tokenId']: id,
    })
  if (parts.kind === 'ses') {
    const session = liveSession(request.prefetched, parts, now)
    if (!session) return gone()
    return { kind: 'session', userId, session }
  }
  const token = accessTokens.from(request.prefetched, { userId, id })
  if (!token || !sameHash(token.secretHash, parts.secretHash) || token.revokedAt !== null) return gone()
  if (token.expiresAt !== null && Date.parse(token.expiresAt) <= now) return gone()
  if (parts.kind === 'app') return { kind: 'application', userId, tokenId: id, workspaceId: token.workspaceId }
  // Scopes were parsed when the token was created.
  const scopes = token.scopes as readonly (Scope | '*')[]
  return { kind: 'pat', userId, tokenId: id, workspaceId: token.workspaceId, scopes }
}

/** A workspace id that can be part of a key. Any other text names no workspace and is rejected as such. */
const plausibleId = (text: string | undefined) => (text !== undefined && /^\w{1,64}$/.test(text) ? text : undefined)

/**
 * All rows that the request is known to need: those of its token, its workspace, its idempotency key, its route, and the
 * pauses.
 */
const keysFor = (request: AccessContext, parts: TokenParts): Key[] => {
  const { userId, tokenId: id } = parts
  const keys =
    parts.kind === 'ses' ? [...sessionKeys(parts)] : [accessTokens.key({ userId, id }), tokenUses.key({ userId, id })]
  const workspaceId = plausibleId(header(request.event, 'X-Workspace-Id'))
  if (request.contract.access.kind === 'workspace' && workspaceId !== undefined) {
    keys.push(workspaces.key({ id: workspaceId }), members.key({ workspaceId, userId }))
  }
  const record = recordKey(request, userId)
  if (record !== undefined) keys.push(record)
  return [...keys, ...intakeKeys(request.contract), ...peekInput(request, workspaceId)]
}

const credentialOf = (principal: Principal) => {
  const { userId } = principal
  switch (principal.kind) {
    case 'application':
      return { applicationId: userId, tokenId: principal.tokenId }
    case 'pat':
      return { userId, tokenId: principal.tokenId }
    case 'session':
      return { userId, sessionId: principal.session.id }
    case 'assistant':
      return { userId, connectionId: principal.connectionId }
  }
}

/** The caller, and the workspace they name, as log lines show them. */
const callerOf = ({ event }: AccessContext, principal: Principal) => {
  const workspaceId = plausibleId(header(event, 'X-Workspace-Id'))
  return { ...credentialOf(principal), ...(workspaceId === undefined ? {} : { workspaceId }) }
}

/** Rejects a change while the intake is paused. The rows of a call that only reads have no pauses. */
const assertAccepted = (rows: BatchRows): void => {
  if (isIntakePaused(rows)) throw intakeRefusal()
}

/**
 * Accepts a caller who was already verified and counted. One read returns the rows that the route names. The idempotency
 * keys of an assistant are separate.
 */
const useVerifiedCaller = async (request: AccessContext, { principal, workspace, member }: VerifiedCaller) => {
  const callerId = `${principal.userId}/${principal.connectionId}`
  const record = recordKey(request, callerId)
  const intake = intakeKeys(request.contract)
  const keys = [...(record === undefined ? [] : [record]), ...intake, ...peekInput(request, workspace.id)]
  recordCaller(request, callerOf(request, principal))
  if (keys.length > 0) request.prefetched = await batchGet(request.ctx, keys)
  assertAccepted(request.prefetched)
  Object.assign(request, { principal, workspace, member, callerId })
}

/** Counts a call of an application for the child workspace that it names, so that no child uses up the calls of another. */
const countInChild = async (request: AccessContext, rows: BatchRows, applicationId: string): Promise<void> => {
  const id = plausibleId(header(request.event, 'X-Workspace-Id'))
  const child = id === undefined ? undefined : workspaces.from(rows, { id })
  if (child?.application?.id === applicationId) enforceLimit(request, await countChild(request, child))
}

const isUncounted = ({ contract: { uncounted = [] } }: AccessContext, error: unknown): boolean =>
  error instanceof Refusal && uncounted.some((code) => code === error.details.code)

/**
 * Verifies the token. The same single read returns the membership, the workspace, and the rows that the route names;
 * the call is counted in parallel. A call without a valid token counts against its address before it is rejected.
 */
export const authenticate = (): AccessStep => ({
  before: async ({ event: request }) => {
    const { contract, ctx, verified } = request
    if (verified !== undefined) return useVerifiedCaller(request, verified)
    if (contract.access.kind === 'anyone') {
      request.counted = await countRequest(request)
      return enforceLimit(request, request.counted)
    }
    const parts = await readCredential(request)
    if (parts instanceof Refusal) {
      enforceLimit(request, await countRequest(request))
      throw parts
    }
    const [rows, counted] = await Promise.all([
      batchGet(ctx, keysFor(request, parts)),
      parts.kind === 'app' ? countApplication(request, parts.userId) : countRequest(request, parts.userId),
    ])
    request.prefetched = rows
    const principal = principalOf(request, parts)
    if (principal instanceof Refusal) {
      await countForAddress(request, counted)
      throw principal
    }
    recordCaller(request, callerOf(request, principal))
    enforceLimit(request, counted)
    if (principal.kind === 'application') await countInChild(request, rows, principal.userId)
    assertAccepted(rows)
    request.principal = principal
    request.callerId = principal.userId
    if (principal.kind === 'pat' || principal.kind === 'application')
      request.noted = recordUse(ctx, rows, { userId: principal.userId, id: principal.tokenId })
  },
  after: ({ event: request }) => request.noted,
  onError: async ({ event: request, error }) => {
    if (isUncounted(request, error)) await refundCall(request, request.counted)
    await request.noted
  },
})
