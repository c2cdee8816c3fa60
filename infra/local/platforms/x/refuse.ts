import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

const problems = 'https://api.x.com/2/problems'

const problem = (status: number, title: string, detail: string, slug?: string): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    title,
    detail,
    type: slug === undefined ? 'about:blank' : `${problems}/${slug}`,
    status,
    ...(slug === 'resource-not-found' ? { resource_type: 'tweet' } : {}),
  },
})

/** Ends the call with X's problem body. */
export function refuse(status: number, title: string, detail: string, slug?: string): never {
  throw new Refused(problem(status, title, detail, slug))
}

/** The request does not match X's schema. */
export function refuseRequest(message: string): never {
  const { body, ...answer } = problem(
    400,
    'Invalid Request',
    'One or more parameters to your request was invalid.',
    'invalid-request',
  )
  throw new Refused({ ...answer, body: { ...(body as object), errors: [{ message, parameters: {} }] } })
}

/** X's error responses for failures that can occur on any call. */
export function xRefusals(nowSeconds: () => number): Refusals {
  return {
    status: (status) => problem(status, 'Trouble', 'The stand-in is configured to return this'),
    rateLimited: (retryAfterSeconds) => ({
      ...problem(429, 'Too Many Requests', 'Too Many Requests'),
      headers: {
        'content-type': 'application/problem+json',
        'x-rate-limit-limit': '100',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': String(Math.ceil(nowSeconds() + retryAfterSeconds)),
      },
    }),
    tokenRevoked: () => problem(401, 'Unauthorized', 'Unauthorized'),
    blocked: () => problem(403, 'Forbidden', 'Your account is not permitted to access this feature.'),
    tooLarge: () => problem(413, 'Payload Too Large', 'The request is too large'),
    unknownRoute: () => problem(404, 'Not Found Error', 'Nothing here', 'resource-not-found'),
  }
}
