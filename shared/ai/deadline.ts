/** The time that a request has for its provider, in real time. */
export interface Deadline {
  signal: AbortSignal
  /** Whole milliseconds: `AbortSignal.timeout` rejects fractions. */
  remainingMs(): number
}

export const deadlineIn = (ms: number): Deadline => {
  const endMs = performance.now() + ms
  return { signal: AbortSignal.timeout(ms), remainingMs: () => Math.max(0, Math.floor(endMs - performance.now())) }
}
