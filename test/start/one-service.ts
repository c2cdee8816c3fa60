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
  startsWithinMs,
  untilNothingRuns,
  untilUp,
} from './processes.ts'

interface ServiceOptions {
  /** Without the demo by default. */
  options?: readonly string[]
  arrange?(folder: string): void
}

/**
 * Runs the processes of `npm start` in a separate folder for all tests of a file, and ends them after
 * the last one. `arrange` prepares the folder.
 */
export const useService = ({ options = ['--no-demo'], arrange }: ServiceOptions = {}) => {
  const folder = makeFolder()
  let running: Running
  let service: ServiceFile
  beforeAll(built, buildWithinMs)
  beforeAll(async () => {
    arrange?.(folder)
    running = start(folder, ...options)
    service = await untilUp(folder, running)
  }, startsWithinMs)
  afterAll(async () => {
    signalGroup(running, 'SIGKILL')
    await untilNothingRuns(folder)
    removeFolder(folder)
  })
  return {
    folder,
    get service() {
      return service
    },
    get running() {
      return running
    },
  }
}
