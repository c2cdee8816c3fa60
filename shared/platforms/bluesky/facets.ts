import { utf8Bytes } from '../counting.ts'
import type { Mark } from './marks.ts'

/** A mark as the record carries it: its place in UTF-8 bytes, and what it means. */
export interface Facet {
  index: { byteStart: number; byteEnd: number }
  features: [Readonly<Record<string, string>>]
}

const type = 'app.bsky.richtext.facet'

const featureOf = (mark: Mark, didOf: (handle: string) => string | undefined) => {
  if (mark.kind === 'link') return { $type: `${type}#link`, uri: mark.uri }
  if (mark.kind === 'tag') return { $type: `${type}#tag`, tag: mark.tag }
  const did = didOf(mark.handle)
  return did === undefined ? undefined : { $type: `${type}#mention`, did }
}

/** The facets of a text from its marks in order; a mention of an unknown handle stays plain text. */
export const buildFacets = (
  text: string,
  marks: readonly Mark[],
  didOf: (handle: string) => string | undefined,
): Facet[] => {
  let [at, bytes] = [0, 0]
  const bytesTo = (end: number) => {
    bytes += utf8Bytes(text.slice(at, end))
    at = end
    return bytes
  }
  return marks.flatMap((mark): Facet[] => {
    const index = { byteStart: bytesTo(mark.start), byteEnd: bytesTo(mark.end) }
    const feature = featureOf(mark, didOf)
    return feature === undefined ? [] : [{ index, features: [feature] }]
  })
}
