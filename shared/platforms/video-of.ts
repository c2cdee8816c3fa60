import type { MediaFile } from '../media/media-file.ts'
import { PlatformError } from './platform-error.ts'
import type { OutgoingPost } from './post.ts'

/** The video of a post at a platform that publishes videos only. */
export const videoOf = (name: string, { media: [file] }: OutgoingPost): MediaFile => {
  if (file === undefined) throw new PlatformError('invalid', `${name} requires a video. Attach one.`)
  return file
}
