import { randomBytes } from 'node:crypto'
import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

/** One of Meta's errors: decided by code and subcode, explained by message. */
export interface GraphError {
  code: number
  subcode?: number
  message: string
  /** Most of Meta's refusals are a 400, whatever they mean. */
  status?: number
  type?: string
  transient?: boolean
}

/** Ends the call with Meta's error body. */
export function refuse(error: GraphError): never {
  throw new Refused(failure(error))
}

/** Rejects a call whose token lacks a permission. */
export function assertPermission(scope: string, permission: string): void {
  if (scope.split(/[ ,]/).includes(permission)) return
  refuse({ code: 200, status: 403, message: `(#200) Requires ${permission} permission to manage the object` })
}

export function failure({ code, subcode, message, status, type, transient }: GraphError): Answer {
  const error = {
    message,
    type: type ?? 'OAuthException',
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    ...(transient === undefined ? {} : { is_transient: transient }),
    fbtrace_id: `A${randomBytes(10).toString('base64url')}`,
  }
  return { status: status ?? 400, body: { error } }
}

export const unknownToken: GraphError = {
  code: 190,
  subcode: 467,
  message: 'Error validating access token: The session is invalid.',
}

export function unknownObject(id: string): GraphError {
  const message = `Unsupported request. Object with ID '${id}' does not exist or cannot be loaded due to missing permissions`
  return { code: 100, subcode: 33, message, type: 'GraphMethodException' }
}

/** Meta's error responses for failures that can occur on any call. */
export const graphRefusals: Refusals = {
  status: (status) =>
    failure({ status, code: status >= 500 ? 2 : 100, message: `The stand-in is configured to return ${status}` }),
  rateLimited: (retryAfterSeconds) => ({
    ...failure({ code: 4, message: '(#4) Application request limit reached', transient: true }),
    headers: { 'x-business-use-case-usage': JSON.stringify(usage(100, Math.ceil(retryAfterSeconds / 60))) },
  }),
  tokenRevoked: () =>
    failure({
      code: 190,
      subcode: 460,
      message:
        'Error validating access token: The session has been invalidated because the user changed their password.',
    }),
  blocked: () =>
    failure({ code: 368, message: 'The action attempted has been deemed abusive or is otherwise disallowed' }),
  tooLarge: () => failure({ status: 413, code: 1, message: 'Please reduce the amount of data you are asking for' }),
  unknownRoute: () => failure({ status: 404, code: 2500, message: 'Unknown path components' }),
}

function usage(callCount: number, minutes: number): object {
  const use = { type: 'pages', call_count: callCount, total_cputime: 5, total_time: 5 }
  return { '17841400000000000': [{ ...use, estimated_time_to_regain_access: minutes }] }
}

/** The share of the quota that every response reports. */
export const usageHeaders = { 'x-app-usage': JSON.stringify({ call_count: 1, total_time: 1, total_cputime: 1 }) }
