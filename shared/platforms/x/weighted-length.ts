import twemoji from 'twemoji-parser/dist/lib/regex.js'
import { normalized } from '../../text/counting.ts'
import { linksOf } from './links.ts'

/**
 * What X counts as an emoji: everything that this expression matches, including two joined ones (X, Counting characters,
 * 2026).
 */
const emoji = twemoji instanceof RegExp ? twemoji : twemoji.default

const [linkWeight, emojiWeight] = [23, 2]

/** The weight of a code point: 1 in the ranges of configuration 3 of twitter-text, 2 elsewhere. */
const weightOf = (point: number): number =>
  point <= 4351 ||
  (point >= 8192 && point <= 8205) ||
  (point >= 8208 && point <= 8223) ||
  (point >= 8242 && point <= 8247)
    ? 1
    : 2

/**
 * The weighted length of a text as twitter-text 3.1.0 counts it: a link 23, an emoji with all its joiners 2, CJK 2 each (X,
 * Counting characters, 2026). The work is linear in the length of the text.
 */
export const weightedLength = (text: string): number => {
  const composed = normalized(text)
  const [links, emojis] = [linksOf(composed).values(), composed.matchAll(emoji)]
  let [link, face] = [links.next().value, emojis.next().value]
  let weight = 0
  for (let at = 0; at < composed.length; ) {
    while (link && link.start < at) link = links.next().value
    while (face && face.index < at) face = emojis.next().value
    const point = composed.codePointAt(at) ?? 0
    if (link?.start === at) {
      weight += linkWeight
      at += link.length
    } else if (face?.index === at) {
      weight += emojiWeight
      at += face[0].length
    } else {
      weight += weightOf(point)
      at += point > 0xffff ? 2 : 1
    }
  }
  return weight
}
