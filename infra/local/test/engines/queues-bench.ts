import * as aws from '@aws-sdk/client-sqs'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Queues, startQueues } from '../../engines/queues.ts'

// CONFORMANCE_AWS=1 aims the cases that need no moved clock and no hook at the default endpoint, that is real AWS.
export const onAws = process.env['CONFORMANCE_AWS'] === '1'
let nowMs = Date.parse('2026-11-21T10:00:00Z')
const engine = onAws ? undefined : await startQueues({ clock: { now: now } })
export const sqs = clientOf(engine)
const made: string[] = []

/** A case for the local engine alone. */
export const local = test.skipIf(onAws)

export function clientOf(queues: Queues | undefined): aws.SQSClient {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  return new aws.SQSClient(queues ? { endpoint: queues.url, region: 'us-east-1', credentials } : {})
}

export function now(): number {
  return onAws ? Date.now() : nowMs
}

export function queues(): Queues {
  if (!engine) throw new Error('This case needs the local engine.')
  return engine
}

export function pass(seconds: number): void {
  nowMs += seconds * 1000
  queues().wake()
}

export async function queue(Attributes: Record<string, string> = {}): Promise<string> {
  const QueueName = `conformance-${Date.now()}-${made.length}${Attributes['FifoQueue'] ? '.fifo' : ''}`
  const { QueueUrl = '' } = await sqs.send(new aws.CreateQueueCommand({ QueueName, Attributes }))
  made.push(QueueUrl)
  return QueueUrl
}

export function nameOf(queueUrl: string): string {
  return queueUrl.split('/').at(-1) ?? ''
}

export function send(QueueUrl: string, MessageBody: string, rest: Partial<aws.SendMessageCommandInput> = {}) {
  return sqs.send(new aws.SendMessageCommand({ QueueUrl, MessageBody, ...rest }))
}

export async function receive(QueueUrl: string, rest: Partial<aws.ReceiveMessageCommandInput> = {}) {
  const input = { QueueUrl, WaitTimeSeconds: onAws ? 2 : 0, MaxNumberOfMessages: 10, ...rest }
  return (await sqs.send(new aws.ReceiveMessageCommand(input))).Messages ?? []
}

export async function bodies(...args: Parameters<typeof receive>) {
  return (await receive(...args)).map(({ Body }) => Body)
}

export async function one(QueueUrl: string, rest: Partial<aws.ReceiveMessageCommandInput> = {}) {
  const [message] = await receive(QueueUrl, { MaxNumberOfMessages: 1, ...rest })
  return { ...message, ReceiptHandle: message?.ReceiptHandle ?? '' }
}

export function remove(QueueUrl: string, ReceiptHandle: string) {
  return sqs.send(new aws.DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
}

export function hide(QueueUrl: string, ReceiptHandle: string, VisibilityTimeout: number) {
  return sqs.send(new aws.ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }))
}

export async function attributesOf(QueueUrl: string): Promise<Record<string, string>> {
  return (await sqs.send(new aws.GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes ?? {}
}

/** How many messages are visible, delayed, in flight. */
export async function counts(QueueUrl: string): Promise<number[]> {
  const all = await attributesOf(QueueUrl)
  return ['', 'Delayed', 'NotVisible'].map((kind) => Number(all[`ApproximateNumberOfMessages${kind}`]))
}

/** A source queue (visibility timeout 5 s) with its dead-letter queue. */
export async function withDeadLetters(maxReceiveCount: number, kind: Record<string, string> = {}) {
  const dead = await queue(kind)
  const deadArn = (await attributesOf(dead))['QueueArn'] ?? ''
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: deadArn, maxReceiveCount })
  return { dead, deadArn, source: await queue({ ...kind, RedrivePolicy, VisibilityTimeout: '5' }) }
}

export function refused(call: Promise<unknown>, name: string): Promise<void> {
  return expect(call).rejects.toMatchObject({ name })
}

afterEach(() => {
  if (engine) Object.assign(engine.faults, { onSend: undefined, reorder: undefined })
})

afterAll(async () => {
  for (const QueueUrl of made) await sqs.send(new aws.DeleteQueueCommand({ QueueUrl })).catch(() => undefined)
  sqs.destroy()
  await engine?.close()
}, 120_000)
