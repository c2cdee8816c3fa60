import * as z from 'zod/mini'
import { makeApp } from '../../../infra/deploy/app.ts'
import { namesOf, publishQueues } from '../../../infra/deploy/stacks/names.ts'
import type { Limits } from './table.ts'

const stage = 'throughput'

/** Settings that leave every quota of an account unchanged: 1,000 concurrent executions, 40,000 write units per table. */
export const raisedSettings = {
  pollers: Object.fromEntries(publishQueues.map((queue) => [queue, { minimum: 2, maximum: 100 }])),
  warmThroughput: {
    table: { write: 40_000 },
    account: { write: 20_000 },
    status: { write: 20_000 },
    sweep: { write: 20_000 },
  },
}

const Warm = z._default(z.object({ WriteUnitsPerSecond: z.number() }), { WriteUnitsPerSecond: 4_000 })
const Table = z.object({
  WarmThroughput: Warm,
  GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string(), WarmThroughput: Warm })),
})
const Mapping = z.object({
  EventSourceArn: z.string(),
  BatchSize: z.number(),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.number() })),
  ProvisionedPollerConfig: z.optional(z.object({ MinimumPollers: z.number(), MaximumPollers: z.number() })),
})
const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.optional(z.unknown()) })),
})

/**
 * How the invocations of a queue grow (Lambda guide, "Configuring scaling behavior for SQS event source mappings", and the
 * AWS News Blog about provisioned mode, read 2026-11-22): five at first and 300 more a minute up to 1,250, or ten for each
 * poller and 1,000 more a minute.
 */
const growthOf = ({ ScalingConfig, ProvisionedPollerConfig }: z.infer<typeof Mapping>) =>
  ProvisionedPollerConfig === undefined
    ? { first: 5, perSecond: 300 / 60, max: ScalingConfig?.MaximumConcurrency ?? 1_250 }
    : {
        first: 10 * ProvisionedPollerConfig.MinimumPollers,
        perSecond: 1_000 / 60,
        max: 10 * ProvisionedPollerConfig.MaximumPollers,
      }

/** What the templates of a deployment with these settings allow. */
export const limitsOf = (outdir: string, settings: Readonly<Record<string, unknown>>): Limits => {
  const environment = { account: '111122223333', region: 'us-east-1' }
  const context = {
    stage,
    ...environment,
    baseUrl: 'https://api.example.com',
    mailFrom: 'service@example.com',
    ...settings,
  }
  const resources = makeApp({ outdir, context })
    .synth()
    .stacks.flatMap(({ template }) => Object.values(z.parse(Template, template).Resources))
  const read = <T>(type: string, shape: z.ZodMiniType<T>): T[] =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => z.parse(shape, Properties))
  const [table] = read('AWS::DynamoDB::GlobalTable', Table)
  if (table === undefined) throw new Error('no template has a table')
  const mappings = read('AWS::Lambda::EventSourceMapping', Mapping)
  const ofQueue = (queue: string) => {
    const own = mappings.find(({ EventSourceArn }) => EventSourceArn.endsWith(`:${namesOf(stage).physical(queue)}`))
    if (own === undefined) throw new Error(`no template has a mapping of ${queue}`)
    return { batchSize: own.BatchSize, ...growthOf(own) }
  }
  return {
    platforms: Object.fromEntries(publishQueues.map((queue) => [queue.replace('publish-', ''), ofQueue(queue)])),
    writeUnits: {
      table: table.WarmThroughput.WriteUnitsPerSecond,
      ...Object.fromEntries(
        table.GlobalSecondaryIndexes.map((index) => [index.IndexName, index.WarmThroughput.WriteUnitsPerSecond]),
      ),
    },
  }
}
