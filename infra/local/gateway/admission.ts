import type { EngineClock } from '../engines/engine.ts'
import type { GatewayAnswer } from './answer.ts'
import { ownError } from './own-answer.ts'

export interface AdmissionLimits {
  /** Requests that are worked on at the same moment. */
  atOnce: number
  /** Requests in the queue; one more is rejected immediately. */
  waiting: number
  /** How long a request waits in a burst, in milliseconds. */
  timeoutMs: number
  /** How long it waits once the queue has been non-empty for `standingAfterMs`. */
  shortTimeoutMs: number
  standingAfterMs: number
}

const usual: AdmissionLimits = {
  atOnce: 32,
  waiting: 1_000,
  timeoutMs: 5_000,
  shortTimeoutMs: 500,
  standingAfterMs: 10_000,
}

interface Waiting {
  sinceMs: number
  /** Called with whether it may continue. */
  answer(admitted: boolean): void
}

export interface Admission {
  /** Waits for a slot; returns how to release it, or undefined if the request is rejected. */
  enter(): Promise<(() => void) | undefined>
}

const lookEveryMs = 100

/**
 * Bounds concurrent work. A burst waits for its turn. Once the queue has not been empty for a while, requests wait briefly
 * and the newest are processed first, because their callers still listen (CoDel's two patiences, ACM Queue 10(5), 2012).
 */
export const makeAdmission = (clock: EngineClock, limits: Partial<AdmissionLimits> = {}): Admission => {
  const { atOnce, waiting: maxWaiting, timeoutMs, shortTimeoutMs, standingAfterMs } = { ...usual, ...limits }
  const waiting: Waiting[] = []
  let working = 0
  let emptyAtMs = clock.now()
  let timer: NodeJS.Timeout | undefined

  const isStanding = () => clock.now() - emptyAtMs > standingAfterMs
  const noteEmpty = () => {
    if (waiting.length > 0) return
    emptyAtMs = clock.now()
    clearInterval(timer)
    timer = undefined
  }
  const turnAwayImpatient = () => {
    const oldestMs = clock.now() - (isStanding() ? shortTimeoutMs : timeoutMs)
    while (waiting[0] !== undefined && waiting[0].sinceMs < oldestMs) waiting.shift()?.answer(false)
    noteEmpty()
  }
  const leave = () => {
    working -= 1
    const next = isStanding() ? waiting.pop() : waiting.shift()
    if (next !== undefined) {
      working += 1
      next.answer(true)
    }
    noteEmpty()
  }
  const leaveOnce = () => {
    let left = false
    return () => {
      if (!left) leave()
      left = true
    }
  }
  return {
    async enter() {
      if (working < atOnce) {
        working += 1
        noteEmpty()
        return leaveOnce()
      }
      if (waiting.length >= maxWaiting) return undefined
      timer ??= setInterval(turnAwayImpatient, lookEveryMs).unref()
      const admitted = await new Promise<boolean>((answer) => waiting.push({ sinceMs: clock.now(), answer }))
      return admitted ? leaveOnce() : undefined
    },
  }
}

const tooBusy = {
  text: 'The service is too busy. Nothing was changed. Retry in a few seconds.',
  code: 'unavailable',
} as const

/** The response to a rejected request. */
export const turnedAway = (baseUrl: string): GatewayAnswer => ownError(baseUrl, 503, tooBusy, { 'Retry-After': '1' })
