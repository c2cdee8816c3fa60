import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Board } from './board.ts'
import { type Caller, call, read } from './caller.ts'

export const Post = z.object({
  id: z.string(),
  status: z.string(),
  socialAccountId: z.string(),
  publishedPostUrl: z.nullable(z.string()),
  error: z.nullable(z.string()),
})
export type Post = z.infer<typeof Post>

const Published = z.array(z.object({ url: z.string(), publishedAt: z.number() }))

const lookEveryMs = 400
const patienceMs = 30_000
/** What the service promises (design, pipeline rule 1). */
const maxLateMs = 1_000

const clockTime = (ms: number) => new Date(ms).toTimeString().slice(0, 8)

const untilSettled = async (caller: Caller, id: string, untilMs: number): Promise<Post> => {
  for (;;) {
    const post = await call(caller, `GET /api/posts/${id}`, Post)
    if (post.status !== 'scheduled' || Date.now() > untilMs) return post
    await sleep(lookEveryMs)
  }
}

interface Watched {
  post: Post
  /** Who it goes to, as a person calls it. */
  name: string
  scheduledAtMs: number
}

/** Shows a post until it is out; answers what went wrong, if anything did. */
export const watchPost = async (
  caller: Caller,
  platformsUrl: string,
  { post, name, scheduledAtMs }: Watched,
  board: Board,
): Promise<string[]> => {
  board.show(post.id, `  · ${name}  scheduled for ${clockTime(scheduledAtMs)}`)
  // Nothing happens before its time, and every look counts against the rate limit.
  await sleep(Math.max(0, scheduledAtMs - Date.now()))
  const { status, publishedPostUrl, error } = await untilSettled(caller, post.id, scheduledAtMs + patienceMs)
  const fail = (what: string): string[] => {
    board.show(post.id, `  ✗ ${name}  ${what}`)
    return [`${name.trim()}: ${what}.`]
  }
  if (status !== 'published') return fail(`still "${status}" after its time${error === null ? '' : `: ${error}`}`)
  const live = (await read(`${platformsUrl}/published`, Published)).filter(({ url }) => url === publishedPostUrl)
  const [first] = live
  if (first === undefined || live.length > 1) return fail(`${live.length} times on the platform as ${publishedPostUrl}`)
  const lateMs = first.publishedAt - scheduledAtMs
  if (lateMs < 0 || lateMs > maxLateMs) return fail(`published ${lateMs} ms after its time`)
  board.show(post.id, `  ✓ ${name}  published ${lateMs} ms after its time  ${publishedPostUrl}`)
  return []
}
