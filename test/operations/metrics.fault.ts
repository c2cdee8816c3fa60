import { expect, test } from 'vitest'
import { localNames } from '../../infra/deploy/stacks/names.ts'
import { makeContext, measured } from '../../shared/context.ts'
import { minuteMs } from '../../shared/time.ts'
import { listen, scheduleBoth, scheduleOn } from '../journeys/author.ts'
import { changedAssembly } from '../support/changed-assembly.ts'
import { metricsIn } from '../support/metrics.ts'
import { type Kit, start } from '../support/start.ts'

const valuesOf = (kit: Kit, name: string, dimensions = '') =>
  metricsIn(kit.logged)
    .filter((datum) => datum.name === name && datum.dimensions === dimensions)
    .map(({ value }) => value)

/** The names and dimensions of all metrics that have a value. */
const namesOf = (kit: Kit) =>
  [...new Set(metricsIn(kit.logged).map(({ name, dimensions }) => `${name} ${dimensions}`.trim()))].sort()

test('how late posts are, how they end, and how soon webhooks are sent are metrics of all platforms together', async () => {
  const kit = await start()
  await listen(kit)
  await scheduleBoth(kit, 'Hello', 5 * minuteMs)
  await kit.service.pass(10 * minuteMs)
  expect(namesOf(kit)).toEqual(['DeliveryLatencyMs', 'PostsPublished', 'PublishLatenessMs'])
  expect(valuesOf(kit, 'PostsPublished')).toEqual([1, 1])
  for (const lateMs of valuesOf(kit, 'PublishLatenessMs')) expect(lateMs).toBeLessThanOrEqual(1000)
  expect(valuesOf(kit, 'DeliveryLatencyMs')).toHaveLength(4)
  for (const tookMs of valuesOf(kit, 'DeliveryLatencyMs')) expect(tookMs).toBeLessThanOrEqual(1000)
  for (const { namespace, atMs } of metricsIn(kit.logged)) {
    expect(namespace).toBe(localNames.metricNamespace)
    expect(Math.abs(atMs - kit.clock.now())).toBeLessThanOrEqual(10 * minuteMs)
  }
})

test('a post that fails counts with its reason, and against the service only if its author can mend nothing', async () => {
  const kit = await start()
  await scheduleOn(kit, 'bluesky', 'Hello', 5 * minuteMs)
  const { id } = await kit.api.socialAccounts
    .list()
    .then((all) => all.find(({ providerId }) => providerId === 'bluesky') ?? { id: '' })
  await kit.api.socialAccounts.disconnect({ params: { id } })
  await kit.service.pass(10 * minuteMs)
  expect([valuesOf(kit, 'PostsFailed'), valuesOf(kit, 'PostsPublished')]).toEqual([[1], []])
  await scheduleOn(kit, 'discord', 'Hello', 20 * minuteMs)
  kit.service.queues.faults.onSend = () => 'lose'
  kit.service.schedules.faults.onFire = () => 'lose'
  await kit.service.pass(25 * 60 * minuteMs)
  kit.service.queues.faults.onSend = () => 'keep'
  await kit.service.pass(20 * minuteMs)
  expect([valuesOf(kit, 'PostsFailed'), valuesOf(kit, 'PostsPublished')]).toEqual([[1, 1], [0]])
  expect(valuesOf(kit, 'PublishLatenessMs')).toEqual([])
})

test('a deployment with that setting gets the metrics of each platform, and of each reason', async () => {
  const assembly = await changedAssembly(({ Resources }) => {
    for (const { Type, Properties } of Object.values(Resources)) {
      if (Type !== 'AWS::Lambda::Function') continue
      const { Variables } = Properties['Environment'] as { Variables: Record<string, string> }
      Variables['METRICS'] = JSON.stringify({ ...JSON.parse(Variables['METRICS'] ?? ''), byPlatform: true })
    }
  })
  const kit = await start({ assembly })
  await scheduleBoth(kit, 'Hello', 5 * minuteMs)
  await kit.service.pass(10 * minuteMs)
  expect(valuesOf(kit, 'PostsPublished', 'platform=discord')).toEqual([1])
  expect(valuesOf(kit, 'PublishLatenessMs', 'platform=bluesky')).toHaveLength(1)
  expect(valuesOf(kit, 'PostsPublished')).toEqual([1, 1])
})

test('a line that CloudWatch would reject is noticed', () => {
  const ctx = makeContext({ METRICS: '{"namespace":"Social/test","byPlatform":true}' })
  const by = { platform: 'x', reason: 'too_late' }
  const line = { message: 'm', ...measured(ctx, { name: 'PostsFailed', value: 1, by }) }
  expect(metricsIn([JSON.stringify(line)]).map(({ dimensions }) => dimensions)).toEqual([
    '',
    'platform=x reason=too_late',
  ])
  const rejected = [
    { ...line, PostsFailed: '1' },
    { ...line, reason: undefined },
    { ...line, _aws: { ...line._aws, Timestamp: '2026-11-26' } },
    { ...line, _aws: { ...line._aws, CloudWatchMetrics: [] } },
  ]
  for (const line of rejected) expect(() => metricsIn([JSON.stringify(line)])).toThrow()
})
