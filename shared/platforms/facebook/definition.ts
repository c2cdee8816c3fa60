import { imageTypes, maxImageBytes } from '../../media/types.ts'
import { utf16Units } from '../../text/counting.ts'
import type { OtherRule, PlatformDefinition } from '../definition.ts'
import { linksIn } from '../links.ts'

const oneLink: OtherRule = {
  says: 'At most one link.',
  source: 'limit of this service',
  readsText: true,
  check({ text }) {
    const used = linksIn(text).length
    if (used <= 1) return []
    return [{ code: 'link_limit', message: `${used}/1 links`, next: `Remove ${used - 1} of them.` }]
  },
}

/** The rules of Facebook Pages: the limits of this service (text, one link, photos only), and Meta's for photos. */
export const definition = {
  id: 'facebook',
  name: 'Facebook',
  hosts: {
    auth: 'https://www.facebook.com',
    token: 'https://graph.facebook.com',
    api: 'https://graph.facebook.com',
  },
  connect: 'oauth',
  rules: {
    measures: [
      {
        max: 63_206,
        unit: 'characters',
        // Facebook does not say what it counts: the strictest count is always accepted.
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'limit of this service; Graph API v25.0, Page feed, 2026',
      },
    ],
    media: [
      {
        min: 0,
        max: 10,
        image: {
          max: 10,
          types: imageTypes,
          maxBytes: maxImageBytes,
          // The documents say 10 MB; above 4 MB photos are refused (error 1366046).
          sent: { types: ['image/jpeg', 'image/png'], maxBytes: 4_000_000 },
        },
        mixed: false,
        source: 'limit of this service; Graph API v25.0, Page photos, 2026',
      },
    ],
    emptyText: 'with media',
    others: [oneLink],
  },
} satisfies PlatformDefinition
