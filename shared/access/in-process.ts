import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Context } from '../context.ts'
import type { Contract } from '../http/contract.ts'
import type { Member, Workspace } from '../workspaces/workspace.ts'
import type { Principal } from './access.ts'

/** A caller whose token another protocol has verified, with the rows that decide what they may do. */
export interface VerifiedCaller {
  principal: Extract<Principal, { kind: 'assistant' }>
  workspace: Workspace
  member: Member
}

/** What a call within this process sends: the parts of a request, without a token. */
export interface SentInProcess {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  body: unknown
  headers: Readonly<Record<string, string>>
}

const filled = (path: string, params: SentInProcess['params']) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** The event of a call that does not come through API Gateway: the same middleware reads it. */
export const inProcessEvent = (
  { request }: Context,
  { method, path }: Pick<Contract, 'method' | 'path'>,
  { workspace }: VerifiedCaller,
  { params, query, body, headers }: SentInProcess,
): APIGatewayProxyEvent =>
  ({
    httpMethod: method,
    resource: path,
    path: filled(path, params),
    pathParameters: { ...params },
    queryStringParameters: { ...query },
    multiValueQueryStringParameters: {},
    headers: {
      'Content-Type': 'application/json',
      'X-Workspace-Id': workspace.id,
      ...(request?.clientRequestId === undefined ? {} : { 'X-Request-Id': request.clientRequestId }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { extendedRequestId: request?.requestId, identity: { sourceIp: request?.ip ?? '' } },
  }) as unknown as APIGatewayProxyEvent
