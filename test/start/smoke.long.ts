import { afterAll, beforeAll, expect, test } from 'vitest'
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
} from './processes.ts'
import { smoke } from './smoke/run.ts'

const folder = makeFolder()
let running: Running
let service: ServiceFile

beforeAll(built, buildWithinMs)
beforeAll(async () => {
  running = start(folder, '--no-demo')
  service = await untilUp(folder, running)
})
afterAll(async () => {
  signalGroup(running, 'SIGKILL')
  await untilNothingRuns(folder)
  removeFolder(folder)
})

const metadata = JSON.stringify({ slack: { channelId: 'C0DEMO002', channelName: 'random' } })

test.each([
  ['bluesky', []],
  ['slack', ['--metadata', metadata]],
] as const)('--publish publishes a real post on %s a minute ahead', async (platform, args) => {
  const account = service.accounts[platform] ?? ''
  const { code, said, lines } = await smoke(service.pat, '--base-url', service.baseUrl, '--publish', account, ...args)
  expect([code, said]).toEqual([0, expect.stringMatching(/^ok {7}publish .* seen \d{1,4} ms after its time .*: http/m)])
  expect(lines.filter((line) => line.includes('clean up')).length).toBeGreaterThan(3)
})
