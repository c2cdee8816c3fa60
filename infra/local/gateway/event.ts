import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { accountId } from '../template/account.ts'
import type { Match } from './match.ts'
import { type GatewayRequest, headerOf } from './request.ts'

/** The API's part of an event. */
export interface ApiInfo {
  id: string
  stageName: string
  /** The host that the API is reached at. */
  domainName: string
  /** The content types of bodies that are passed on in base64. */
  binaryTypes: readonly string[]
}

type Pairs = Iterable<readonly [string, string]>

/** Single values and all values by name; of several the last one is the single one. */
const group = (pairs: Pairs) => {
  const all = Map.groupBy(pairs, ([name]) => name)
  const multiple = [...all].map(([name, entries]) => [name, entries.map(([, value]) => value)] as const)
  // Entries, not assignments: a parameter may be called `__proto__`.
  return {
    single: Object.fromEntries(multiple.map(([name, values]) => [name, values.at(-1) ?? ''])),
    multiple: Object.fromEntries(multiple),
  }
}

const orNull = <T extends object>(map: T): T | null => (Object.keys(map).length === 0 ? null : map)

/** The event of a REST API's proxy integration (API Gateway guide, "input format of a Lambda function", version 1.0). */
export const proxyEvent = (
  api: ApiInfo,
  request: GatewayRequest,
  match: Match,
  nowMs: number,
): APIGatewayProxyEvent => {
  const headers = group(request.headers)
  const query = group(request.query)
  const { path: resource } = match.plan
  const [type = ''] = (headerOf(request, 'Content-Type') ?? '').toLowerCase().split(';')
  const isBinary = api.binaryTypes.includes(type.trim())
  return {
    resource,
    path: request.path,
    httpMethod: request.method,
    headers: headers.single,
    multiValueHeaders: headers.multiple,
    queryStringParameters: orNull(query.single),
    multiValueQueryStringParameters: orNull(query.multiple),
    pathParameters: orNull({ ...match.params }),
    stageVariables: null,
    requestContext: {
      accountId,
      apiId: api.id,
      authorizer: null,
      domainName: api.domainName,
      httpMethod: request.method,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: request.sourceIp,
        user: null,
        userAgent: headerOf(request, 'User-Agent') ?? null,
        userArn: null,
      },
      path: request.path,
      protocol: 'HTTP/1.1',
      extendedRequestId: request.id,
      requestId: randomUUID(),
      requestTimeEpoch: nowMs,
      resourceId: resource,
      resourcePath: resource,
      stage: api.stageName,
    },
    // Without a binary media type, bytes that are no UTF-8 arrive as replacement characters.
    body: request.body.length === 0 ? null : request.body.toString(isBinary ? 'base64' : 'utf8'),
    isBase64Encoded: isBinary && request.body.length > 0,
  }
}
