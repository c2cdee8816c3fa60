/** The accepted file types. */
export const mediaTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/quicktime',
] as const

export type MediaType = (typeof mediaTypes)[number]

const extensions: Readonly<Record<MediaType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
}

/** The extension of the storage key of a file of this type. */
export const extensionOf = (type: MediaType): string => extensions[type]

export const isImage = (type: MediaType): boolean => type.startsWith('image/')

export const maxImageBytes = 50_000_000
export const maxVideoBytes = 1_073_741_824

/** Decided: an image can have 50 MB, a video 1 GiB. */
export const maxBytesOf = (type: MediaType): number => (isImage(type) ? maxImageBytes : maxVideoBytes)

/** The accepted image and video types, for platforms that accept all of a kind. */
export const imageTypes: readonly MediaType[] = mediaTypes.filter(isImage)
export const videoTypes: readonly MediaType[] = mediaTypes.filter((type) => !isImage(type))
