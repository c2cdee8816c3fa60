/** The processor time that a file of `npm test` may take, in milliseconds, on the machine where the list was measured. */
const limitMs = 2_000

/** The same for all of `npm test`. */
const runLimitMs = 220_000

/** How much more a file may take than its price: other work on the machine disturbs what is measured. */
const tolerance = 1.6

/**
 * Files of `npm test` that may take longer, with their price and the reason. The list may only become shorter: what takes
 * longer than that is a law, a fault, or long (test/README.md).
 */
export const dearFiles: Readonly<Record<string, readonly [ms: number, why: string]>> = {}

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
  const dearest = prices.toSorted(([, one], [, other]) => other - one).slice(0, 10)
  const lines = [
    `processor time ${seconds(total)} in ${prices.length} files, at ${slowness.toFixed(2)} times that of the price list`,
    ...dearest.map(([file, ms]) => `  ${seconds(ms)} ${file}`),
  ]
  const overFile = prices.flatMap(([file, ms]) => {
    const price = dearFiles[file]?.[0] ?? limitMs
    const most = price * slowness * tolerance
    return ms <= most ? [] : [`${file} took ${seconds(ms)} of processor time; its price is ${seconds(price)}`]
  })
  const overRun = total <= runLimitMs * slowness * tolerance ? [] : [`the run may take ${seconds(runLimitMs)}`]
  return { lines, faults: [...overFile, ...overRun] }
}
