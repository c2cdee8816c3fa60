import { performance } from 'node:perf_hooks'

export type Print = (text: string) => void

/** Runs a step that may take long, and prints one line with its name and duration in seconds. */
export const step = async <T>(print: Print, label: string, run: () => Promise<T>): Promise<T> => {
  const startedAt = performance.now()
  print(`${label} … `)
  try {
    const result = await run()
    print(`${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
    return result
  } catch (error) {
    print('failed\n')
    throw error
  }
}
