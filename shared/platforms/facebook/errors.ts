import type { GraphClassification, GraphError } from '../graph/site.ts'
import { commonErrors } from '../platform-error.ts'

const { postRejected, mediaNotFetched } = commonErrors
const blocked: GraphClassification = ['blocked', 'blocked the post']
const limitedAccount: GraphClassification = ['blocked', 'limits this Page or the person who connected it']

/** Facebook's own errors beyond Meta's common ones, by subcode or by code (Page Feed and Photos, v25.0). */
const numbers = new Map<number, GraphClassification>([
  [1390008, ['rate', 'rate limit reached for posts of this Page. Try again later.', { retryAfterSeconds: 15 * 60 }]],
  [1346003, blocked],
  [1404102, blocked],
  [1404078, ['blocked', 'requires this Page to be authorized for posting']],
  [1404006, limitedAccount],
  [1404112, limitedAccount],
  [4854002, limitedAccount],
  ...[1366046, 1609005, 1609008, 2061006].map((number) => [number, postRejected] as const),
  [389, mediaNotFetched],
  // A photo belongs to one post only, and ours to no other: an earlier call may have succeeded.
  [1366051, ['unknown', 'reports that a photo of the post was posted already. The post may be live.']],
])

export const classify = ({ code, subcode, message }: GraphError): GraphClassification | undefined => {
  const known = numbers.get(subcode ?? 0) ?? numbers.get(code)
  if (known) return known
  if (/no permission to publish/i.test(message)) return commonErrors.scopesMissing
  // 30 in 24 hours (Reels Publishing API, v25.0), which names no number of the error.
  if (/\breels?\b.*\blimit|\blimit.*\breels?\b/i.test(message)) return commonErrors.dailyLimitReached
  return code === 100 && /could not (be )?fetch|unable to fetch/i.test(message) ? mediaNotFetched : undefined
}
