import * as z from 'zod/mini'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'
import { dayMs } from '../time.ts'
import { type MediaType, maxBytesOf, mediaTypes } from './types.ts'

const Filename = z.string().check(
  z.minLength(1),
  z.maxLength(255),
  z.refine((name) => !/[/\\]/.test(name), { error: 'must be a plain file name, without slashes and backslashes' }),
  singleLine,
  wellFormed,
)

const FileSize = z.int().check(z.gte(1))

const fitsType = z.superRefine<{ mimeType: MediaType; fileSize: number }>(({ mimeType, fileSize }, issues) => {
  const maxBytes = maxBytesOf(mimeType)
  if (fileSize <= maxBytes) return
  const message = `must be at most ${maxBytes} bytes for ${mimeType}`
  issues.addIssue({ code: 'custom', path: ['fileSize'], message, input: fileSize })
})

export const CreateUploadUrlRequest = z
  .strictObject({ filename: Filename, mimeType: z.enum(mediaTypes), fileSize: FileSize })
  .check(fitsType)
  .register(z.globalRegistry, {
    id: 'CreateUploadUrlRequest',
    examples: [{ filename: 'loaf.jpg', mimeType: 'image/jpeg', fileSize: 482_113 }],
  })

const Pixels = z.int().check(z.gte(1), z.lte(100_000))

export const CompleteUploadRequest = z
  .strictObject({
    storageKey: z.string().check(z.minLength(1), z.maxLength(500)),
    originalFilename: Filename,
    mimeType: z.enum(mediaTypes),
    fileSize: FileSize,
    width: z.optional(Pixels),
    height: z.optional(Pixels),
    duration: z.optional(z.number().check(z.gt(0), z.lte(dayMs))),
    altText: z.optional(z.string().check(z.maxLength(2000), wellFormed)),
  })
  .check(fitsType)
  .register(z.globalRegistry, {
    id: 'CompleteUploadRequest',
    examples: [
      {
        storageKey: 'media/uploads/ws_01KAJ2J4B6D8F0H2K4M6P8R0T2/med_01KAJ2K6C8E0G2J4M6P8S0V2X4.jpg',
        originalFilename: 'loaf.jpg',
        mimeType: 'image/jpeg',
        fileSize: 482_113,
        altText: 'A loaf on a wooden board',
      },
    ],
  })
export type CompleteUploadRequest = z.infer<typeof CompleteUploadRequest>
