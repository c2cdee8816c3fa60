import { expect } from 'vitest'
import { discordSeed } from '../../infra/local/platforms/discord/seed.ts'
import type { Kit } from '../support/start.ts'

/** A text channel the bot may write to. */
export const channelId = discordSeed.channels.find(({ name }) => name === 'general')?.id ?? ''

/** What an author does most: the same text to both accounts, some time ahead. */
export const scheduleBoth = (
  kit: Kit,
  content: string,
  inMs: number,
  more: { mediaUrls?: string[] } = {},
  idempotencyKey?: string,
) =>
  kit.api.posts.schedule({
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    body: {
      socialAccountIds: [kit.accounts.bluesky, kit.accounts.discord],
      content,
      metadata: { discord: { channelId } },
      scheduledAt: new Date(kit.clock.now() + inMs).toISOString(),
      ...more,
    },
  })

/** An endpoint on the inbox for every event. */
export const listen = (kit: Kit, name = 'all') =>
  kit.sessionApi.webhooks.create({
    body: {
      name,
      url: `${kit.service.inboxUrl}/hooks/${name}`,
      events: [
        'post.scheduled',
        'post.rescheduled',
        'post.cancelled',
        'post.published',
        'post.publish_failed',
        'social_account.reconnect_required',
      ],
    },
  })

/** The events the inbox has got about a post, in the order of their sequence, each counted once. */
export const eventsOf = (kit: Kit, postId: string) => {
  const distinct = new Map<string, { id: string; type: string; data: Record<string, unknown> }>()
  for (const delivery of kit.inbox.deliveries()) {
    expect(delivery.verified).toBe(true)
    const event = JSON.parse(delivery.rawBody)
    if (event.data.postId === postId) distinct.set(event.id, event)
  }
  return [...distinct.values()].sort((a, b) => Number(a.data['sequence']) - Number(b.data['sequence']))
}

/** How many posts with this text are live. */
export const liveCount = (kit: Kit, text: string, platform?: string) =>
  kit.platforms
    .published()
    .filter((post) => post.text === text && (platform === undefined || post.platform === platform)).length

export type PlatformName = keyof Kit['accounts']

/** One post to one account, some time ahead. */
export const scheduleOn = async (
  kit: Kit,
  platform: PlatformName,
  content: string,
  inMs: number,
  mediaUrls: string[] = [],
) => {
  const scheduledAt = new Date(kit.clock.now() + inMs).toISOString()
  const socialAccountIds = [kit.accounts[platform]]
  const body = { socialAccountIds, content, metadata: { discord: { channelId } }, scheduledAt, mediaUrls }
  const [post] = await kit.api.posts.schedule({ body })
  if (post === undefined) throw new Error('no post was scheduled')
  return { id: post.id, dueMs: Date.parse(scheduledAt) }
}

export const accountOf = async (kit: Kit, platform: PlatformName) =>
  (await kit.api.socialAccounts.list()).find(({ providerId }) => providerId === platform)

/** The losses of an account that the inbox received, each counted once. */
export const reportedLosses = (kit: Kit): string[] => {
  const events = kit.inbox.deliveries().map(({ rawBody }) => JSON.parse(rawBody))
  const losses = events.filter(({ type }) => type === 'social_account.reconnect_required')
  return [...new Set(losses.map(({ id }) => String(id)))]
}
