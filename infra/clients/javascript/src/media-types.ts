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

const endingOf = (name: string) => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The content type of a name's extension; `otherwise` if it has none. */
export const typeByName = (name: string, otherwise = 'application/octet-stream'): string =>
  types.get(endingOf(name)) ?? otherwise

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
  if (types.has(ending) || [...types.values()].includes(type)) return undefined
  if (otherImages.includes(ending) || type.startsWith('image/')) {
    return 'is an image of a type that no platform takes. Save it as JPEG or PNG.'
  }
  if (otherVideos.includes(ending) || type.startsWith('video/')) {
    return 'is a video of a type that no platform takes. Save it as MP4.'
  }
  return 'is not an image, a video, a document, or captions by its name. Its ending must be that of its format, such as .jpg.'
}
