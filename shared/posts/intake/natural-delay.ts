import { createHash } from 'node:crypto'
import { minuteMs } from '../../time.ts'

const longestMs = 5 * minuteMs

/** Decided: with natural posting, each post of a group gets a separate seeded delay of 0 to 5 minutes, never a negative one. */
export const naturalDelayMs = (postId: string): number =>
  createHash('sha256').update(postId).digest().readUInt32BE(0) % longestMs
