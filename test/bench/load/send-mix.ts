import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './ask.ts'
import type { Child } from './child.ts'
import { makeMix } from './mix.ts'

interface Sample {
  route: string
  status: string
  tookMs: number
}

/** Sends the mix at a steady rate, regardless of the responses; returns them, and the resources that the service used. */
export const sendMix = async (child: Child, perSecond: number, seconds: number) => {
  const mix = makeMix(child)
  const samples: Sample[] = []
  const sendOne = async () => {
    const mixed = mix.next()
    const startedAt = performance.now()
    const note = (status: string) => {
      samples.push({ route: mixed.route, status, tookMs: performance.now() - startedAt })
    }
    try {
      const { status, retryAfter, text } = await send(mixed.requestSpec)
      note(status === 503 && retryAfter === undefined ? '503 without Retry-After' : String(status))
      mix.learn(mixed, status, text)
    } catch (error) {
      note(error instanceof Error ? error.message : String(error))
    }
  }
  const running = new Set<Promise<void>>()
  const before = child.usage()
  let peakMb = before.rssMb
  const startedAt = performance.now()
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await sleep(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()))
    const one = sendOne().finally(() => running.delete(one))
    running.add(one)
    if (n % perSecond === 0) peakMb = Math.max(peakMb, child.usage().rssMb)
  }
  await Promise.all(running)
  const after = child.usage()
  return { samples, peakMb, startMb: before.rssMb, cpuMsEach: (after.cpuMs - before.cpuMs) / samples.length }
}

export const statusesOf = (samples: readonly Sample[]): string =>
  [...Map.groupBy(samples, ({ status }) => status)]
    .map(([status, of]) => `${status}: ${of.length}`)
    .sort()
    .join(', ')
