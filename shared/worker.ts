import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import { type Context, lambdaContext } from './context.ts'
import type { LayerName, Need, PlatformId, QueueName } from './resources.ts'

/** A worker as data: what infra needs to deploy it and the local runner to run it. */
export interface WorkerDefinition {
  summary: string
  /** The queues it drains; one mapping each. */
  queues: readonly QueueName[]
  /** Messages per invocation; a number for all queues, or one that differs per platform. */
  batchSize: number
  batchSizeOf?: Partial<Record<PlatformId, number>>
  timeoutSeconds: number
  memoryMb: number
  needs: readonly Need[]
  /** What it needs beside its bundle: native code, laid beside it by infra. */
  layers?: readonly LayerName[]
  /** The worker sends to a queue that leads back to it: Lambda's recursion detection must let it (publishing pipeline, rule 5). */
  recursive?: boolean
}

export interface Worker {
  (event: SQSEvent): Promise<SQSBatchResponse>
  readonly definition: WorkerDefinition
  withContext(ctx: Context): (event: SQSEvent) => Promise<SQSBatchResponse>
}

export interface TimerDefinition {
  summary: string
  everyMinutes: number
  timeoutSeconds: number
  memoryMb: number
  needs: readonly Need[]
}

/** A function that a clock starts. */
export interface Timer {
  (): Promise<void>
  readonly definition: TimerDefinition
  withContext(ctx: Context): () => Promise<void>
}

/**
 * A queue worker. A message that was understood and handled is acknowledged; one that threw comes back by itself,
 * without holding up the others of its batch. What cannot be parsed goes the way of the dead-letter queue.
 */
export const worker = <M>(
  definition: WorkerDefinition,
  shape: z.ZodMiniType<M>,
  handle: (call: { ctx: Context; message: M }) => Promise<void>,
): Worker => {
  const one = async (ctx: Context, record: SQSRecord) => {
    try {
      await handle({ ctx, message: z.parse(shape, JSON.parse(record.body)) })
      return []
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
      ctx.log.error('message failed', { messageId: record.messageId, source: record.eventSourceARN, reason })
      return [{ itemIdentifier: record.messageId }]
    }
  }
  const withContext = (ctx: Context) => async (event: SQSEvent) => ({
    batchItemFailures: (await Promise.all(event.Records.map((record) => one(ctx, record)))).flat(),
  })
  const handler = async (event: SQSEvent) => withContext(lambdaContext())(event)
  return Object.assign(handler, { definition, withContext })
}

/** A function started by the clock; it throws to be seen. */
export const timer = (definition: TimerDefinition, handle: (ctx: Context) => Promise<void>): Timer => {
  const withContext = (ctx: Context) => () => handle(ctx)
  const handler = async () => handle(lambdaContext())
  return Object.assign(handler, { definition, withContext })
}
