import { linkedinSeed } from '../../infra/local/platforms/linkedin.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type StartOptions, start } from '../support/start.ts'
import { channelId } from './author.ts'
import { connectLinkedIn } from './doubt-matrix/subjects.ts'
import { uploadPng } from './upload.ts'
import { uploadVideo } from './upload-video.ts'

/** Where comments are made, with the operation of the stand-in that makes them. */
export const operations: Readonly<Partial<Record<PlatformId, string>>> = Object.fromEntries(
  definitions.flatMap(({ id, comment }) => (comment ? [[id, comment.measures ? 'comment' : 'create']] : [])),
)
export const commented = platformIds.filter((id) => id in operations)

/** The metadata of posts on platforms that need some. */
const metadataOf: Readonly<Partial<Record<PlatformId, (content: string) => object>>> = {
  discord: () => ({ channelId }),
  slack: () => ({ channelId: 'C0DEMO001' }),
  reddit: (title) => ({ subreddit: 'test', title, kind: 'self' }),
  instagram: () => ({ format: 'feed_image' }),
}

/** Accounts on the platforms with comments, and on TikTok, which has none. */
export const openComments = async (options: StartOptions = {}) => {
  const kit = await start(options)
  const accounts = new Map<PlatformId, string>()
  for (const platform of [...commented, 'tiktok'] as const) {
    const own: Partial<Record<PlatformId, string>> = kit.accounts
    // Apps can read comments of pages only.
    if (platform === 'linkedin') accounts.set(platform, await connectLinkedIn(kit, linkedinSeed.ada.pages[0].name))
    else accounts.set(platform, own[platform] ?? (await connectOn(kit, platform)))
  }

  let count = 0
  const nextText = (name: string) => {
    count += 1
    return `${name}, number ${count}`
  }
  const draftOf = async (platform: PlatformId) => {
    const content = nextText('A post')
    const mediaUrls = []
    if (platform === 'instagram') mediaUrls.push((await uploadPng(kit)).id)
    if (platform === 'youtube') mediaUrls.push((await uploadVideo(kit)).id)
    const block = metadataOf[platform]?.(content)
    return { content, mediaUrls, ...(block ? { metadata: { [platform]: block } } : {}) }
  }
  return {
    kit,
    accounts,
    nextText,
    draftOf,
    async schedule(platform: PlatformId, more: object) {
      const scheduledAt = new Date(kit.clock.now() + minuteMs).toISOString()
      const socialAccountIds = [accounts.get(platform) ?? '']
      const body = { socialAccountIds, scheduledAt, ...(await draftOf(platform)), ...more }
      const [post] = await kit.api.posts.schedule({ body })
      if (post === undefined) throw new Error('no post was made')
      return post
    },
    /** What validation says of a post with a comment. */
    async issuesOf(platform: PlatformId, text: string) {
      const socialAccountIds = [accounts.get(platform) ?? '']
      const body = { socialAccountIds, ...(await draftOf(platform)), firstComment: { text } }
      return (await kit.api.posts.validate({ body })).issues
    },
  }
}
