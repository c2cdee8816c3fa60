import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { minuteMs } from '../../time.ts'
import { utf16Units } from '../counting.ts'
import type { FileRule, MediaRule, PlatformDefinition } from '../definition.ts'
import { InstagramMetadata, maxCaption } from './metadata.ts'
import { others } from './other-rules.ts'

const source = 'Instagram API, Content publishing and media specifications, 2026-03; limits of this service'

/** Whatever is uploaded goes out as JPEG, the only type Instagram takes. */
const anyImage: FileRule = {
  max: 1,
  types: imageTypes,
  maxBytes: maxImageBytes,
  sent: { types: ['image/jpeg'], maxBytes: 8_000_000 },
}
/** From 4:5 to 1.91:1. */
const feedImage: FileRule = { ...anyImage, minAspect: 0.8, maxAspect: 1.91 }

const video: FileRule = {
  max: 1,
  types: videoTypes,
  maxBytes: 300_000_000,
  maxWidth: 1920,
  minAspect: 0.01,
  maxAspect: 10,
  minDurationMs: 3_000,
}
const shortVideo: FileRule = { ...video, maxDurationMs: 60_000 }
const longVideo: FileRule = { ...video, maxDurationMs: 15 * minuteMs }

const exactlyOne = { min: 1, max: 1, mixed: false, source }

/** One rule for each format. */
const media: readonly MediaRule[] = [
  { ...exactlyOne, when: { format: ['feed_image'] }, image: feedImage },
  {
    when: { format: ['carousel'] },
    min: 2,
    max: 10,
    image: { ...feedImage, max: 10 },
    video: { ...shortVideo, max: 10 },
    mixed: true,
    source,
  },
  { ...exactlyOne, when: { format: ['reel'] }, video: longVideo },
  {
    ...exactlyOne,
    when: { format: ['story'] },
    image: anyImage,
    video: { ...shortVideo, minAspect: 0.1, maxBytes: 100_000_000 },
  },
]

/** Instagram's rules: the limits of this service, and Meta's for media. */
export const definition = {
  id: 'instagram',
  name: 'Instagram',
  hosts: {
    auth: 'https://www.instagram.com',
    token: 'https://api.instagram.com',
    api: 'https://graph.instagram.com',
  },
  connect: 'oauth',
  rules: {
    measures: [
      {
        max: maxCaption,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'Instagram API, IG User Media, caption, 2026-03',
      },
    ],
    textField: 'caption',
    media,
    metadata: {
      schema: InstagramMetadata,
      required: true,
      example: { format: 'feed_image' },
      source: 'fields of this service; Instagram API, 2026-03',
    },
    assetFields: { coverMediaAssetId: anyImage },
    hashtags: { max: 5, source: 'fields of this service; Instagram, 2025-12' },
    emptyText: 'with media',
    others,
  },
} satisfies PlatformDefinition
