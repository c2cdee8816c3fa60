import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { codePoints, graphemesIn, utf8Bytes } from '../../text/counting.ts'
import type { OtherRule, PlatformDefinition } from '../definition.ts'
import { linksIn, trimLink } from '../links.ts'

/** An address without its scheme: `www.`, one name or more, and what follows them. */
const bare = /^www(?:\.[\p{L}\p{N}-]+){2,}(?:[/?#:]|$)/iu

/**
 * The different addresses in a text that begin with `www.` and no scheme, in their order: Threads counts them as links
 * (Threads API, Text attachments, How links are counted, 2026-07-02). Its examples show no other bare names; those pass
 * here, and Threads has the last word. Each character is looked at a bounded number of times.
 */
export const bareLinksIn = (text: string): string[] => {
  const words = text.split(/[\s<>"']/).flatMap((word) => {
    const start = word.startsWith('(') ? 1 : 0
    return /^www\./i.test(word.slice(start, start + 4)) ? [trimLink(word.slice(start))] : []
  })
  return [...new Set(words.filter((word) => bare.test(word)))]
}

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

export const maxAltText = 1000
const maxLinks = 5

/** An address counts once, whether or not it is also there with its scheme. */
const countLinks = (text: string): number => {
  const whole = new Set(linksIn(text))
  const bare = bareLinksIn(text).filter((link) => !whole.has(`https://${link}`) && !whole.has(`http://${link}`))
  return whole.size + bare.length
}

const links: OtherRule = {
  says: `At most ${maxLinks} different links, with or without a scheme.`,
  source: 'Threads API, Text attachments, 2026-07-02',
  readsText: true,
  check({ text }) {
    const used = countLinks(text)
    if (used <= maxLinks) return []
    return [{ code: 'link_limit', message: `${used}/${maxLinks} links`, next: `Remove ${used - maxLinks} of them.` }]
  },
}

/** Threads' rules: 500 characters, and Meta's limits for media. */
export const definition = {
  id: 'threads',
  name: 'Threads',
  // A text is a container, too.
  preparesText: true,
  hosts: { auth: 'https://threads.net', token: 'https://graph.threads.net', api: 'https://graph.threads.net' },
  connect: 'oauth',
  rules: {
    measures: [
      {
        max: 500,
        unit: 'characters',
        counting: 'code points, an emoji as its bytes in UTF-8',
        count: threadsLength,
        source: 'Threads API, Posts, text, 2026-04-14',
      },
    ],
    media: [
      {
        min: 0,
        max: 20,
        image: {
          max: 20,
          types: imageTypes,
          maxBytes: maxImageBytes,
          minAspect: 0.1,
          maxAspect: 10,
          sent: { types: ['image/jpeg', 'image/png'], maxBytes: 8_000_000 },
        },
        video: {
          max: 20,
          types: videoTypes,
          maxBytes: 1_000_000_000,
          maxWidth: 1920,
          minAspect: 0.01,
          maxAspect: 10,
          maxDurationMs: 300_000,
        },
        mixed: true,
        source: 'Threads API, Posts, media specifications, 2026-04-14',
      },
    ],
    emptyText: 'with media',
    others: [links],
  },
} satisfies PlatformDefinition
