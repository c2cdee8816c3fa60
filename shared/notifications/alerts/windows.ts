import { hourMs, minuteMs } from '../../time.ts'
import type { Channel } from '../kinds.ts'

/** How long alerts are collected before the first notification: posts of one moment fail within seconds. */
export const gatherSeconds: Readonly<Record<Channel, number>> = { push: 15, mail: 60 }

/**
 * Decided: about the same thing, a person gets at most one push message in ten minutes and one email an hour, with the
 * number of what has happened since the last one.
 */
export const windowMs: Readonly<Record<Channel, number>> = { push: 10 * minuteMs, mail: hourMs }
