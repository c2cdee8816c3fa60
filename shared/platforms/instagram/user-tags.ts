import type { MediaFile } from '../../media/media-file.ts'
import type { Finding } from '../definition.ts'
import type { InstagramMetadata } from './metadata.ts'

type UserTag = NonNullable<InstagramMetadata['userTags']>[number]

const hasPosition = ({ x, y }: UserTag) => x !== undefined && y !== undefined
const hasNoPosition = ({ x, y }: UserTag) => x === undefined && y === undefined

/** What is wrong with one tag, and the fix; undefined if it is valid. */
const faultOf = (tag: UserTag, format: InstagramMetadata['format'], media: readonly MediaFile[]) => {
  const { mediaIndex } = tag
  if (mediaIndex !== undefined && format !== 'carousel')
    return ['only a carousel has mediaIndex', 'Leave out mediaIndex.']
  if (format === 'reel') {
    return hasNoPosition(tag) ? undefined : ['a tag on a reel has neither x nor y', 'Leave out x and y.']
  }
  if (format === 'story') {
    return hasPosition(tag) || hasNoPosition(tag)
      ? undefined
      : ['a tag has both x and y, or none', 'Send both, or none.']
  }
  if (!hasPosition(tag)) return ['a tag on an image needs x and y', 'Send x and y, each from 0 to 1.']
  const file = media[mediaIndex ?? 0]
  if (file === undefined && media.length > 0) {
    return [`the carousel has no file ${mediaIndex}`, `mediaIndex must be at most ${media.length - 1}.`]
  }
  if (file?.mimeType.startsWith('video/'))
    return ['a tag in a carousel is on an image', 'Send the mediaIndex of an image.']
  return undefined
}

/** The tags that Instagram would refuse by the format of the post (Instagram API, IG User Media, user_tags). */
export const wrongUserTags = (
  { format, userTags = [] }: InstagramMetadata,
  media: readonly MediaFile[],
): readonly Finding[] =>
  userTags.flatMap((tag, n) => {
    const [message, next] = faultOf(tag, format, media) ?? []
    if (message === undefined || next === undefined) return []
    return [{ code: 'metadata_invalid', field: `metadata.instagram.userTags.${n}`, message, next }]
  })

/** The tags of one file of a post in Instagram's format, as JSON; undefined if there are none. */
export const userTagsOf = ({ userTags = [] }: InstagramMetadata, index: number): string | undefined => {
  const own = userTags.filter(({ mediaIndex = 0 }) => mediaIndex === index)
  if (own.length === 0) return undefined
  return JSON.stringify(
    own.map(({ username, x, y }) => ({
      username: username.replace(/^@/, ''),
      ...(x === undefined ? {} : { x }),
      ...(y === undefined ? {} : { y }),
    })),
  )
}
