import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxImageBytes, maxVideoBytes, videoTypes } from '../../media/types.ts'
import { limitedText, utf16Units } from '../../text/counting.ts'
import { minuteMs } from '../../time.ts'
import type { PlatformDefinition } from '../definition.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'

const maxTitle = 2200
const maxPhotoTitle = 90
const maxPhotos = 35

const invalid = metadataFinding('tiktok')

const privacyLevels = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'] as const

/** The block `metadata.tiktok`; unknown keys are preserved. */
export const TikTokMetadata = z.looseObject({
  // No default: TikTok requires the person to choose.
  privacyLevel: described(
    z.enum(privacyLevels),
    'Who can see the post. TikTok requires that the person chooses, so there is no default.',
  ),
  format: described(
    z.optional(z.enum(['video', 'photo'])),
    'What the post shows: one video, the default, or up to 35 photos.',
  ),
  postMode: described(
    z.optional(z.enum(['DIRECT_POST', 'MEDIA_UPLOAD'])),
    'How TikTok takes the post. `DIRECT_POST`, the default, publishes it. `MEDIA_UPLOAD` sends the video or photos to the TikTok inbox of the account, as a draft that its owner finishes in the app: this needs the scope `video.upload`, a video keeps no caption, and all other fields but `photoTitle` and `photoCoverIndex` have no effect.',
  ),
  title: described(
    z.optional(limitedText(maxTitle, utf16Units)),
    'The caption of the video, or the text of photos. It replaces `content`.',
  ),
  // Decided: off unless the author allows them. TikTok requires the person to turn each of them on (Content Sharing
  // Guidelines, 2026-11); its audit of an app checks this, and without the audit all posts stay SELF_ONLY.
  disableComment: described(z.optional(z.boolean()), 'Whether comments are off. True by default; `false` allows them.'),
  disableDuet: described(z.optional(z.boolean()), 'Whether duets are off. True by default; `false` allows them.'),
  disableStitch: described(z.optional(z.boolean()), 'Whether stitches are off. True by default; `false` allows them.'),
  videoCoverTimestampMs: described(
    z.optional(z.number().check(z.nonnegative())),
    'The time of the frame that becomes the cover, in milliseconds.',
  ),
  photoTitle: described(
    z.optional(limitedText(maxPhotoTitle, utf16Units)),
    'The title of photos, at most 90 characters. Absent: none.',
  ),
  photoCoverIndex: described(
    z.optional(z.int().check(z.nonnegative())),
    'Which photo is the cover, from 0. The first one by default.',
  ),
  brandContentToggle: described(
    z.optional(z.boolean()),
    'Whether a third party pays for the post: TikTok labels it "Paid partnership". Not with `SELF_ONLY`. False by default.',
  ),
  brandOrganicToggle: described(
    z.optional(z.boolean()),
    'Whether the post promotes a business of the author: TikTok labels it "Promotional content". False by default.',
  ),
  isAigc: described(
    z.optional(z.boolean()),
    'Whether the video was made with AI: TikTok labels it "Creator labeled as AI-generated". False by default.',
  ),
})
export type TikTokMetadata = z.infer<typeof TikTokMetadata>

export const isDraft = ({ postMode }: Pick<TikTokMetadata, 'postMode'>): boolean => postMode === 'MEDIA_UPLOAD'

/** TikTok's rules: the limits of this service, and those of its API for videos. */
export const definition = {
  id: 'tiktok',
  name: 'TikTok',
  api: { version: 'v2', endsOn: null, source: 'TikTok, Content Posting API, 2026-11' },
  hosts: {
    auth: 'https://www.tiktok.com',
    token: 'https://open.tiktokapis.com',
    api: 'https://open.tiktokapis.com',
  },
  postsAt: ['tiktok.com'],
  connect: 'oauth',
  rules: {
    measures: [
      {
        max: maxTitle,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'Content Posting API, Direct Post, title, 2026-11',
      },
      {
        when: { format: ['photo'] },
        max: 4000,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'Content Posting API, Photo, description, 2026-11',
      },
    ],
    textField: 'title',
    media: [
      {
        when: { format: ['photo'] },
        min: 1,
        max: maxPhotos,
        image: {
          max: maxPhotos,
          types: imageTypes,
          maxBytes: maxImageBytes,
          // "1080p" is TikTok's only statement about the size: this is below it in either orientation.
          sent: { types: ['image/jpeg', 'image/webp'], maxBytes: 20_000_000, maxWidth: 1080, maxHeight: 1920 },
        },
        mixed: false,
        source: 'Content Posting API, Photo; Media Transfer Guide, 2026-11',
      },
      {
        min: 1,
        max: 1,
        video: {
          max: 1,
          types: videoTypes,
          // TikTok accepts 4 GB; the service itself less.
          maxBytes: maxVideoBytes,
          minWidth: 360,
          maxWidth: 4096,
          minHeight: 360,
          maxHeight: 4096,
          maxDurationMs: 10 * minuteMs,
          codecs: ['h264', 'hevc', 'vp9', 'vp8'],
          minFramesPerSecond: 23,
          maxFramesPerSecond: 60,
        },
        mixed: false,
        source: 'limits of this service; Content Posting API, Media Transfer Guide, 2026-11',
      },
    ],
    metadata: {
      schema: TikTokMetadata,
      required: true,
      example: { privacyLevel: 'SELF_ONLY' },
      source: 'fields of this service; Content Posting API, Direct Post, post_info, 2026-11',
    },
    emptyText: 'with media',
    others: [
      {
        says: 'photoTitle and photoCoverIndex belong to photos, isAigc to a video.',
        source: 'Content Posting API, Photo and Direct Post, post_info, 2026-11',
        check({ metadata }) {
          const { format = 'video', photoTitle, photoCoverIndex, isAigc } = TikTokMetadata.parse(metadata)
          const ofPhotos = { photoTitle, photoCoverIndex }
          const wrong = Object.entries(format === 'photo' ? { isAigc: isAigc || undefined } : ofPhotos)
          return wrong.flatMap(([field, value]) =>
            value === undefined
              ? []
              : [
                  invalid(
                    field,
                    `${field} does not belong to a ${format}`,
                    `Leave out metadata.tiktok.${field}, or change metadata.tiktok.format.`,
                  ),
                ],
          )
        },
      },
      {
        says: 'photoCoverIndex names one of the photos.',
        source: 'Content Posting API, Photo, photo_cover_index, 2026-11',
        check({ metadata, media }) {
          const { format, photoCoverIndex = 0 } = TikTokMetadata.parse(metadata)
          if (format !== 'photo' || media.length === 0 || photoCoverIndex < media.length) return []
          return [
            invalid(
              'photoCoverIndex',
              `photoCoverIndex is ${photoCoverIndex}, and there are ${media.length} photos`,
              `metadata.tiktok.photoCoverIndex must be at most ${media.length - 1}.`,
            ),
          ]
        },
      },
      {
        says: 'A paid partnership cannot be SELF_ONLY.',
        source: 'Content Sharing Guidelines, commercial content disclosure, 2026-11',
        check({ metadata }) {
          const { brandContentToggle, privacyLevel } = TikTokMetadata.parse(metadata)
          if (brandContentToggle !== true || privacyLevel !== 'SELF_ONLY') return []
          return [
            invalid(
              'privacyLevel',
              'a paid partnership cannot be SELF_ONLY',
              'Choose another privacyLevel, or leave out metadata.tiktok.brandContentToggle.',
            ),
          ]
        },
      },
    ],
  },
} satisfies PlatformDefinition
