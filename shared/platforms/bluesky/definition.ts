import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { graphemes, limitedText, utf8Bytes, utf16Units } from '../../text/counting.ts'
import { languageTag } from '../../text/language-tag.ts'
import { notBlank } from '../../text/not-blank.ts'
import { webUrl } from '../../text/web-url.ts'
import { minuteMs } from '../../time.ts'
import type { OtherRule, PlatformDefinition } from '../definition.ts'
import { captionsField, captionsFiles, captionsNeedVideo } from '../rules/captions.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'

/** The block `metadata.bluesky`; unknown keys are preserved. */
export const BlueskyMetadata = z.looseObject({
  langs: described(
    z.optional(z.array(languageTag).check(z.minLength(1), z.maxLength(3))),
    'The languages of the text: 1 to 3 BCP 47 tags, such as `en` or `pt-BR`. Feeds filter by them. Absent: not set.',
  ),
  captions: captionsField(20),
  // The lexicon has no limit for the texts of a card; these are limits of this service.
  external: described(
    z.optional(
      z.looseObject({
        url: described(webUrl, 'The URL that the card leads to.'),
        title: described(
          limitedText(300, utf16Units).check(notBlank),
          'The title of the card, at most 300 characters.',
        ),
        description: described(
          z.optional(limitedText(1000, utf16Units).check(notBlank)),
          'The text of the card, at most 1,000 characters.',
        ),
        thumbMediaAssetId: described(
          z.optional(z.string()),
          'The ID of the image of the card, `med_…`. It is converted to 1 MB where needed.',
        ),
      }),
    ),
    'A link card, in a post without media. The service does not fetch the page. In a thread, the first post has it.',
  ),
  quoteUri: described(
    z.optional(
      z.string().check(
        z.regex(/^at:\/\/[a-z\d.:%_-]{3,2048}\/app\.bsky\.feed\.post\/[a-z\d._~:-]{1,512}$/i, {
          error: 'must be the URI of a post, at://…/app.bsky.feed.post/…',
        }),
      ),
    ),
    'The post to quote: its URI, `at://did:plc:…/app.bsky.feed.post/…`. In a thread, the first post quotes it.',
  ),
  replyGate: described(
    z.optional(z.array(z.enum(['mentioned', 'followers', 'following'])).check(z.maxLength(3))),
    'Who can reply: accounts that the post mentions, followers of the account, or accounts that it follows. An empty list: no one. Everyone by default. In a thread, it is set at the first post, for all of them.',
  ),
  disableQuotes: described(
    z.optional(z.boolean()),
    'Whether to turn off quotes of the post. False by default. In a thread, it applies to each post.',
  ),
  labels: described(
    z.optional(z.array(z.enum(['sexual', 'nudity', 'porn', 'graphic-media'])).check(z.minLength(1), z.maxLength(4))),
    'What readers are warned of: suggestive content (`sexual`), `nudity`, adult content (`porn`), or disturbing media (`graphic-media`). In a thread, each post has them.',
  ),
})
export type BlueskyMetadata = z.infer<typeof BlueskyMetadata>

const common = { autocomplete: 'off', maxLength: 300 } as const

const invalid = metadataFinding('bluesky')

const cardWithoutMedia: OtherRule = {
  says: 'A post with a link card has no media.',
  source: 'lexicon app.bsky.feed.post, embed, 2026-08-20',
  readsMetadata: true,
  check({ metadata, media }) {
    if (media.length === 0 || BlueskyMetadata.parse(metadata ?? {}).external === undefined) return []
    return [
      invalid(
        'external',
        'a post with a link card cannot have media',
        'Remove the media, or leave out metadata.bluesky.external.',
      ),
    ]
  },
}

/** Bluesky's rules; 300 graphemes and the bytes of the lexicon apply together. */
export const definition = {
  id: 'bluesky',
  name: 'Bluesky',
  api: { version: null, endsOn: null, source: 'AT Protocol, XRPC and Lexicon: methods have no version, 2026-08-20' },
  // The same as BlueskyLogin (login.ts), for the form on our pages: code that reads the rules does not load that schema.
  postsAt: ['bsky.app'],
  connect: {
    fields: [
      { ...common, name: 'identifier', label: 'Handle', type: 'text', hint: 'For example ann.bsky.social' },
      {
        ...common,
        name: 'appPassword',
        label: 'App password',
        type: 'password',
        hint: 'Create one at Bluesky, under Settings, Privacy and security. It is not stored.',
      },
      {
        ...common,
        name: 'service',
        label: 'Server (PDS)',
        type: 'text',
        optional: true,
        hint: 'Leave it empty if your account is at bsky.social.',
      },
    ],
  },
  concurrency: 50,
  threads: { source: 'lexicon app.bsky.feed.post, replyRef, 2026-08-20' },
  comment: { source: 'a post that replies; lexicon app.bsky.feed.post, replyRef, 2026-08-20' },
  rules: {
    measures: [
      {
        max: 300,
        unit: 'characters',
        counting: 'graphemes',
        count: graphemes,
        source: 'lexicon app.bsky.feed.post, maxGraphemes, 2026-08-20',
      },
      {
        max: 3000,
        unit: 'bytes',
        counting: 'bytes in UTF-8',
        count: utf8Bytes,
        source: 'lexicon app.bsky.feed.post, maxLength, 2026-08-20',
      },
    ],
    media: [
      {
        min: 0,
        // The schema accepts 20 and asks clients for a soft limit of 10.
        max: 10,
        image: {
          max: 10,
          types: imageTypes,
          maxBytes: maxImageBytes,
          // The app shows images as JPEG, and uploads GIFs as videos (bluesky-social/social-app, issues 6697 and 6837, read
          // 2026-11-29).
          showsStill: true,
          // The newest lexicon accepts 2,000,000 bytes, servers before 2026 half of it: the limit that every server accepts.
          sent: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], maxBytes: 1_000_000 },
        },
        // A .mov is no mp4 to Bluesky.
        video: {
          max: 1,
          types: videoTypes,
          maxBytes: 300_000_000,
          sentVideo: { container: 'mp4' },
          // The lexicon names no length, the app does.
          advised: { maxDurationMs: 3 * minuteMs },
        },
        mixed: false,
        source:
          'lexicons app.bsky.embed.images, gallery, and video, 2026-08-20; release notes of 1.99 of the app, 2025-03',
      },
    ],
    metadata: {
      schema: BlueskyMetadata,
      required: false,
      firstOnly: ['captions', 'external', 'quoteUri', 'replyGate'],
      source:
        'lexicons app.bsky.feed.post, threadgate, postgate, app.bsky.embed.external, and com.atproto.label.defs, 2026-08-20; limits of this service',
    },
    assetFields: {
      // WebVTT of at most 20,000 bytes (lexicon app.bsky.embed.video, caption); SubRip grows by the first line of WebVTT.
      ...captionsFiles(19_990),
      'external.thumbMediaAssetId': {
        max: 1,
        types: imageTypes,
        maxBytes: maxImageBytes,
        sent: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], maxBytes: 1_000_000 },
      },
    },
    emptyText: 'with media',
    others: [cardWithoutMedia, captionsNeedVideo('bluesky', 'lexicon app.bsky.embed.video, captions, 2026-11-27')],
  },
} satisfies PlatformDefinition
