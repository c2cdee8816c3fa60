import type { MediaFile } from './media-file.ts'
import { derivedKeyOf } from './reference.ts'
import { extensionOf } from './types.ts'

/** A form to convert images to: every image that the service accepts can be converted to it. */
export interface ImageFormat {
  /** The first type is the one to convert to. */
  types: readonly ('image/jpeg' | 'image/png' | 'image/webp' | 'image/gif')[]
  maxBytes: number
  maxWidth?: number
  maxHeight?: number
}

export type ImageType = ImageFormat['types'][number]

/** The type to convert to: the first one of the platform. */
export const targetTypeOf = ({ types: [type = 'image/jpeg'] }: ImageFormat): ImageType => type

const within = (value: number | undefined, max: number | undefined) =>
  max === undefined || (value !== undefined && value <= max)

/** Whether a platform accepts a file unchanged; a missing measurement counts as too large. */
export const fits = ({ mimeType, fileSize, width, height }: MediaFile, sent: ImageFormat): boolean =>
  sent.types.some((type) => type === mimeType) &&
  fileSize <= sent.maxBytes &&
  within(width, sent.maxWidth) &&
  within(height, sent.maxHeight)

/** Increases when the conversion changes, so that earlier results are no longer found. */
const recipe = 1

/** The key of an image in a platform's format. */
export const convertedKeyOf = (workspaceId: string, assetId: string, sent: ImageFormat): string => {
  const type = targetTypeOf(sent)
  const form = [recipe, type, sent.maxBytes, sent.maxWidth ?? null, sent.maxHeight ?? null]
  return derivedKeyOf({ workspaceId, assetId }, form, extensionOf(type))
}
