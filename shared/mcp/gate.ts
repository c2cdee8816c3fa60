import type { Context } from '../context.ts'
import { Raw } from '../http/reply.ts'
import { resourcePath } from '../oauth/resource.ts'
import { type VerifiedAssistant, verifyAssistant } from '../oauth/verify.ts'
import { logSecurity } from '../security-log.ts'

/** The parts of a request that the gate reads. */
export interface McpCall {
  ctx: Context
  request: { header(name: string): string | undefined }
}

/** A body of JSON in the form of the protocol. */
export const jsonAnswer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Raw =>
  new Raw(
    body === undefined ? '' : JSON.stringify(body),
    'application/json; charset=utf-8',
    { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers },
    status,
  )

const refuse = (status: number, error: string, description: string, headers: Readonly<Record<string, string>> = {}) =>
  jsonAnswer(status, { error, error_description: description }, headers)

/** Where an assistant learns how to get a token (RFC 9728, 5.1; RFC 6750, 3.1). */
const challenge = ({ ctx, request }: McpCall): string => {
  const metadata = `resource_metadata="${ctx.env('BASE_URL')}/.well-known/oauth-protected-resource${resourcePath}"`
  return request.header('Authorization') === undefined
    ? `Bearer ${metadata}`
    : `Bearer error="invalid_token", ${metadata}`
}

/**
 * Verifies the token of an assistant, before the response reveals anything else about a request. A page of another site is
 * refused (MCP 2025-11-25, "Security Warning" of Streamable HTTP).
 */
export const authenticateMcp = async (call: McpCall): Promise<VerifiedAssistant | Raw> => {
  const { ctx, request } = call
  const origin = request.header('Origin')
  if (origin !== undefined && origin !== new URL(ctx.env('BASE_URL')).origin) {
    return refuse(403, 'origin_not_allowed', 'Pages of other sites cannot call the MCP server.')
  }
  const [, bearer] = /^Bearer +(\S+)$/i.exec(request.header('Authorization') ?? '') ?? []
  const verification = await verifyAssistant(ctx, bearer, resourcePath)
  if (verification.ok) return verification.assistant
  const { refusal } = verification
  const { reason, status, message } = refusal
  if (refusal.reason === 'invalid_token') {
    logSecurity(ctx, 'authn_token_fail', { code: reason })
    return refuse(status, reason, message, { 'WWW-Authenticate': challenge(call) })
  }
  if (refusal.reason === 'rate_limit_exceeded') {
    logSecurity(ctx, 'excess_rate_limit_exceeded', { code: reason })
    return refuse(status, reason, message, { 'Retry-After': String(refusal.retryAfterSeconds) })
  }
  logSecurity(ctx, 'authz_fail', { code: reason })
  return refuse(status, reason, message)
}

/** A method without a meaning here: there is no event stream, and no sessions. Tokens are checked first. */
export const methodNotAllowed = async (call: McpCall): Promise<Raw> => {
  const passed = await authenticateMcp(call)
  if (passed instanceof Raw) return passed
  await passed.noted
  return refuse(405, 'method_not_allowed', 'The MCP server is stateless: send POST requests.', { Allow: 'POST' })
}
