import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyResult } from 'aws-lambda'
import type { Contract } from '../http/contract.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { Member } from '../workspaces/member.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Access, Principal } from './access.ts'

/** A request whose caller is authenticated and authorized on its way. */
export interface AccessContext extends RequestContext {
  readonly contract: Contract<Access>
  principal: Principal | undefined
  workspace: Workspace | undefined
  member: Member | undefined
  /** The note that a token was used: written beside the work, and waited for before the answer. */
  noted: Promise<void> | undefined
}

/** A middleware that knows the caller. */
export type AccessStep = MiddlewareObj<AccessContext, APIGatewayProxyResult>
