import type { Post } from '../store.ts'
import { now } from '../time.ts'

/** When a post is due, or was written if it has no time. */
export const momentOfPost = ({ scheduledAt, createdAt }: Post): number => Date.parse(scheduledAt ?? createdAt)

/** How long after the click a post is published that is not to wait, in milliseconds: its time must be in the future. */
const soonMs = 10_000

/** The time of a post that is not to wait. */
export const soon = (): string => new Date(now() + soonMs).toISOString()

/** Whether a post has failed and cannot be live. */
export const canRetry = ({ status, retrySafe }: Post): boolean => status === 'failed' && retrySafe !== false

/** Posts of a thread in their order. */
export const byPosition = (a: Post, b: Post): number => (a.thread?.position ?? 0) - (b.thread?.position ?? 0)
