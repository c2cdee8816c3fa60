import * as z from 'zod/mini'
import { type ErrorResponse, unclearResponse } from '../http.ts'
import { classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'
import type { GraphClassification, GraphError, GraphSite } from './site.ts'

const Usage = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.optional(z.number()) })))

/** If Meta does not state the end of a limit (Graph API, Rate Limiting). */
const unsaidSeconds = 15 * 60

/** How long a rate limit lasts, from a header in minutes. */
export const limitSeconds = (headers: Readonly<Record<string, string>>): number => {
  let said: unknown
  try {
    said = JSON.parse(headers['x-business-use-case-usage'] ?? '')
  } catch {
    return unsaidSeconds
  }
  const usage = z.safeParse(Usage, said)
  const minutes = Object.values(usage.data ?? {}).flatMap((uses) =>
    uses.map((use) => use.estimated_time_to_regain_access ?? 0),
  )
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? longest * 60 : unsaidSeconds
}

const Envelope = z.object({
  error: z.object({
    message: z.optional(z.string()),
    code: z._default(z.number(), 0),
    error_subcode: z.optional(z.number()),
    error_user_msg: z.optional(z.string()),
    is_transient: z.optional(z.boolean()),
    fbtrace_id: z.optional(z.string()),
  }),
})

const { accessRevoked, rateLimited, postRejected } = commonErrors
const notAllowed: GraphClassification = ['permission', 'does not allow this account or app to do that']
/** A capability that the operator's app lacks. */
const appNotAllowed: GraphClassification = [
  'permission',
  "does not allow this service's app to do that",
  { operator: true },
]
const busy: GraphClassification = ['temporary', 'is temporarily unavailable.']

/** Meta's error codes (Handling Errors, v25.0); a subcode is more precise than its code. */
const codes = new Map<number, GraphClassification>([
  [190, accessRevoked],
  [102, accessRevoked],
  // The caller's address, the key, and the signature are matters of the app, too.
  ...[3, 5, 101, 104].map((code) => [code, appNotAllowed] as const),
  [10, notAllowed],
  ...[4, 9, 17, 32, 341, 613].map((code) => [code, rateLimited] as const),
  [368, ['blocked', 'blocked this account for a while']],
  [506, ['duplicate', 'rejected the post as a duplicate of an earlier one']],
  [1, busy],
  [2, busy],
  // "Please try again" after a video was uploaded (Graph API, Page Videos, v25.0).
  [381, busy],
  [6001, busy],
])
const subcodes = new Map<number, GraphClassification>([1363047, 1609010, 2207008, 2207082].map((code) => [code, busy]))
/** Meta requires the person to log in first; the token works again after that (Graph API, Handling Errors, 2026-11-21). */
const checkpoints = new Set([459, 464, 490])
const checkpoint: GraphClassification = ['blocked', 'requires the owner of this account to log in there first']

const classifyCommon = ({ code, subcode }: GraphError): GraphClassification => {
  if (checkpoints.has(code) || (code === 190 && checkpoints.has(subcode ?? 0))) return checkpoint
  const known = subcodes.get(subcode ?? 0) ?? codes.get(code)
  if (known) return known
  if (code >= 200 && code <= 299) return notAllowed
  if (code >= 80_000 && code <= 80_014) return rateLimited
  return postRejected
}

/** Meta repeats a malformed token in its message: secrets of the request are neither stored nor shown. */
const withoutSecrets = (message: string, secrets: readonly string[]) =>
  secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '…')), message)

interface GraphCallInfo {
  /** The one call that makes the post public. */
  creates: boolean
  secrets: readonly string[]
}

/** Classifies an error by code and subcode: the status of Meta's responses is meaningless (Handling Errors, v25.0). */
export const classifyGraphError = (
  site: GraphSite,
  response: ErrorResponse,
  { creates, secrets }: GraphCallInfo,
): PlatformError => {
  const { platform } = site
  const body = z.safeParse(Envelope, response.body).data?.error
  if (!body && response.status === 401) return classified(platform.name, accessRevoked, { httpStatus: 401 })
  if (!body && response.status !== 429) {
    return unclearResponse({ platform, creates }, `HTTP ${response.status}`, response.status)
  }
  const message = shortDetail(withoutSecrets(body?.error_user_msg ?? body?.message ?? '', secrets))
  const error = { code: body?.code ?? 4, subcode: body?.error_subcode, message }
  const known = site.classify(error) ?? classifyCommon(error)
  // Known rate limits, revoked tokens, and waits are marked as transient, too.
  const passes = body?.is_transient === true && (known[0] === 'invalid' || known[0] === 'permission')
  const [name, sentence, info] = passes ? busy : known
  const errorClass = name !== 'temporary' ? name : creates ? 'unknown' : 'transient'
  return classified(
    platform.name,
    [errorClass, sentence, info ?? {}],
    {
      httpStatus: response.status,
      code: error.subcode === undefined ? String(error.code) : `${error.code}/${error.subcode}`,
      detail: body?.fbtrace_id === undefined ? message : `${message} (fbtrace_id ${body.fbtrace_id})`,
      ...(errorClass === 'rate' ? { retryAfterSeconds: limitSeconds(response.headers) } : {}),
    },
    message || `error ${error.code}`,
  )
}
