import type { Context } from '../context.ts'
import type { Contract } from '../http/contract.ts'
import type { RequestContext } from '../http/request-context.ts'
import {
  countCall,
  countLocally,
  type Limit,
  logNotCounted,
  type RateLimitState,
  rateLimitExceeded,
  rateLimitUnavailable,
  refund,
} from '../limits/count.ts'
import { type LimitName, limitOf, limitPolicy } from '../limits/limits.ts'
import { hashedNetwork } from '../limits/network.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** A counted call: its owner, and the state of the owner's limit; `state` is missing if the count failed. */
export interface Counted {
  name: LimitName
  limit: Limit
  who: string
  byPerson: boolean
  state: RateLimitState | undefined
}

/** The limit that a route counts against. */
export const limitNameOf = ({ limit }: Pick<Contract, 'limit'>): LimitName | 'none' => limit ?? 'general'

/** What the counter needs to know about a call. */
interface CountedCall {
  ctx: Context
  contract: { path: string }
}

const countOrNot = async ({ ctx, contract }: CountedCall, name: LimitName, who: string, limit: Limit) => {
  try {
    return await countCall(ctx, who, limit)
  } catch (error) {
    logNotCounted(ctx, { limit: name, route: contract.path }, error)
    return limitPolicy[name].failsClosed ? undefined : countLocally(ctx, who, limit)
  }
}

/**
 * Counts a call for the person behind its token, or for its address: the address of the connection, never one from a
 * header. Returns undefined if the route or the operator sets no limit.
 */
export const countRequest = async (request: RequestContext, userId?: string): Promise<Counted | undefined> => {
  const name = limitNameOf(request.contract)
  const limit = name === 'none' ? null : limitOf(request.ctx, name)
  if (name === 'none' || limit === null) return undefined
  const byPerson = userId !== undefined && limitPolicy[name].by === 'person'
  const { sourceIp } = request.event.requestContext.identity
  const who = byPerson ? `${name}#USER#${userId}` : `${name}#ADDRESS#${hashedNetwork(sourceIp)}`
  return { name, limit, who, byPerson, state: await countOrNot(request, name, who, limit) }
}

/** Counts a call of a person whose token is verified by a separate protocol, together with the calls of their other tokens. */
export const countPerson = async (call: CountedCall, userId: string): Promise<Counted | undefined> => {
  const name = 'general'
  const limit = limitOf(call.ctx, name)
  if (limit === null) return undefined
  const who = `${name}#USER#${userId}`
  return { name, limit, who, byPerson: true, state: await countOrNot(call, name, who, limit) }
}

/** Counts a call for the application behind its token: all its calls together. */
export const countApplication = async (request: RequestContext, id: string): Promise<Counted | undefined> => {
  const name = 'application'
  const limit = limitOf(request.ctx, name)
  if (limit === null) return undefined
  const who = `${name}#USER#${id}`
  return { name, limit, who, byPerson: true, state: await countOrNot(request, name, who, limit) }
}

/**
 * Counts a call of an application for a child workspace, by the limit of the route; the child can have a separate general
 * limit.
 */
export const countChild = async (
  request: RequestContext,
  { id, application }: Pick<Workspace, 'id' | 'application'>,
): Promise<Counted | undefined> => {
  const name = limitNameOf(request.contract)
  const deployed = name === 'none' ? null : limitOf(request.ctx, name)
  if (name === 'none' || deployed === null) return undefined
  const own = name === 'general' ? application?.callsPerMinute : undefined
  const limit = own === undefined ? deployed : { calls: own, perSeconds: 60 }
  const who = `${name}#CHILD#${id}`
  return { name, limit, who, byPerson: false, state: await countOrNot(request, name, who, limit) }
}

/** The rate limit headers of a response: those of the specification, and those of the IETF draft. */
const headersOf = ({ name, limit, state }: Counted & { state: RateLimitState }, nowMs: number) => {
  const { remaining, fullAtMicros, passes, retryAfterSeconds } = state
  const fullInSeconds = Math.ceil((fullAtMicros - nowMs * 1000) / 1_000_000)
  return {
    'X-RateLimit-Limit': String(limit.calls),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(fullAtMicros / 1_000_000)),
    // draft-ietf-httpapi-ratelimit-headers: the window must not end later than Retry-After.
    'RateLimit-Policy': `"${name}";q=${limit.calls};w=${limit.perSeconds}`,
    RateLimit: `"${name}";r=${remaining};t=${passes ? fullInSeconds : retryAfterSeconds}`,
  }
}

/** Accepts a counted call and sets its headers, or rejects it. */
export const enforceLimit = (request: RequestContext, counted: Counted | undefined): void => {
  if (counted === undefined) return
  const { state } = counted
  if (state === undefined) throw rateLimitUnavailable()
  Object.assign(request.headers, headersOf({ ...counted, state }, request.ctx.clock.now()))
  if (!state.passes) throw rateLimitExceeded(state.retryAfterSeconds)
}

/** Returns a call that its route does not count after all. */
export const refundCall = async ({ ctx }: RequestContext, counted: Counted | undefined): Promise<void> => {
  if (counted?.state?.passes !== true) return
  await refund(ctx, counted.who, counted.limit).catch((error: unknown) =>
    ctx.log.warn('a call was not given back', { reason: String(error) }),
  )
}

/** For a token that names a person but is not valid: returns the call to that person, and counts it for the address. */
export const countForAddress = async (request: RequestContext, counted: Counted | undefined): Promise<void> => {
  if (counted?.byPerson !== true) return enforceLimit(request, counted)
  const [paid] = await Promise.all([countRequest(request), refundCall(request, counted)])
  enforceLimit(request, paid)
}
