/** The processor time that a file of `npm test` may take, in milliseconds, on the machine where the list was measured. */
const limitMs = 2_000

/** The same for all of `npm test`. */
const runLimitMs = 280_000

/** How much more a file may take than its price: other work on the machine disturbs what is measured. */
const tolerance = 2

/**
 * Files of `npm test` that may take longer, with their price and the reason. The list may only become shorter: what takes
 * longer than that is a law, a fault, or long (test/README.md).
 */
const dearFiles: Readonly<Record<string, readonly [ms: number, why: string]>> = {
  'test/repository/shape.test.ts': [7_000, 'it parses every source'],
  'test/repository/words.test.ts': [5_000, 'it parses every source, also of the tests'],
  'test/http/rate-limit.test.ts': [4_700, 'thousands of calls meet the limits'],
  'test/journeys/thread.test.ts': [4_700, 'threads of 25 posts'],
  'test/operations/pause.test.ts': [4_500, 'each kind of work is paused and resumed'],
  'test/platforms/youtube.test.ts': [4_300, 'uploads in chunks'],
  'test/posts/lists.test.ts': [4_200, 'two thousand rows of each kind'],
  'test/api/posts/filters.test.ts': [4_100, 'more than a thousand posts'],
  'test/specification/access.test.ts': [3_800, '496 statements of the specification'],
  'test/platforms/tiktok.test.ts': [3_800, 'uploads in chunks'],
  'test/media/sent-names.test.ts': [3_700, 'a file of each type for each platform'],
  'test/api/ai/transcribe.test.ts': [3_600, 'recordings'],
  'test/media/inspect.test.ts': [3_600, 'it decodes images'],
  'test/media/remux.test.ts': [3_500, 'it rewrites videos'],
  'test/specification/platform-metadata.test.ts': [3_500, '366 statements of the specification'],
  'test/media/convert.test.ts': [3_400, 'it decodes images'],
  'test/webhooks/ssrf.test.ts': [3_300, '253 spellings of addresses'],
  'test/notifications/alerts.test.ts': [3_100, 'whole journeys'],
  'test/media/convert-pipeline.test.ts': [3_100, 'it decodes images'],
  'test/http/sign-in-guesses.test.ts': [3_000, 'thousands of calls meet the limits'],
  'test/api/media/upload-matrix.test.ts': [3_000, 'files of each type'],
  'test/api/media/create.test.ts': [2_900, 'files of each type'],
  'test/platforms/reddit-kinds.test.ts': [2_600, 'files of each type'],
  'test/api/posts/cancel-thread.test.ts': [2_600, 'threads that are canceled after each post'],
  'test/specification/bodies.test.ts': [2_500, '352 statements of the specification'],
  'test/api/social-accounts/access-end.test.ts': [2_400, 'whole journeys'],
  'test/journeys/platforms/tiktok.test.ts': [2_300, 'uploads in chunks'],
  'test/journeys/api-end.test.ts': [2_200, 'whole journeys'],
  'test/api/posts/update.test.ts': [2_200, 'whole journeys'],
  'test/api/auth/token-key-rotation.test.ts': [2_200, 'whole journeys'],
  'test/platforms/linkedin-rules.test.ts': [2_100, 'random texts'],
  'test/platforms/facebook-videos.test.ts': [2_100, 'uploads in chunks'],
  'test/api/application/one-plan.test.ts': [2_000, 'whole journeys'],
  'test/platforms/slack.test.ts': [2_000, 'whole journeys'],
}

/** A file, and its processor time in milliseconds. */
export type Price = readonly [file: string, ms: number]

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 1

/** How much slower this machine is than the one of the list; 1 for a faster one, or if nothing of the list ran. */
const slownessOf = (prices: readonly Price[]): number => {
  const ratios = prices.flatMap(([file, ms]) => (dearFiles[file] ? [ms / dearFiles[file][0]] : []))
  return Math.max(1, median(ratios))
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** What a run of `npm test` took, and what took more than its price. A run of a few files has no price. */
export const bill = (prices: readonly Price[]): { lines: string[]; faults: string[] } => {
  const total = prices.reduce((sum, [, ms]) => sum + ms, 0)
  const slowness = slownessOf(prices)
  const dearest = prices.toSorted(([, left], [, right]) => right - left).slice(0, 10)
  const lines = [
    `processor time ${seconds(total)} in ${prices.length} files, at ${slowness.toFixed(2)} times that of the price list`,
    ...dearest.map(([file, ms]) => `  ${seconds(ms)} ${file}`),
  ]
  const overFile = prices.flatMap(([file, ms]) => {
    const price = dearFiles[file]?.[0] ?? limitMs
    const max = price * slowness * tolerance
    return ms <= max ? [] : [`${file} took ${seconds(ms)} of processor time; its price is ${seconds(price)}`]
  })
  const overRun = total <= runLimitMs * slowness * tolerance ? [] : [`the run may take ${seconds(runLimitMs)}`]
  return { lines, faults: [...overFile, ...overRun] }
}
