import { pinterestSeed } from '../../infra/local/platforms/pinterest.ts'
import { slackSeed } from '../../infra/local/platforms/slack.ts'
import type { EventType } from '../../shared/events/types.ts'
import type { PlatformId } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import type { Kit } from '../support/start.ts'
import { channelId } from './author.ts'
import type { Draft } from './faults/column.ts'
import { uploadPng } from './upload.ts'
import { clip, uploadVideo } from './upload-video.ts'

/** The block of a Pin whose description is its text. */
export const pinOf = (description: string) => ({
  pinterest: { boardId: pinterestSeed.boards[0].id, title: 'A Pin', description },
})

const drafts: Readonly<Partial<Record<PlatformId, (kit: Kit, text: string) => Draft | Promise<Draft>>>> = {
  async pinterest(kit, text) {
    return { content: '', metadata: pinOf(text), mediaUrls: [(await uploadPng(kit)).id] }
  },
  async youtube(kit, content) {
    return { content, mediaUrls: [(await uploadVideo(kit, clip(300_000))).id] }
  },
  reddit: (_kit, content) => ({ content, metadata: { reddit: { subreddit: 'test', title: 'A title', kind: 'self' } } }),
  discord: (_kit, content) => ({ content, metadata: { discord: { channelId } } }),
  slack: (_kit, content) => ({ content, metadata: { slack: { channelId: 'C0DEMO007' } } }),
}

/** Accounts on platforms, and what makes a post on one of them live. `events` go to an inbox. */
export const openLivePosts = async (kit: Kit, platforms: readonly PlatformId[], events: readonly EventType[]) => {
  const url = `${kit.service.inboxUrl}/hooks/live`
  await kit.sessionApi.webhooks.create({ body: { name: 'live', url, events: [...events] } })
  const accounts = new Map<PlatformId, string>()
  for (const platform of platforms) {
    const own = platform === 'bluesky' || platform === 'discord' ? kit.accounts[platform] : undefined
    const person = platform === 'slack' ? slackSeed.teams[1]?.id : undefined
    accounts.set(platform, own ?? (await connectOn(kit, platform, person)))
  }
  return {
    /** The id of a post that is live. */
    async publish(platform: PlatformId, text: string, more: Partial<Draft> = {}): Promise<string> {
      const draft = { ...((await drafts[platform]?.(kit, text)) ?? { content: text }), ...more }
      const scheduledAt = new Date(kit.clock.now() + minuteMs).toISOString()
      const socialAccountIds = [accounts.get(platform) ?? '']
      const [{ id = '' } = {}] = await kit.api.posts.schedule({ body: { socialAccountIds, scheduledAt, ...draft } })
      await kit.service.pass(2 * minuteMs)
      return id
    },
  }
}
