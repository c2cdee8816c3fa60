import type { Access } from './access.ts'
import type { Authority } from './authority.ts'
import type { JsonAnswer, JsonRequest } from './json.ts'

/** Decides about a request before an engine sees it: undefined allows it. */
export type Guard = (request: JsonRequest) => JsonAnswer | undefined

/** The exceptions of a refusal. */
type Refused =
  | 'AccessDeniedException'
  | 'InvalidSignatureException'
  | 'UnrecognizedClientException'
  | 'ValidationException'

/** What a service asks IAM for, and its denial format. */
export interface GuardedService {
  /** Throws for an unknown operation: an unmapped operation is an error and never an allow. */
  accessesOf(request: JsonRequest): Access[]
  refuse(type: Refused, message: string): JsonAnswer
}

const keyIn = ({ headers }: JsonRequest): string =>
  /Credential=([^/,\s]+)\//.exec(headers.authorization ?? '')?.[1] ?? ''

/** Checks each request of a service against the rights of the owner of its access key. */
export const guardOf =
  (authority: Authority, { accessesOf, refuse }: GuardedService): Guard =>
  (request) => {
    const principal = authority.principalOf(keyIn(request))
    if (principal === undefined) {
      return refuse('UnrecognizedClientException', 'The security token included in the request is invalid.')
    }
    if (!authority.isGenuine(request)) {
      return refuse('InvalidSignatureException', 'The signature of the request is not the one it would have.')
    }
    const refusal = authority.refusal(principal, accessesOf(request))
    return refusal === undefined ? undefined : refuse('AccessDeniedException', refusal)
  }

/** A denial in the JSON protocols: DynamoDB and most others return 400, those with REST paths 403. */
export const refuseAsJson =
  (status: 400 | 403): GuardedService['refuse'] =>
  (type, message) => ({
    status,
    headers: { 'x-amzn-errortype': type },
    body: { __type: type, message, Message: message },
  })

/** The operation that a request of a JSON protocol names. */
export const operationOf = ({ headers }: JsonRequest): string =>
  String(headers['x-amz-target'] ?? '').replace(/^.*\./, '')

/** Looks an operation up in a mapping. */
export const mapped = <T>(mapping: Readonly<Record<string, T>>, service: string, operation: string): T => {
  const target = Object.hasOwn(mapping, operation) ? mapping[operation] : undefined
  if (target === undefined) throw new Error(`the local IAM does not know which action ${service} ${operation} takes`)
  return target
}
