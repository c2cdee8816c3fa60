import { createHash } from 'node:crypto'
import type { ImageFormat } from '../image-format.ts'
import type { MediaFile } from '../media-file.ts'
import { derivedFrom } from '../reference.ts'
import { extensionOf } from '../types.ts'

export type ImageType = ImageFormat['types'][number]

/** The type to convert to: the one the platform names first. */
export const targetTypeOf = ({ types: [type = 'image/jpeg'] }: ImageFormat): ImageType => type

const within = (value: number | undefined, max: number | undefined) =>
  max === undefined || (value !== undefined && value <= max)

/** Whether a platform takes a file as it is; what was not measured may be too large. */
export const fits = ({ mimeType, fileSize, width, height }: MediaFile, sent: ImageFormat): boolean =>
  sent.types.some((type) => type === mimeType) &&
  fileSize <= sent.maxBytes &&
  within(width, sent.maxWidth) &&
  within(height, sent.maxHeight)

/** Rises when images are converted in another way, so that those of before are not found any more. */
const recipe = 1

/** Where an image lies in the form a platform takes: named by the image and the form, so that it is found again. */
export const derivedKeyOf = (workspaceId: string, assetId: string, sent: ImageFormat): string => {
  const type = targetTypeOf(sent)
  const form = JSON.stringify([recipe, type, sent.maxBytes, sent.maxWidth ?? null, sent.maxHeight ?? null])
  const name = createHash('sha256').update(form).digest('hex').slice(0, 24)
  return `${derivedFrom(workspaceId, assetId)}${name}.${extensionOf(type)}`
}
