const minuteMs = 60_000
const probeMinutes = [1, 5, 15] as const
const laterProbeMinutes = 30

const maxRequestedSeconds = 24 * 3600

/**
 * The wait before the next probe of a failing endpoint, after so many: 1, 5, 15, then 30 minutes (reliability, A2.6), or
 * longer where the receiver asked for it.
 */
export const probeWaitMs = (probes: number, requestedDelaySeconds = 0): number =>
  Math.max(
    (probeMinutes[probes] ?? laterProbeMinutes) * minuteMs,
    Math.min(requestedDelaySeconds, maxRequestedSeconds) * 1000,
  )

const firstPerSecond = 10
const maxPerSecond = 100
const doublingMs = 10_000

/** How many parked deliveries go out per second, so long after the recovery began or the last failure in it. */
export const recoveryPerSecond = (forMs: number): number =>
  Math.min(maxPerSecond, firstPerSecond * 2 ** Math.floor(Math.max(0, forMs) / doublingMs))

/** The most requests at once at an endpoint that answers slowly. */
export const maxSlowRequests = 20

/** An answer that takes longer makes its endpoint slow. */
export const slowAfterMs = 2000

const hourMs = 60 * minuteMs
const noticeHours = [24, 72] as const

/** The notice that an owner has not had yet, in hours since the first failure; undefined where none is due. */
export const noticeDue = (failingForMs: number, toldHours: number): number | undefined =>
  noticeHours.findLast((hours) => failingForMs >= hours * hourMs && hours > toldHours)

const disabledAfterMs = 5 * 24 * hourMs
const disabledAfterFailures = 20

/** Whether an endpoint is switched off: no good answer for five days, and at least 20 failed attempts (A2.8). */
export const isBeyondRecovery = (failingForMs: number, failures: number): boolean =>
  failingForMs >= disabledAfterMs && failures >= disabledAfterFailures
