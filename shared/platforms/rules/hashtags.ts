import type { Finding, PlatformDefinition } from '../definition.ts'

/** A hash sign at the start of a word, and letters, digits or underscores after it, of which one is no digit. */
const hashtag = /(?<![\p{L}\p{N}\p{M}_&/])[#＃](?=[\p{L}\p{N}\p{M}_]*[\p{L}\p{M}_])[\p{L}\p{N}\p{M}_]+/gu

export const hashtagsIn = (text: string): string[] => text.match(hashtag) ?? []

/** The number of hashtags against a platform's limit. */
export const checkHashtags = ({ rules }: PlatformDefinition, text: string): Finding[] => {
  if (rules.hashtags === undefined) return []
  const [used, { max }] = [hashtagsIn(text).length, rules.hashtags]
  if (used <= max) return []
  return [{ code: 'hashtag_limit', message: `${used}/${max} hashtags`, next: `Remove ${used - max} of them.` }]
}
