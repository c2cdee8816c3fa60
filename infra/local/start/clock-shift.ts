import { existsSync, readFileSync } from 'node:fs'
import { dayMs } from '../../../shared/time.ts'
import { type ClockShift, shiftDate } from '../engines/clock-shift.ts'
import { replaceFileSync } from '../engines/replace-file.ts'

/** A mistyped number does not move a state folder further ahead. */
const [maxAtOnceMs, maxMs] = [366 * dayMs, 3_660 * dayMs]

/**
 * Moves the clocks of this process as far ahead of the machine's as the last run on the state folder did, so that its data
 * is not in the future.
 */
export const openClockShift = (file: string): ClockShift => {
  const shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
  const ahead = new BigInt64Array(shared)
  const aheadMs = () => Number(Atomics.load(ahead, 0))
  if (existsSync(file)) Atomics.store(ahead, 0, BigInt(JSON.parse(readFileSync(file, 'utf8')).aheadMs))
  shiftDate(shared)
  const lookers: (() => void)[] = []
  return {
    shared,
    aheadMs,
    move(byMs) {
      if (!Number.isSafeInteger(byMs) || byMs <= 0)
        throw new RangeError('Enter a whole number above 0: no clock goes back.')
      if (byMs > maxAtOnceMs) throw new RangeError('Enter a year at most.')
      if (aheadMs() + byMs > maxMs)
        throw new RangeError('The clock is ten years ahead: start over with "npm start -- --reset".')
      const movedMs = aheadMs() + byMs
      replaceFileSync(file, JSON.stringify({ aheadMs: movedMs }))
      Atomics.store(ahead, 0, BigInt(movedMs))
      for (const look of lookers) look()
    },
    onMove: (look) => void lookers.push(look),
  }
}
