import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { imageTypes, maxImageBytes, maxVideoBytes, videoTypes } from '../../media/types.ts'
import { codePoints, limitedText } from '../../text/counting.ts'
import { webUrl } from '../../text/web-url.ts'
import { minuteMs } from '../../time.ts'
import type { FileRule, OtherRule, PlatformDefinition } from '../definition.ts'

const maxDescription = 800
const apiSource = 'pinterest/api-description 5.23.0, PinCreate, 2025-12-11'

/** What a Pin can be, other than one image. */
const formats = ['video', 'carousel'] as const

/** The block `metadata.pinterest`; unknown keys are preserved. */
export const PinterestMetadata = z.looseObject({
  boardId: described(
    z.string().check(z.regex(/^\d+$/, { error: 'must be the id of a board, in digits' })),
    'The ID of the board to pin to. `GET /api/social-accounts/pinterest/boards` lists them.',
  ),
  title: described(limitedText(100, codePoints), 'The title of the Pin, at most 100 characters.'),
  description: described(
    limitedText(maxDescription, codePoints),
    'The description of the Pin, at most 800 characters. It replaces `content`.',
  ),
  boardSectionId: described(
    z.optional(z.string().check(z.regex(/^\d+$/, { error: 'must be the id of a section, in digits' }))),
    'The ID of a section of the board.',
  ),
  boardName: described(
    z.optional(z.string()),
    'The name of the board, for your own use. The service keeps it and does not send it.',
  ),
  link: described(z.optional(webUrl), 'The URL that the Pin leads to.'),
  format: described(
    z.optional(z.enum(formats)),
    'What the Pin is: `video` for one video, `carousel` for 2 to 5 images. Absent: one image.',
  ),
  coverMediaAssetId: described(z.optional(z.string()), 'The ID of the image, `med_…`, that is the cover of a video.'),
  coverImageKeyFrameTime: described(
    z.optional(z.int().check(z.nonnegative())),
    'The time of the frame that becomes the cover of a video, in seconds, where it has no image. 0 by default.',
  ),
})
export type PinterestMetadata = z.infer<typeof PinterestMetadata>

const carouselSource = 'Pinterest Help, carousels, 2026-11-21; pinterest/api-description 5.23.0, 2025-12-11'

const oneSize: OtherRule = {
  says: 'All images of a carousel have one size.',
  source: carouselSource,
  check({ metadata, media: [first, ...rest] }) {
    if (PinterestMetadata.parse(metadata).format !== 'carousel' || !first?.width || !first.height) return []
    const differs = ({ width, height }: MediaFile) =>
      (width !== undefined && width !== first.width) || (height !== undefined && height !== first.height)
    const other = rest.find(differs)
    if (other === undefined) return []
    const sizes = `${first.width} × ${first.height} and ${other.width} × ${other.height}`
    const message = `the images have different sizes: ${sizes} px`
    return [{ code: 'media_dimensions', message, next: 'Attach images of one size.' }]
  },
}

/** A cover is sent in the publishing call itself. */
const cover: FileRule = {
  max: 1,
  types: imageTypes,
  maxBytes: maxImageBytes,
  sent: { types: ['image/jpeg', 'image/png'], maxBytes: 10_000_000 },
}

/** Pinterest's rules: one image on a board, unless `format` says otherwise. */
export const definition = {
  id: 'pinterest',
  name: 'Pinterest',
  api: { version: 'v5', endsOn: null, source: 'pinterest/api-description 5.23.0, 2025-12-11' },
  hosts: {
    auth: 'https://www.pinterest.com',
    token: 'https://api.pinterest.com',
    api: 'https://api.pinterest.com',
  },
  postsAt: ['pinterest.com'],
  connect: 'oauth',
  // 10 MB per post are sent in the publishing call itself.
  publishBatch: 4,
  generated: { maxTitle: 100, metadata: (title, content) => ({ title, description: content }) },
  rules: {
    measures: [
      { max: maxDescription, unit: 'characters', counting: 'code points', count: codePoints, source: apiSource },
    ],
    textField: 'description',
    media: [
      {
        when: { format: ['video'] },
        min: 1,
        max: 1,
        video: {
          max: 1,
          types: videoTypes,
          // Pinterest accepts 2 GB, the library of this service less.
          maxBytes: maxVideoBytes,
          minDurationMs: 4_000,
          maxDurationMs: 15 * minuteMs,
          // "Shorter than 1:2 (width:height), taller than 1.91:1".
          minAspect: 0.5,
          maxAspect: 1.91,
          aspectDecimals: 2,
          advised: { codecs: ['h264', 'hevc'] },
        },
        mixed: false,
        source:
          'Pinterest Help, video Pins, 2026-11-21, and Pinterest product specs, 2026-11-29; limit of this service: 1 GiB',
      },
      {
        when: { format: ['carousel'] },
        min: 2,
        max: 5,
        image: {
          max: 5,
          types: imageTypes,
          maxBytes: maxImageBytes,
          sent: { types: ['image/jpeg', 'image/png'], maxBytes: 20_000_000 },
        },
        mixed: false,
        source: carouselSource,
      },
      {
        min: 1,
        max: 1,
        image: {
          max: 1,
          types: imageTypes,
          maxBytes: maxImageBytes,
          sent: { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], maxBytes: 20_000_000 },
        },
        mixed: false,
        source: 'limit of this service: exactly one image; Pinterest Help, 20 MB, 2026-11-21',
      },
    ],
    metadata: {
      schema: PinterestMetadata,
      required: true,
      example: { boardId: '549755885175', title: 'Sourdough', description: 'Baked this morning' },
      source: `fields of this service; ${apiSource}`,
    },
    assetFields: { coverMediaAssetId: cover },
    // The image is the Pin.
    emptyText: 'with media',
    others: [oneSize],
  },
} satisfies PlatformDefinition
