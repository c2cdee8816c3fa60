import * as z from 'zod/mini'
import { ScheduleRefusal } from './refusal.ts'
import type { Invocation, Target } from './schedule.ts'

/** The role whose rights a delivery uses. */
interface Sender {
  roleArn: string
  scheduleArn: string
}

/** The resolved target of a schedule; the caller of the engine invokes it and throws if that fails. */
export type Delivery = Sender &
  (
    | {
        kind: 'queue'
        queueName: string
        body: string
        messageGroupId?: string | undefined
        messageDeduplicationId?: string | undefined
        delaySeconds?: number | undefined
        attributes?: Record<string, string>
      }
    | { kind: 'function'; functionName: string; payload: string }
  )

const sendMessageArn = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage'

const SendMessageInput = z.object({
  QueueUrl: z.string(),
  MessageBody: z.string(),
  MessageGroupId: z.optional(z.string()),
  MessageDeduplicationId: z.optional(z.string()),
  DelaySeconds: z.optional(z.number()),
})

/** Rejects a target that AWS would reject, and one without a stand-in here. */
export function checkTarget(target: Target): void {
  const deadLetterArn = target.DeadLetterConfig?.Arn
  if (deadLetterArn && (!isQueueArn(deadLetterArn) || deadLetterArn.endsWith('.fifo'))) {
    throw new ScheduleRefusal('ValidationException', 'The dead-letter queue must be a standard SQS queue.')
  }
  if (target.Arn === sendMessageArn) {
    if (readSendMessage(target.Input ?? '')) return
    throw new ScheduleRefusal(
      'ValidationException',
      'The Input of sqs:sendMessage must be JSON with QueueUrl and MessageBody.',
    )
  }
  if (isQueueArn(target.Arn)) {
    if (!target.Arn.endsWith('.fifo') || target.SqsParameters?.MessageGroupId) return
    throw new ScheduleRefusal('ValidationException', 'A FIFO queue needs SqsParameters.MessageGroupId.')
  }
  if (isFunctionArn(target.Arn)) return
  throw new ScheduleRefusal(
    'ValidationException',
    `The local scheduler has no target ${target.Arn}: only SQS queues, sqs:sendMessage and Lambda functions.`,
  )
}

export function deliveryOf(invocation: Invocation): Delivery {
  const { Arn, SqsParameters } = invocation.target
  const sender = senderOf(invocation)
  const input = fillIn(invocation)
  if (isFunctionArn(Arn)) return { ...sender, kind: 'function', functionName: Arn.split(':')[6] ?? '', payload: input }
  if (isQueueArn(Arn)) {
    const messageGroupId = SqsParameters?.MessageGroupId
    return { ...sender, kind: 'queue', queueName: lastPart(Arn), body: input, messageGroupId }
  }
  const message = readSendMessage(input)
  if (!message) throw new Error('The Input is no longer JSON after its keywords were filled in.')
  return {
    ...sender,
    kind: 'queue',
    queueName: lastPart(message.QueueUrl),
    body: message.MessageBody,
    messageGroupId: message.MessageGroupId,
    messageDeduplicationId: message.MessageDeduplicationId,
    delaySeconds: message.DelaySeconds,
  }
}

function senderOf({ target, scheduleArn }: Invocation): Sender {
  return { roleArn: target.RoleArn, scheduleArn }
}

/** The keywords of the scheduler's user guide, "Adding context attributes". */
function fillIn({ target, scheduleArn, scheduledAt, id, attempts }: Invocation): string {
  return (target.Input ?? '{}')
    .replaceAll('<aws.scheduler.schedule-arn>', scheduleArn)
    .replaceAll('<aws.scheduler.scheduled-time>', timeOf(scheduledAt))
    .replaceAll('<aws.scheduler.execution-id>', id)
    .replaceAll('<aws.scheduler.attempt-number>', String(attempts))
}

/** The message for the dead-letter queue when the retries are used up. */
export function deadLetterOf(invocation: Invocation, queueArn: string, error: unknown, exhausted: string): Delivery {
  return {
    ...senderOf(invocation),
    kind: 'queue',
    queueName: lastPart(queueArn),
    body: fillIn(invocation),
    attributes: {
      ERROR_CODE: error instanceof Error ? error.name : 'Error',
      ERROR_MESSAGE: (error instanceof Error && error.message) || String(error),
      EXECUTION_ID: invocation.id,
      EXHAUSTED_RETRY_CONDITION: exhausted,
      RETRY_ATTEMPTS: String(invocation.attempts - 1),
      SCHEDULE_ARN: invocation.scheduleArn,
      SCHEDULED_TIME: timeOf(invocation.scheduledAt),
      TARGET_ARN: invocation.target.Arn,
    },
  }
}

function timeOf(moment: number): string {
  return new Date(moment).toISOString().replace(/\.\d+/, '')
}

function isQueueArn(arn: string): boolean {
  return /^arn:aws[a-z-]*:sqs:[a-z\d-]+:\d{12}:[\w-]+(\.fifo)?$/.test(arn)
}

function isFunctionArn(arn: string): boolean {
  return /^arn:aws[a-z-]*:lambda:[a-z\d-]+:\d{12}:function:[\w-]+(:[\w$-]+)?$/.test(arn)
}

function lastPart(arnOrUrl: string): string {
  return arnOrUrl.split(/[/:]/).at(-1) ?? ''
}

function readSendMessage(input: string): z.infer<typeof SendMessageInput> | undefined {
  try {
    return z.parse(SendMessageInput, JSON.parse(input))
  } catch {
    return undefined
  }
}
