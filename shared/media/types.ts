/** The accepted file types. */
export const mediaTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
  'video/quicktime',
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'text/vtt',
  'application/x-subrip',
] as const

export type MediaType = (typeof mediaTypes)[number]

const extensions: Readonly<Record<MediaType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'text/vtt': 'vtt',
  'application/x-subrip': 'srt',
}

/** The extension of the storage key of a file of this type. */
export const extensionOf = (type: MediaType): string => extensions[type]

/**
 * What the extension of a name indicates: an accepted type by any of its extensions, or another kind of file. The clients
 * have the accepted ones.
 */
export const typeByEnding: ReadonlyMap<string, MediaType | 'other'> = new Map<string, MediaType | 'other'>([
  ...mediaTypes.map((type) => [extensions[type], type] as const),
  ...(['jpeg', 'jpe', 'jfif'] as const).map((ending) => [ending, 'image/jpeg'] as const),
  ['m4v', 'video/mp4'],
  ['qt', 'video/quicktime'],
  ...['avi', 'avif', 'bin', 'bmp', 'heic', 'heif', 'mkv', 'svg', 'tif', 'tiff', 'txt', 'webm'].map(
    (ending) => [ending, 'other'] as const,
  ),
])

interface NamedFile {
  originalFilename: string
  mimeType: string
}

const endingOf = (name: string) => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/**
 * The name with which a file is sent: a name that is not empty, with the extension of its type. Platforms and viewers go by
 * the extension, which a name can lack, and which a conversion changes.
 */
export const filenameOf = ({ originalFilename: name, mimeType: type }: NamedFile): string => {
  const ending = typeByEnding.get(endingOf(name))
  const stem = (ending === undefined ? name : name.slice(0, name.lastIndexOf('.'))).replace(/[. ]+$/, '')
  if (ending === type && stem !== '') return name
  return `${stem || 'file'}.${extensionOf(type as MediaType)}`
}

/** The name of a file as its sender gave it, but with the extension of its type if it had that of another type. */
export const originalFilenameOf = (file: NamedFile): string =>
  typeByEnding.has(endingOf(file.originalFilename)) ? filenameOf(file) : file.originalFilename

/** The type of a file: it decides how the file is inspected, stored, and sent. */
export const mediaKinds = ['image', 'video', 'document', 'captions'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** The kind of a file of an accepted type. */
export const kindOf = (type: string): MediaKind => {
  if (type.startsWith('image/')) return 'image'
  if (type.startsWith('video/')) return 'video'
  return type === 'text/vtt' || type === 'application/x-subrip' ? 'captions' : 'document'
}

export const isImage = (type: string): boolean => kindOf(type) === 'image'

export const maxImageBytes = 50_000_000
export const maxVideoBytes = 1_073_741_824
export const maxDocumentBytes = 100_000_000
export const maxCaptionsBytes = 1_000_000

const maxBytes: Readonly<Record<MediaKind, number>> = {
  image: maxImageBytes,
  video: maxVideoBytes,
  document: maxDocumentBytes,
  captions: maxCaptionsBytes,
}

/** Decided: an image can have 50 MB, a video 1 GiB, a document 100 MB, a caption file 1 MB. */
export const maxBytesOf = (type: MediaType): number => maxBytes[kindOf(type)]

const typesOf = (kind: MediaKind): readonly MediaType[] => mediaTypes.filter((type) => kindOf(type) === kind)

/** The accepted types of each kind, for platforms that accept all of a kind. */
export const imageTypes = typesOf('image')
export const videoTypes = typesOf('video')
export const documentTypes = typesOf('document')
export const captionsTypes = typesOf('captions')
