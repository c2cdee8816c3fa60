import { expect, test } from 'vitest'
import { assumptions } from '../../infra/deploy/cost/assumptions.ts'
import { idleLines, type TemplateResource } from '../../infra/deploy/cost/idle.ts'
import { type Line, prices, sumOf } from '../../infra/deploy/cost/prices.ts'
import { tableOf } from '../../infra/deploy/cost/report.ts'
import { durationMsOf, type Invocation, type Measured, usageLines } from '../../infra/deploy/cost/usage.ts'
import { readResources } from './templates.ts'

const mapping = (Properties: object): TemplateResource => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: { ...Properties },
})
const alarm: TemplateResource = { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmName: 'one' } }
const priceOf = (resources: readonly TemplateResource[]) => sumOf(idleLines(resources, 0))

test('the price of an idle month follows from the resources', () => {
  expect(priceOf([alarm])).toBeCloseTo(0.1)
  const metrics = [
    { Id: 'a', MetricStat: {} },
    { Id: 'b', MetricStat: {} },
    { Id: 'sum', Expression: 'a + b' },
  ]
  expect(priceOf([{ ...alarm, Properties: { Metrics: metrics } }])).toBeCloseTo(0.2)
  expect(priceOf([{ Type: 'AWS::KMS::Key' }, { Type: 'AWS::SecretsManager::Secret' }])).toBeCloseTo(1.4)
  expect(priceOf([{ Type: 'AWS::WAFv2::WebACL', Properties: { Rules: [{}, {}, {}] } }])).toBeCloseTo(8)
  // Two pollers, or five with a limit; each polls three times a minute for 730 hours.
  expect(priceOf([mapping({})])).toBeCloseTo((2 * 3 * 60 * 730 * 0.4) / 1e6)
  expect(priceOf([mapping({ ScalingConfig: { MaximumConcurrency: 2 } })])).toBeCloseTo((5 * 3 * 60 * 730 * 0.4) / 1e6)
  expect(priceOf([{ Type: 'AWS::SQS::Queue' }, { Type: 'AWS::Lambda::Function' }, { Type: 'AWS::IAM::Role' }])).toBe(0)
})

test('the sweeper costs its invocations, its memory, and its reads', () => {
  const rule = { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(1 minute)' } }
  const sweeper = { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'social-x-sweep', MemorySize: 1024 } }
  const runs = 730 * 60
  const lambda = (runs * 0.2) / 1e6 + (runs * assumptions.idleSweepMs * prices.lambdaGigabyteSecond.usd) / 1000
  expect(sumOf(idleLines([rule, sweeper], 8))).toBeCloseTo(lambda + (runs * 8 * 0.125) / 1e6)
  expect(() => idleLines([rule], 8)).toThrow(/does not start the sweeper/)
})

test('a resource without a known price is an error', () => {
  expect(() => priceOf([{ Type: 'AWS::EC2::NatGateway' }])).toThrow('AWS::EC2::NatGateway: look up its price')
  expect(() => priceOf([mapping({ ProvisionedPollerConfig: { MinimumPollers: 2 } })])).toThrow(/provisioned pollers/)
})

test('an idle month costs at most 7.60 USD without the firewall, and one more alarm raises its price', async () => {
  const resources = await readResources()
  const isFirewall = ({ Type }: TemplateResource) => Type === 'AWS::WAFv2::WebACL'
  expect(resources.filter(isFirewall)).toHaveLength(1)
  const own = resources.filter((resource) => !isFirewall(resource))
  // The sweeper reads each of its 16 shards (test/every-route/budgets.law.ts), half a unit each.
  const price = sumOf(idleLines(own, 8))
  expect(price).toBeGreaterThan(3)
  expect(price).toBeLessThanOrEqual(7.6)
  expect(sumOf(idleLines([...own, alarm], 8)) - price).toBeCloseTo(0.1)
})

const publisher: Invocation = {
  functionName: 'publish-post',
  queue: 'publish-x',
  memoryMb: 512,
  waitMs: 2000,
  cpuMs: 10,
  calls: [
    { service: 'dynamodb', action: 'UpdateItem', step: 1 },
    { service: 'dynamodb', action: 'BatchGetItem', step: 1 },
    { service: 'x', action: 'POST /2/tweets', step: 2 },
    { service: 'sqs', action: 'SendMessage', step: 3 },
  ],
}

test('an invocation takes its wait, its calls one after the other, and its work at its share of a processor', () => {
  const { callMs } = assumptions
  const calls = callMs.dynamodb + callMs.platform + callMs.sqs
  expect(durationMsOf(publisher)).toBeCloseTo(2000 + calls + (10 * 1769) / 512)
  expect(durationMsOf({ ...publisher, waitMs: 0, calls: [], memoryMb: 1769 })).toBeCloseTo(10)
})

const scheduling: Invocation = {
  functionName: 'posts-schedule',
  memoryMb: 512,
  waitMs: 0,
  cpuMs: 5,
  calls: [
    { service: 'scheduler', action: 'CreateSchedule', step: 1 },
    { service: 'kms', action: 'Decrypt', step: 1 },
  ],
}
const fixed: Measured = {
  posts: 2,
  requests: 2,
  invocations: [publisher, publisher, scheduling, scheduling],
  writeUnits: 80,
  readUnits: 20,
  busEvents: 2,
  logBytes: 400,
}

test('the units of a million posts follow from those that were measured', () => {
  const lines = usageLines(fixed, { withFirewall: true })
  const unitsOf = (price: Line['price']) =>
    lines.filter((line) => line.price === price).reduce((sum, { units }) => sum + units, 0)
  expect(unitsOf('customEvent')).toBe(1_000_000)
  expect(unitsOf('writeUnit')).toBe(40e6)
  expect(unitsOf('readUnit')).toBe(10e6)
  expect(unitsOf('apiRequest')).toBe(1e6)
  expect(unitsOf('firewallRequest')).toBe(1e6)
  expect(unitsOf('lambdaRequest')).toBe(2e6)
  // The Scheduler's message, the publisher's, and what Lambda does for a batch: it receives and deletes it.
  expect(unitsOf('queueRequest')).toBe(4e6)
  expect(unitsOf('fairQueueRequest')).toBe(3e6)
  expect(unitsOf('scheduledInvocation')).toBe(1e6)
  expect(unitsOf('keyRequest')).toBe(1e6)
  expect(unitsOf('logGigabyte')).toBeCloseTo(0.5)
  const seconds = (durationMsOf(publisher) + durationMsOf(scheduling) + 2 * 0.01 * 500) / 1000
  expect(unitsOf('lambdaGigabyteSecond')).toBeCloseTo(0.5 * seconds * 1e6)
  expect(usageLines(fixed, { withFirewall: false }).some(({ service }) => service === 'WAF')).toBe(false)
})

test('the table shows units, prices, and their sum', () => {
  const lines: Line[] = [
    { service: 'SQS', what: 'polls', units: 1_314_000, price: 'queueRequest' },
    { service: 'KMS', what: 'key', units: 1, price: 'keyMonth' },
  ]
  expect(tableOf(lines).split('\n').slice(2)).toEqual([
    '| KMS | key | 1 | 1 per key and month | 1.00 |',
    '| SQS | polls | 1,314,000 | 0.4 / 1,000,000 per request | 0.53 |',
    '| **Sum** | | | | **1.53** |',
  ])
})

test('each price names its page at AWS and where it was read', () => {
  for (const [name, { usd, per, page, readAt }] of Object.entries(prices)) {
    expect([name, usd > 0, per >= 1]).toEqual([name, true, true])
    expect(page).toMatch(/^https:\/\/aws\.amazon\.com\/[a-z0-9-]+\/pricing\//)
    expect(readAt).toMatch(/^https:\/\//)
  }
})
