import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  buildWithinMs,
  built,
  makeFolder,
  removeFolder,
  signalGroup,
  start,
  untilNothingRuns,
  untilUp,
} from './processes.ts'

const folder = makeFolder()
beforeAll(built, buildWithinMs)
afterAll(() => removeFolder(folder))

const demonstrationIn = async (...options: string[]): Promise<boolean> => {
  const running = start(folder, ...options)
  await untilUp(folder, running)
  const output = running.output()
  signalGroup(running, 'SIGTERM')
  await untilNothingRuns(folder)
  return output.includes('signature verified')
}

test('only the first start demonstrates by itself, and --demo repeats it', { timeout: 300_000 }, async () => {
  expect(await demonstrationIn()).toBe(true)
  expect(await demonstrationIn()).toBe(false)
  expect(await demonstrationIn('--demo')).toBe(true)
})
