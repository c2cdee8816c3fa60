import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { oneOf } from '../http/sentence.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'
import { writtenText } from '../text/written.ts'
import { dayMs } from '../time.ts'
import { type MediaType, maxBytesOf, maxVideoBytes, mediaTypes } from './types.ts'

/** The name of a file without a path. */
export const Filename = z.string().check(
  z.minLength(1),
  z.maxLength(255),
  z.refine((name) => !/[/\\]/.test(name), { error: 'must be a plain file name, without slashes and backslashes' }),
  singleLine,
  wellFormed,
)

const FileSize = z.int().check(z.gte(1, { error: 'must be at least 1. The file is empty' }))

/** A hash of the bytes of a file. */
export const Sha256 = z
  .string()
  .check(z.regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 of 64 hexadecimal characters in lowercase' }))

/** A file type that platforms accept; programs create JPEG and PNG from any other image. */
const MimeType = z.enum(mediaTypes, {
  error: ({ input }) => {
    const rule = oneOf(input, mediaTypes)
    const isOther = typeof input === 'string' && /^image\//i.test(input) && !rule.endsWith('?')
    return isOther ? `${rule}. Save the image as JPEG or PNG` : rule
  },
})

const fitsType = z.superRefine<{ mimeType: MediaType; fileSize: number }>(({ mimeType, fileSize }, issues) => {
  const maxBytes = maxBytesOf(mimeType)
  if (fileSize <= maxBytes) return
  const message = `must be at most ${maxBytes} bytes for ${mimeType}`
  issues.addIssue({ code: 'custom', path: ['fileSize'], message, input: fileSize })
})

export const CreateUploadUrlRequest = z
  .strictObject({
    filename: described(Filename, 'The name of the file without a path, 1 to 255 characters.'),
    mimeType: described(
      MimeType,
      'The content type. The upload must be sent with the same one. The file gets the one that its bytes say.',
    ),
    fileSize: described(
      FileSize,
      'The exact size in bytes: at most 50 MB for an image, 1 GiB for a video, 100 MB for a document, 1 MB for captions.',
    ),
    sha256: described(
      z.optional(Sha256),
      'The SHA-256 of the file in lowercase hexadecimal. The upload then takes these bytes only, and the file can be found by them.',
    ),
  })
  .check(fitsType)
  .register(z.globalRegistry, {
    id: 'CreateUploadUrlRequest',
    description: 'A file that you are about to upload.',
  })

const altText = writtenText(2000)

export const AltText = described(
  z.optional(altText),
  'A text for people who cannot see the image, at most 2,000 characters. Platforms that have such texts get it.',
)

export const UpdateMediaRequest = z
  .strictObject({
    altText: described(
      z.nullable(altText),
      'A text for people who cannot see the image, at most 2,000 characters. An empty text or null removes it.',
    ),
  })
  .register(z.globalRegistry, { id: 'UpdateMediaRequest', description: 'What changes of a file.' })
export type UpdateMediaRequest = z.infer<typeof UpdateMediaRequest>

const Pixels = z.int().check(z.gte(1), z.lte(100_000))

export const CompleteUploadRequest = z
  .strictObject({
    storageKey: described(
      z.string().check(z.minLength(1), z.maxLength(500)),
      'The `storageKey` that the request for the upload URL returned.',
    ),
    originalFilename: described(Filename, 'The name of the file without a path, 1 to 255 characters.'),
    mimeType: described(
      MimeType,
      'The content type that was declared for the upload. The file gets the one that its bytes say.',
    ),
    fileSize: described(FileSize.check(z.lte(maxVideoBytes)), 'The size in bytes that was declared for the upload.'),
    width: described(z.optional(Pixels), 'The width in pixels, if you know it. What the service measures wins.'),
    height: described(z.optional(Pixels), 'The height in pixels, if you know it. What the service measures wins.'),
    duration: described(
      z.optional(z.number().check(z.gt(0), z.lte(dayMs))),
      'The duration in milliseconds, if you know it. What the service measures wins.',
    ),
    altText: AltText,
  })
  .register(z.globalRegistry, {
    id: 'CompleteUploadRequest',
    description: 'A file that you have uploaded.',
  })
export type CompleteUploadRequest = z.infer<typeof CompleteUploadRequest>
