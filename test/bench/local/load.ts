import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './ask.ts'
import type { Child } from './child.ts'
import { spread } from './measure.ts'
import { makeMix } from './mix.ts'

export interface Sample {
  route: string
  status: string
  tookMs: number
}

interface Progress {
  seconds: number
  open: number
  samples: readonly Sample[]
}

/** Sends the mix at a steady rate, whatever becomes of the answers, and tells of each, and of the memory of the service. */
export const sendMix = async (
  child: Child,
  perSecond: number,
  seconds: number,
  tell: (progress: Progress) => void = () => {},
) => {
  const mix = makeMix(child)
  const samples: Sample[] = []
  const sendOne = async () => {
    const mixed = mix.next()
    const startedAt = performance.now()
    const note = (status: string) => {
      samples.push({ route: mixed.route, status, tookMs: performance.now() - startedAt })
    }
    try {
      const { status, retryAfter, text } = await ask(mixed.what)
      note(status === 503 && retryAfter === undefined ? '503 without Retry-After' : String(status))
      mix.learn(mixed, status, text)
    } catch (error) {
      note(error instanceof Error ? error.message : String(error))
    }
  }
  const running = new Set<Promise<void>>()
  const before = child.usage()
  let [deepest, peakMb] = [0, before.rssMb]
  const startedAt = performance.now()
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await sleep(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()))
    const one = sendOne().finally(() => running.delete(one))
    running.add(one)
    deepest = Math.max(deepest, running.size)
    if (n % perSecond !== 0) continue
    peakMb = Math.max(peakMb, child.usage().rssMb)
    tell({ seconds: n / perSecond, open: running.size, samples })
  }
  await Promise.all(running)
  const after = child.usage()
  return {
    ...{ samples, deepest, peakMb, startMb: before.rssMb, endMb: after.rssMb },
    tookSeconds: (performance.now() - startedAt) / 1000,
    cpuMsEach: (after.cpuMs - before.cpuMs) / samples.length,
  }
}

/** How many answers there were of each status, and how long they took. */
export const inWords = (name: string, samples: readonly Sample[]): string => {
  const { p50, p99 } = spread(samples.map(({ tookMs }) => tookMs))
  return `${name.padEnd(34)} p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms; ${statusesOf(samples)}`
}

export const statusesOf = (samples: readonly Sample[]): string =>
  [...Map.groupBy(samples, ({ status }) => status)]
    .map(([status, of]) => `${status}: ${of.length}`)
    .sort()
    .join(', ')
