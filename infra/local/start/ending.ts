import { constants } from 'node:os'

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/**
 * The first reason to end: a signal, or the death of the parent. Later ones are ignored: a single Ctrl-C arrives several
 * times, from the terminal, from npm, and from the parent.
 */
export const awaitEnd = (): Promise<Signal> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
    if (process.connected) process.once('disconnect', () => resolve('SIGHUP'))
  })

/** The exit code of a process that a signal ended. */
export const exitCodeOf = (signal: Signal): number => 128 + constants.signals[signal]
