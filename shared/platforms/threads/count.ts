import { graphemesIn } from '../../text/graphemes.ts'
import { codePoints, utf8Bytes } from '../counting.ts'

/** Images, flags, and digits in a box. */
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u

/**
 * What Threads counts: an emoji is as long as its bytes in UTF-8 (Threads API, Posts, 2026-04-14). Products in use
 * count it as one; this never lets pass what Threads refuses.
 */
export const threadsLength = (text: string): number => {
  let length = 0
  for (const { segment } of graphemesIn(text)) length += emoji.test(segment) ? utf8Bytes(segment) : codePoints(segment)
  return length
}
