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

/** The facets of a text; a mention of nobody known stays plain text. */
export const buildFacets = (
  text: string,
  marks: readonly Mark[],
  didOf: (handle: string) => string | undefined,
): Facet[] =>
  marks.flatMap((mark): Facet[] => {
    const feature = featureOf(mark, didOf)
    if (feature === undefined) return []
    const byteStart = utf8Bytes(text.slice(0, mark.start))
    const byteEnd = byteStart + utf8Bytes(text.slice(mark.start, mark.end))
    return [{ index: { byteStart, byteEnd }, features: [feature] }]
  })
