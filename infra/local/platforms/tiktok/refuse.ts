import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { type Call, parseJson, type Refusals, Refused } from '../standin.ts'

/** TikTok's envelope around a successful response. */
export const ok = (data: unknown): Answer => ({ status: 200, body: { data, error: errorOf('ok', '') } })

export const errorOf = (code: string, message: string) => ({ code, message, log_id: randomUUID() })

const failure = (status: number, code: string, message: string): Answer => ({
  status,
  body: { data: {}, error: errorOf(code, message) },
})

/** Ends the call with TikTok's error body. */
export function refuse(status: number, code: string, message: string): never {
  throw new Refused(failure(status, code, message))
}

/** The JSON body of a call, or TikTok's error for it. */
export function readInput<Schema extends z.ZodMiniType>(call: Call, schema: Schema): z.infer<Schema> {
  assertJson(call)
  const parsed = schema.safeParse(
    parseJson(call.body, () => refuse(400, 'invalid_params', 'The body is not valid JSON')),
  )
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return refuse(400, 'invalid_params', `${issue?.path.join('.') || 'The body'} is not valid: ${issue?.message}`)
}

export function assertJson({ headers }: Call): void {
  if (!/^application\/json; charset=utf-8$/i.test(headers['content-type'] ?? '')) {
    refuse(400, 'invalid_params', 'Content-Type must be application/json; charset=UTF-8')
  }
}

const codes: Readonly<Record<number, string>> = {
  401: 'access_token_invalid',
  403: 'spam_risk_user_banned_from_posting',
  429: 'rate_limit_exceeded',
}

/** TikTok's error responses for failures that can occur on any call. They never state how long to wait. */
export const tiktokRefusals: Refusals = {
  status: (status) =>
    failure(
      status,
      codes[status] ?? (status < 500 ? 'invalid_params' : 'internal_error'),
      `Configured to return ${status}`,
    ),
  rateLimited: () => failure(429, 'rate_limit_exceeded', 'The request was rejected by the rate limit'),
  tokenRevoked: () => failure(401, 'access_token_invalid', 'The access token is invalid or not found in the request'),
  blocked: () => failure(403, 'spam_risk_user_banned_from_posting', 'The user is banned from making new posts'),
  tooLarge: () => failure(400, 'invalid_params', 'The body is too large'),
  unknownRoute: () => failure(404, 'invalid_params', 'Unsupported path'),
}
