import * as z from 'zod/mini'
import type { QueueName } from '../../../shared/resources.ts'
import { indexes } from '../../../shared/resources.ts'
import { queueNames } from './names.ts'

const wholeNumber = (least: number, max: number) => z.int().check(z.minimum(least), z.maximum(max))

/** The initial throughput of a new table and each of its indexes (DynamoDB developer guide, warm throughput scenarios). */
const coldUnits = { read: 12_000, write: 4_000 }

const Warm = z.strictObject({
  read: z._default(wholeNumber(coldUnits.read, 10_000_000), coldUnits.read),
  write: z._default(wholeNumber(coldUnits.write, 10_000_000), coldUnits.write),
})

const indexNames = Object.keys(indexes) as (keyof typeof indexes)[]
const warmNames = ['table', ...indexNames] as const

/** Units per second of the table, and of each index. */
export const WarmThroughput = z.partialRecord(z.enum(warmNames), Warm)
export type WarmThroughput = z.infer<typeof WarmThroughput>

// The ranges are those of ProvisionedPollerConfig for SQS (Lambda API reference) and of its CDK construct.
const Pollers = z
  .strictObject({ minimum: wholeNumber(2, 200), maximum: wholeNumber(2, 2000) })
  .check(z.refine(({ minimum, maximum }) => minimum <= maximum))

/** Pollers of a queue in provisioned mode. */
export const QueuePollers = z.partialRecord(z.enum(queueNames), Pollers)
export type QueuePollers = z.infer<typeof QueuePollers>

/** Requests that the API accepts: rate per second, and burst. */
export const ApiThrottling = z.strictObject({ rate: wholeNumber(1, 100_000), burst: wholeNumber(1, 50_000) })

/** The allowed values of each of these settings, for its error message. */
export const allowedThroughput = {
  warmThroughput: `an object such as {"table":{"read":12000,"write":40000}}, by ${warmNames.join(', ')}, with at least ${coldUnits.read} for "read" and ${coldUnits.write} for "write"`,
  pollers: `an object such as {"publish-x":{"minimum":2,"maximum":50}}, by queue (${queueNames.join(', ')}), from 2 to 200 and from 2 to 2000`,
  apiThrottling: 'an object such as {"rate":1000,"burst":500}',
}

/** Lambda rejects a mapping with both. */
export const queueWithBoth = (
  pollers: QueuePollers,
  maximumConcurrency: Readonly<Partial<Record<QueueName, number | null>>>,
): QueueName | undefined => queueNames.find((queue) => pollers[queue] && typeof maximumConcurrency[queue] === 'number')

/** How Lambda scales a queue: in provisioned mode by its pollers, otherwise up to the concurrent invocations, if limited. */
export const scalingOf = (
  queue: QueueName,
  pollers: QueuePollers,
  maximumConcurrency: Readonly<Record<QueueName, number | null>>,
) => {
  const own = pollers[queue]
  if (own) return { provisionedPollerConfig: { minimumPollers: own.minimum, maximumPollers: own.maximum } }
  const limit = maximumConcurrency[queue]
  return limit === null ? {} : { scalingConfig: { maximumConcurrency: limit } }
}

/** The warm throughput of the table or an index, in CloudFormation's format; nothing if none is set. */
export const warmOf = (all: WarmThroughput, name: (typeof warmNames)[number]) => {
  const own = all[name]
  return own === undefined ? {} : { warmThroughput: { readUnitsPerSecond: own.read, writeUnitsPerSecond: own.write } }
}
