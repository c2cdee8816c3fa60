import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxCaptionsBytes, maxImageBytes, maxVideoBytes, videoTypes } from '../../media/types.ts'
import { codePoints, limitedText, utf8Bytes, utf16Units } from '../../text/counting.ts'
import { languageTag } from '../../text/language-tag.ts'
import { hourMs } from '../../time.ts'
import type { PlatformDefinition } from '../definition.ts'
import { captionsField, captionsFiles } from '../rules/captions.ts'

export const maxTitle = 100
const maxDescription = 5000
const maxTags = 500

const brackets = /[<>]/

/** YouTube counts the commas between tags, and quotation marks around one with a space. */
const tagCharacters = (tags: readonly string[]): number =>
  tags.reduce((sum, tag) => sum + codePoints(tag) + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1))

/**
 * The block `metadata.youtube`, optional. Decided: the fields other than the title have YouTube's names, and its defaults
 * make the video public.
 */
export const YouTubeMetadata = z.looseObject({
  title: described(
    z.optional(
      limitedText(maxTitle, codePoints).check(
        z.refine((title) => title.trim() !== '', {
          error: 'must not be empty. Leave it out to use the first line of the text',
        }),
        z.refine((title) => !brackets.test(title), { error: 'must not contain < or >' }),
      ),
    ),
    'The title of the video, at most 100 characters. By default the first line of `content`.',
  ),
  privacyStatus: described(
    z.optional(z.enum(['public', 'unlisted', 'private'])),
    'Who can see the video. `public` by default.',
  ),
  tags: described(
    z.optional(
      z.array(z.string().check(z.minLength(1))).check(
        z.refine((tags) => tagCharacters(tags) <= maxTags, {
          error: ({ input }) => `has ${tagCharacters(input as string[])}/${maxTags} characters`,
        }),
      ),
    ),
    'The tags of the video, at most 500 characters together.',
  ),
  categoryId: described(
    z.optional(z.string().check(z.regex(/^\d{1,3}$/, { error: 'must be the number of a category, as a string' }))),
    'The number of a YouTube category, as a string.',
  ),
  madeForKids: described(z.optional(z.boolean()), 'Whether the video is made for children. False by default.'),
  containsSyntheticMedia: described(
    z.optional(z.boolean()),
    'Whether the video has realistic scenes that AI made or altered: YouTube labels it. Absent: not set.',
  ),
  hasPaidProductPlacement: described(
    z.optional(z.boolean()),
    'Whether the video contains paid product placements, sponsorships, or endorsements: YouTube labels it. Absent: not set.',
  ),
  defaultLanguage: described(
    z.optional(languageTag),
    'The language of the title and the text: a BCP 47 tag, such as `en` or `pt-BR`. Absent: not set.',
  ),
  thumbnailMediaAssetId: described(
    z.optional(z.string()),
    'The ID of the image, `med_…`, that is the thumbnail. YouTube takes it from verified channels only.',
  ),
  captions: captionsField(5),
  playlistId: described(
    z.optional(
      z
        .string()
        .check(z.regex(/^[\w-]{10,64}$/, { error: 'must be the ID of a playlist, as its URL has it after list=' })),
    ),
    'The ID of a playlist of the channel. The video is added at its end: what its URL has after `list=`.',
  ),
  notifySubscribers: described(z.optional(z.boolean()), 'Whether subscribers are notified. True by default.'),
})
export type YouTubeMetadata = z.infer<typeof YouTubeMetadata>

/** YouTube's rules: 5,000 characters, and the 5,000 bytes that YouTube accepts. */
export const definition = {
  id: 'youtube',
  name: 'YouTube',
  api: { version: 'v3', endsOn: null, source: 'YouTube Data API v3, videos.insert, 2026-11-03' },
  hosts: {
    auth: 'https://accounts.google.com',
    token: 'https://oauth2.googleapis.com',
    api: 'https://www.googleapis.com',
  },
  postsAt: ['youtube.com'],
  connect: 'oauth',
  comment: {
    measures: [
      {
        max: 10_000,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'what YouTube takes by hand; commentThreads.insert, 2026-11-26, names no limit',
      },
    ],
    except: [
      { when: { privacyStatus: ['private'] }, says: 'Private videos on YouTube take no comments.' },
      { when: { madeForKids: ['true'] }, says: 'Videos made for kids on YouTube take no comments.' },
    ],
    source: 'YouTube Data API v3, commentThreads.insert, 2026-11-26; YouTube Help, Comments on your videos',
  },
  generated: { forbidden: /[<>]/g, maxTitle: 100, metadata: (title) => ({ title }) },
  rules: {
    measures: [
      {
        max: maxDescription,
        unit: 'characters',
        counting: 'code points',
        count: codePoints,
        source: 'limit of this service',
      },
      {
        max: maxDescription,
        unit: 'bytes',
        counting: 'bytes in UTF-8',
        count: utf8Bytes,
        source: 'YouTube Data API v3, discovery document, snippet.description, 2026',
      },
    ],
    media: [
      {
        min: 1,
        max: 1,
        video: {
          max: 1,
          types: videoTypes,
          // YouTube accepts 256 GB; the service itself less.
          maxBytes: maxVideoBytes,
          maxDurationMs: 12 * hourMs,
        },
        mixed: false,
        source: 'YouTube Data API v3, videos.insert, 2026-11-03',
      },
    ],
    metadata: {
      schema: YouTubeMetadata,
      required: false,
      source: 'fields of this service; videos.insert, 2026-11-03',
    },
    assetFields: {
      // YouTube Data API v3, captions.insert, 2026-11-27: 100 MB; the service itself less. The number of tracks is a limit of this service.
      ...captionsFiles(maxCaptionsBytes),
      // YouTube Data API v3, thumbnails.set: 50 MB since 2026-09-14 (read 2026-11-28).
      thumbnailMediaAssetId: {
        max: 1,
        types: imageTypes,
        maxBytes: maxImageBytes,
        sent: { types: ['image/jpeg', 'image/png'], maxBytes: 50_000_000 },
      },
    },
    emptyText: 'with media',
    others: [
      {
        says: 'The text must not contain < or >.',
        source: 'YouTube Data API v3, videos resource, 2026',
        readsText: true,
        check: ({ text }) =>
          brackets.test(text)
            ? [{ code: 'content_invalid', message: 'the text contains < or >', next: 'Remove < and > from the text.' }]
            : [],
      },
    ],
  },
} satisfies PlatformDefinition
