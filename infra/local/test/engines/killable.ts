import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A program with engines, in its own process. */
export interface Killable {
  /** What it sent once it was up. */
  firstMessage: unknown
  /** Ends it by SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
}

/** Starts a program that takes a folder as its argument; resolves with the first thing that it sends. */
export const startKillable = async (program: URL, folder: string): Promise<Killable> => {
  const child = fork(fileURLToPath(program), [folder])
  const ended = once(child, 'exit').then(([code, signal]) => ({ end: code ?? signal }))
  const first = await Promise.race([once(child, 'message'), ended])
  if ('end' in first) throw new Error(`${program} ended with ${first.end} before it was up`)
  return {
    firstMessage: first[0],
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
