import { afterAll, beforeAll } from 'vitest'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { type Kit, start } from './start.ts'

/** One service for the tests of a file, whose functions can be watched for a while. */
export const serveWatched = () => {
  const plain: ObserveFunction = (_effect, run) => run()
  let observe = plain
  let kit: Kit | undefined
  beforeAll(async () => {
    kit = await start({ observe: (effect, run) => observe(effect, run) })
  })
  afterAll(() => kit?.close())
  return {
    running: (): Kit => {
      if (kit === undefined) throw new Error('the service did not start')
      return kit
    },
    /** Stands between the functions and what they do while something runs. */
    watch: async <T>(watcher: ObserveFunction, run: () => Promise<T>): Promise<T> => {
      observe = watcher
      return run().finally(() => {
        observe = plain
      })
    },
  }
}
