import { hourMs, minuteMs } from '../../time.ts'

/** This many failed attempts in a row make an endpoint failing. */
export const failuresUntilFailing = 5

const probeWaitsMinutes = [1, 5, 15] as const
const lastProbeWaitMinutes = 30
const maxRequestedSeconds = 24 * 3600

/** The wait after `probeCount` probes: 1, 5, 15, then 30 minutes, or the delay in Retry-After, up to a day. */
export const probeWaitMs = (probeCount: number, requestedDelaySeconds = 0): number =>
  Math.max(
    (probeWaitsMinutes[probeCount] ?? lastProbeWaitMinutes) * minuteMs,
    Math.min(requestedDelaySeconds, maxRequestedSeconds) * 1000,
  )

const minPerSecond = 10
const maxPerSecond = 100
const doublingMs = 10_000

/**
 * The rate at which parked deliveries are sent, by the time since the recovery began or since a delivery failed in it.
 */
export const recoveryPerSecond = (rampMs: number): number =>
  Math.min(maxPerSecond, minPerSecond * 2 ** Math.floor(Math.max(0, rampMs) / doublingMs))

/** The most concurrent requests to a slow endpoint. */
export const maxSlowRequests = 20

/** A response that takes longer makes its endpoint slow. */
export const slowAfterMs = 2000

const noticeHours = [24, 72] as const

/** The email that the owner has not received yet, in hours since the first failure; undefined if none is due. */
export const noticeDue = (failingForMs: number, lastNoticeHours: number): number | undefined =>
  noticeHours.findLast((hours) => failingForMs >= hours * hourMs && hours > lastNoticeHours)

const disabledAfterMs = 5 * 24 * hourMs
const disabledAfterFailures = 20

/** Whether an endpoint should be disabled: no delivery succeeded for five days, and at least 20 attempts failed. */
export const isBeyondRecovery = (failingForMs: number, failures: number): boolean =>
  failingForMs >= disabledAfterMs && failures >= disabledAfterFailures
