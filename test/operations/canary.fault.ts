import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { minuteMs } from '../../shared/time.ts'
import { settings, synthesize } from '../infra/synth.ts'
import { scheduleOn } from '../journeys/author.ts'
import { alarmsOf, recordMetrics } from '../support/cloudwatch.ts'
import { type Kit, start } from '../support/start.ts'

const { app } = synthesize({ ...settings, canary: 'on' })
const { simple, rings } = alarmsOf(app)
const ofPublisher = [...simple.keys()].filter((name) => name.includes('publish-post-canary'))

test('a release in which every message or every post fails is rolled back, and a working one stays', async () => {
  let isBroken = false
  let kit: Kit | undefined
  const recorder = recordMetrics(app, { now: () => kit?.clock.now() ?? 0 })
  const here = await start({
    observe: ({ functionName, action }, run) =>
      isBroken && functionName === 'publish-post' && action === 'BatchGetItem'
        ? Promise.reject(new Error('the release is broken'))
        : run(),
  })
  kit = here
  /** The alarms that ring within the five minutes of a step, in which four posts are due. */
  const step = async () => {
    for (const n of [1, 2, 3, 4]) await scheduleOn(here, 'bluesky', `Post ${n} of ${here.clock.now()}`, 2 * minuteMs)
    const ringing = new Set<string>()
    await recorder.pass(here, 5 * minuteMs, () => {
      for (const name of ofPublisher) if (rings(name, recorder.data, here.clock.now())) ringing.add(name)
    })
    return [...ringing]
  }
  expect(await step()).toEqual([])
  isBroken = true
  expect(await step()).toEqual(['workers-publish-post-canary-messages'])
  isBroken = false
  await recorder.pass(here, 10 * minuteMs)
  here.platforms.faults.add(
    ['create', 'refresh'].map((operation) => ({ platform: 'bluesky', operation, times: 100, fault: 'token_revoked' })),
  )
  expect(await step()).toEqual(['workers-publish-post-canary-posts'])
})

test('each line of a version of a function names it, and of a function without versions none', () => {
  const script = `import { lambdaContext } from './shared/context.ts'; lambdaContext().log.error('message failed')`
  const executed = (version: string) => {
    const env = { ...process.env, AWS_LAMBDA_FUNCTION_NAME: 'social-prod-notify', AWS_LAMBDA_FUNCTION_VERSION: version }
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
    return JSON.parse(stdout)
  }
  expect(executed('7')).toMatchObject({ message: 'message failed', executed: 'social-prod-notify:7' })
  expect(executed('$LATEST')).not.toHaveProperty('executed')
})
