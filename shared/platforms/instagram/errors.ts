import type { GraphRefusal, Verdict } from '../graph/site.ts'

const again = { preparedGone: true }
const dropped: Verdict = ['transient', 'dropped the prepared post.', again]
const notFetched: Verdict = ['transient', 'could not fetch the media.', again]
const notReady: Verdict = ['transient', 'is still processing the media.']

const refused: Verdict = ['invalid', 'refused the post']

/** What Instagram says beyond Meta's common errors, by subcode (platforms-a, 7.5). */
const subcodes = new Map<number, Verdict>([
  [2207001, ['temporary', 'had an error of its own.']],
  [2207003, notFetched],
  [2207006, dropped],
  [2207020, dropped],
  [2207027, notReady],
  [2207032, dropped],
  [2207042, ['quota', 'takes no more posts from this account today.', { retryAfterSeconds: 3600 }]],
  [2207050, ['blocked', 'has restricted this account, or it is not active']],
  [2207051, ['blocked', 'takes the post for spam and has blocked it']],
  [2207052, notFetched],
  [2207053, dropped],
  [2207077, notFetched],
])
const codes = new Map<number, Verdict>([
  [9004, notFetched],
  [9007, notReady],
])

/** Of a container that is in error: its status holds the subcode in its words. */
const passing = /\b(2207001|2207003|2207008|2207020|2207032|2207052|2207053|2207077|2207082)\b/

/** Whether media that failed with these words may pass when it is tried again. */
export const mayPass = (words: string): boolean => !/\b22\d{5}\b/.test(words) || passing.test(words)

/** Every other subcode of Instagram's own is about the content, whatever its code says. */
const aboutContent = ({ subcode = 0 }: GraphRefusal) =>
  subcode >= 2_207_000 && subcode < 2_208_000 && ![2207008, 2207082].includes(subcode)

export const verdictOf = (refusal: GraphRefusal): Verdict | undefined =>
  subcodes.get(refusal.subcode ?? 0) ?? (aboutContent(refusal) ? refused : codes.get(refusal.code))
