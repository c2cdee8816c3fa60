import { threadCpuUsage } from 'node:process'
import { graphemes } from '../../../../shared/text/counting.ts'

/** The processor time of this thread that a call takes, in milliseconds; what the machine does besides does not count. */
const cpuMs = (work: () => unknown): number => {
  const before = threadCpuUsage()
  work()
  const { user, system } = threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * The least of some measurements: the first ones compile, and any may wait for memory. One below `enough` ends it.
 */
const leastCpuMs = (work: () => unknown, times: number, enough = 0): number => {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < times && least >= enough; n += 1) least = Math.min(least, cpuMs(work))
  return least
}

/** Work to measure others by: finding the graphemes in 100,000 letters takes about 4 ms. */
const yardstick = 'a'.repeat(100_000)
const maxYardsticks = 12

/**
 * Why a call takes too long, or undefined: it may take as long as finding the graphemes in 1.2 million letters, about
 * 50 ms. Both are measured in turn, up to 40 times, because how fast a machine is may change at any moment.
 */
export const costFault = (work: () => unknown): string | undefined => {
  let [least, unit] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let tries = 0; tries < 40; tries += 1) {
    least = Math.min(least, cpuMs(work))
    unit = Math.min(
      unit,
      leastCpuMs(() => graphemes(yardstick), 3),
    )
    if (least <= maxYardsticks * unit) return undefined
  }
  return `${least.toFixed(1)} ms, where finding the graphemes in ${yardstick.length} letters takes ${unit.toFixed(1)} ms`
}

/** Growth is not judged below this: it is too small to measure, and harmless. */
const floorMs = 20
/** What a collection of garbage may add. */
const slackMs = 10

/**
 * Why work on a text grows faster than the text, or undefined: at four times the length it may take five times the time.
 * A slow measurement is taken again, up to 78 times: a busy machine only ever adds to the time.
 */
export const growthFault = (work: (text: string) => unknown, textOf: (units: number) => string, units: number) => {
  const [short, long] = [textOf(units / 4), textOf(units)]
  let [least, max] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let tries = 0; tries < 12; tries += 1) {
    max = Math.min(
      max,
      leastCpuMs(() => work(long), 1 + tries, floorMs),
    )
    if (max <= floorMs) return undefined
    least = Math.min(
      least,
      leastCpuMs(() => work(short), 1 + tries),
    )
    if (max <= 5 * least + slackMs) return undefined
  }
  return `${least.toFixed(1)} ms at ${short.length}, ${max.toFixed(1)} ms at ${long.length} of ${JSON.stringify(long.slice(0, 80))}`
}
