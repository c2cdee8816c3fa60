import type { Context as LambdaContext } from 'aws-lambda'
import { countWrites, type Writes } from '../db/writes-in-doubt.ts'

/** How long before its timeout a function responds with an error, in milliseconds. */
const answerMs = 200

/**
 * Runs a request until shortly before its function's timeout, then responds with `late`, which receives whether the request
 * has written, or may have. Code that still runs after that cannot start a write; the SDK may retry one that it has started.
 */
export const withinDeadline = async <T>(
  lambda: Partial<Pick<LambdaContext, 'getRemainingTimeInMillis'>>,
  run: () => Promise<T>,
  late: (mayHaveWritten: boolean) => T,
): Promise<T> => {
  const writes: Writes = { count: 0, over: false }
  const running = countWrites(writes, run)
  const left = lambda.getRemainingTimeInMillis?.()
  if (left === undefined) return running
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<T>((resolve) => {
    timer = setTimeout(
      () => {
        writes.over = true
        resolve(late(writes.count > 0))
      },
      Math.max(0, left - answerMs),
    )
  })
  return Promise.race([running, over]).finally(() => clearTimeout(timer))
}
