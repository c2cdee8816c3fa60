import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { graphemes, limitedText, utf8Bytes } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'
import type { OtherRule, PlatformDefinition } from '../definition.ts'

/** Relays that many clients use by default; an account can name others. */
export const defaultRelays = [
  'wss://relay.damus.io',
  'wss://nos.lol',
  'wss://relay.primal.net',
  'wss://nostr.mom',
] as const
/** Decided: each additional relay is one more connection at the time of a post. */
export const maxRelays = 10

/** The tier of an account that has a server for its media. */
export const withMediaServer = 'media server'

const eventName = z.string().check(
  z.regex(/^(?:nostr:)?(?:(?:nevent|note)1[02-9ac-hj-np-z]{50,1000}|[\da-f]{64})$/, {
    error: 'must name a post: nevent1…, note1…, or its ID of 64 hexadecimal characters',
  }),
)

/** The block `metadata.nostr`; unknown keys are preserved. */
export const NostrMetadata = z.looseObject({
  contentWarning: described(
    z.optional(limitedText(200, graphemes).check(notBlank)),
    'What readers are warned of before they see the post, at most 200 characters. In a thread, each post has it.',
  ),
  replyTo: described(
    z.optional(eventName),
    'The post to reply to: `nevent1…`, `note1…`, or its ID. One of the relays of the account, or of the link, must have it. In a thread, the first post replies.',
  ),
  quote: described(
    z.optional(eventName),
    'The post to quote: `nevent1…`, `note1…`, or its ID. A link to it is added to the text. In a thread, the first post quotes it.',
  ),
})
export type NostrMetadata = z.infer<typeof NostrMetadata>

const mediaNeedServer: OtherRule = {
  says: 'A post with media needs an account with a media server.',
  source: 'NIP-B7, Blossom media, 2026-07-22: relays keep no files',
  check({ media, tier, externalId }) {
    if (media.length === 0 || externalId === undefined || tier === withMediaServer) return []
    return [
      {
        code: 'media_count',
        field: 'mediaUrls',
        message: 'the account has no media server, and relays keep no files',
        next: 'Connect the account again with a Blossom server (`mediaServer`), or remove the media.',
      },
    ]
  },
}

/** The bytes of a text inside the JSON of an event. */
const jsonBytes = (text: string): number => utf8Bytes(JSON.stringify(text)) - 2

const common = { autocomplete: 'off', maxLength: 3000 } as const

/** The rules of relays as most are installed; a relay can have others, and has the last word. */
export const definition = {
  id: 'nostr',
  name: 'Nostr',
  api: { version: null, endsOn: null, source: 'NIP-01: messages have no version, 2026-07-22' },
  // The same as NostrLogin (login.ts), for the form on our pages: code that reads the rules does not load that schema.
  postsAt: ['njump.me'],
  connect: {
    by: 'secret key',
    fields: [
      {
        ...common,
        name: 'secretKey',
        label: 'Secret key',
        type: 'password',
        hint: 'nsec1… or 64 hexadecimal characters. It is stored encrypted, and signs your posts.',
      },
      {
        ...common,
        name: 'relays',
        label: 'Relays',
        type: 'text',
        optional: true,
        hint: `Addresses, wss://…, with commas between them. If it is empty: ${defaultRelays.join(', ')}.`,
      },
      {
        ...common,
        name: 'mediaServer',
        label: 'Media server (Blossom)',
        type: 'text',
        optional: true,
        hint: 'Keeps your images and videos, for example https://blossom.primal.net. Without one, posts have no media.',
      },
    ],
  },
  threads: { source: 'NIP-10, marked e tags, 2026-07-22' },
  comment: { source: 'a post that replies; NIP-10, marked e tags, 2026-07-22' },
  rules: {
    measures: [
      {
        max: 60_000,
        unit: 'bytes',
        counting: 'bytes in UTF-8, as JSON',
        count: jsonBytes,
        source:
          'strfry, strfry.conf, maxEventSize 65,536 for the whole event, 2026-11-27; the rest is for its tags, a limit of this service',
      },
    ],
    media: [
      {
        min: 0,
        max: 10,
        image: { max: 10, types: imageTypes, maxBytes: maxImageBytes },
        video: { max: 1, types: videoTypes, maxBytes: 100_000_000 },
        mixed: true,
        source: 'limits of this service; a media server can have others (BUD-02, 413, 2026-04-22)',
      },
    ],
    metadata: {
      schema: NostrMetadata,
      required: false,
      firstOnly: ['replyTo', 'quote'],
      source: 'NIP-10, NIP-18, and NIP-36, 2026-07-22; limits of this service',
    },
    emptyText: 'with media',
    others: [mediaNeedServer],
  },
} satisfies PlatformDefinition
