import type { Issue } from '../../errors/issue.ts'
import { isPending, type MediaFile } from '../../media/media-file.ts'
import type { CheckedPost, PlatformDefinition } from '../definition.ts'
import { checkPost } from './check-post.ts'

const image = { mimeType: 'image/jpeg', fileSize: 200_000 }
const video = { mimeType: 'video/mp4', fileSize: 2_000_000, durationMs: 15_000 }

/** What a file that is not fetched yet can turn out to be. */
const guesses: readonly Partial<MediaFile>[] = [
  { ...image, width: 1080, height: 1080 },
  { ...video, width: 1080, height: 1920 },
  { ...video, width: 1920, height: 1080 },
]

/**
 * What a platform's rules have against a post some of whose files are not fetched yet: only what holds whatever these
 * files are, such as their number. The rest is checked when they are fetched.
 */
export const checkUnfetched = (definition: PlatformDefinition, post: CheckedPost): Issue[] => {
  if (!post.media.some(isPending)) return checkPost(definition, post)
  const [first = [], ...others] = guesses.map((guess) => {
    const media = post.media.map((file) => (isPending(file) ? { ...file, ...guess } : file))
    return checkPost(definition, { ...post, media })
  })
  const isIn = (issues: readonly Issue[], one: Issue) =>
    issues.some(({ code, field }) => code === one.code && field === one.field)
  return first.filter((one) => others.every((issues) => isIn(issues, one)))
}
