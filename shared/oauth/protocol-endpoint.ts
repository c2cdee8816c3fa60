import { anyone } from '../access/access.ts'
import { endpoint, type HttpEndpoint } from '../access/endpoint.ts'
import type { Context } from '../context.ts'
import type { Contract } from '../http/contract.ts'
import { Raw } from '../http/reply.ts'
import { logSecurity } from '../security-log.ts'

/** The error codes of RFC 6749 (5.2), RFC 7591 (3.2.2), and RFC 8707 (2). */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'

/** An error in OAuth form: returned with status 400, outside the envelope of the API. */
export class OAuthError extends Error {
  override name = 'OAuthError'
  readonly code: OAuthErrorCode
  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.code = code
  }
}

interface ProtocolCall {
  ctx: Context
  /** The raw body. */
  body: string
  contentType: string
}

type ProtocolContract = Pick<Contract, 'method' | 'path' | 'summary' | 'needs' | 'limit'> & { status: 200 | 201 }

const json = (body: unknown, status: number, cache = 'no-store') =>
  new Raw(
    body === undefined ? '' : JSON.stringify(body),
    'application/json; charset=utf-8',
    { 'Cache-Control': cache, 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' },
    status,
  )

/**
 * An OAuth endpoint. Clients know its form from the RFCs and its address from the metadata, so it responds without the
 * envelope of the API, and is not in the API reference.
 */
export const protocolEndpoint = (
  contract: ProtocolContract,
  answer: (call: ProtocolCall) => object | undefined | Promise<object | undefined>,
): HttpEndpoint =>
  endpoint({ ...contract, access: anyone, errors: [] }, async ({ ctx, request }) => {
    try {
      const body = await answer({ ctx, body: request.rawBody, contentType: request.contentType })
      return json(body, contract.status, contract.method === 'GET' ? 'public, max-age=3600' : 'no-store')
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      if (error.code === 'invalid_grant') logSecurity(ctx, 'authn_token_fail', { code: error.code })
      return json({ error: error.code, error_description: error.message }, 400)
    }
  })

/** The parameters of a form (RFC 6749, 3.2: none may be repeated). */
export const formOf = ({ body, contentType }: ProtocolCall): Readonly<Record<string, string>> => {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) {
    throw new OAuthError('invalid_request', 'The body must be sent as application/x-www-form-urlencoded.')
  }
  const sent: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(body)) {
    if (name in sent) throw new OAuthError('invalid_request', `"${name.slice(0, 40)}" appears more than once.`)
    sent[name] = value
  }
  return sent
}
