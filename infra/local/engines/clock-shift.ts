/** How far the clocks of all threads of this process are ahead of the machine's: `npm start` can move them. */
export interface ClockShift {
  /** For a thread, which calls `shiftDate` before it loads anything. */
  readonly shared: SharedArrayBuffer
  aheadMs(): number
  /** Moves all clocks forward. Throws a RangeError with a sentence for people. */
  move(byMs: number): void
  /** Called after each move, so that what waits for a moment looks at its clock again. */
  onMove(look: () => void): void
}

/** Replaces `Date` in this thread: it returns the machine's time plus the shared shift. Timers are not affected. */
export const shiftDate = (shared: SharedArrayBuffer): void => {
  const ahead = new BigInt64Array(shared)
  const Machine = Date
  const now = (): number => Machine.now() + Number(Atomics.load(ahead, 0))
  globalThis.Date = new Proxy(Machine, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Machine(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}
