import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type Context, perContext } from '../context.ts'
import { inOneTurn } from '../in-one-turn.ts'
import type { QueueName } from '../resources.ts'
import { makeClient } from './client.ts'

const client = perContext((ctx) => makeClient(ctx, SQSClient, {}))

/** A message to a queue; `group` is the fair-queue group (the workspace), and the delay is at most 900 s. */
export interface QueueMessage {
  body: object
  group: string
  delaySeconds?: number
}

/** The text of a message, with the id of the API call that led to it; workers read it in `worker`. */
export const messageText = ({ correlationId }: Pick<Context, 'correlationId'>, body: object): string =>
  JSON.stringify({ correlationId, ...body })

const urlOf = (ctx: Context, queue: QueueName) => `${ctx.env('QUEUE_URL_PREFIX')}${queue}`

/** The longest delay that SQS accepts, in seconds. */
export const maxDelaySeconds = 900

/** Sends messages, ten at a time; throws if any was rejected. */
export const sendAll = async (ctx: Context, queue: QueueName, messages: readonly QueueMessage[]): Promise<void> => {
  for (let from = 0; from < messages.length; from += 10) {
    const Entries = messages.slice(from, from + 10).map((message, n) => ({
      Id: `m${n}`,
      MessageBody: messageText(ctx, message.body),
      MessageGroupId: message.group,
      DelaySeconds: Math.max(0, Math.min(maxDelaySeconds, Math.floor(message.delaySeconds ?? 0))),
    }))
    const answer = await ctx.observe({ service: 'sqs', action: 'SendMessage', resource: queue }, () =>
      client(ctx).send(new SendMessageBatchCommand({ QueueUrl: urlOf(ctx, queue), Entries })),
    )
    const [failed] = answer.Failed ?? []
    if (failed) throw new Error(`the queue ${queue} rejected a message: ${failed.Code}`)
  }
}

const sendGathered = inOneTurn(async (ctx, asks: readonly { queue: QueueName; message: QueueMessage }[]) => {
  const byQueue = Map.groupBy(asks, ({ queue }) => queue)
  return new Map(
    [...byQueue].map(([queue, own]) => [
      queue,
      sendAll(
        ctx,
        queue,
        own.map(({ message }) => message),
      ),
    ]),
  )
})

/** Sends a message, batched with others of the same moment to the same queue; throws if a message was rejected. */
export const send = async (ctx: Context, queue: QueueName, message: QueueMessage): Promise<void> => {
  // The others of the moment are not of the same API call.
  const body = { correlationId: ctx.correlationId, ...message.body }
  const calls = await sendGathered(ctx, { queue, message: { ...message, body } })
  await calls.get(queue)
}

/**
 * Runs a step that only starts work sooner. If it fails, the failure is logged and the sweeper starts the work: its row must
 * have a sweep time (publishing pipeline, rule 4).
 */
export const orLeaveToSweeper = async (
  ctx: Context,
  fields: Readonly<Record<string, unknown>>,
  run: () => Promise<void>,
): Promise<void> => {
  try {
    await run()
  } catch (error) {
    ctx.log.warn('work left to the sweeper', { ...fields, reason: String(error) })
  }
}

/** Sends the message that resumes the work of a row; if the queue rejects it, the sweeper sends it. */
export const enqueueOrSweep = (ctx: Context, queue: QueueName, message: QueueMessage): Promise<void> =>
  orLeaveToSweeper(ctx, { queue, body: JSON.stringify(message.body) }, () => send(ctx, queue, message))

/** The approximate number of messages in a queue. */
export const backlog = async (ctx: Context, queue: QueueName): Promise<number> => {
  const answer = await ctx.observe({ service: 'sqs', action: 'GetQueueAttributes', resource: queue }, () =>
    client(ctx).send(
      new GetQueueAttributesCommand({ QueueUrl: urlOf(ctx, queue), AttributeNames: ['ApproximateNumberOfMessages'] }),
    ),
  )
  return Number(answer.Attributes?.['ApproximateNumberOfMessages'] ?? 0)
}
