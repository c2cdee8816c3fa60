import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '../../../../shared/time.ts'
import { assert } from '../outcome.ts'
import type { Step, World } from '../world.ts'
import { bodyFor, deletePost, onlyPost } from './posts.ts'

/** Below the rate at which the general limit refills (100 calls in 60 s). */
const pollEveryMs = 700
/** A platform may be slow; the service retries for hours, and this test does not wait for that. */
const timeoutMs = 2 * minuteMs

const what = 'the post to publish'

/** Waits until a post is no longer scheduled. */
const awaitOutcome = async ({ api }: World, id: string, dueMs: number, signal: AbortSignal) => {
  await sleep(Math.max(0, dueMs - Date.now()), undefined, { signal })
  while (Date.now() < dueMs + timeoutMs) {
    const post = await api.posts.get({ params: { id } })
    if (post.status !== 'scheduled') return post
    await sleep(pollEveryMs, undefined, { signal })
  }
  return undefined
}

/** One real post, a minute ahead. */
export const publishStep: Step = {
  name: 'publish',
  async run(world) {
    const { api, made, stopped } = world
    const dueMs = Math.ceil((Date.now() + minuteMs) / 1000) * 1000
    const body = { ...bodyFor(world), scheduledAt: new Date(dueMs).toISOString() }
    const { id } = onlyPost(
      await made.create({
        what,
        create: (idempotencyKey) => api.posts.schedule({ idempotencyKey, body }),
        remove: (all) => deletePost(world, onlyPost(all)),
      }),
    )
    const post = await awaitOutcome(world, id, dueMs, stopped)
    const lateMs = Date.now() - dueMs
    assert(post !== undefined, `the post ${id} is still scheduled ${timeoutMs / 1000} s after its time`)
    // A published post is not removed, and its record has the URL.
    made.forget(what)
    assert(post.status === 'published', `the post ${id} is "${post.status}": ${post.error}`)
    return `seen ${lateMs} ms after its time (asked every ${pollEveryMs} ms): ${post.publishedPostUrl}`
  },
}
