import type { ImageFormat } from '../../media/image-formats.ts'
import { documentTypes, imageTypes, maxDocumentBytes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { counted, utf16Units } from '../../text/counting.ts'
import { minuteMs } from '../../time.ts'
import type { PlatformDefinition } from '../definition.ts'
import { LinkedInMetadata, mentionsInText, oneContent, pagesArePublic, titledDocument } from './metadata.ts'

const minVideoBytes = 75_000

const sentImage: ImageFormat = {
  types: ['image/jpeg', 'image/png', 'image/gif'],
  // LinkedIn names no limit of bytes; others keep to this one.
  maxBytes: 8_000_000,
  // Less than 36,152,320 pixels.
  maxWidth: 6000,
  maxHeight: 6000,
}

/** LinkedIn's rules: 3,000 characters, and the limits of its API for images, videos, and documents. */
export const definition = {
  id: 'linkedin',
  name: 'LinkedIn',
  // The day of the sunset is announced later; that of 202603 is 2027-03-16.
  api: {
    version: '202607',
    endsOn: '2027-07-01',
    source: 'LinkedIn, Marketing API versioning: a month is answered for a year at least, 2026-03',
  },
  hosts: { auth: 'https://www.linkedin.com', token: 'https://www.linkedin.com', api: 'https://api.linkedin.com' },
  postsAt: ['linkedin.com'],
  connect: 'oauth',
  comment: {
    measures: [
      {
        max: 1250,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'what LinkedIn takes by hand; the Comments API, version 202607, names no limit',
      },
    ],
    source: 'Comments API, version 202607',
  },
  rules: {
    measures: [
      // LinkedIn does not document what it counts: the strictest count is always accepted.
      {
        max: 3000,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'Posts API, commentary, version 202607',
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
          maxFrames: 250,
          sent: sentImage,
        },
        video: {
          max: 1,
          types: videoTypes,
          sentVideo: { container: 'mp4' },
          maxBytes: 500_000_000,
          minDurationMs: 3_000,
          maxDurationMs: 30 * minuteMs,
          minAspect: 1 / 2.4,
          maxAspect: 2.4,
          advised: { minFramesPerSecond: 10, maxFramesPerSecond: 60, maxVideoBitsPerSecond: 30_000_000 },
        },
        // LinkedIn accepts 300 pages, and counts them itself.
        document: { max: 1, types: documentTypes, maxBytes: maxDocumentBytes },
        mixed: false,
        source: 'MultiImage, Images, Videos, and Documents API, version 202607; LinkedIn Help, Video specifications',
      },
    ],
    metadata: {
      schema: LinkedInMetadata,
      required: false,
      source: 'fields of this service; Posts API, version 202607',
    },
    assetFields: {
      'article.thumbnailMediaAssetId': { max: 1, types: imageTypes, maxBytes: maxImageBytes, sent: sentImage },
    },
    emptyText: 'never',
    others: [
      titledDocument,
      oneContent,
      mentionsInText,
      pagesArePublic,
      {
        says: 'A video has at least 75 kB.',
        source: 'Videos API, version 202607',
        check: ({ media }) =>
          media
            .filter(({ mimeType, fileSize }) => mimeType.startsWith('video/') && fileSize < minVideoBytes)
            .map(({ originalFilename, fileSize }) => ({
              code: 'media_size',
              message: `${originalFilename} has ${counted(fileSize, 'byte')}`,
              next: `Attach a video of at least ${minVideoBytes} bytes.`,
            })),
      },
    ],
  },
} satisfies PlatformDefinition
