import type { Context as LambdaContext } from 'aws-lambda'
import { countWrites, type Writes } from '../db/writes-in-doubt.ts'

/** How long before the end of its time a function answers by itself. */
const answerMs = 200

/**
 * Runs a request for as long as its function may run, then answers by `late`, which is told whether the request has
 * changed something or may have. What still runs after that writes nothing any more.
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
