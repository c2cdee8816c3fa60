import * as z from 'zod/mini'
import { failureReasons } from '../../events/failure-reasons.ts'

/** How an attempt ended; `unknown` until the platform reports it, or for good. */
export const attemptOutcomes = ['published', 'failed', 'unknown', 'not_sent'] as const

/** Why an attempt did not publish: the message of the service and that of the platform. */
const AttemptFailure = z.object({
  reason: z.enum(failureReasons),
  message: z.string(),
  platformCode: z.optional(z.string()),
  platformMessage: z.optional(z.string()),
  httpStatus: z.optional(z.number()),
  /** Method and path of the request that failed, and the platform's ID of it. */
  request: z.optional(z.string()),
  platformRequestId: z.optional(z.string()),
})
export type AttemptFailure = z.infer<typeof AttemptFailure>

/** An attempt that has ended, as the row of its post remembers it. */
export const AttemptRecord = z.object({
  /** The version of the post that it was made for. */
  version: z.int(),
  /** When its publishing call began; with `noStart`, when it was claimed or ended. */
  startedAtMs: z.number(),
  /** No publishing call began, or its publisher crashed before it stored when. */
  noStart: z.optional(z.literal(true)),
  endedAtMs: z.number(),
  /** How late the call began; absent if that, or the time of its version, is not known. */
  lateMs: z.optional(z.number()),
  outcome: z.enum(attemptOutcomes),
  /** The response was lost, and the outcome was looked up at the platform. */
  lookedUp: z.optional(z.literal(true)),
  failure: z.optional(AttemptFailure),
  /** The post is live without something that the platform did not accept. */
  warning: z.optional(z.string()),
})
export type AttemptRecord = z.infer<typeof AttemptRecord>
