import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { documentTypes, imageTypes, kindOf, maxDocumentBytes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { limitedText, utf16Units } from '../../text/counting.ts'
import { minuteMs } from '../../time.ts'
import type { OtherRule, PlatformDefinition } from '../definition.ts'

const minVideoBytes = 75_000

const notBlank = z.refine<string>((text) => text.trim() !== '', { error: 'must not be empty' })

/** The block `metadata.linkedin`, optional; other keys are kept. */
export const LinkedInMetadata = z.looseObject({
  documentTitle: described(
    z.optional(limitedText(100, utf16Units).check(notBlank)),
    'The title of the document, at most 100 characters. A post with a document needs it.',
  ),
})
export type LinkedInMetadata = z.infer<typeof LinkedInMetadata>

export const metadataOf = (metadata: unknown): LinkedInMetadata => LinkedInMetadata.parse(metadata ?? {})

const titledDocument: OtherRule = {
  says: 'A post with a document has a title of the document, and no other post has one.',
  source: 'Posts and Documents API, version 202607',
  check({ metadata, media }) {
    const { documentTitle } = metadataOf(metadata)
    const isDocument = media.some(({ mimeType }) => kindOf(mimeType) === 'document')
    if (isDocument === (documentTitle !== undefined)) return []
    const field = 'metadata.linkedin.documentTitle'
    return isDocument
      ? [{ code: 'metadata_required', field, message: `"${field}" is missing.`, next: 'Send a title of the document.' }]
      : [
          {
            code: 'metadata_invalid',
            field,
            message: `"${field}" is set, and the post has no document.`,
            next: `Attach a document, or remove "${field}".`,
          },
        ]
  },
}

/** LinkedIn's rules: 3,000 characters, and the limits of its API for images, videos, and documents. */
export const definition = {
  id: 'linkedin',
  name: 'LinkedIn',
  hosts: { auth: 'https://www.linkedin.com', token: 'https://www.linkedin.com', api: 'https://api.linkedin.com' },
  connect: 'oauth',
  rules: {
    measures: [
      // LinkedIn does not say what it counts: the strictest count is always accepted.
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
          sent: {
            types: ['image/jpeg', 'image/png', 'image/gif'],
            // LinkedIn names no limit of bytes; others keep to this one.
            maxBytes: 8_000_000,
            // Less than 36,152,320 pixels.
            maxWidth: 6000,
            maxHeight: 6000,
          },
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
        // LinkedIn takes 300 pages: it counts them itself.
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
    emptyText: 'never',
    others: [
      titledDocument,
      {
        says: 'A video has at least 75 kB.',
        source: 'Videos API, version 202607',
        check: ({ media }) =>
          media
            .filter(({ mimeType, fileSize }) => mimeType.startsWith('video/') && fileSize < minVideoBytes)
            .map(({ originalFilename, fileSize }) => ({
              code: 'media_size',
              message: `${originalFilename} has ${fileSize} bytes`,
              next: `Attach a video of at least ${minVideoBytes} bytes.`,
            })),
      },
    ],
  },
} satisfies PlatformDefinition
