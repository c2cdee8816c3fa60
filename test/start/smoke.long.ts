import { expect, test } from 'vitest'
import { useService } from './one-service.ts'
import { smoke } from './smoke/run.ts'

const run = useService()

const metadata = JSON.stringify({ slack: { channelId: 'C0DEMO002', channelName: 'random' } })

test.each([
  ['bluesky', []],
  ['slack', ['--metadata', metadata]],
] as const)('--publish publishes a real post on %s a minute ahead', async (platform, args) => {
  const { service } = run
  const account = service.accounts[platform] ?? ''
  const { code, output, lines } = await smoke(service.pat, '--base-url', service.baseUrl, '--publish', account, ...args)
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^ok {7}publish .* seen \d{1,4} ms after its time .*: http/m),
  ])
  expect(lines.filter((line) => line.includes('clean up')).length).toBeGreaterThan(3)
})
