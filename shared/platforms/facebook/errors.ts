import type { GraphRefusal, Verdict } from '../graph/site.ts'

const blocked: Verdict = ['blocked', 'has blocked the post']
const refused: Verdict = ['invalid', 'refused the post']
const limitedAccount: Verdict = ['blocked', 'limits this page or the person who connected it']

/** What Facebook says beyond Meta's common errors, as a subcode or as a code (platforms-a, 6.3). */
const numbers = new Map<number, Verdict>([
  [1390008, ['rate', 'takes no more posts of this page for a while.', { retryAfterSeconds: 15 * 60 }]],
  [1346003, blocked],
  [1404102, blocked],
  [1404078, ['blocked', 'wants the page to be authorized for posting']],
  [1404112, limitedAccount],
  [4854002, limitedAccount],
  ...[1366046, 1609005, 1609008, 2061006].map((number) => [number, refused] as const),
  // A photo goes into one post only, and ours into no other: an earlier call may have landed.
  [1366051, ['unknown', 'says that a photo of the post is posted already: the post may be live.']],
])

const notFetched: Verdict = ['transient', 'could not fetch the media.']

export const verdictOf = ({ code, subcode, words }: GraphRefusal): Verdict | undefined => {
  const known = numbers.get(subcode ?? 0) ?? numbers.get(code)
  if (known) return known
  return code === 100 && /could not (be )?fetch|unable to fetch/i.test(words) ? notFetched : undefined
}
