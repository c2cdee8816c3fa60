import { asciiHostsIn } from './ascii-hosts.ts'
import { type Label, labelsOf } from './domains.ts'
import { invalid, outsideHosts, query } from './letters.ts'
import { tailOf } from './link-tail.ts'
import { punycodeLength } from './punycode.ts'

/** A range of a text that X replaces with its short link, in UTF-16 units. */
interface Link {
  start: number
  length: number
}

const hostRun = new RegExp(`[^${outsideHosts}]+`, 'g')
const scheme = /https?:\/\/$/i
const isBefore = new RegExp(`[^A-Za-z0-9@＠$#＃${invalid}]`)
const isBeforeBareHost = /[^-_./]/
const isPrintable = /^[\x20-\x7e]*$/
const isSeparator = (letter: string) => letter === '.' || letter === '-' || letter === '_'
const shortLink = new RegExp(String.raw`^https?:\/\/t\.co\/([a-z0-9]+)(?:${query})?`, 'i')

const maxLinkLength = 4096
const maxLabelLength = 63
const maxSlugLength = 40

const kindOf = (label: string) => {
  const isLabel = label !== '' && !isSeparator(label.charAt(0)) && !isSeparator(label.charAt(label.length - 1))
  return { isLabel, isName: isLabel && !label.includes('_') }
}

/** X's own, light reading of RFC 3490. */
const isHost = (host: string): boolean =>
  (host.length <= maxLabelLength && isPrintable.test(host)) ||
  (!(host.startsWith('xn--') && asciiHostsIn(host).length === 0) &&
    host.split('.').every(
      (label) =>
        // These signs part labels as well, in IDNA.
        label.split(/[\u3002\uFF0E\uFF61]/).reduce((sum, part) => sum + 1 + punycodeLength(part, maxLabelLength), -1) <=
        maxLabelLength,
    ))

/** A host name with what follows it, as found; the scheme is its length in UTF-16 units, 0 for none. */
interface Candidate {
  start: number
  scheme: number
  host: string
  end: number
  hasPath: boolean
}

const isLink = ({ start, scheme: length, host, end }: Candidate): boolean =>
  (length === 0 ? 'https://'.length : length) + end - start <= maxLinkLength && isHost(host)

const withScheme = (text: string, { start, end }: Candidate): Link[] => {
  const [short, slug = ''] = shortLink.exec(text.slice(start, end)) ?? []
  if (slug.length > maxSlugLength) return []
  return [{ start, length: short === undefined ? end - start : short.length }]
}

/** Without a scheme, X links each host name of Latin letters that it finds in the name; the rest belongs to the last. */
const withoutScheme = (text: string, { start, host, end, hasPath }: Candidate): Link[] => {
  if (start > 0 && !isBeforeBareHost.test(text.charAt(start - 1))) return []
  let reached = 0
  const links = asciiHostsIn(host).map((name): Link => {
    const at = host.indexOf(name, reached)
    reached = at + name.length
    return { start: start + at, length: name.length }
  })
  const last = links.at(-1)
  if (last && hasPath) last.length += end - start - host.length
  return links
}

/** Where in a label a host name with a top-level domain begins, and where that domain ends. */
const startIn = (text: string, { start, dot, later, own }: Label, reached: number) => {
  if (dot === start || isSeparator(text.charAt(dot - 1))) return undefined
  const underscore = later === -1 ? text.slice(start, dot).lastIndexOf('_') + start : -1
  const endAt = (at: number): number => {
    if (at >= dot || isSeparator(text.charAt(at))) return -1
    if (at > 0 && (at <= reached || !isBefore.test(text.charAt(at - 1)))) return -1
    return later === -1 && at > underscore ? own : later
  }
  // At the start of a text its first letter is tried as the sign before a host name first.
  const offsets = start === 0 ? [1, 0] : []
  for (const at of offsets) if (endAt(at) !== -1) return { start: at, end: endAt(at) }
  for (let at = Math.max(start, reached + 1); at < dot; at += 1) {
    const end = endAt(at)
    if (end !== -1) return { start: at, end }
  }
  return undefined
}

/** The length of the scheme that ends at a position, if a link may begin with it; otherwise 0. */
const schemeBefore = (text: string, at: number, reached: number): number => {
  const [prefix] = scheme.exec(text.slice(Math.max(0, at - 'https://'.length), at)) ?? []
  if (prefix === undefined) return 0
  const start = at - prefix.length
  return start === 0 || (start > reached && isBefore.test(text.charAt(start - 1))) ? prefix.length : 0
}

/**
 * The links that X shortens in a text in NFC, in order: what `extractUrlsWithIndices` of twitter-text 3.1.0 finds, in time
 * that is linear in the text.
 */
export const linksOf = (text: string): Link[] => {
  const links: Link[] = []
  let reached = 0
  const take = (start: number, length: number, hostEnd: number) => {
    const candidate = { start, scheme: length, host: text.slice(start + length, hostEnd), ...tailOf(text, hostEnd) }
    reached = candidate.end
    if (isLink(candidate)) links.push(...(length > 0 ? withScheme(text, candidate) : withoutScheme(text, candidate)))
  }
  for (const { 0: run, index } of text.matchAll(hostRun)) {
    if (!run.includes('.')) continue
    for (const label of labelsOf(text, run, index, kindOf)) {
      if (label.dot < reached) continue
      const length = label.start === index ? schemeBefore(text, index, reached) : 0
      const whole = label.later === -1 && label.isName ? label.own : label.later
      if (length > 0 && label.isLabel && whole !== -1) take(index - length, length, whole)
      else {
        const host = startIn(text, label, reached)
        if (host) take(host.start, 0, host.end)
      }
    }
  }
  return links
}
