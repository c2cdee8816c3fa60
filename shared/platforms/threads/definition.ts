import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import type { OtherRule, PlatformDefinition } from '../definition.ts'
import { linksIn } from '../graph/links.ts'
import { bareLinksIn } from './bare-links.ts'
import { threadsLength } from './count.ts'

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
