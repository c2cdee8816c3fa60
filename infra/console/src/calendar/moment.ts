import type { Post } from '../store.ts'

/** When a post is due, or was written if it has no time. */
export const momentOfPost = ({ scheduledAt, createdAt }: Post): number => Date.parse(scheduledAt ?? createdAt)
