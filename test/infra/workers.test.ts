import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { workerTable } from '../../functions/routes.ts'
import { queueNames } from '../../infra/stacks/names.ts'
import { leaseSeconds } from '../../shared/posts/lifecycle/claim.ts'
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

test('a function ends before its lease, the lease before the message comes back', () => {
  for (const { name, worker } of workerTable) {
    if (!('queues' in worker.definition)) continue
    const Timeout = functions.get(physical(name))?.Timeout ?? Number.NaN
    expect(Timeout).toBeLessThan(leaseSeconds)
    for (const queue of worker.definition.queues) {
      const { VisibilityTimeout } = queues.get(physical(queue)) ?? {}
      expect(VisibilityTimeout).toBeGreaterThan(leaseSeconds)
      expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout)
    }
  }
})

test('workers that send to a queue leading back to them may go round for ever', () => {
  const recursive = [...functions.values()].filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow')
  expect(recursive.map(({ FunctionName }) => FunctionName).sort()).toEqual([
    physical('deliver-webhook'),
    physical('drain-endpoint'),
    physical('prepare-post'),
    physical('publish-post'),
    physical('replay-events'),
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
    expect(ScalingConfig?.MaximumConcurrency).toBeGreaterThanOrEqual(2)
  }
  const discord = mappings.find(({ EventSourceArn }) => EventSourceArn.endsWith(`:${physical('publish-discord')}`))
  expect(discord?.BatchSize).toBe(4)
  for (const { EventSourceArn } of mappings) expect(queues.has(EventSourceArn.split(':').at(-1) ?? '')).toBe(true)
})

test('each queue is encrypted, reached by TLS only, and has a dead-letter queue with an alarm', () => {
  const policies = read(app, 'AWS::SQS::QueuePolicy', z.object({ Queues: z.unknown(), PolicyDocument: z.unknown() }))
  const alarms = read(
    ops,
    'AWS::CloudWatch::Alarm',
    z.object({
      MetricName: z.optional(z.string()),
      Threshold: z.number(),
      Dimensions: z.optional(z.array(z.object({ Value: z.string() }))),
      AlarmActions: z.array(z.unknown()),
    }),
  )
  const watched = (metric: string, name: string) =>
    alarms.filter(({ MetricName, Dimensions }) => MetricName === metric && Dimensions?.[0]?.Value === name)
  for (const queue of queues.values()) {
    expect(queue.SqsManagedSseEnabled).toBe(true)
    const own = policies.filter(({ Queues }) => JSON.stringify(Queues).includes(queue.logicalId))
    expect(JSON.stringify(own)).toContain('{"aws:SecureTransport":"false"}')
  }
  for (const name of queueNames) {
    expect(queues.get(physical(name))?.RedrivePolicy).toMatchObject({
      maxReceiveCount: 5,
      deadLetterTargetArn: { 'Fn::GetAtt': [queues.get(physical(`${name}-dlq`))?.logicalId, 'Arn'] },
    })
    const [alarm] = watched('ApproximateNumberOfMessagesVisible', physical(`${name}-dlq`))
    expect(alarm).toMatchObject({ Threshold: 1, AlarmActions: [expect.anything()] })
    expect(watched('ApproximateAgeOfOldestMessage', physical(name))).toHaveLength(1)
  }
  for (const { name } of workerTable) expect(watched('Errors', physical(name))).toHaveLength(1)
  expect(watched('5XXError', physical('api'))).toHaveLength(1)
  expect(alarms.filter(({ MetricName }) => MetricName === 'WorkerErrors')).toHaveLength(1)
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
