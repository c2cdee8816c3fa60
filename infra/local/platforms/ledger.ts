import { createHash } from 'node:crypto'
import type { PublicMedia, PublicPost, StandIn } from './standin.ts'

/** One post that is public, as `GET /published` and tests see it. */
export interface Published {
  platform: string
  account: string
  text: string
  /** Addresses that show the image or play the video. */
  media: string[]
  replyTo: string | null
  url: string
  publishedAt: number
  extras?: readonly string[]
}

/** Everything public on one platform, oldest first. It is read from the platform's own state, so the two cannot differ. */
export function listPublished(platform: string, standIn: StandIn, pagesUrl: string): Published[] {
  return standIn
    .posts()
    .map((post) => ({ platform, ...post, media: post.media.map((media) => mediaUrl(pagesUrl, platform, media)) }))
    .toSorted((a, b) => a.publishedAt - b.publishedAt)
}

export function mediaUrl(pagesUrl: string, platform: string, media: PublicMedia): string {
  return `${pagesUrl}/media/${platform}/${media.key}`
}

/** A short name for a post that is safe inside a page. */
export function cardId(post: Pick<PublicPost, 'url'>): string {
  return `p-${createHash('sha256').update(post.url).digest('hex').slice(0, 16)}`
}
