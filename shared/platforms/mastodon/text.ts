import { graphemes } from '../../text/counting.ts'
import { trimLink } from '../links.ts'

/** The length of every link. */
const linkLength = 23

/** A link with its scheme, unless a letter precedes it; the dot is that of a domain. */
const link = /(?<![\p{L}\p{N}@＠$#＃])https?:\/\/[^\s<>"'/?#]+\.[^\s<>"']+/giu

/** A name at another server, `@ann@a.example`. */
const mention = /(?<![=/\p{L}\p{N}_])@(\w+(?:[.-]+\w+)*)@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*/gu

/** The text with names instead of the full addresses of accounts, as Mastodon shows it. */
export const shortMentions = (text: string): string => text.replace(mention, '@$1')

/**
 * What Mastodon counts: graphemes; a link counts 23, and a mention only its name (Mastodon source, StatusLengthValidator,
 * 2026-11-26; Posting to your profile, 2026-07-02).
 */
export const mastodonLength = (text: string): number =>
  graphemes(
    shortMentions(
      text.replace(link, (match) => {
        const bare = trimLink(match)
        return 'x'.repeat(linkLength) + match.slice(bare.length)
      }),
    ),
  )

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const decoded = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{1,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

const oneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The text of a post as its HTML shows it, in one line. */
export const plainText = (html: string): string =>
  oneSpace(decoded(html.replace(/<(?:br|\/p)\b[^<>]*>/gi, ' ').replace(/<[^<>]*>/g, '')))

/** A text as Mastodon shows it, in one line. */
export const shownText = (text: string): string => oneSpace(shortMentions(text))

/** The letters and digits of a text. */
export const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether all letters of a part occur in the whole, in order. */
export const isWithin = (part: string, whole: string): boolean => {
  let at = 0
  for (const letter of whole) if (at < part.length && part.startsWith(letter, at)) at += letter.length
  return at === part.length
}
