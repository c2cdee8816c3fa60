import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import {
  buildWithinMs,
  built,
  makeFolder,
  type Running,
  removeFolder,
  type ServiceFile,
  signalGroup,
  start,
  untilNothingRuns,
  untilUp,
} from '../processes.ts'

/** The processes of `npm start` on one folder, which are killed and started again. */
export interface Tree {
  /** Starts them; resolves when the service is up, rejects when they end before that. */
  start(): Promise<ServiceFile>
  /** Ends all of them by SIGKILL at the same time; resolves when all have exited. */
  kill(): Promise<void>
  /** Resolves as soon as the service is up, with which of its lives this is. */
  whenUp(): Promise<number>
  /** Whether the service of that life is still up, as far as this test knows. */
  isUp(life: number): boolean
}

const makeTree = (folder: string): Tree => {
  let running: Running | undefined
  let life = 0
  let isUp = false
  let up = Promise.withResolvers<number>()
  return {
    async start() {
      // A kill leaves it behind.
      rmSync(join(folder, 'service.json'), { force: true })
      running = start(folder, '--no-demo')
      const service = await untilUp(folder, running)
      life += 1
      isUp = true
      up.resolve(life)
      return service
    },
    async kill() {
      if (running === undefined) return
      if (isUp) up = Promise.withResolvers<number>()
      isUp = false
      signalGroup(running, 'SIGKILL')
      await running.ended
      await untilNothingRuns(folder)
    },
    whenUp: () => up.promise,
    isUp: (candidate) => isUp && candidate === life,
  }
}

/** The processes for the tests of a file, on a state folder that goes with them. */
export const useTree = (): { folder: string; tree: Tree } => {
  const folder = makeFolder()
  const tree = makeTree(folder)
  beforeAll(built, buildWithinMs)
  afterAll(async () => {
    await tree.kill()
    removeFolder(folder)
  })
  return { folder, tree }
}
