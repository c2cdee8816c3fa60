import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import { type Context, lambdaContext, withCorrelation } from './context.ts'
import { UnreadableRow } from './errors/unreadable-row.ts'
import type { LayerName, Need, QueueName } from './resources.ts'

/** A worker as data: what infra needs to deploy it, and the local runner to run it. */
export interface WorkerDefinition {
  summary: string
  /** The queues that the worker consumes, with one event source mapping each. */
  queues: readonly QueueName[]
  /** Messages per invocation; fewer for platforms with a `publishBatch`. */
  batchSize: number
  timeoutSeconds: number
  memoryMb: number
  needs: readonly Need[]
  /** Native libraries that infra deploys with its bundle. */
  layers?: readonly LayerName[]
  /**
   * The worker sends to a queue that leads back to it: Lambda's recursion detection must allow it (publishing pipeline,
   * rule 5).
   */
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

/** A function that runs on a timer. */
export interface Timer {
  (): Promise<void>
  readonly definition: TimerDefinition
  withContext(ctx: Context): () => Promise<void>
}

/** What `messageText` adds to each message. Messages of earlier releases do not have it. */
const Correlated = z.object({ correlationId: z.string() })

/**
 * Creates a queue worker. A handled message is acknowledged; one whose handler threw is delivered again, without blocking
 * the others of its batch. A message that cannot be parsed goes to the dead-letter queue.
 */
export const worker = <M>(
  definition: WorkerDefinition,
  shape: z.ZodMiniType<M>,
  handle: (call: { ctx: Context; message: M }) => Promise<void>,
): Worker => {
  const one = async (given: Context, record: SQSRecord) => {
    let ctx = given
    try {
      const body: unknown = JSON.parse(record.body)
      ctx = withCorrelation(given, z.safeParse(Correlated, body).data?.correlationId)
      await handle({ ctx, message: z.parse(shape, body) })
      return []
    } catch (error) {
      // The row stays unchanged: the sweeper sends its message again until a release runs that can read it.
      if (error instanceof UnreadableRow) {
        ctx.log.warn('a message about a row of a newer release is left', {
          messageId: record.messageId,
          reason: error.message,
        })
        return []
      }
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

/** Creates a function that runs on a timer; it throws errors, so that the alarms see them. */
export const timer = (definition: TimerDefinition, handle: (ctx: Context) => Promise<void>): Timer => {
  const withContext = (ctx: Context) => () => handle(ctx)
  const handler = async () => handle(lambdaContext())
  return Object.assign(handler, { definition, withContext })
}
