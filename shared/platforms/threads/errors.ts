import type { GraphRefusal, Verdict } from '../graph/site.ts'

/** What Threads says beyond Meta's common errors (platforms-a, 4.5). */
const subcodes = new Map<number, Verdict>([
  [4279009, ['transient', 'has not got the prepared post in its place yet.']],
  [4279013, ['blocked', 'has restricted this account']],
  [2207051, ['blocked', 'takes the post for spam and has blocked it']],
])

/** The media host was out of its reach for a moment. */
const notFetched: Verdict = ['transient', 'could not fetch the media.']

export const verdictOf = ({ code, subcode, words }: GraphRefusal): Verdict | undefined => {
  if (code !== 190 && /Error validating access token/i.test(words)) {
    return ['auth', 'does not accept the connection any more: connect the account again.']
  }
  if (/could not be fetched from this URI/i.test(words)) return notFetched
  return subcodes.get(subcode ?? 0)
}
