import { Refusal } from '../../errors/refusal.ts'
import { tagOf } from '../../http/etag.ts'
import type { Post } from '../lifecycle/row.ts'
import { versionOf } from '../lifecycle/state.ts'

/** Rejects a change if the post has another version than If-Match names. */
export const assertVersion = (post: Post, versions: readonly number[] | undefined): void => {
  if (versions === undefined || versions.includes(versionOf(post))) return
  const etag = tagOf(versionOf(post))
  const text = `The post has changed since you read it and is now ${etag}. Read it again, then send that value as If-Match.`
  throw new Refusal('stale', text, { code: 'post_changed', field: 'If-Match', etag })
}
