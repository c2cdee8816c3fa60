import type { PlatformId } from '../resources.ts'
import type { KeyedPost, PlatformAdapter, PublishingCalls } from './adapter.ts'
import { bluesky } from './bluesky/publish.ts'
import { discord } from './discord/publish.ts'
import { adapterEdge } from './edge.ts'
import { facebook } from './facebook/publish.ts'
import { instagram } from './instagram/publish.ts'
import { linkedin } from './linkedin/publish.ts'
import { mastodon } from './mastodon/publish.ts'
import { nostr } from './nostr/publish.ts'
import { pinterest } from './pinterest/publish.ts'
import { reddit } from './reddit/publish.ts'
import { slack } from './slack/publish.ts'
import { threads } from './threads/publish.ts'
import { tiktok } from './tiktok/publish.ts'
import { wordpress } from './wordpress/publish.ts'
import { x } from './x/publish.ts'
import { youtube } from './youtube/publish.ts'

const adapters = {
  x,
  bluesky,
  discord,
  pinterest,
  tiktok,
  threads,
  instagram,
  slack,
  youtube,
  facebook,
  reddit,
  linkedin,
  mastodon,
  wordpress,
  nostr,
} satisfies Record<PlatformId, PlatformAdapter>

/** A platform with the calls that publish, as `edge.ts` lets them through. For workers and for endpoints that call the platform. */
export const adapterOf = (id: PlatformId): PlatformAdapter => adapterEdge(adapters[id])

/** The calls that publish a first comment on a platform; undefined where there are none. */
export const commentCallsOf = (id: PlatformId): PublishingCalls | undefined => {
  const adapter = adapterOf(id)
  return adapter.commentCalls === 'reply' ? adapter : adapter.commentCalls
}

/** The key of an attempt at a platform that takes no idempotency key. */
export const clientKeyOf = ({ makeKey }: Pick<PublishingCalls, 'makeKey'>, post: KeyedPost): string =>
  makeKey === undefined ? `${post.id}:${post.version}` : makeKey(post)
