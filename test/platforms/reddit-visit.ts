import { redditSeed } from '../../infra/local/platforms/reddit.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { reddit as connector } from '../../shared/platforms/reddit/connect.ts'
import { reddit } from '../../shared/platforms/reddit/publish.ts'
import { visit } from './visit.ts'

/** The smallest block: a text in a subreddit without rules. */
export const base = { subreddit: 'test', title: 'A cake in May', kind: 'self' } as const

/** The flairs of the subreddit that wants one. */
export const [plainFlair, editableFlair] = redditSeed.subreddits.find(({ name }) => name === 'flaired')?.flairs ?? []
export const flairId = plainFlair?.id ?? ''

/** How Reddit refuses a post. */
export const posted = (code: string, message: string, more: object = {}) =>
  ({ fault: 'status', status: 200, body: { json: { ...more, errors: [[code, message, 'field']] } } }) as const

/** Reddit on its site, where a post is a text unless its block says another kind. */
export async function visitReddit() {
  const visited = await visit(reddit, connector)
  const prepared = async (call: PlatformCall) => (await visited.prepared(call)).ready
  return {
    ...visited,
    sent: visited.sentTo,
    prepared,
    publish: async (call: PlatformCall) => visited.commit(call, await prepared(call)),
    armed: async (call: PlatformCall) => visited.armed(call, await prepared(call)),
    open: (block: object = {}, post: Partial<OutgoingPost> = {}) =>
      visited.open({ metadata: { ...base, ...block }, media: [], ...post }),
  }
}
