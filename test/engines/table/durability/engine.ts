import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** An embedded table in a process of its own. */
export interface EngineProcess {
  url: string
  /** Ends it by SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
}

/** Starts it on a folder; its tables are those that an earlier one left there. */
export const startEngine = async (folder: string): Promise<EngineProcess> => {
  const child = fork(fileURLToPath(new URL('./serve.ts', import.meta.url)), [folder])
  const ended = once(child, 'exit')
  const url = await Promise.race([once(child, 'message'), ended])
  if (typeof url[0] !== 'string') throw new Error(`the engine ended with ${url} before it listened`)
  return {
    url: url[0],
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
