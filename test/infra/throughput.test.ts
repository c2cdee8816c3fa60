import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { faultsOfResource } from './resource-spec/check.ts'
import { physical, type Resources, read, settings, synthesize } from './synth.ts'

const Warm = z.object({ ReadUnitsPerSecond: z.number(), WriteUnitsPerSecond: z.number() })
const Table = z.object({
  WarmThroughput: z.optional(Warm),
  GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string(), WarmThroughput: z.optional(Warm) })),
})
const Mapping = z.object({
  EventSourceArn: z.string(),
  ScalingConfig: z.optional(z.unknown()),
  ProvisionedPollerConfig: z.optional(z.unknown()),
})
const Method = z.object({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() })
const Stage = z.object({ MethodSettings: z.array(Method) })

const withSettings = (more: Readonly<Record<string, unknown>>) =>
  synthesize({ ...settings, ...more, baseUrl: settings.baseUrl })

const scalingOf = (resources: Resources, queue: string) => {
  const mapping = read(resources, 'AWS::Lambda::EventSourceMapping', Mapping).find(({ EventSourceArn }) =>
    EventSourceArn.endsWith(`:${physical(queue)}`),
  )
  return [mapping?.ScalingConfig, mapping?.ProvisionedPollerConfig]
}

const raised = withSettings({
  warmThroughput: { table: { write: 40_000 }, sweep: { read: 20_000, write: 10_000 } },
  pollers: { 'publish-x': { minimum: 3, maximum: 60 } },
  maximumConcurrency: { 'publish-slack': 200 },
  apiThrottling: { rate: 5000, burst: 2500 },
})

test('without settings, the table is cold, and queues are scaled by their load, up to their limit', () => {
  const { data, app } = withSettings({})
  const [table] = read(data, 'AWS::DynamoDB::GlobalTable', Table)
  expect(table?.WarmThroughput).toBeUndefined()
  expect(table?.GlobalSecondaryIndexes.map(({ WarmThroughput }) => WarmThroughput)).toEqual(Array(5).fill(undefined))
  expect(scalingOf(app, 'publish-x')).toEqual([undefined, undefined])
  expect(scalingOf(app, 'deliver')).toEqual([{ MaximumConcurrency: 100 }, undefined])
  const [stage] = read(app, 'AWS::ApiGateway::Stage', Stage)
  expect(stage?.MethodSettings).toEqual([{ ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 500 }])
})

test('the table and each index have the configured warm throughput', () => {
  const [table] = read(raised.data, 'AWS::DynamoDB::GlobalTable', Table)
  expect(table?.WarmThroughput).toEqual({ ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 40_000 })
  expect(
    Object.fromEntries(table?.GlobalSecondaryIndexes.map((index) => [index.IndexName, index.WarmThroughput]) ?? []),
  ).toEqual({
    account: undefined,
    status: undefined,
    sweep: { ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 10_000 },
    waiting: undefined,
    time: undefined,
  })
})

test('a queue has its own pollers or a maximum of invocations, never both', () => {
  expect(scalingOf(raised.app, 'publish-x')).toEqual([undefined, { MinimumPollers: 3, MaximumPollers: 60 }])
  expect(scalingOf(raised.app, 'publish-slack')).toEqual([{ MaximumConcurrency: 200 }, undefined])
})

test('the API lets in as many requests as is configured', () => {
  const [stage] = read(raised.app, 'AWS::ApiGateway::Stage', Stage)
  expect(stage?.MethodSettings).toEqual([{ ThrottlingRateLimit: 5000, ThrottlingBurstLimit: 2500 }])
})

test('CloudFormation accepts the resources with these settings', () => {
  const all = [...Object.entries(raised.data), ...Object.entries(raised.app)]
  const faults = all.flatMap(([id, { Type, Properties }]) =>
    faultsOfResource(Type, Properties).map((fault) => `${id}: ${fault}`),
  )
  expect(all.length).toBeGreaterThan(400)
  expect(faults).toEqual([])
})
