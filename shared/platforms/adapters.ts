import type { PlatformId } from '../resources.ts'
import type { KeyedPost, PlatformAdapter, PublishingCalls } from './adapter.ts'
import { adapterEdge } from './edge.ts'
import { adapters } from './registry/adapters.ts'

/** A platform with the calls that publish, bounded by `edge.ts`. For workers and for endpoints that call the platform. */
export const adapterOf = (id: PlatformId): PlatformAdapter => adapterEdge(adapters[id])

/** The calls that publish a first comment on a platform; undefined if there are none. */
export const commentCallsOf = (id: PlatformId): PublishingCalls | undefined => {
  const adapter = adapterOf(id)
  return adapter.commentCalls === 'reply' ? adapter : adapter.commentCalls
}

/** The key of an attempt at a platform that accepts no idempotency key. */
export const clientKeyOf = ({ makeKey }: Pick<PublishingCalls, 'makeKey'>, post: KeyedPost): string =>
  makeKey === undefined ? `${post.id}:${post.version}` : makeKey(post)
