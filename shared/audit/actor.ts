import * as z from 'zod/mini'
import type { Context } from '../context.ts'

/** The credential with which a change was made. */
export const credentialTypes = ['session', 'token', 'assistant', 'application', 'link', 'operator', 'system'] as const

/** Who made a change, by which credential, and from where. */
export const Actor = z.object({
  /** Null if no person made the change. */
  userId: z.nullable(z.string()),
  /** The public id of a session, token, or connection; the name of a command or worker. */
  credential: z.object({
    type: z.enum(credentialTypes),
    id: z.nullable(z.string()),
    /** The name of the assistant; `customer` for a customer by a link. */
    client: z.optional(z.string()),
  }),
  ip: z.nullable(z.string()),
  userAgent: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
  clientRequestId: z.optional(z.string()),
})
export type Actor = z.infer<typeof Actor>

/** A call of an endpoint, as far as it identifies the caller. A visit of a page passes itself as its request. */
export interface Caller {
  ctx: Context
  request: { userAgent: string }
}

const maxUserAgent = 100
const maxClientName = 60

const credentialOf = ({ request, assistant }: Context): Actor['credential'] => {
  if (assistant !== undefined) {
    return { type: 'assistant', id: assistant.connectionId, client: assistant.clientName.slice(0, maxClientName) }
  }
  const { userId, sessionId, tokenId, applicationId } = request ?? {}
  if (applicationId !== undefined) return { type: 'application', id: `${applicationId}${tokenId}` }
  if (tokenId === undefined) return { type: 'session', id: sessionId ?? null }
  // The public id of a token is its prefix (identity/access-token.ts).
  return { type: 'token', id: `${userId}${tokenId}` }
}

const originOf = ({ ctx, request: { userAgent } }: Caller) => ({
  ip: ctx.request?.ip ?? null,
  userAgent: userAgent === '' ? null : userAgent.slice(0, maxUserAgent),
  requestId: ctx.request?.requestId ?? null,
  ...(ctx.request?.clientRequestId === undefined ? {} : { clientRequestId: ctx.request.clientRequestId }),
})

/** The person or application that makes a call, whose token or cookie was verified. */
export const actorOf = (caller: Caller): Actor => {
  const { request } = caller.ctx
  if (request?.applicationId !== undefined) {
    return { userId: null, credential: credentialOf(caller.ctx), ...originOf(caller) }
  }
  if (request?.userId === undefined) throw new Error('a change is recorded for a caller who was not authenticated')
  return { userId: request.userId, credential: credentialOf(caller.ctx), ...originOf(caller) }
}

/**
 * The assistant that makes a call; undefined for another caller. Decided: content is recorded in the audit trail only
 * where no person wrote it themselves.
 */
export const assistantActor = (ctx: Context): Actor | undefined =>
  ctx.assistant && actorOf({ ctx, request: ctx.assistant })

/**
 * The person for whom a link was made, which may have been opened in a browser without their session. The credential
 * names the personal access token that made it.
 */
export type ActorByLink = (of: { userId: string; tokenId?: string | undefined }) => Actor

export const actorByLink =
  (caller: Caller): ActorByLink =>
  ({ userId, tokenId = null }) => ({ userId, credential: { type: 'link', id: tokenId }, ...originOf(caller) })

/** A customer of a workspace, who has a link to their own connections; `linkId` is its ID. */
export const customerByLink =
  (caller: Caller) =>
  (linkId: string): Actor => ({
    userId: null,
    credential: { type: 'link', id: linkId, client: 'customer' },
    ...originOf(caller),
  })

const nobody = { userId: null, ip: null, userAgent: null, requestId: null }

/** The service itself, in the worker or for the reason of that name. */
export const systemActor = (name: string): Actor => ({ ...nobody, credential: { type: 'system', id: name } })

/** The operator of the service, with the command of that name. */
export const operatorActor = (command: string): Actor => ({ ...nobody, credential: { type: 'operator', id: command } })
