import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { workerTable } from '../../functions/routes.ts'
import { queueNames } from '../../infra/deploy/stacks/names.ts'
import { functionsOf, physical, read, synthesize } from './synth.ts'

const { app, ops } = synthesize()
const functions = functionsOf(app)

const QueueShape = z.object({
  logicalId: z.string(),
  QueueName: z.string(),
  VisibilityTimeout: z.optional(z.number()),
  SqsManagedSseEnabled: z.boolean(),
  RedrivePolicy: z.optional(z.object({ maxReceiveCount: z.number(), deadLetterTargetArn: z.unknown() })),
})
const queues = new Map(read(app, 'AWS::SQS::Queue', QueueShape).map((queue) => [queue.QueueName, queue]))

test('a message comes back after its function has ended, as often as the Lambda guide advises', () => {
  for (const { name, worker } of workerTable) {
    if (!('queues' in worker.definition)) continue
    const Timeout = functions.get(physical(name))?.Timeout ?? Number.NaN
    for (const queue of worker.definition.queues) {
      expect(queues.get(physical(queue))?.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout)
    }
  }
})

test('workers that send to a queue leading back to them may go round for ever', () => {
  const recursive = [...functions.values()].filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow')
  expect(recursive.map(({ FunctionName }) => FunctionName).sort()).toEqual([
    physical('deliver-webhook'),
    physical('drain-endpoint'),
    physical('import-media'),
    physical('index-memories'),
    physical('make-export'),
    physical('notify'),
    physical('prepare-post'),
    physical('publish-post'),
    physical('replay-events'),
    physical('run-ai-job'),
  ])
})

test('each worker drains its queues, and reports single failures', () => {
  const shape = z.object({
    EventSourceArn: z.string(),
    FunctionName: z.unknown(),
    BatchSize: z.number(),
    FunctionResponseTypes: z.array(z.string()),
    ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.number() })),
  })
  const mappings = read(app, 'AWS::Lambda::EventSourceMapping', shape)
  const drained = workerTable.flatMap(({ worker: { definition } }) => ('queues' in definition ? definition.queues : []))
  expect([...drained].sort()).toEqual([...queueNames].sort())
  expect(mappings).toHaveLength(drained.length)
  for (const { FunctionResponseTypes, ScalingConfig } of mappings) {
    expect(FunctionResponseTypes).toEqual(['ReportBatchItemFailures'])
    if (ScalingConfig) expect(ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2)
  }
  const batchOf = (queue: string) =>
    mappings.find(({ EventSourceArn }) => EventSourceArn.endsWith(`:${physical(queue)}`))?.BatchSize
  expect(['publish-x', 'publish-pinterest', 'publish-discord'].map(batchOf)).toEqual([10, 4, 4])
  for (const { EventSourceArn } of mappings) expect(queues.has(EventSourceArn.split(':').at(-1) ?? '')).toBe(true)
})

test('the pipeline of posts scales without a limit, what holds invocations for long has one', () => {
  const shape = z.object({ EventSourceArn: z.string(), ScalingConfig: z.optional(z.object({})) })
  const limited = read(app, 'AWS::Lambda::EventSourceMapping', shape).filter(({ ScalingConfig }) => ScalingConfig)
  const queuesOf = limited.map(({ EventSourceArn }) => EventSourceArn.split(':').at(-1))
  expect(queuesOf.sort()).toEqual(['deliver', 'drain', 'import', 'index', 'preview', 'replay'].map(physical))
})

test('each queue is encrypted, reached by TLS only, and hands what fails to the dead-letter queue', () => {
  const policies = read(app, 'AWS::SQS::QueuePolicy', z.object({ Queues: z.unknown(), PolicyDocument: z.unknown() }))
  for (const queue of queues.values()) {
    expect(queue.SqsManagedSseEnabled).toBe(true)
    const own = policies.filter(({ Queues }) => JSON.stringify(Queues).includes(queue.logicalId))
    expect(JSON.stringify(own)).toContain('{"aws:SecureTransport":"false"}')
  }
  const deadLetters = queues.get(physical('dead-letters'))
  expect(deadLetters?.RedrivePolicy).toBeUndefined()
  for (const name of queueNames) {
    expect(queues.get(physical(name))?.RedrivePolicy).toMatchObject({
      maxReceiveCount: 5,
      deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters?.logicalId, 'Arn'] },
    })
  }
})

test('alarms may reach their topic', () => {
  const [policy] = read(ops, 'AWS::SNS::TopicPolicy', z.object({ PolicyDocument: z.unknown() }))
  expect(policy?.PolicyDocument).toMatchObject({
    Statement: expect.arrayContaining([
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    ]),
  })
})

test('timers are started by a clock that may invoke them', () => {
  const rules = read(app, 'AWS::Events::Rule', z.object({ ScheduleExpression: z.string(), Targets: z.unknown() }))
  const timers = workerTable.filter(({ worker }) => 'everyMinutes' in worker.definition)
  expect(rules).toHaveLength(timers.length)
  expect(rules[0]?.ScheduleExpression).toBe('rate(1 minute)')
  expect(JSON.stringify(rules[0]?.Targets)).toContain(functions.get(physical('sweep'))?.logicalId)
})
