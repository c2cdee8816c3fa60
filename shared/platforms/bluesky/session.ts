import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { allowedOrigins } from '../../net/address.ts'
import type { ConnectedAccount, Credentials } from '../account.ts'
import { type ErrorResponse, type RequestBody, requestJson } from '../http.ts'
import { classified, commonErrors, type PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'
import { classifyBlueskyError } from './errors.ts'

interface Xrpc<T> {
  /** The server's address; a user may have given it. */
  service: string
  method: string
  token?: string
  query?: Readonly<Record<string, string>>
  /** A body makes it a procedure: JSON, bytes of a type, or none. */
  input?: RequestBody | 'none'
  creates?: boolean
  totalMs?: number
  /** Statuses other than 2xx whose body is a reply. */
  accepts?: readonly number[]
  reply: z.ZodMiniType<T>
  /** The error table of another server than the account's own. */
  classifyError?: (response: ErrorResponse) => PlatformError
}

const bodyOf = (input: Xrpc<unknown>['input']): { body?: RequestBody } =>
  input === undefined || input === 'none' ? {} : { body: input }

/** One XRPC call: a query without `input`, a procedure with it. */
export const xrpc = <T>(
  ctx: Context,
  { service, method, token, query, input, creates, classifyError = classifyBlueskyError, ...more }: Xrpc<T>,
): Promise<T> => {
  return requestJson(ctx, {
    ...more,
    platform: definition,
    method: input === undefined ? 'GET' : 'POST',
    base: service,
    path: `/xrpc/${method}`,
    ...(query ? { query } : {}),
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    ...bodyOf(input),
    creates: creates === true,
    guard: { allowedOrigins: allowedOrigins(ctx) },
    classifyError,
  })
}

const Tokens = z.object({ accessJwt: z.string(), refreshJwt: z.string() })

/** The last second that is a date of four digits. */
const lastSecond = Date.UTC(9999, 11, 31) / 1000

const Claims = z.object({ exp: z.number().check(z.minimum(0), z.maximum(lastSecond)), scope: z.optional(z.string()) })

/** The claims of a token; read, not verified: only its server can do that. */
export const readClaims = (jwt: string): z.infer<typeof Claims> | undefined => {
  try {
    return z.parse(Claims, JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')))
  } catch {
    return undefined
  }
}

/** The server and the tokens of an account. */
export const sessionOf = ({ credentials, details }: ConnectedAccount) => {
  const tokens = z.safeParse(Tokens, credentials)
  if (!tokens.success) throw classified('Bluesky', commonErrors.accessRevoked)
  return { service: String(details['service']), ...tokens.data }
}

/**
 * A new pair of tokens; the old refresh token gives the same pair for a while, so the call can be repeated after a lost
 * response.
 */
export const refresh = async (ctx: Context, account: ConnectedAccount): Promise<Credentials> => {
  const { service, refreshJwt } = sessionOf(account)
  return xrpc(ctx, {
    service,
    method: 'com.atproto.server.refreshSession',
    token: refreshJwt,
    input: 'none',
    reply: Tokens,
  })
}
