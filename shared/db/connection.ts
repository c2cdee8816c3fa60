import { AsyncLocalStorage } from 'node:async_hooks'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { makeClient } from '../aws/client.ts'
import { failureOf } from '../aws/failure.ts'
import { type Context, perContext } from '../context.ts'
import { countKeys } from '../resources.ts'
import { Unavailable } from './unavailable.ts'
import { countWrite } from './writes-in-doubt.ts'

/** Whether any try of the current call got no response. */
const tries = new AsyncLocalStorage<{ unanswered: boolean }>()

/**
 * Four tries of at most six seconds each, a thousand times the usual latency of DynamoDB. Without a limit, a silent
 * connection blocks a request until its function is stopped.
 */
export const client = perContext((ctx) => {
  const made = makeClient(ctx, DynamoDBClient, {
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
  })
  // Below the SDK's own retries, which only show the error of the last try.
  made.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        const call = tries.getStore()
        if (call && failureOf(error) === 'unknown') call.unanswered = true
        throw error
      }),
    { step: 'finalizeRequest', priority: 'low', name: 'recordUnanswered' },
  )
  return DynamoDBDocumentClient.from(made, { marshallOptions: { removeUndefinedValues: true } })
})
export const table = (ctx: Context) => ctx.env('TABLE_NAME')
/**
 * How often a write or a read is tried after a conflict or throttling: about five seconds, in which fifty transactions
 * on one row get their turn and a partition recovers its capacity.
 */
export const maxTries = 12
const longestPauseMs = 1_600

/** Waits longer with each attempt and with jitter, so that conflicting writers do not meet again. */
export const pause = (ctx: Context, attempt: number) =>
  ctx.clock.sleep(Math.ceil(Math.random() * Math.min(25 * 2 ** attempt, longestPauseMs)))

/** Runs one read of the table, visible to tests; throws Unavailable if the table is throttled or unreachable. */
export const run = async <T>(
  ctx: Context,
  action: string,
  call: () => Promise<T>,
  resource = table(ctx),
): Promise<T> => {
  try {
    return await ctx.observe({ service: 'dynamodb', action, resource }, call)
  } catch (error) {
    throw failureOf(error) === undefined ? error : new Unavailable(error, false)
  }
}

/** The same for a write. It counts as a write of the current request unless it was certainly not carried out. */
export const write = async <T>(
  ctx: Context,
  action: string,
  call: () => Promise<T>,
  resource = table(ctx),
): Promise<T> => {
  // Writes to rate limit counters do not count as writes of the request.
  const takeBack = resource.endsWith(countKeys) ? () => {} : countWrite()
  const made = { unanswered: false }
  try {
    return await tries.run(made, () => ctx.observe({ service: 'dynamodb', action, resource }, call))
  } catch (error) {
    const failure = failureOf(error)
    const mayHaveHappened = made.unanswered || failure === 'unknown'
    if (!mayHaveHappened) takeBack()
    throw failure === undefined && !mayHaveHappened ? error : new Unavailable(error, mayHaveHappened)
  }
}
