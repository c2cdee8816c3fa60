import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Board } from './board.ts'
import { type Caller, call, read } from './caller.ts'

export const Post = z.object({
  id: z.string(),
  status: z.string(),
  groupId: z.nullable(z.string()),
  socialAccountId: z.string(),
  publishedPostUrl: z.nullable(z.string()),
  error: z.nullable(z.string()),
})
export type Post = z.infer<typeof Post>

const Published = z.array(z.object({ url: z.string(), publishedAt: z.number() }))
type Published = z.infer<typeof Published>

/** Every query counts against the rate limit. */
const lookEveryMs = 800
const timeoutMs = 40_000
/** The objective of the service is one second; here it shares one machine with everything it talks to. */
const maxLateMs = 10_000

const clockTime = (ms: number) => new Date(ms).toTimeString().slice(0, 8)

/** A post, and its target as a person would call it. */
export interface Watched {
  post: Post
  name: string
}

const lookAtAll = async (caller: Caller, groupId: string): Promise<Map<string, Post>> => {
  const page = z.object({ items: z.array(Post) })
  const { items } = await call(caller, `GET /api/posts?groupId=${groupId}&limit=50`, page)
  return new Map(items.map((post) => [post.id, post]))
}

/** What is wrong with a post after its time, in brief; or how late it was. */
const judge = ({ status, publishedPostUrl, error }: Post, live: Published, scheduledAtMs: number): string | number => {
  if (status !== 'published') return `still "${status}" after its time${error === null ? '' : `: ${error}`}`
  const mine = live.filter(({ url }) => url === publishedPostUrl)
  const [first] = mine
  if (first === undefined || mine.length > 1) return `${mine.length} times on the platform as ${publishedPostUrl}`
  const lateMs = first.publishedAt - scheduledAtMs
  return lateMs < 0 || lateMs > maxLateMs ? `published ${lateMs} ms after its time` : lateMs
}

/** Shows the posts of a group until they are published; returns what went wrong, if anything did. */
export const watchPosts = async (
  caller: Caller,
  platformsUrl: string,
  watched: readonly Watched[],
  scheduledAtMs: number,
  board: Board,
): Promise<string[]> => {
  for (const { post, name } of watched) board.show(post.id, `  · ${name}  scheduled for ${clockTime(scheduledAtMs)}`)
  await sleep(Math.max(0, scheduledAtMs - Date.now()))
  const problems: string[] = []
  const waiting = new Map(watched.map((entry) => [entry.post.id, entry]))
  const groupId = watched[0]?.post.groupId ?? ''
  const untilMs = scheduledAtMs + timeoutMs
  while (waiting.size > 0) {
    const now = await lookAtAll(caller, groupId)
    const live = await read(`${platformsUrl}/published`, Published)
    for (const [id, { post, name }] of waiting) {
      const seen = now.get(id) ?? post
      if (seen.status === 'scheduled' && Date.now() < untilMs) continue
      waiting.delete(id)
      const verdict = judge(seen, live, scheduledAtMs)
      const text =
        typeof verdict === 'number' ? `published ${verdict} ms after its time  ${seen.publishedPostUrl}` : verdict
      board.show(id, `  ${typeof verdict === 'number' ? '✓' : '✗'} ${name}  ${text}`)
      if (typeof verdict === 'string') problems.push(`${name.trim()}: ${verdict}.`)
    }
    if (waiting.size > 0) await sleep(lookEveryMs)
  }
  return problems
}
