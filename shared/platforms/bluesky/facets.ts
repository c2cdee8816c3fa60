import tlds from 'tlds' with { type: 'json' }
import { graphemes, utf8Bytes } from '../../text/counting.ts'
import { trimLink } from '../links.ts'

/** A range of a text, in UTF-16 units, with a special meaning. */
type Mark = { start: number; end: number } & (
  | { kind: 'link'; uri: string }
  | { kind: 'mention'; handle: string }
  | { kind: 'tag'; tag: string }
)

const link = /(?<=^|[\s(])https?:\/\/\S+/giu
const bareLink = /(?<=^|[\s(])(?:[a-z0-9][a-z0-9-]*\.)+([a-z]{2,})(?::\d{1,5})?(?:[/?#]\S*)?(?!\.?[\p{L}\p{N}_@-])/giu
const mention = /(?<=^|[\s(])@([a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+)/giu
// The keycap emoji begins with the same sign; an invisible character ends a tag.
const tag = /(?<=^|\s)[#＃](?!\ufe0f)([^\s\u00ad\u2060\u200b-\u200d]+)/gu

// The official client links each name that ends with a top-level domain (@atproto/api, rich-text/detection).
const topLevelDomains = new Set(tlds)

const linkMark = (start: number, match: string, scheme: string): Mark[] => {
  const text = trimLink(match)
  const uri = scheme + text
  return URL.canParse(uri) ? [{ kind: 'link', start, end: start + text.length, uri }] : []
}

const isHandle = (text: string) =>
  text.length <= 253 &&
  text.split('.').every((label) => label.length <= 63 && !label.endsWith('-')) &&
  /\.[a-z][a-z0-9-]*$/i.test(text)

const isPunctuation = (letter: string) => /^\p{P}$/u.test(letter)

/** Without trailing punctuation; characters beyond 16 bits are compared as whole code points. */
const trimTag = (match: string): string => {
  let end = match.length
  for (;;) {
    const units = (match.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1
    if (end === 0 || !isPunctuation(match.slice(Math.max(0, end - units), end))) return match.slice(0, end)
    end -= units
  }
}

const tagMark = (start: number, match: string): Mark[] => {
  const text = trimTag(match)
  if (!/[^\d\p{P}]/u.test(text) || graphemes(text) > 64) return []
  return [{ kind: 'tag', start, end: start + 1 + text.length, tag: text }]
}

/** Links, mentions and tags of a text in their order; none overlaps another (Bluesky, Links mentions and rich text). */
export const findMarks = (text: string): Mark[] => {
  const marks = [
    ...[...text.matchAll(link)].flatMap(({ 0: match, index }) => linkMark(index, match, '')),
    ...[...text.matchAll(bareLink)].flatMap(({ 0: match, 1: domain = '', index }) =>
      topLevelDomains.has(domain.toLowerCase()) ? linkMark(index, match, 'https://') : [],
    ),
    ...[...text.matchAll(mention)].flatMap(({ 0: match, 1: handle = '', index }): Mark[] =>
      isHandle(handle)
        ? [{ kind: 'mention', start: index, end: index + match.length, handle: handle.toLowerCase() }]
        : [],
    ),
    ...[...text.matchAll(tag)].flatMap(({ 1: match = '', index }) => tagMark(index, match)),
  ]
  let reached = 0
  return marks
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < reached) return false
      reached = end
      return true
    })
}

/** A facet as stored in the record: its position in UTF-8 bytes, and its meaning. */
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
