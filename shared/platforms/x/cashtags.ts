import type { OtherRule } from '../definition.ts'

const max = 1

/**
 * A dollar sign after a blank or at the start, and one to six letters with up to two more behind a dot: `$TSLA`,
 * `$BRK.A`.
 */
const cashtag = /(?<=^|[\s\u0085\u180e])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!'#%&()*+,\-./:;<=>?@[\]^_{|}~$\\])/gi

/** The symbols of a text as X links them, each as often as it is there (twitter-text 3.1, cashtag). */
export const cashtagsIn = (text: string): string[] => text.match(cashtag) ?? []

/** X refuses a post with more of them (403, "Posts are limited to a maximum of one cashtag"). */
export const oneCashtag: OtherRule = {
  says: 'At most one cashtag, such as $TSLA.',
  source: 'X API, POST /2/tweets, refusal 403, 2026',
  readsText: true,
  check({ text }) {
    const used = cashtagsIn(text).length
    if (used <= max) return []
    const next = `Remove ${used - max} of them, or write them without the dollar sign.`
    return [{ code: 'cashtag_limit', message: `${used}/${max} cashtags`, next }]
  },
}
