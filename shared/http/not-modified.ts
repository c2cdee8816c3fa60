import type { APIGatewayProxyResult } from 'aws-lambda'
import { header, type RequestContext } from './request-context.ts'

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether If-None-Match names the current state; weak and strong tags compare alike (RFC 9110, 13.1.2). */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []).map(bare).includes(bare(etag)))

/** Responds with 304 without a body if the caller already has the response (RFC 9110, 15.4.5). */
export const unlessKnown = (
  { event, contract }: RequestContext,
  answer: APIGatewayProxyResult,
): APIGatewayProxyResult => {
  const etag = answer.headers?.['ETag']
  if (contract.method !== 'GET' || answer.statusCode !== 200 || typeof etag !== 'string') return answer
  if (!isKnown(header(event, 'If-None-Match'), etag)) return answer
  const { 'Content-Type': _, ...headers } = answer.headers ?? {}
  return { statusCode: 304, headers, body: '' }
}
