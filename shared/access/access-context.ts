import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyResult } from 'aws-lambda'
import type { Contract } from '../http/contract.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Member, Workspace } from '../workspaces/workspace.ts'
import type { Access, Principal } from './access.ts'
import type { VerifiedCaller } from './in-process.ts'
import type { Counted } from './rate-limit.ts'

/** A request on its way through authentication and authorization. */
export interface AccessContext extends RequestContext {
  readonly contract: Contract<Access>
  /** The caller of a call within this process, whose token was already verified. */
  readonly verified: VerifiedCaller | undefined
  principal: Principal | undefined
  workspace: Workspace | undefined
  member: Member | undefined
  /** The write that records the use of the token. It runs in parallel with the handler and is awaited before the response. */
  noted: Promise<void> | undefined
  /** The counted call, on a route without a token. */
  counted: Counted | undefined
}

/** A middleware that runs after authentication. */
export type AccessStep = MiddlewareObj<AccessContext, APIGatewayProxyResult>
