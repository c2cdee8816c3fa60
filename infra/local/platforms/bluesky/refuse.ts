import type * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { type Call, parseJson, type Refusals, Refused } from '../standin.ts'

/** Ends the call with Bluesky's error body: decided by name, explained by message. */
export function refuse(status: number, error: string, message: string): never {
  throw new Refused(failure(status, error, message))
}

/** The JSON body of a procedure, or Bluesky's error for it. */
export function readInput<Schema extends z.ZodMiniType>(call: Call, schema: Schema): z.infer<Schema> {
  const type = call.headers['content-type'] ?? ''
  if (!/^application\/json\b/.test(type)) {
    refuse(
      400,
      'InvalidRequest',
      type
        ? `Wrong request encoding (Content-Type): ${type}`
        : 'Request encoding (Content-Type) required but not provided',
    )
  }
  const parsed = schema.safeParse(
    parseJson(call.body, () => refuse(400, 'InvalidRequest', 'The request body is not valid JSON')),
  )
  if (parsed.success) return parsed.data
  const path = parsed.error.issues[0]?.path.join('/') ?? ''
  return refuse(
    400,
    'InvalidRequest',
    path ? `Input/${path} is missing or has the wrong type` : 'Input must be an object',
  )
}

/** A query parameter that must be there. */
export function readParam(call: Call, name: string): string {
  return call.query.get(name) ?? refuse(400, 'InvalidRequest', `Params must have the property "${name}"`)
}

/** Bluesky's error responses for failures that can occur on any call. */
export function blueskyRefusals(nowSeconds: () => number): Refusals {
  const names: Record<number, string> = {
    400: 'InvalidRequest',
    401: 'AuthenticationRequired',
    403: 'Forbidden',
    404: 'NotFound',
    429: 'RateLimitExceeded',
    502: 'UpstreamFailure',
    503: 'NotEnoughResources',
  }
  return {
    status: (status) =>
      failure(status, names[status] ?? 'InternalServerError', `The stand-in is configured to return ${status}`),
    rateLimited: (retryAfterSeconds) => ({
      ...failure(429, 'RateLimitExceeded', 'Rate Limit Exceeded'),
      headers: {
        'ratelimit-remaining': '0',
        'ratelimit-reset': String(Math.ceil(nowSeconds() + retryAfterSeconds)),
        'retry-after': String(Math.ceil(retryAfterSeconds)),
      },
    }),
    tokenRevoked: () => failure(400, 'ExpiredToken', 'Token has been revoked'),
    blocked: () => failure(403, 'Forbidden', 'This record may not be created'),
    tooLarge: () => failure(413, 'PayloadTooLarge', 'request entity too large'),
    unknownRoute: () => failure(501, 'MethodNotImplemented', 'Method Not Implemented'),
  }
}

function failure(status: number, error: string, message: string): Answer {
  return { status, body: { error, message } }
}
