import { expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { specifiedLimits } from '../../../shared/limits/limits.ts'
import { start } from '../../support/start.ts'

test('a device that keeps the interval polls for the whole life of its code within the rate limit; guesses count', async () => {
  const kit = await start({ rateLimits: specifiedLimits })
  const { cli } = client({ baseUrl: kit.url })
  const { deviceCode, interval, expiresIn } = await cli.startDeviceLogin()
  const poll = (code: string) => cli.pollDeviceLogin({ body: { deviceCode: code } }).catch(({ code }) => code)
  for (let seconds = 0; seconds < expiresIn; seconds += interval) {
    expect(await poll(deviceCode), `after ${seconds} s`).toBe('authorization_pending')
    kit.clock.pass(interval * 1000)
  }
  expect(await poll(deviceCode)).toBe('expired_token')
  const guesses: unknown[] = []
  for (let n = 0; n <= specifiedLimits.cli.calls; n += 1) guesses.push(await poll(`guess${n}`))
  expect(guesses[0]).toBe('expired_token')
  expect(guesses.at(-1)).toBe('rate_limited')
  await kit.close()
})
