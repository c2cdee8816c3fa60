import type { Context } from '../context.ts'
import type { ErrorClass, ErrorFacts } from '../platforms/platform-error.ts'
import type { Post } from './lifecycle/row.ts'

/** How an attempt ended. */
export interface AttemptEnd {
  state: 'confirmed' | 'rejected' | 'retried' | 'unknown'
  errorClass?: ErrorClass
  facts?: ErrorFacts
  platformId?: string | null
}

/** Logs what an attempt did and how it ended, once the row of its post says so. Nothing reads these lines but people. */
export const logAttempt = (ctx: Context, post: Post, { state, errorClass, facts, platformId }: AttemptEnd): void => {
  const { id: postId, workspaceId, platform, version, leaseToken, attempt } = post
  ctx.log.info('attempt ended', {
    ...{ state, postId, workspaceId, platform, version, leaseToken },
    ...{ clientKey: attempt?.clientKey, startedAtMs: attempt?.startedAtMs, endedAtMs: ctx.clock.now() },
    ...{ errorClass, httpStatus: facts?.httpStatus, code: facts?.code, platformId: platformId ?? undefined },
  })
}
