import * as z from 'zod/mini'
import type { ErrorResponse } from '../http.ts'
import {
  type Classification,
  classified,
  commonErrors,
  type ErrorInfo,
  type PlatformError,
  shortDetail,
} from '../platform-error.ts'

const name = 'Pinterest'

const ErrorBody = z.object({ code: z.optional(z.number()), message: z.string() })

/** Status and code of errors about the board or about the whole account. `publish.ts` finds out which. */
const notPermitted = new Set(['401/7', '403/29'])

export const isNotPermitted = ({ httpStatus, code }: ErrorInfo): boolean => notPermitted.has(`${httpStatus}/${code}`)

const spamSeconds = 3600

const limited = ({ headers }: ErrorResponse, message: string): Classification => {
  const reset = Number(headers['x-ratelimit-reset'])
  const known = Number.isFinite(reset) && reset > 0 ? Math.ceil(reset) : 60
  return [...commonErrors.rateLimited, { retryAfterSeconds: /spam/i.test(message) ? spamSeconds : known }]
}

/** The status decides first, the text second, because the numbers vary. */
const classify = (response: ErrorResponse, code: number | undefined, message: string): Classification => {
  const { status } = response
  if (status === 401 && !isNotPermitted({ httpStatus: status, code: String(code) })) return commonErrors.accessRevoked
  if (status === 429) return limited(response, message)
  if (status === 403 && /trial access/i.test(message)) {
    const sentence = 'gives the app of this service trial access only. Contact the operator of this service.'
    return ['permission', sentence, { operator: true }]
  }
  if (/spam|we blocked/i.test(message)) return ['blocked', 'blocked the Pin']
  if (status === 404 && /section/i.test(message))
    return ['invalid', 'section of the board no longer exists. Choose another one.']
  if (status === 404 && /board/i.test(message)) return ['invalid', 'board no longer exists. Choose another one.']
  if (status === 404 && /media/i.test(message))
    return ['transient', 'dropped the uploaded video.', { preparedGone: true }]
  if (status === 400 && /unable to reach the url|fetch/i.test(message)) return commonErrors.mediaNotFetched
  // A response without JSON did not come from the API.
  return message === '' ? commonErrors.unavailable : ['invalid', 'rejected the request']
}

/** Classifies an error response by its status, then by its text. */
export const classifyPinterestError = (response: ErrorResponse): PlatformError => {
  const { data: body } = z.safeParse(ErrorBody, response.body)
  const detail = shortDetail(body?.message ?? '')
  return classified(name, classify(response, body?.code, detail), {
    httpStatus: response.status,
    ...(body?.code === undefined ? {} : { code: String(body.code) }),
    detail,
  })
}
