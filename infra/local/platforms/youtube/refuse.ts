import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

const failure = (code: number, reason: string, message: string, status = 'FAILED'): Answer => ({
  status: code,
  body: { error: { code, message, errors: [{ domain: 'youtube.local', reason, message }], status } },
})

/** Ends the call with Google's error body. */
export function refuse(code: number, reason: string, message: string): never {
  throw new Refused(failure(code, reason, message))
}

const reasons: Readonly<Record<number, string>> = {
  400: 'invalidVideoMetadata',
  401: 'authError',
  403: 'forbidden',
  404: 'notFound',
  429: 'rateLimitExceeded',
}

/** Google's error responses for failures that can occur on any call. They never state how long to wait. */
export const youtubeRefusals: Refusals = {
  status: (status) => failure(status, reasons[status] ?? 'backendError', `Configured to return ${status}`),
  rateLimited: () => failure(403, 'rateLimitExceeded', 'Rate Limit Exceeded', 'RESOURCE_EXHAUSTED'),
  tokenRevoked: () => failure(401, 'authError', 'Invalid Credentials', 'UNAUTHENTICATED'),
  blocked: () => failure(403, 'forbidden', 'Forbidden', 'PERMISSION_DENIED'),
  tooLarge: () => failure(413, 'uploadTooLarge', 'The body is too large'),
  unknownRoute: () => failure(404, 'notFound', 'Not Found'),
}
