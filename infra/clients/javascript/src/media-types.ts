/** The types that the service accepts, by the extensions of names: those of the service itself, and not those of a machine. */
const types: ReadonlyMap<string, string> = new Map([
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['gif', 'image/gif'],
  ['jfif', 'image/jpeg'],
  ['jpe', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['m4v', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['mp4', 'video/mp4'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['qt', 'video/quicktime'],
  ['srt', 'application/x-subrip'],
  ['vtt', 'text/vtt'],
  ['webp', 'image/webp'],
])

/** All of them, as the attribute `accept` of a file input lists them. Phones then convert photos of other types. */
export const accepted = [...new Set(types.values()), ...[...types.keys()].map((ending) => `.${ending}`)].join()

const endingOf = (name: string) => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The content type of a name's extension; `otherwise` if it has none. */
export const typeByName = (name: string, otherwise = 'application/octet-stream'): string =>
  types.get(endingOf(name)) ?? otherwise

/** The largest files that the service stores, by kind: the start of the type. */
const maxBytes: readonly (readonly [start: string, bytes: number, text: string])[] = [
  ['image/', 50_000_000, 'images of up to 50 MB'],
  ['video/', 1_073_741_824, 'videos of up to 1 GB'],
  ['text/vtt', 1_000_000, 'captions of up to 1 MB'],
  ['application/x-subrip', 1_000_000, 'captions of up to 1 MB'],
  ['application/', 100_000_000, 'documents of up to 100 MB'],
]

const otherImages = ['avif', 'bmp', 'heic', 'heif', 'svg', 'tif', 'tiff']
const otherVideos = ['avi', 'mkv', 'webm']

/**
 * Why the service does not accept such a file, and what it accepts instead, to follow the name of the file. Undefined if it
 * may accept it.
 */
export const refusalOf = ({
  name,
  type = '',
  size,
}: {
  name: string
  type?: string
  size: number
}): string | undefined => {
  if (size === 0) return 'is empty. Choose another file.'
  const ending = endingOf(name)
  const known = types.get(ending) ?? [...types.values()].find((other) => other === type)
  if (known !== undefined) {
    const [, bytes = size, text] = maxBytes.find(([start]) => known.startsWith(start)) ?? []
    return size > bytes ? `is too large: you can post ${text}. Make it smaller.` : undefined
  }
  if (otherImages.includes(ending) || type.startsWith('image/')) {
    return 'is an image of a type that no platform takes. Save it as JPEG or PNG.'
  }
  if (otherVideos.includes(ending) || type.startsWith('video/')) {
    return 'is a video of a type that no platform takes. Save it as MP4.'
  }
  return 'is not an image, a video, a document, or captions by its name. Its ending must be that of its format, such as .jpg.'
}
