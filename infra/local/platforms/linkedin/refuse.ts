import type * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { type Call, parseJson, type Refusals, Refused, type SimulatorContext } from '../standin.ts'

const failure = (status: number, code: string, message: string): Answer => ({
  status,
  headers: { 'x-li-uuid': 'local' },
  body: { status, code, message, serviceErrorCode: status === 403 ? 100 : 65_600 },
})

/** Ends the call with LinkedIn's error body. */
export function refuse(status: number, code: string, message: string): never {
  throw new Refused(failure(status, code, message))
}

/** The JSON body of a call, or LinkedIn's error for it. */
export function readInput<Schema extends z.ZodMiniType>(call: Call, schema: Schema): z.infer<Schema> {
  if (!/^application\/json\b/.test(call.headers['content-type'] ?? '')) {
    refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json')
  }
  const parsed = schema.safeParse(parseJson(call.body, () => refuse(400, 'INVALID_JSON', 'The body is not valid JSON')))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const code = issue?.code === 'invalid_type' && issue.input === undefined ? 'MISSING_FIELD' : 'INVALID_VALUE_FOR_FIELD'
  return refuse(422, code, `ERROR :: /${issue?.path.join('/')} :: ${issue?.message}`)
}

const monthOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 7).replace('-', '')

/**
 * Whether a version (a month) of the API is served at a time: from its beginning to the middle of the same month a year
 * later (LinkedIn, API Migration Status: 202511 until 2026-11-16). Without an end, every month that has begun is.
 */
const isAnswered = (version: string, nowMs: number, apisEnd: boolean): boolean => {
  const [, year = '', month = ''] = /^(\d{4})(0[1-9]|1[0-2])$/.exec(version) ?? []
  if (year === '' || version > monthOf(nowMs)) return false
  return !apisEnd || nowMs < Date.UTC(Number(year) + 1, Number(month) - 1, 16)
}

/** Every call under /rest/ names the month it was written for, and its protocol. */
export function assertVersion(
  { headers }: Call,
  { clock, apisEnd }: Pick<SimulatorContext, 'clock' | 'apisEnd'>,
): void {
  const version = headers['linkedin-version'] ?? refuse(400, 'VERSION_MISSING', 'A version must be present.')
  if (!isAnswered(version, clock.now(), apisEnd)) {
    refuse(426, 'NONEXISTENT_VERSION', `Requested version ${version} is not active`)
  }
  if (headers['x-restli-protocol-version'] !== '2.0.0') {
    refuse(400, 'INVALID_VALUE_FOR_FIELD', 'X-Restli-Protocol-Version must be 2.0.0')
  }
}

const codes: Readonly<Record<number, string>> = {
  400: 'INVALID_VALUE_FOR_FIELD',
  401: 'INVALID_ACCESS_TOKEN',
  403: 'ACCESS_DENIED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'INVALID_VALUE_FOR_FIELD',
  429: 'TOO_MANY_REQUESTS',
}

/** LinkedIn's error responses for failures that can occur on any call. They never state how long to wait. */
export const linkedinRefusals: Refusals = {
  status: (status) => failure(status, codes[status] ?? 'INTERNAL_SERVER_ERROR', `Configured to return ${status}`),
  rateLimited: () =>
    failure(429, 'TOO_MANY_REQUESTS', 'Resource level throttle limit for calls to this resource is reached.'),
  tokenRevoked: () =>
    failure(401, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user'),
  // Passes by itself, as products in use report it.
  blocked: () => failure(403, 'FORBIDDEN', 'This resource is forbidden'),
  tooLarge: () => failure(413, 'PAYLOAD_TOO_LARGE', 'The body is too large'),
  unknownRoute: () => failure(404, 'RESOURCE_NOT_FOUND', 'No virtual resource found'),
}
