import type { APIGatewayProxyResult } from 'aws-lambda'
import * as z from 'zod/mini'
import { strictTransport, success } from './envelope.ts'
import type { RequestContext } from './request-context.ts'

/** Data with headers, for a handler that returns more than plain data. */
export class Reply<D> {
  readonly data: D
  readonly headers: Readonly<Record<string, string>>
  constructor(data: D, headers: Readonly<Record<string, string>>) {
    this.data = data
    this.headers = headers
  }
}

/** A body that is sent unchanged, outside the envelope (openapi.json, the API reference, health). */
export class Raw {
  readonly body: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  /** Instead of the status of the contract: a redirect, or an error in the form of another protocol. */
  readonly status: number | undefined
  constructor(body: string, contentType: string, headers: Readonly<Record<string, string>> = {}, status?: number) {
    this.body = body
    this.contentType = contentType
    this.headers = headers
    this.status = status
  }
}

/** The response for what a handler returns: the envelope, or a raw body. */
export const respond = (request: RequestContext, result: unknown): APIGatewayProxyResult => {
  const { contract } = request
  if (result instanceof Raw) {
    const own = {
      'Content-Type': result.contentType,
      'X-Request-Id': request.requestId,
      'Strict-Transport-Security': strictTransport,
    }
    const headers = { ...own, ...request.headers, ...result.headers }
    return { statusCode: result.status ?? contract.status, headers, body: result.body }
  }
  const data = result instanceof Reply ? result.data : result
  const shown = contract.data === undefined ? null : z.parse(contract.data, data)
  if (result instanceof Reply) Object.assign(request.headers, result.headers)
  return success(request, contract.status, shown)
}
