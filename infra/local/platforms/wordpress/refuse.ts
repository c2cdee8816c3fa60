import type { Answer } from '../../pages/server.ts'
import { type Refusals, Refused } from '../standin.ts'

const failure = (status: number, code: string, message: string, data: object = {}): Answer => ({
  status,
  body: { code, message, data: { status, ...data } },
})

/** Ends the call with a named error, as WordPress does. */
export function refuse(status: number, code: string, message: string, data?: object): never {
  throw new Refused(failure(status, code, message, data))
}

/** WordPress's error responses for failures that can occur on any call. */
export const wordpressRefusals: Refusals = {
  status: (status) => failure(status, 'standin_error', 'The stand-in is configured to return this'),
  rateLimited: (retryAfterSeconds) => ({
    ...failure(429, 'too_many_requests', 'Too many requests.'),
    headers: { 'retry-after': String(retryAfterSeconds) },
  }),
  tokenRevoked: () => failure(401, 'incorrect_password', 'The provided password is an invalid application password.'),
  blocked: () => ({
    status: 403,
    body: '<html><body>The firewall of this site has blocked the request.</body></html>',
  }),
  tooLarge: () => ({ status: 413, body: '<html>413 Request Entity Too Large</html>' }),
  unknownRoute: () => failure(404, 'rest_no_route', 'No route was found matching the URL and request method.'),
}
