import * as z from 'zod/mini'
import { type ErrorResponse, shorten, unclear } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import type { GraphRefusal, GraphSite, Verdict } from './site.ts'
import { limitSeconds } from './usage.ts'

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

const lost: Verdict = ['auth', 'does not accept the connection any more: connect the account again.']
const notAllowed: Verdict = ['permission', 'does not allow this account or app to do that']
/** A capability that the operator's app has not got. */
const incapable: Verdict = ['permission', 'does not let the app of this service do that', { operator: true }]
const limited: Verdict = ['rate', 'takes no more calls for this account for a while.']
const busy: Verdict = ['temporary', 'is busy.']
const refused: Verdict = ['invalid', 'refused the post']

/** Meta's numbers with their meaning (platforms-a, 3.3); a subcode alone says more than its code. */
const codes = new Map<number, Verdict>([
  [190, lost],
  [102, lost],
  [3, incapable],
  [10, notAllowed],
  ...[4, 17, 32, 341, 613].map((code) => [code, limited] as const),
  [368, ['blocked', 'has blocked the account for a while']],
  [506, ['duplicate', 'refused the post, since it repeats an earlier one']],
  [1, busy],
  [2, busy],
])
const subcodes = new Map<number, Verdict>([1363047, 1609010, 2207008, 2207082].map((code) => [code, busy]))
/** A person whom Meta wants to see first; the token works again after that (Graph API, Handling Errors, 2026-11-21). */
const checkpoints = new Set([459, 464])
const checkpoint: Verdict = ['blocked', 'wants the person of this account to log in there first']

const commonVerdict = ({ code, subcode }: GraphRefusal): Verdict => {
  if (code === 190 && checkpoints.has(subcode ?? 0)) return checkpoint
  const known = subcodes.get(subcode ?? 0) ?? codes.get(code)
  if (known) return known
  if (code >= 200 && code <= 299) return notAllowed
  if (code >= 80_000 && code <= 80_014) return limited
  return refused
}

/** Meta repeats a malformed token in its message: what we sent in secret is not kept and not shown. */
const withoutSecrets = (words: string, secrets: readonly string[]) =>
  secrets.reduce((text, secret) => (secret === '' ? text : text.replaceAll(secret, '…')), words)

export interface Circumstances {
  /** The one call that makes the post public. */
  creates: boolean
  secrets: readonly string[]
}

/** Sorts a refusal by code and subcode: the status of Meta's answers says nothing (platforms-a, 3.3). */
export const sortGraph = (
  site: GraphSite,
  answer: ErrorResponse,
  { creates, secrets }: Circumstances,
): PlatformError => {
  const { platform } = site
  const body = z.safeParse(Envelope, answer.body).data?.error
  if (!body && answer.status === 401)
    return new PlatformError('auth', `${platform.name} ${lost[1]}`, { httpStatus: 401 })
  if (!body && answer.status !== 429) return unclear({ platform, creates }, `HTTP ${answer.status}`, answer.status)
  const words = shorten(withoutSecrets(body?.error_user_msg ?? body?.message ?? '', secrets))
  const refusal = { code: body?.code ?? 4, subcode: body?.error_subcode, words }
  const known = site.verdictOf(refusal) ?? commonVerdict(refusal)
  // What we know to be a limit, a dead token or a wait calls itself transient as well.
  const passes = body?.is_transient === true && (known[0] === 'invalid' || known[0] === 'permission')
  const [name, text, facts] = passes ? busy : known
  const errorClass = name !== 'temporary' ? name : creates ? 'unknown' : 'transient'
  const sentence = `${platform.name} ${text}`
  const told = words || `error ${refusal.code}`
  return new PlatformError(errorClass, sentence.endsWith('.') ? sentence : `${sentence}: ${told}`, {
    httpStatus: answer.status,
    code: refusal.subcode === undefined ? String(refusal.code) : `${refusal.code}/${refusal.subcode}`,
    detail: body?.fbtrace_id === undefined ? words : `${words} (fbtrace_id ${body.fbtrace_id})`,
    ...(errorClass === 'rate' ? { retryAfterSeconds: limitSeconds(answer.headers) } : {}),
    ...facts,
  })
}
