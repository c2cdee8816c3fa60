import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { platformIds } from '../../shared/resources.ts'
import { physical, read, settings, synthesize, testApp } from './synth.ts'

const FunctionShape = z.object({ FunctionName: z.string(), ReservedConcurrentExecutions: z.optional(z.number()) })
const Mapping = z.object({
  EventSourceArn: z.string(),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.number() })),
})

/** The reserved concurrency by function, and the limits by queue. */
const concurrencyIn = (context: typeof settings) => {
  const { app } = synthesize(context)
  const reserved = read(app, 'AWS::Lambda::Function', FunctionShape).flatMap(
    ({ FunctionName, ReservedConcurrentExecutions: max }) => (max === undefined ? [] : [[FunctionName, max]]),
  )
  const limits = read(app, 'AWS::Lambda::EventSourceMapping', Mapping).map(({ EventSourceArn, ScalingConfig }) => [
    EventSourceArn.split(':').at(-1),
    ScalingConfig?.MaximumConcurrency,
  ])
  return { reserved: Object.fromEntries(reserved), limits: Object.fromEntries(limits) }
}

/** The concurrency that the publishers of all platforms may use: 50 for Bluesky, and 20 for each other one. */
const published = 50 + (platformIds.length - 1) * 20

// A synthesis takes seconds, and more on a busy machine.
const byDefault = concurrencyIn(settings)
const withQuota = concurrencyIn({ ...settings, accountConcurrency: 1000, maximumConcurrency: { 'publish-x': 40 } })
const pollers = { 'publish-slack': { minimum: 2, maximum: 4 } }
const withPollers = concurrencyIn({ ...settings, accountConcurrency: 1000, pollers })

test('a first deployment into an account with ten concurrent executions reserves nothing', () => {
  expect(byDefault.reserved).toEqual({})
})

test('a flood of API calls leaves the sweeper and the publishers their concurrency', () => {
  expect(withQuota.reserved).toEqual({
    [physical('sweep')]: 2,
    [physical('prepare-post')]: 50,
    [physical('publish-post')]: published - 20 + 40,
  })
  expect(withPollers.reserved).toMatchObject({ [physical('publish-post')]: published - 20 + 4 * 10 })
})

test('no message is throttled into the dead-letter queue: the queues of a function stay within its reservation', () => {
  const limits = platformIds.map((id) => withQuota.limits[physical(`publish-${id}`)])
  expect(limits.reduce((sum, limit) => sum + limit, 0)).toBe(withQuota.reserved[physical('publish-post')])
  expect(withQuota.limits[physical('prepare')]).toBe(withQuota.reserved[physical('prepare-post')])
  expect(withQuota.limits[physical('events')]).toEqual(byDefault.limits[physical('events')])
  expect(withPollers.limits[physical('publish-slack')]).toBeUndefined()
})

test('a reservation that Lambda would reject is rejected before synthesis, with the quota to request', () => {
  const sum = 2 + 50 + published
  expect(() => testApp({ ...settings, accountConcurrency: sum + 99 })).toThrow(
    `"accountConcurrency" is ${sum + 99}. The sweeper and the publishers reserve ${sum}, and 100 must stay unreserved. Raise the quota to ${sum + 100} or more`,
  )
  expect(() => testApp({ ...settings, accountConcurrency: sum + 100 })).not.toThrow()
  expect(() => testApp({ ...settings, accountConcurrency: 'many' })).toThrow(
    '"accountConcurrency" is "many". Set "accountConcurrency" to the quota "Concurrent executions" of AWS Lambda',
  )
})
